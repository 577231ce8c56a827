"""Energy and momentum of runs in which nothing gives any, and bounds of how deep bodies sink.

The random worlds are those of passive_worlds.py. ROLLCONE_ENERGY_RUNS says how many are run
(10,000), in as many processes as the process may use cores; seeds with a gain above 1e-4 are
printed on stderr as soon as they are found.
"""

from __future__ import annotations

import itertools
import math
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context

import numpy as np

import rollcone as rc
from benchmarks.passive_runs import Floats, Outcome, passive_run
from benchmarks.passive_worlds import BODIES, GROUNDS
from benchmarks.table import Table
from rollcone.mechanics.rotations import rotation_matrix

RUNS = int(os.environ.get("ROLLCONE_ENERGY_RUNS", "10000"))
_WORTH_TELLING = 1e-4  # gain of a run that is printed as it comes
_TOLD_EVERY = 100  # runs
_AT_ONCE = 4  # runs that a process is given at a time


@lru_cache(maxsize=1)
def outcomes() -> list[Outcome]:
    """Run the random worlds of the seeds from 0 on; progress is told on stderr."""
    found = []
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    with ProcessPoolExecutor(cores, get_context("spawn"), rc.set_threads, (1,)) as pool:
        for outcome in pool.map(passive_run, range(RUNS), chunksize=_AT_ONCE):
            found.append(outcome)
            if outcome.gain > _WORTH_TELLING or outcome.error:
                _tell(describe(outcome))
            if len(found) % _TOLD_EVERY == 0:
                _tell(f"{len(found)} of {RUNS} passive runs")
    return found


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def describe(outcome: Outcome) -> str:
    """Return what a run was made of, and its gain or what stopped it, in a line."""
    joined = ", joined" if outcome.joined else ""
    made = f"{outcome.bodies} on {outcome.ground}{joined}"
    if outcome.ground == "free":
        made = f"{outcome.bodies} in free space{joined}"
    about = f"seed {outcome.seed}: {made}, h = {outcome.step:.3g} s, e = {outcome.restitution:g}"
    if outcome.error:
        return f"{about}: {outcome.error}"
    return (
        f"{about}: gain {outcome.gain:.2e} by {outcome.source}, {outcome.unconverged} of "
        f"{outcome.steps} steps not converged"
    )


HEADER = (
    "runs of", "runs", "gain > 1e-3", "gain > 1e-6", "largest gain (seed, term)",
    "largest remainder (seed)", "deepest overlap / length (seed)", "steps not converged",
    "not trusted", "stopped by an error",
)  # fmt: skip


def by_ground() -> Iterator[tuple[str, ...]]:
    """Yield a row for each kind of ground, with and without joints, and one for all."""
    for ground in GROUNDS:
        for joined in (False, True):
            chosen = [o for o in outcomes() if o.ground == ground and o.joined == joined]
            if chosen:
                yield row(f"{ground}, joined" if joined else ground, chosen)
    yield row("all", outcomes())


def by_body() -> Iterator[tuple[str, ...]]:
    """Yield a row for each kind of body, of runs that have no other kind and no joints."""
    for name in BODIES:
        chosen = [o for o in outcomes() if o.bodies == name and not o.joined]
        if chosen:
            yield row(name, chosen)


def row(name: str, chosen: list[Outcome]) -> tuple[str, ...]:
    """Return a row of the table for these runs."""
    gains = np.array([o.gain for o in chosen if not o.error])
    steps = sum(o.steps for o in chosen)
    failed = sum(o.unconverged for o in chosen)
    source = "" if not len(gains) else f", {worst(chosen, lambda o: o.gain).source}"
    return (
        name, f"{len(chosen):,}", f"{int((gains > 1e-3).sum())}", f"{int((gains > 1e-6).sum())}",
        told(chosen, lambda o: o.gain, source), told(chosen, lambda o: o.remainder),
        told(chosen, lambda o: o.sunk), f"{failed:,} of {steps:,}",
        f"{sum(not o.trusted and not o.error for o in chosen)}",
        f"{sum(bool(o.error) for o in chosen)}",
    )  # fmt: skip


def worst(chosen: list[Outcome], value: Callable[[Outcome], float]) -> Outcome:
    """Return the run with the largest value; values that are no numbers count as none."""
    return max(chosen, key=lambda o: np.nan_to_num(value(o), nan=-1.0))


