"""Runs that the tests of the viewer share."""

from __future__ import annotations

from functools import cache

import numpy as np

import rollcone as rc

STEP = 0.01


def table_world() -> rc.World:
    """On a floor a ball that rolls and a box that slides; above it a rod that tumbles, and a block
    that does not move. Ball, box and rod are two metres and more apart."""
    world = rc.World(gravity=(0, 0, -10))
    world.set_contact_law(rc.ContactLaw(sliding=0.3, rolling=0.01))
    world.add_plane(name="floor")
    world.add_sphere(
        radius=0.5, mass=2.0, position=(0, 0, 0.5), velocity=(1, 0, 0),
        angular_velocity=(0, 2, 0), name="ball",
    )  # fmt: skip
    world.add_box(
        size=(0.4, 0.6, 0.2), mass=1.0, position=(0, 3, 0.1), velocity=(2, 1, 0), name="box"
    )
    world.add_capsule(
        radius=0.2, length=0.8, mass=1.0, position=(0, -3, 4), angular_velocity=(3, 1, 0),
        name="rod",
    )  # fmt: skip
    world.add_box(size=(1, 1, 1), fixed=True, position=(-3, 0, 0.5), name="block")
    return world


@cache
def table_run() -> rc.Run:
    """0.8 s of it, every step recorded; after 0.4 s a ball is thrown in, and the rod taken out."""
    simulation = rc.Simulation(table_world(), step=STEP)
    simulation.advance(0.4)
    simulation.world.add_sphere(radius=0.25, mass=1.0, position=(0, 0, 4), name="late")
    simulation.world.remove("rod")
    return simulation.advance(0.8)


def momentum_change(run: rc.Run, body: str, moment: int) -> np.ndarray:
    """m dv/dt - m g in the step that ended then: what contacts must have done (N)."""
    number = run.world.number_of(body)
    mass = run.world.state.mass[number]
    velocity = run.body(body).velocity
    rate = (velocity[moment] - velocity[moment - 1]) / run.step
    return mass * (rate - run.world.gravity)
