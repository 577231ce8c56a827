"""Runs with joints, for the tests of records and pictures."""

from __future__ import annotations

from functools import cache

import numpy as np

import rollcone as rc

STEP = 0.01


def joint_world() -> rc.World:
    """Bodies that fly and turn, held by a joint of each kind against another or the world."""
    random = np.random.default_rng(5)
    world = rc.World(gravity=(0, 0, -10))
    axis, across = np.array([2.0, 1.0, 2.0]) / 3, np.array([1.0, -2.0, 0.0])
    kinds = ("spherical", "revolute", "prismatic", "cylindrical", "universal", "fixed",
             "distance", "point-on-line", "point-on-plane", "link", "free")  # fmt: skip
    for k, kind in enumerate(kinds):
        place = np.array([3.0 * k, 0.0, 0.0])
        spin = {"angular_velocity": random.normal(size=3)}
        base = world.add_box(size=(0.6, 0.4, 0.2), mass=2.0, position=place, name=f"a{k}", **spin)
        body = world.add_capsule(
            radius=0.1,
            length=0.5,
            mass=1.0,
            position=place + np.array([0.2, 0.1, 0.7]),
            name=f"b{k}",
        )
        options = {"point": place + np.array([0.1, 0, 0.3])} if kind != "fixed" else {}
        if kind in (
            "revolute", "prismatic", "cylindrical", "universal", "point-on-line", "point-on-plane",
            "free",
        ):  # fmt: skip
            options["axis"] = axis
        if kind == "universal":
            options["axis2"] = across
        world.add_joint(kind=kind, body=body, base=base, name=kind, **options)
    hung = world.add_sphere(radius=0.2, mass=1.0, position=(0, 4, -1), name="hung")
    world.add_joint(
        kind="link", body=hung, point=(0, 4, 1), point2=(0, 4, -0.8), name="spring",
        length=rc.Spring(stiffness=40.0, damping=1.0),
    )  # fmt: skip
    swung = world.add_box(size=(0.1, 0.1, 1.0), mass=1.0, position=(3, 4, 0.5), name="swung")
    world.add_joint(
        kind="revolute", body=swung, point=(3, 4, 0), axis=(0, 1, 0), name="motor",
        angle=[rc.Motor(speed=2.0), rc.JointFriction(limit=0.1)],
    )  # fmt: skip
    world.add_joint(kind="gear", joints=["motor", "revolute"], ratio=1.0, name="gear")
    return world


@cache
def joint_run() -> rc.Run:
    """0.2 s of it; at 0.1 s the spherical joint is taken out, and a ball is hung up."""
    simulation = rc.Simulation(joint_world(), step=STEP)
    simulation.advance(0.1)
    world = simulation.world
    world.remove_joint("spherical")
    late = world.add_sphere(radius=0.2, mass=1.0, position=(6, 4, -1), name="late ball")
    world.add_joint(kind="distance", body=late, point=(6, 4, 0), name="late")
    return simulation.advance(0.2)


def world_at(run: rc.Run, moment: int) -> rc.World:
    """The run's world with all bodies moved to where they were, and joints that were removed."""
    world = run.world.copy()
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        getattr(world.state, name)[:] = run.states(name)[moment]
    world.joints.specs[:] = world.joints.ever()
    return world