def told(chosen: list[Outcome], value: Callable[[Outcome], float], more: str = "") -> str:
    """Return the largest value and its seed."""
    largest = worst(chosen, value)
    return f"{value(largest):.1e} ({largest.seed}{more})"


MOMENTUM_HEADER = (
    "free worlds", "runs", "linear momentum (seed)", "angular momentum (seed)",
    "angular > 1e-11", "angular > 1e-3",
)  # fmt: skip


def momentum() -> Iterator[tuple[str, ...]]:
    """Yield a row of free worlds without joints, and one of those with."""
    for name, joined in (("not joined", False), ("joined", True)):
        chosen = [o for o in outcomes() if o.ground == "free" and o.joined == joined]
        if chosen:
            angular = np.array([o.momentum[1] for o in chosen])
            yield (
                name, f"{len(chosen):,}", told(chosen, lambda o: o.momentum[0]),
                told(chosen, lambda o: o.momentum[1]), f"{int((angular > 1e-11).sum())}",
                f"{int((angular > 1e-3).sum())}",
            )  # fmt: skip


FLIGHT_HEADER = ("turn about the axis per step (rad)", "rate of tumbling over the exact one - 1",
                 "axis off at the end (rad)", "change of energy")  # fmt: skip
_FLIGHT_STEPS, _FLIGHT_STEP = 500, 5e-3


def free_flight() -> Iterator[tuple[str, ...]]:
    """Yield a row for each rate at which a needle of 2 x 2 x 300 mm spins about its axis."""
    for turn in (0.0, 0.1, 0.5, 1.0, 2.0, 3.0):
        run, tumbling = needle_in_flight(turn)
        axes = np.array([rotation_matrix(q)[:, 2] for q in run.body("needle").orientation])
        exact, rate = exact_axes(run, axes[0], tumbling)
        total = run.energy.kinetic
        off = float(np.linalg.norm(axes[-1] - exact))
        yield (
            f"{turn:g}", f"{rate:.1e}", f"{off:.1e}", f"{np.ptp(total) / total[0]:.1e}",
        )  # fmt: skip


def needle_in_flight(turn: float) -> tuple[rc.Run, float]:
    """Return a run of a needle that spins by `turn` rad per step and tumbles by 2 rad/s, and that
    rate of tumbling."""
    world, tumbling = rc.World(), 2.0
    world.add_box(
        size=(2e-3, 2e-3, 0.3), density=7800.0, name="needle",
        angular_velocity=(tumbling, 0.0, turn / _FLIGHT_STEP),
    )  # fmt: skip
    return rc.simulate(world, until=_FLIGHT_STEPS * _FLIGHT_STEP, step=_FLIGHT_STEP), tumbling


def exact_axes(run: rc.Run, start: Floats, tumbling: float) -> tuple[Floats, float]:
    """Return where the axis of a symmetric body is at the end of a free flight, by the closed form
    (it turns about the momentum L at |L| / J across), and the relative error of that rate."""
    state, k = run.world.state, 0
    across, along = float(state.inertia[k].max()), float(state.inertia[k].min())
    spin = float(run.body("needle").angular_velocity[0] @ start)
    momentum = across * np.array([tumbling, 0.0, 0.0]) + along * spin * start
    rate = float(np.linalg.norm(momentum)) / across
    axis = momentum / np.linalg.norm(momentum)
    axes = np.array([rotation_matrix(q)[:, 2] for q in run.body("needle").orientation])
    steps = np.array([_angle_about(axis, a, b) for a, b in itertools.pairwise(axes)])
    measured = float(steps.sum()) / float(run.time[-1])
    angle = rate * float(run.time[-1])
    parallel = (axis @ start) * axis
    turned = parallel + math.cos(angle) * (start - parallel)
    turned = turned + math.sin(angle) * np.cross(axis, start)
    return turned, measured / rate - 1.0


def _angle_about(axis: Floats, a: Floats, b: Floats) -> float:
    """Return the angle (rad) by which a is turned about an axis to get to b."""
    a, b = a - (axis @ a) * axis, b - (axis @ b) * axis
    return math.atan2(float(axis @ np.cross(a, b)), float(a @ b))


BOUNDS_HEADER = ("scene", "runs", "figure", "worst")


