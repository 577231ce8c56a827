"""Worlds and settings whose steps must be the same however they are cut into calls."""

from __future__ import annotations

import numpy as np

import rollcone as rc
from scenes import floor_world

STEP, STEPS = 0.01, 25
STATE = ("position", "orientation", "velocity", "angular_velocity")
WORST = ("residual", "residual_speed", "overlap", "passes")
SUMMED = ("iterations", "unconverged", "unfinished", "tempered")
CONTACT = ("bodies", "gap", "normal", "point", "impulse", "velocity")
ENERGY = (
    "kinetic", "potential", "applied", "damping", "drive", "sliding", "rolling", "spinning",
    "impact", "gained", "correction", "changed",
)  # fmt: skip
SCHEMES = {
    "gap-ahead": {"scheme": rc.GapAhead()},
    "dvi": {"scheme": rc.DVI()},
    "associated": {"scheme": rc.DVI(), "law": "associated"},
    "moreau-jean": {"scheme": rc.MoreauJean()},
    "midpoint": {"scheme": rc.MoreauMidpoint(projection=False)},
    "projected": {"scheme": rc.MoreauMidpoint()},
    "explicit": {"scheme": rc.RegularisedLCP(), "friction_model": "cone"},
}
FORCE = (1.0, -0.5, 0.25)


def spheres(law: rc.ContactLaw) -> rc.World:
    """Six balls of three sizes that fall on each other."""
    world = floor_world(law)
    for k in range(6):
        world.add_sphere(
            radius=0.1 + 0.02 * (k % 3), mass=1 + k, position=(0.05 * (k % 2), 0, 0.15 + 0.27 * k),
            velocity=(0.3, 0.1 * k, -1), angular_velocity=(k, 2, 3), force=FORCE,
        )  # fmt: skip
    return world


def boxes(law: rc.ContactLaw) -> rc.World:
    """One on its corner, one lying, one falling on it, and a ball on top."""
    world = floor_world(law)
    world.add_box(size=(0.3, 0.2, 0.2), mass=2, position=(0, 0, 0.1), force=FORCE)
    world.add_box(
        size=(0.2, 0.2, 0.1), mass=1, position=(0.05, 0, 0.27), angular_velocity=(0.5, 1, 2)
    )
    world.add_box(
        size=(0.1, 0.2, 0.3), mass=1, position=(1, 0, 0.3), orientation=(0.8, 0.36, 0.4, 0.2638)
    )
    world.add_sphere(radius=0.05, mass=0.5, position=(0.05, 0, 0.4), velocity=(0, 0, -2))
    return world


def capsules(law: rc.ContactLaw) -> rc.World:
    """Two that lie crossed, one that falls on its end, and a ball."""
    world = floor_world(law)
    lying = {"radius": 0.1, "length": 0.4, "mass": 1.0}
    half = np.sqrt(0.5)
    world.add_capsule(**lying, position=(0, 0, 0.1), orientation=(half, 0, half, 0), force=FORCE)
    world.add_capsule(**lying, position=(0.05, 0, 0.31), orientation=(half, half, 0, 0))
    world.add_capsule(**lying, position=(1, 0, 0.35), orientation=(0.96, 0.28, 0, 0))
    world.add_sphere(radius=0.1, mass=2, position=(0.05, 0.1, 0.52), velocity=(0, 0, -1))
    return world


def mixed(law: rc.ContactLaw) -> rc.World:
    """All shapes and six rows, on a floor that moves."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(velocity=(0.5, 0, 0))
    rolling = rc.ContactLaw(
        sliding=law.sliding, restitution=law.restitution, rolling=0.01, spinning=0.005
    )
    world.set_contact_law(rolling)
    world.add_box(size=(0.3, 0.3, 0.2), mass=3, position=(0, 0, 0.1), angular_velocity=(0, 0, 3))
    world.add_capsule(radius=0.05, length=0.3, mass=1, position=(0.1, 0, 0.41), force=FORCE)
    world.add_sphere(
        radius=0.1, mass=1, position=(-0.08, 0, 0.31), velocity=(0, 1, -1), linear_damping=0.3
    )
    world.add_sphere(radius=0.1, mass=1, position=(-0.05, 0.02, 0.6), angular_velocity=(9, 0, 3))
    return world


WORLDS = {"spheres": spheres, "boxes": boxes, "capsules": capsules, "mixed": mixed}


def make(world: str, scheme: str) -> rc.World:
    """With rebounds, where the scheme has them."""
    restitution = 0.5 if SCHEMES[scheme]["scheme"].rebounds else 0.0
    return WORLDS[world](rc.ContactLaw(sliding=0.3, restitution=restitution))


def start(world: str, scheme: str, **settings) -> rc.Simulation:
    """To a moderate tolerance, not always reached: bits are compared, not the answers."""
    moderate = {"tolerance": 1e-6, "max_iterations": 300}
    return rc.Simulation(make(world, scheme), step=STEP, **moderate | SCHEMES[scheme] | settings)


def one_by_one(simulation: rc.Simulation) -> rc.Run:
    """A call for every step, and a record."""
    for _ in range(STEPS):
        simulation.take_step()
    return simulation.run


def to_the_end(simulation: rc.Simulation, **options) -> rc.Run:
    return simulation.advance(STEPS * STEP, **options)


def same(run: rc.Run, whole: rc.Run) -> None:
    """To the last bit, at the moments that `run` has of `whole`, in which every step is one."""
    place = np.searchsorted(whole.time, run.time)
    np.testing.assert_array_equal(whole.time[place], run.time)
    assert run.steps == whole.steps
    for name in STATE:
        np.testing.assert_array_equal(run.states(name), whole.states(name)[place], name)
    for name in ENERGY:
        now, then = getattr(run.energy, name), getattr(whole.energy, name)
        np.testing.assert_array_equal(now, then[place], name)
    for moment, k in enumerate(place):
        here, there = run.contacts(moment), whole.contacts(int(k))
        for name in CONTACT:
            np.testing.assert_array_equal(getattr(here, name), getattr(there, name), name)
    np.testing.assert_array_equal(run.contact_count, whole.contact_count[place])
    for name in (*WORST, *SUMMED):
        gather = np.max if name in WORST else np.sum
        parts = [
            gather(part) for part in np.split(getattr(whole, name), place[:-1] + 1) if len(part)
        ]
        np.testing.assert_array_equal(getattr(run, name), parts, name)
