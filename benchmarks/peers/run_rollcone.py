"""Rollcone: settings are those of `rc.Simulation`, the step 5e-3 s if not given."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import rollcone as rc
from benchmarks.peers.measure import main
from benchmarks.peers.scene import DENSITY, FRAME, GRAVITY, RADIUS, SLIDING, TURNING, Scene

RECORD = 1_000_000  # steps: the end of each `advance` is always recorded


def new_world(scene: Scene) -> rc.World:
    world = rc.World(gravity=(0, 0, -GRAVITY))
    world.set_contact_law(rc.ContactLaw(sliding=SLIDING, rolling=TURNING, spinning=TURNING))
    for point, normal in scene.walls():
        world.add_plane(normal=normal, point=point)
    return world


def warm_up(settings: dict[str, Any]) -> None:
    """Simulate a short while, so that modules and kernels are loaded."""
    world = rc.World(gravity=(0, 0, -GRAVITY))
    world.set_contact_law(rc.ContactLaw(sliding=SLIDING, rolling=TURNING, spinning=TURNING))
    world.add_plane()
    for k in range(40):
        world.add_sphere(radius=RADIUS, mass=1.0, position=(0, 0, (1 + 2 * k) * RADIUS))
    rc.simulate(world, until=2 * FRAME, **settings)


class Rollcone:
    def __init__(self, scene: Scene, settings: dict[str, Any]) -> None:
        settings = {"step": FRAME, "record_every": RECORD, "contacts": "none"} | settings
        warm_up(settings)
        self.walls = len(scene.walls())
        self.simulation = rc.Simulation(new_world(scene), **settings)
        self.seen, self.frames = 1, 0  # moments of the record, frames

    def add(self, position: np.ndarray, velocity: np.ndarray) -> None:
        for place, speed in zip(position, velocity, strict=True):
            self.simulation.world.add_sphere(
                radius=RADIUS, density=DENSITY, position=place, velocity=speed
            )

    def advance(self, seconds: float) -> None:
        self.frames += round(seconds / FRAME)
        self.simulation.advance(self.frames * FRAME)

    def state(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        state = self.simulation.world.state
        x, v, w = (
            getattr(state, name)[self.walls :].copy()
            for name in ("position", "velocity", "angular_velocity")
        )
        return x, v, w

    def overlap(self) -> float:
        found = self.simulation.run.overlap[self.seen :]
        self.seen += len(found)
        return float(found.max(initial=0.0))


if __name__ == "__main__":
    main(Rollcone, sys.argv[1:])
