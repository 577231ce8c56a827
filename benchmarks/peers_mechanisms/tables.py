"""The table of mechanisms next to other programs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.programs import Variant, run
from benchmarks.peers.tables import chosen
from benchmarks.peers_mechanisms.figures import figures
from benchmarks.peers_mechanisms.references import reference
from benchmarks.peers_mechanisms.scenes import MECHANISMS, Mechanism
from benchmarks.table import Table

PACKAGE = "benchmarks.peers_mechanisms"
STEPS = (5e-3, 1e-3)
FINE = 5e-5  # s: the step at which an explicit method resolves the stiff chain
HEADER = (
    "mechanism", "program", "h, ms", "drift, m", "energy", "position, m", "besides",
    "CPU us per step", "CPU ms per s",
)  # fmt: skip
TEXT = """\
`python -m benchmarks peers-mechanisms`: rods on hinges, at the same step h for all, 10 s each (the
motor 2 s). Each program runs in its own process on one thread; PEERS_PYTHON names a Python that has
MuJoCo and PyBullet, SICONOS_PYTHON one with Siconos, PEERS the programs to run if not all.

- drift: the widest gap of a hinge. MuJoCo and PyBullet have trees in the coordinates of their
  joints: there it is rounding, by construction.
- energy: the worst error in 10 s, over the largest kinetic energy.
- position: the worst error of a centre of mass in the first 2 s (with friction: in all 10 s),
  against DOP853 at 1e-12 in angles, or closed forms.
- besides: how fast the rod creeps that dry friction holds, from 5 s to 10 s; by how much the motor
  has pressed the rod past its stop at the end, and at worst.
- CPU: the best of five runs of half a second, per step and per second that is simulated.

"Stiff" is MuJoCo with constraints as hard as a step allows (solref 2 h, solimp 0.9999); its own are
20 ms and 0.9 to 0.95. Of PyBullet and Siconos all is as it comes, but for damping (none), Siconos'
theta (1/2) and tolerances (1e-10). Its joints have no motor, and from its relay for their friction
we did not get the torque that was asked for, so neither is told. Chrono is not among the packages
that install here.

Where others are better: MuJoCo and PyBullet take a few microseconds per step, hundreds of times
less than Rollcone, and Siconos a fraction for one or two bodies. With RK4 MuJoCo is more accurate
by orders of magnitude for smooth motion of trees, and, with a stiff constraint, somewhat for the
loop, too. Where Rollcone is: next to the integrators that others come with, which are of first
order, it has the smaller errors of energy and position; joints are closed also in loops; light
links under a heavy load do not limit the step, while RK4 takes 0.05 ms for them, and Siconos'
Gauss-Seidel over joints does not converge; the motor stops at the stop, which others overrun; and
what dry friction holds stays (in PyBullet, too; in MuJoCo it creeps)."""


def variants(mechanism: Mechanism) -> Iterator[Variant]:
    """Of MuJoCo as it comes and with what serves best."""
    long = len(mechanism.rods) > 5
    constrained = bool(mechanism.closed or mechanism.friction or mechanism.stop is not None)
    for step in STEPS:
        yield Variant("rollcone", "Rollcone", {"step": step})
    first = {} if mechanism.motor is None else {"integrator": "implicitfast"}
    choices: list[dict[str, Any]] = [first]
    if constrained:
        choices.append(first | {"stiff": True})
    if not constrained or mechanism.closed:
        choices.append(choices[-1] | {"integrator": "RK4"})
    for choice in choices:
        words = [choice.get("integrator", ""), "stiff" if "stiff" in choice else ""]
        for step in STEPS:
            name = ", ".join(filter(None, ["MuJoCo", *words]))
            yield Variant("mujoco", name, choice | {"step": step})
    if long:
        yield Variant("mujoco", "MuJoCo, RK4", {"integrator": "RK4", "step": FINE})
    for step in STEPS:
        yield Variant("pybullet", "PyBullet", {"step": step})
    if mechanism.motor is None and not mechanism.friction:
        steps = STEPS[:1] if long else STEPS
        for step in steps:
            yield Variant("siconos", "Siconos", {"step": step})
        for step in steps:
            yield Variant("siconos", "Siconos, projection", {"step": step, "projection": True})


def rows() -> Iterator[tuple[str, ...]]:
    for mechanism in MECHANISMS.values():
        exact = reference(mechanism)
        for variant in filter(chosen, variants(mechanism)):
            yield measured(mechanism, exact, variant)


def measured(
    mechanism: Mechanism, exact: tuple[np.ndarray, np.ndarray], variant: Variant
) -> tuple[str, ...]:
    step = variant.settings["step"]
    head = (mechanism.name, variant.words, f"{1e3 * step:g}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "samples.npz"
        outcome = run(variant, mechanism.name, path, PACKAGE)
        if not outcome.figures:
            return (*head, outcome.note, *[""] * (len(HEADER) - 4))
        with np.load(path) as samples:
            found = figures(mechanism, samples, *exact)
    us = outcome.figures["us"]
    if found.get("energy", 0.0) > 1.0:
        return (
            *head,
            f"{found['drift']:.0e}",
            "blew up",
            "",
            "",
            f"{us:.3g}",
            f"{1e-3 * us / step:.3g}",
        )
    return (
        *head, f"{found['drift']:.0e}", number(found.get("energy")), f"{found['position']:.0e}",
        besides(found), f"{us:.3g}", f"{1e-3 * us / step:.3g}",
    )  # fmt: skip


def number(value: float | None) -> str:
    return "" if value is None else f"{value:.0e}"


def besides(found: dict[str, float]) -> str:
    if "creep" in found:
        return f"creeps {found['creep']:.0e} rad/s"
    if "past" in found:
        return f"past it {found['past']:.0e}, {found['past at worst']:.0e} rad"
    return ""


TABLES = [Table("Mechanisms next to others", TEXT, HEADER, rows)]