def bounds() -> Iterator[tuple[str, ...]]:
    """Yield a row for each scene whose worst overlap has a bound."""
    deepest = max(column(gap) for gap in (0.005, 0.02, 0.06))
    yield "ten balls in a column fall 1 m, h = 5 ms", "3", "overlap / diameter", f"{deepest:.1e}"
    sunk = [passes(k / 100) for k in range(100)]
    yield (
        "a ball of 40 mm at 100 m/s against a plate of 1 mm, h = 5 ms", "100", "balls that pass",
        f"{sum(height < 0.0 for height in sunk)}",
    )  # fmt: skip
    yield (
        "needles of 0.6 x 0.6 x 60 mm dropped with 10 rad/s onto a rough height field, h = 5 ms",
        "49", "needles that pass", f"{sum(needle_on_field(k) < -0.2 for k in range(49))}",
    )  # fmt: skip


def column(gap: float) -> float:
    """Return the deepest overlap over the diameter of ten balls that fall above each other, these
    gaps (m) apart."""
    world, radius = rc.World(gravity=(0.0, 0.0, -9.81)), 0.0225
    world.add_plane()
    world.set_contact_law(rc.ContactLaw())
    for k in range(10):
        height = 1.0 + radius + k * (2.0 * radius + gap)
        world.add_sphere(radius=radius, density=1000.0, position=(0.0, 0.0, height))
    run = rc.simulate(world, until=0.85, step=5e-3)
    z = run.states("position")[:, 1:, 2]
    gaps = np.diff(np.concatenate([np.full((len(z), 1), -radius), z], axis=1)) - 2.0 * radius
    return max(0.0, -float(gaps.min())) / (2.0 * radius)


def passes(phase: float) -> float:
    """Return the least height (m) of a ball of 20 mm radius shot at a fixed plate that it reaches
    after 1.2 steps and this share of one."""
    world, h = rc.World(), 5e-3
    world.set_contact_law(rc.ContactLaw())
    world.add_box(size=(4.0, 4.0, 1e-3), fixed=True)
    ball = world.add_sphere(
        radius=0.02, mass=1.0, position=(0.0, 0.0, 100.0 * h * (1.2 + phase)), velocity=(0, 0, -100)
    )
    run = rc.simulate(world, until=6 * h, step=h)
    return float(run.body(ball).position[:, 2].min())


def needle_on_field(seed: int) -> float:
    """Return the least height (m) of the middle of a needle that falls onto a rough field, whose
    heights are from -0.03 to 0.03 m."""
    rng = np.random.default_rng(seed)
    world = rc.World(gravity=(0.0, 0.0, -9.81))
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    world.add_height_field(heights=rng.uniform(-0.03, 0.03, (20, 20)).tolist(), size=(1.0, 1.0))
    turn = rng.normal(size=3)
    needle = world.add_box(
        size=(6e-4, 6e-4, 0.06), density=7800.0, position=(*rng.uniform(-0.2, 0.2, 2), 0.2),
        orientation=rc.rotation(rng.normal(size=3), rng.uniform(0.0, 360.0)),
        angular_velocity=10.0 * turn / np.linalg.norm(turn),
    )  # fmt: skip
    run = rc.simulate(world, until=1.0, step=5e-3)
    return float(run.body(needle).position[:, 2].min())


TABLES = [
    Table(
        "Energy of passive runs, by ground",
        f"Random worlds with gravity alone (passive_worlds.py), the seeds from 0 to {RUNS - 1:,}. "
        "Gain is the largest rise of K + P above any earlier value, over the largest of K at the "
        "start, E at the start less the least E, and m g s, s the smallest size. The remainder is "
        "that of a step over what the step turns over; 1e-10 is rounding (or 1e-14 of K + m g s).",
        HEADER,
        by_ground,
    ),
    Table(
        "Energy of passive runs, by body",
        "The same runs, of those with bodies of one kind alone and without joints.",
        HEADER,
        by_body,
    ),
    Table(
        "Momentum of free worlds",
        "The same runs, of those where bodies meet in free space: change of momentum over a run, "
        "over the sums of m |v| and of m |v| r + |L|.",
        MOMENTUM_HEADER,
        momentum,
    ),
    Table(
        "A spinning needle in free flight",
        f"2 x 2 x 300 mm, {_FLIGHT_STEPS} steps of {1e3 * _FLIGHT_STEP:g} ms, next to the closed "
        "form.",
        FLIGHT_HEADER,
        free_flight,
    ),
    Table("Bounds of overlap", "How deep bodies sink, and how many get through.", BOUNDS_HEADER,
          bounds),
]  # fmt: skip
