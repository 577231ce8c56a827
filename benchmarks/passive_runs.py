"""What a passive run (passive_worlds.py) shows of its energy, its momentum and its overlaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import rollcone as rc
from benchmarks.passive_worlds import GRAVITY, PassiveWorld, passive_world
from rollcone.analysis.energy import TERMS, EnergyAudit
from rollcone.mechanics.bodies import DYNAMIC
from rollcone.mechanics.rotations import rotation_matrix

Floats = NDArray[np.float64]
# The remainder of a step is to be below this share of what it turns over, or below the second share
# of K + m g s, or below so many units in the last place of the sums that it is the difference of.
AUDIT_SHARE, AUDIT_FLOOR, ULPS = 1e-10, 1e-14, 8.0


@dataclass(frozen=True)
class Outcome:
    """Figures of one passive run.

    gain        largest rise of K + P above any earlier value, over the largest of K at the start,
                E at the start minus the least E, and m g s, s the smallest size of the bodies
    source      the term of the audit that gave most of that rise
    remainder   largest remainder of a step, over what was turned over in it; rounding counts as
                1e-10 of that (`audit_remainder`)
    momentum    change of linear and of angular momentum of a free world over its sums of m |v| and
                of m |v| r + |L|; nan where something acts from outside
    sunk        deepest overlap over the largest size of the bodies
    error       what stopped the run, or nothing
    """

    seed: int
    bodies: str
    ground: str
    joined: bool
    step: float
    restitution: float
    gain: float = np.nan
    source: str = ""
    remainder: float = np.nan
    momentum: tuple[float, float] = (np.nan, np.nan)
    sunk: float = np.nan
    steps: int = 0
    unconverged: int = 0
    trusted: bool = False
    error: str = ""


def passive_run(seed: int, impacts: int | None = None) -> Outcome:
    """Run the world of that seed, with steps divided at so many impacts, and return what came of
    it."""
    made = passive_world(seed)
    about = (made.seed, made.bodies, made.ground, made.joined, made.step, made.restitution)
    start = masses(made), made.size  # before bodies move
    try:
        scheme = rc.GapAhead(max_impacts=impacts)
        run = rc.simulate(made.world, until=made.steps * made.step, step=made.step, scheme=scheme)
    except rc.RollconeError as error:
        return Outcome(*about, error=f"{type(error).__name__}: {error}")
    audit, weight = run.energy, start[0] * GRAVITY * start[1]
    gain, source = energy_gain(audit, weight)
    return Outcome(
        *about,
        gain=gain,
        source=source,
        remainder=audit_remainder(audit, weight),
        momentum=momentum_change(run) if made.ground == "free" else (np.nan, np.nan),
        sunk=float(run.overlap.max(initial=0.0)) / made.length,
        steps=made.steps,
        unconverged=int(run.unconverged.sum()),
        trusted=run.trusted,
    )


def masses(made: PassiveWorld) -> float:
    """Return the sum of the masses of all bodies that move (kg)."""
    state = made.world.state
    return float(state.mass[state.kind == DYNAMIC].sum())


def energy_gain(audit: EnergyAudit, weight: float) -> tuple[float, str]:
    """Return the largest rise of K + P above any earlier value, relative, and the term of the audit
    that gave most of it (`Outcome`); `weight` is m g s (J)."""
    total = audit.kinetic + audit.potential
    rises = total - np.minimum.accumulate(total)
    last = int(rises.argmax())
    first = int(total[: last + 1].argmin())
    names = (*TERMS, "remainder")
    given = [float(getattr(audit, name)[last] - getattr(audit, name)[first]) for name in names]
    scale = max(float(audit.kinetic[0]), float(total[0] - total.min()), weight)
    return float(rises[last]) / scale, names[int(np.argmax(given))]


def audit_remainder(audit: EnergyAudit, weight: float) -> float:
    """Return the largest remainder of a step over what is turned over in it, relative: the sum of
    the changes of all terms without their signs, but so much at least that what rounding leaves is
    1e-10 of it. `weight` is m g s (J)."""
    terms = ("kinetic", "potential", *TERMS)
    turned = sum(np.abs(np.diff(getattr(audit, name))) for name in terms)
    least = AUDIT_FLOOR * (audit.kinetic[1:] + weight)
    largest = np.max([np.abs(getattr(audit, name)) for name in terms], axis=0)
    rounding = ULPS * np.spacing(np.maximum(largest[1:], largest[:-1]))
    scale = np.maximum(turned, np.maximum(least, rounding) / AUDIT_SHARE)
    return float((np.abs(np.diff(audit.remainder)) / scale).max(initial=0.0))


def momentum_change(run: rc.Run) -> tuple[float, float]:
    """Return by how much linear and angular momentum change, relative (`Outcome`)."""
    before, after = momenta(run, 0), momenta(run, -1)
    linear, angular = (
        float(np.linalg.norm(after[k] - before[k])) / max(before[k + 2], after[k + 2], 1e-300)
        for k in (0, 1)
    )
    return linear, angular


def momenta(run: rc.Run, moment: int) -> tuple[Floats, Floats, float, float]:
    """Return the linear momentum (3,), kg m/s, the angular one about the origin (3,), kg m2/s, and
    the sums of m |v| and of m |v| r + |L| of all bodies, r from the origin, L their own turning."""
    state = run.world.state
    linear, angular, speed, moments = np.zeros(3), np.zeros(3), 0.0, 0.0
    x, v, w, q = (
        run.states(name)[moment]
        for name in ("position", "velocity", "angular_velocity", "orientation")
    )
    for i in np.flatnonzero(state.kind == DYNAMIC):
        m = state.mass[i]
        axes = rotation_matrix(q[i]) @ rotation_matrix(state.principal[i])
        spin = axes @ (state.inertia[i] * (axes.T @ w[i]))
        linear += m * v[i]
        angular += m * np.cross(x[i], v[i]) + spin
        speed += m * float(np.linalg.norm(v[i]))
        moments += m * float(np.linalg.norm(v[i]) * np.linalg.norm(x[i]))
        moments += float(np.linalg.norm(spin))
    return linear, angular, speed, moments
