"""What a step costs, and what each scheme gets for it.

Wall time per step, the best of three runs, also as a multiple of the
first row; every step is recorded. The disk is that of Tasora and Anitescu 2013, section 6.1, at
h = 0.01 s; its error is that of the stopping distance, relative.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import rollcone as rc

HEADER = ("scene", "bodies", "contacts", "us per step", "ratio", "iterations", "note")


def timed(world: rc.World, until: float, step: float, **settings: Any) -> tuple[rc.Run, float]:
    """The run and the best wall time per step of three."""
    rc.simulate(world, until=2 * step, step=step, **settings)
    runs = [rc.simulate(world, until=until, step=step, **settings) for _ in range(3)]
    return runs[-1], min(run.wall_time / run.steps for run in runs)


def flying_box() -> rc.World:
    world = rc.World()
    world.add_box(size=(1, 2, 3), mass=1.0, angular_velocity=(0.1, 5, 0.1))
    return world


def disk() -> rc.World:
    world = rc.World(gravity=(0, 0, -9.8))
    world.add_plane()
    world.add_sphere(
        radius=1.0, mass=10.0, inertia=(4, 4, 4), position=(0, 0, 1), velocity=(1, 0, 0),
        angular_velocity=(0, 1, 0),
    )  # fmt: skip
    world.set_contact_law(rc.ContactLaw(sliding=0.9, rolling=0.02))
    return world


def block() -> rc.World:
    """On an incline, a thousandth below the limit."""
    angle = math.atan(0.999 * 0.3)
    world = rc.World(gravity=(9.81 * math.sin(angle), 0, -9.81 * math.cos(angle)))
    world.add_plane()
    world.add_box(size=(0.4, 0.3, 0.2), density=1000, position=(0, 0, 0.1))
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    return world


def pour(spheres: int, turning: float = 0.005) -> rc.World:
    """Layers of 25 of 45 mm, each with its own offset; `turning`: rolling and spinning (m)."""
    random = np.random.default_rng(1)
    radius = 0.0225
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    for k in range(spheres):
        layer, place = divmod(k, 25)
        if place == 0:
            offset = random.uniform(-0.5, 0.5, 2)
        jitter = random.uniform(-0.2, 0.2, 2)
        x, y = radius * (2.6 * (np.array(divmod(place, 5)) - 2) + offset + jitter)
        world.add_sphere(radius=radius, density=2500, position=(x, y, (2 + 2.6 * layer) * radius))
    world.set_contact_law(rc.ContactLaw(sliding=0.6, rolling=turning, spinning=turning))
    return world


def table() -> Iterator[tuple[str, ...]]:
    base = 0.0

    def row(name: str, run: rc.Run, seconds: float, note: str) -> tuple[str, ...]:
        nonlocal base
        base = base or seconds
        bodies, contacts = len(run.world.bodies), int(run.contact_count.max())
        iterations = run.iterations.sum() / run.steps
        return (
            name, str(bodies), str(contacts), f"{1e6 * seconds:.0f}", f"{seconds / base:.1f}",
            f"{iterations:.1f}", note,
        )  # fmt: skip

    run, seconds = timed(flying_box(), 2.0, 1e-3)
    kept = run.energy.kinetic[-1] / run.energy.kinetic[0] - 1
    yield row("free box, tumbling", run, seconds, f"energy changed by {kept:.0e}")
    for scheme in (rc.GapAhead(), rc.DVI(), rc.MoreauJean(), rc.MoreauMidpoint()):
        run, seconds = timed(disk(), 8.0, 0.01, scheme=scheme)
        error = run.body(1).position[-1, 0] * 7 / 25 - 1
        yield row(f"rolling disk, {scheme.name}", run, seconds, f"error {error:.1e}")
    run, seconds = timed(block(), 2.0, 0.01)
    way = np.linalg.norm(run.body(1).position[-1] - run.body(1).position[0])
    yield row("block on an incline", run, seconds, f"moved {way:.0e} m in 2 s")
    run, seconds = timed(pour(300), 1.0, 2e-3, tolerance=1e-3, record_every=10)
    cost = f"{run.wall_time / run.time[-1]:.1f} s per simulated s"
    overlap = f"overlap {run.overlap.max() / 0.045:.1%}"
    yield row("pour, tolerance 1e-3, h = 2 ms", run, seconds, f"{cost}, {overlap}")
