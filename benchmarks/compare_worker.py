"""Scenes that `python -m benchmarks compare` times, run by the Python of either side.

    python compare_worker.py SCENE [SCENE ...]     prints a line of JSON per scene
    python compare_worker.py --steps N SCENE       N steps instead of the scene's own number
    python compare_worker.py --callgrind SCENE     under valgrind: only the timed steps are counted

The script stands alone: it imports nothing but NumPy and the public names of Rollcone, so that
versions that are far apart can run it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import subprocess
import sys
import time
from contextlib import AbstractContextManager, contextmanager, nullcontext

import numpy as np

import rollcone as rc

GRAVITY = (0, 0, -9.81)
QUIET = {"record_every": 10**9, "contacts": "none"}  # as little recording as the interface allows


def floor(**law: float) -> rc.World:
    """Return a world with a floor at z = 0 and one contact law for all pairs."""
    world = rc.World(gravity=GRAVITY)
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(**law))
    return world


def ball() -> rc.World:
    """Return a ball that rolls on a floor with little rolling friction."""
    world = floor(sliding=0.2, rolling=4e-5)
    world.add_sphere(
        radius=0.5, density=2500, position=(0, 0, 0.5), velocity=(2.5, 0, 0),
        angular_velocity=(0, 5, 0),
    )  # fmt: skip
    return world


def bed(counts: tuple[int, int, int], **law: float) -> rc.World:
    """Return a bed of spheres of 0.1 m, a little apart, with small random velocities."""
    world = floor(**law)
    world.add_grid(
        shape="sphere", radius=0.05, density=2500, counts=counts, spacing=0.1005,
        origin=(0, 0, 0.0501), jitter=1e-4, seed=1,
    )  # fmt: skip
    bodies = math.prod(counts)
    world.state.velocity[1:] = 0.05 * np.random.default_rng(2).uniform(-1, 1, (bodies, 3))
    return world


def stack() -> rc.World:
    """Return ten boxes on top of each other."""
    world = floor(sliding=0.5)
    for k in range(10):
        world.add_box(size=(0.2, 0.2, 0.2), density=1000, position=(0, 0, 0.2 * k + 0.1))
    return world


def pendulum() -> rc.World:
    """Return a ball on a revolute joint that swings freely."""
    world = rc.World(gravity=GRAVITY)
    bob = world.add_sphere(radius=0.1, mass=1.0, position=(1, 0, 0))
    world.add_joint(kind="revolute", body=bob, point=(0, 0, 0), axis=(0, 1, 0))
    return world


# World, step (s), steps before the clock starts, steps that are timed, settings.
SCENES = {
    "ball": (ball, 1e-3, 100, 50_000, QUIET),
    "ball, every step recorded": (ball, 1e-3, 100, 2_000, {}),
    "bed of 1,000, sliding": (lambda: bed((10, 10, 10), sliding=0.4), 5e-3, 20, 60, QUIET),
    "bed of 1,000, rolling": (
        lambda: bed((10, 10, 10), sliding=0.4, rolling=0.004, spinning=0.002), 5e-3, 20, 60, QUIET,
    ),
    "stack of ten boxes": (stack, 5e-3, 20, 1_000, QUIET),
    "pendulum": (pendulum, 5e-3, 20, 1_000, QUIET),
    "bed of 100,000, sliding": (lambda: bed((50, 50, 40), sliding=0.4), 5e-3, 2, 4, QUIET),
}  # fmt: skip
LARGE = ("bed of 100,000, sliding",)  # left out unless they are named


def calibration() -> float:
    """Return the CPU seconds of a fixed loop of Python and NumPy: the load shows in it."""
    values = np.arange(10_000, dtype=np.float64)
    begin, total = time.process_time(), 0.0
    for k in range(200):
        total += float(np.sqrt(values + k).sum())
        total += sum(range(1000))
    return time.process_time() - begin


@contextmanager
def counted():
    """Let callgrind, started with --instr-atstart=no, count within the `with` block."""
    control = ["callgrind_control", "-i"]
    subprocess.run([*control, "on", str(os.getpid())], stdout=subprocess.DEVNULL, check=True)
    yield
    subprocess.run([*control, "off", str(os.getpid())], stdout=subprocess.DEVNULL, check=True)


def measured(
    name: str, steps: int | None = None, counting: AbstractContextManager[None] | None = None
) -> dict[str, object]:
    """Return the seconds per step of a scene, by the clock and of the CPU, and the hash of the
    positions at its end."""
    make, step, before, own_steps, settings = SCENES[name]
    count = own_steps if steps is None else steps
    simulation = rc.Simulation(make(), step=step, **settings)
    simulation.advance(before * step)
    loop = calibration()
    with nullcontext() if counting is None else counting:
        begin, cpu = time.perf_counter(), time.process_time()
        simulation.advance((before + count) * step)
        seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
    bits = hashlib.sha256(np.ascontiguousarray(simulation.world.state.position).tobytes())
    return {
        "scene": name,
        "seconds": seconds / count,
        "cpu": cpu / count,
        "calibration": loop,
        "bits": bits.hexdigest()[:16],
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("scenes", nargs="+", choices=list(SCENES))
    parser.add_argument("--steps", type=int)
    parser.add_argument("--callgrind", action="store_true")
    arguments = parser.parse_args()
    rc.simulate(ball(), until=1e-3, step=1e-3)
    print(json.dumps({"package": rc.__file__, "cpu": time.process_time()}), flush=True)
    for name in arguments.scenes:
        counting = counted() if arguments.callgrind else None
        print(json.dumps(measured(name, arguments.steps, counting)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
