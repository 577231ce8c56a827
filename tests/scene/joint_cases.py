"""Shared by the tests of joints in scene files: every kind of joint with every element."""

from __future__ import annotations

import numpy as np

import rollcone as rc


def mechanisms() -> rc.World:
    """Each joint on a body of its own, far from the others, but for two that are geared; contacts
    with a floor. A removed body, and a removed joint, are there to move numbers."""
    world = rc.World(gravity=(0.1, -0.3, -9.81))
    world.set_contact_law(rc.ContactLaw(sliding=0.3, restitution=0.2))
    world.add_plane(point=(0, 0, 1.8))
    bodies = [
        world.add_box(
            size=(0.2, 0.3, 0.1), mass=1 + 0.1 * k, position=(2 * k, 0, 2 if k < 11 else 1.95),
            orientation=rc.rotation((1, k, 2), 20 * k), angular_velocity=(0.1, 0.2 * k, -0.3),
            name=f"part {k + 3}",
        )
        for k in range(13)
    ]  # fmt: skip
    at = [body.position for body in bodies]
    world.remove(bodies[0])
    world.add_joint(kind="fixed", body=bodies[1], name="gone")
    pin = rc.JointFriction(limit=0.1, coefficient=0.2, radius=0.01)
    wave = rc.Sine(amplitude=0.5, frequency=3, mean=0.1, phase=0.3)
    table = rc.TimeTable(times=[0, 0.05, 0.2], values=[0.1, 0.3, 0.1])
    world.add_joint(kind="spherical", body=bodies[1], point=at[1] + (0.1, 0, 0), compliance=1e-6)
    world.add_joint(
        kind="revolute", body=bodies[2], point=at[2] + (0.1, 0, 0.2), axis=(1, 2, 3), name="hinge",
        angle=[rc.Motor(speed=wave, limit=5), pin, rc.Limits(lower=-0.01, restitution=0.5)],
    )  # fmt: skip
    world.add_joint(
        kind="prismatic", body=bodies[3], axis=(0, 1, 0), name="rail", angular_compliance=1e-5,
        slide=[rc.Spring(stiffness=70, damping=0.5), rc.Limits(upper=0.001)],
    )  # fmt: skip
    world.add_joint(
        kind="cylindrical", body=bodies[4], point=at[4], axis=(0, 0, 2),
        slide=rc.JointFriction(limit=1, coefficient=0.1), angle=rc.Motor(position=table),
    )  # fmt: skip
    world.add_joint(
        kind="universal", body=bodies[5], base=bodies[6], point=(at[5] + at[6]) / 2, axis=(0, 0, 1),
        axis2=(1, 0, 0), angle2=rc.Spring(stiffness=9, rest=wave, limit=0.5), collide=True,
    )  # fmt: skip
    world.add_joint(kind="fixed", body=bodies[7], base=bodies[6], name='odd "name" \\ é')
    world.add_joint(
        kind="distance", body=bodies[8], point=at[8] + (0, 0, 1), point2=at[8] + (0, 0, 0.1),
        distance=0.905, length=rc.JointFriction(limit=0.3),
    )  # fmt: skip
    world.add_joint(
        kind="point-on-line",
        body=bodies[9],
        axis=(1, 1, 0),
        slide=rc.Motor(position=0.1, limit=9, response=0.3),
    )
    world.add_joint(kind="point-on-plane", body=bodies[10], axis=(0, 0.1, 1))
    world.add_joint(
        kind="link", body=bodies[11], base=bodies[12], length=rc.Spring(damping=3, stiffness=1)
    )
    world.add_joint(kind="free", body=bodies[12], axis=(0, 0, 1), angle=rc.Spring(stiffness=1))
    world.add_joint(kind="gear", joints=["hinge", ("rail", "slide")], ratio=3.7)
    world.remove_joint("gone")
    return world


def spun() -> rc.World:
    """A wheel that has turned by several turns, geared to a rack."""
    world = rc.World()
    wheel = world.add_sphere(radius=0.1, mass=1, angular_velocity=(0, 0, 70))
    rack = world.add_box(size=(1, 1, 1), mass=1, position=(5, 0, 0), velocity=(0, 0, 7))
    hinge = world.add_joint(kind="revolute", body=wheel, point=wheel.position, axis=(0, 0, 1))
    rail = world.add_joint(kind="prismatic", body=rack, axis=(0, 0, 1))
    world.add_joint(kind="gear", joints=[hinge, rail], ratio=10)
    return world


def bits(run: rc.Run) -> list[bytes]:
    """Of all states, and of all that joints do."""
    names = ("position", "orientation", "velocity", "angular_velocity")
    found = [np.asarray(run.states(name)).tobytes() for name in names]
    for number, _ in run.world.joints:
        track = run.joint(number)
        arrays = [track.force, track.torque, *track.coordinate.values(), *track.effort.values()]
        found += [values.tobytes() for values in arrays]
    return found
