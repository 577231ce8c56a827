"""Rollcone as it comes. Only the end of each `advance` is recorded."""

from __future__ import annotations

import sys
from typing import Any

import rollcone as rc
from benchmarks.peers_mechanisms.engine import NAMES, State, main
from benchmarks.peers_mechanisms.scenes import AXIS, FRAME, Mechanism

RECORD = 1_000_000  # steps: the end of each `advance` is always recorded
RADIUS = 1e-3  # m: bodies need a shape; nothing touches


def new_world(mechanism: Mechanism) -> rc.World:
    world, base = rc.World(gravity=(0, 0, -mechanism.gravity)), None
    for k, rod in enumerate(mechanism.rods):
        body = world.add_sphere(
            radius=RADIUS, mass=rod.mass, inertia=3 * (rod.inertia,),
            position=mechanism.centers[k], name=f"rod {k}",
        )  # fmt: skip
        elements: dict[str, Any] = {}
        if k == 0 and (acting := _elements(mechanism)):
            elements["angle"] = acting
        world.add_joint(
            kind="revolute", body=body, base=base, point=mechanism.corners[k], axis=AXIS, **elements
        )
        base = body
    if mechanism.closed:
        world.add_joint(kind="revolute", body=base, point=mechanism.corners[-1], axis=AXIS)
    return world


def _elements(mechanism: Mechanism) -> list[rc.JointFriction | rc.Motor | rc.Limits]:
    found: list[rc.JointFriction | rc.Motor | rc.Limits] = []
    if mechanism.friction:
        found.append(rc.JointFriction(limit=mechanism.friction))
    if mechanism.motor is not None:
        speed, torque = mechanism.motor
        found.append(rc.Motor(speed=speed, limit=torque))
    if mechanism.stop is not None:
        found.append(rc.Limits(upper=mechanism.stop))
    return found


class Rollcone:
    def __init__(self, mechanism: Mechanism, settings: dict[str, Any]) -> None:
        chosen = settings | {"contacts": "none", "record_every": RECORD}
        rc.simulate(new_world(mechanism), until=2 * FRAME, **chosen)  # kernels from the cache
        self.simulation, self.frames = rc.Simulation(new_world(mechanism), **chosen), 0

    def advance(self, frames: int) -> None:
        self.frames += frames
        self.simulation.advance(self.frames * FRAME)

    def state(self) -> State:
        state = self.simulation.world.state
        return tuple(getattr(state, name).copy() for name in NAMES)


if __name__ == "__main__":
    main(Rollcone, sys.argv[1:])
