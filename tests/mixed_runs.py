"""Runs that the tests of pictures share."""

from __future__ import annotations

from functools import cache

import rollcone as rc


def mixed_world() -> rc.World:
    """A ball that rolls, a box that slides, two capsules and a ball that fly, over a floor."""
    world = rc.World(gravity=(0, 0, -10))
    world.add_plane(name="floor")
    world.set_contact_law(rc.ContactLaw(sliding=0.3, rolling=0.01, spinning=0.01))
    world.add_sphere(
        radius=0.5, mass=2.0, position=(0, 0, 0.5), velocity=(1, 0, 0),
        angular_velocity=(0, 2, 0), name="ball",
    )  # fmt: skip
    world.add_box(
        size=(0.4, 0.6, 0.2), mass=1.0, position=(0, 5, 0.1), velocity=(2, 0, 0), name="box"
    )
    for k, radius in enumerate((0.1, 0.2)):
        world.add_capsule(
            radius=radius, length=4 * radius, mass=1.0, position=(0, -5, 5 + 2 * k),
            angular_velocity=(3, 1, 0), name=f"rod{k}",
        )  # fmt: skip
    world.add_capsule(radius=0.1, length=0.1, mass=1.0, position=(4, -5, 5), velocity=(0, 0, 3))
    world.add_box(size=(1, 1, 1), fixed=True, position=(-3, 0, 0.5), name="block")
    return world


@cache
def mixed_run() -> rc.Run:
    """Half a second of it; the last ball is thrown in after 0.2 s, the box taken out at 0.4 s."""
    simulation = rc.Simulation(mixed_world(), step=0.01)
    simulation.advance(0.2)
    simulation.world.add_sphere(radius=0.25, mass=1.0, position=(0, 0, 8), name="late")
    simulation.advance(0.4)
    simulation.world.remove("box")
    return simulation.advance(0.5)
