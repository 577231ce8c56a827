"""What a step costs where one body has one contact.

A ball of 2 kg, radius 0.5 m and 2.5 m/s rolls on a floor, sliding 0.3, steps of 0.1 ms, without and
with rolling friction (0.01 m). Microseconds per step by the clock, the best of five runs of
10,000 steps; Rollcone and Siconos (Moreau-Jean, theta = 1/2, contacts by Bullet) in one run of
the benchmark, one thread each, both with a tolerance of 1e-8, though their residuals differ.
Rollcone makes all steps in one call; Siconos takes three calls from Python for each, a quarter
of a microsecond apiece. Siconos' solver, from its own answer, and its collisions are also
called alone, after the last step: what is in neither is the rest of its step. The contact has 3
and 5 rows in Siconos, 3 and 6 in Rollcone. Errors of the speed at the end: against
v' = -(5/7) g rolling / radius.
"""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Iterator
from pathlib import Path

import rollcone as rc
from rollcone.bench.siconos_answers import run_python

CHILD = Path(__file__).with_name("siconos_step.py")
HEADER = (
    "rolling, m", "Siconos us", "its solver", "its collisions", "Rollcone us",
    "Siconos / Rollcone", "Siconos' error", "Rollcone's error",
)  # fmt: skip
# As siconos_step.py has them.
RADIUS, MASS, SPEED, GRAVITY, SLIDING = 0.5, 2.0, 2.5, 9.81, 0.3
STEP, TOLERANCE = 1e-4, 1e-8
STEPS, TURNS = 10_000, 5


def siconos(rolling: float) -> dict[str, float] | None:
    """What siconos_step.py prints; None where Siconos is not installed."""
    arguments = [str(CHILD), str(rolling), str(STEPS), str(TURNS)]
    try:
        process = run_python(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return None
    out, _ = process.communicate()
    return None if process.returncode else dict(json.loads(out.splitlines()[-1]))


def rollcone(rolling: float) -> tuple[float, float]:
    """Seconds per step and the speed at the end of a run."""
    world = rc.World(gravity=(0, 0, -GRAVITY))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=SLIDING, rolling=rolling))
    world.add_sphere(
        radius=RADIUS, mass=MASS, position=(0, 0, RADIUS), velocity=(SPEED, 0, 0),
        angular_velocity=(0, SPEED / RADIUS, 0),
    )  # fmt: skip
    best = math.inf
    for steps in (2, *[STEPS] * TURNS):  # the first loads the kernels
        run = rc.simulate(
            world, until=steps * STEP, step=STEP, tolerance=TOLERANCE, record_every=steps
        )
        assert run.converged
        if steps == STEPS:
            best = min(best, run.wall_time / run.steps)
    return best, float(run.body(1).velocity[-1, 0])


def error(speed: float, rolling: float) -> str:
    slower = 5 / 7 * GRAVITY * rolling / RADIUS * STEP * STEPS
    return f"{abs(speed / (SPEED - slower) - 1):.0e}"


def table() -> Iterator[tuple[str, ...]]:
    for rolling in (0.0, 0.01):
        seconds, speed = rollcone(rolling)
        here, ours = f"{1e6 * seconds:.1f}", error(speed, rolling)
        peer = siconos(rolling)
        if peer is None:
            yield f"{rolling:g}", "absent", "", "", here, "", "", ours
            continue
        there = [f"{1e6 * peer[name]:.1f}" for name in ("seconds", "solver", "collisions")]
        ratio, theirs = f"{peer['seconds'] / seconds:.1f}", error(peer["speed"], rolling)
        yield f"{rolling:g}", *there, here, ratio, theirs, ours
