"""Bodies of other shapes: boxes and their joints, every shape at once, disks, periodic boxes."""

from __future__ import annotations

import numpy as np

import rollcone as rc
from fingerprints.scenes.making import (
    GRAVITY,
    ROLLING,
    SLIDING,
    Arrays,
    every_shape,
    floor,
    ground,
    scene,
    several,
    simulated,
)


@scene
def stack_of_boxes() -> Arrays:
    world = floor(rc.ContactLaw(sliding=0.5))
    for k in range(8):
        world.add_box(size=(0.2, 0.2, 0.2), density=1000, position=(0.01 * k, 0, 0.2 * k + 0.1))
    world.add_box(size=(0.1, 0.1, 0.3), mass=2.0, position=(-1, 0, 0.9), velocity=(4, 0, 1),
                  angular_velocity=(1, 2, 3))  # fmt: skip
    return simulated(world, 100)


@scene
def spheres_in_a_hopper() -> Arrays:
    world = floor(rc.ContactLaw(sliding=0.3))
    world.add_container(
        shape="hopper", radius=0.3, height=0.3, outlet=0.12, sides=6, wall=0.3, position=(0, 0, 0.3)
    )
    world.add_packing(
        shape="sphere", radius=(0.03, 0.05), density=2000, low=(-0.15, -0.15, 0.65),
        high=(0.15, 0.15, 0.9), count=20, seed=3,
    )  # fmt: skip
    return simulated(world, 100, record_every=5)


@scene
def joint_of_each_kind() -> Arrays:
    """Pairs of boxes, held by a joint of each kind; some of them compliant."""
    rng = np.random.default_rng(5)
    world = rc.World(gravity=GRAVITY)
    with_axis = ("revolute", "prismatic", "cylindrical", "universal", "point-on-line",
                 "point-on-plane", "free")  # fmt: skip
    kinds = (*with_axis, "spherical", "fixed", "distance", "link")
    for k, kind in enumerate(kinds):
        place = np.array([3.0 * k, 0.0, 0.0])
        base = world.add_box(
            size=(0.6, 0.4, 0.2), mass=2.0, position=place, angular_velocity=rng.normal(size=3)
        )
        body = world.add_box(
            size=(0.2, 0.2, 0.5), mass=1.0, position=place + np.array([0.2, 0.1, 0.7])
        )
        options = {"point": place + np.array([0.1, 0, 0.3])} if kind != "fixed" else {}
        options |= {"axis": (2, 1, 2)} if kind in with_axis else {}
        options |= {"axis2": (1, -2, 0)} if kind == "universal" else {}
        options |= {"compliance": 1e-4} if kind == "spherical" else {}
        options |= {"angular_compliance": 1e-3} if kind == "fixed" else {}
        world.add_joint(kind=kind, body=body, base=base, name=kind, **options)
    swung = world.add_box(size=(0.1, 0.1, 1.0), mass=1.0, position=(3, 4, 0.5))
    world.add_joint(kind="revolute", body=swung, point=(3, 4, 0), axis=(0, 1, 0), name="swing",
                    angle=rc.Motor(speed=2.0))  # fmt: skip
    world.add_joint(kind="gear", joints=["swing", "revolute"], ratio=2.0, name="gear")
    return simulated(world, 40)


@scene
def elements_of_joints() -> Arrays:
    """Motors, limits, friction and springs on angles, slides and lengths, with contacts."""
    world = floor(rc.ContactLaw(sliding=0.5))
    sine = rc.Sine(amplitude=0.5, frequency=2.0)
    table = rc.TimeTable(times=[0.0, 0.1, 0.3], values=[0.0, 0.2, -0.3])
    cases = {
        "motor": [rc.Motor(speed=sine, limit=20.0), rc.Limits(lower=-0.2, upper=0.3)],
        "position": [rc.Motor(position=table)],
        "function": [rc.Motor(speed=lambda t: 3.0 * t), rc.JointFriction(limit=0.2)],
        "servo": [rc.Motor(position=0.5, limit=30.0, response=0.1)],
        "friction": [rc.JointFriction(limit=0.1, coefficient=0.3, radius=0.05)],
        "limits": [rc.Limits(lower=-0.05, upper=0.1, restitution=0.5)],
        "spring": [rc.Spring(stiffness=50.0, damping=0.5, rest=0.2)],
        "weak spring": [rc.Spring(stiffness=50.0, rest=sine, limit=2.0)],
    }
    for k, (name, elements) in enumerate(cases.items()):
        y = 2.0 * k
        rod = world.add_box(size=(0.6, 0.1, 0.1), mass=1.0, position=(0.3, y, 0.5))
        hinge = {"point": (0, y, 0.5), "axis": (0, 1, 0)}
        world.add_joint(kind="revolute", body=rod, name=f"{name} angle", angle=elements, **hinge)
        cart = world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(2, y, 0.1))
        if name != "friction":  # its radius is that of a pin
            world.add_joint(kind="prismatic", body=cart, axis=(1, 0, 0), name=f"{name} slide",
                            slide=elements)  # fmt: skip
    hung = world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(4, 0, 1.0))
    rope = [rc.Spring(stiffness=40.0, damping=1.0), rc.Limits(upper=1.1)]
    world.add_joint(kind="link", body=hung, point=(4, 0, 2), name="link", length=rope)
    return simulated(world, 60)


@scene
def every_shape_on_a_floor() -> Arrays:
    return simulated(every_shape(SLIDING), 80)


@scene
def every_shape_with_rolling_friction() -> Arrays:
    return simulated(every_shape(ROLLING), 80)


@scene
def every_shape_with_restitution_and_compliance() -> Arrays:
    laws = {
        "restitution": rc.ContactLaw(sliding=0.3, restitution=0.5),
        "compliance": rc.ContactLaw(sliding=0.3, compliance=1e-6),
    }
    return several({name: simulated(every_shape(law), 40) for name, law in laws.items()})


@scene
def every_shape_by_other_schemes() -> Arrays:
    schemes = {"dvi": rc.DVI(), "moreau-jean": rc.MoreauJean()}
    return several(
        {name: simulated(every_shape(ROLLING), 40, scheme=given) for name, given in schemes.items()}
    )


@scene
def shapes_in_a_bowl() -> Arrays:
    laws = {"sliding": SLIDING, "rolling": ROLLING}
    return several({name: simulated(every_shape(law, bowl=True), 60) for name, law in laws.items()})


@scene
def every_shape_on_a_height_field() -> Arrays:
    """Without the mesh, which cannot touch another."""
    world = every_shape(SLIDING)
    world.remove(11)
    world.body(0).position = (0, 0, -0.3)
    world.add_height_field(**ground())
    return simulated(world, 60)


@scene
def every_shape_moved_apart_in_a_periodic_box() -> Arrays:
    """Positions are moved apart after each step (projection)."""
    world = every_shape(ROLLING)
    world.set_periodic(x=(-1, 1), y=(-1, 1))
    return simulated(world, 40, scheme=rc.MoreauJean(projection=True))


@scene
def every_shape_with_laws_of_a_table() -> Arrays:
    laws = {
        "contensou": rc.ContactLaw(sliding=0.4, contact_radius=0.01, rolling=0.002),
        "stribeck": rc.ContactLaw(sliding=rc.Stribeck(static=0.5, kinetic=0.2, speed=0.3)),
    }
    return several({name: simulated(every_shape(law), 60) for name, law in laws.items()})


@scene
def cart_on_wheels() -> Arrays:
    """A box on four cylinders with driven axles, a capsule and a clump as freight."""
    world = floor(ROLLING)
    body = world.add_box(size=(0.8, 0.3, 0.1), mass=4.0, position=(0, 0, 0.15))
    for k, (x, y) in enumerate([(-0.3, -0.2), (-0.3, 0.2), (0.3, -0.2), (0.3, 0.2)]):
        wheel = world.add_cylinder(
            radius=0.12, height=0.06, mass=0.5, position=(x, y, 0.12),
            orientation=rc.rotation((1, 0, 0), 90),
        )  # fmt: skip
        drive = {"angle": rc.Motor(speed=4.0, limit=1.0)} if k < 2 else {}
        world.add_joint(
            kind="revolute", body=wheel, base=body, point=(x, y, 0.12), axis=(0, 1, 0),
            name=f"axle {k}", **drive,
        )  # fmt: skip
    world.add_capsule(radius=0.05, length=0.2, mass=0.5, position=(0.1, 0, 0.4))
    world.add_clump(
        spheres=[(0, 0, 0, 0.06), (0.07, 0, 0, 0.05)], mass=0.5, position=(-0.2, 0, 0.3)
    )
    return simulated(world, 80)


@scene
def rolling_disk() -> Arrays:
    """A disk on its rim with contour friction and a patch, as steps are divided where it leans."""
    world = floor(rc.ContactLaw(sliding=0.3, contact_radius=0.005, contour=0.003))
    world.add_disk(
        radius=0.1, thickness=0.01, mass=0.5, position=(0, 0, 0.06), angular_velocity=(0.5, 4, 12),
        orientation=rc.rotation((1, 0, 0), 35), velocity=(0.2, 0, 0),
    )  # fmt: skip
    return simulated(world, 100, 2e-3)


@scene
def disks_with_laws_of_a_table() -> Arrays:
    law = rc.ContactLaw(sliding=rc.Stribeck(static=0.4, kinetic=0.2, speed=0.1), rolling=0.001)
    world = floor(law)
    world.add_cylinder(
        radius=0.1, height=0.3, mass=1.0, position=(0, 0, 0.1), velocity=(1, 0, 0),
        orientation=rc.rotation((1, 0, 0), 90), angular_velocity=(0, 3, 0),
    )  # fmt: skip
    world.add_disk(radius=0.1, mass=1.0, position=(0.1, 0, 0.35), angular_velocity=(0, 0, 9))
    world.add_sphere(radius=0.05, mass=0.2, position=(0.4, 0, 0.05), angular_velocity=(0, -9, 5))
    return simulated(world, 80)


@scene
def periodic_box() -> Arrays:
    world = rc.World(gravity=(2, 0, -9.81))
    world.set_periodic(x=(0, 1), y=(0, 0.5))
    world.set_contact_law(rc.ContactLaw(sliding=0.1))
    world.add_plane()
    world.add_packing(
        shape="sphere", radius=(0.03, 0.05), density=2500, low=(0, 0, 0.06), high=(1, 0.5, 0.4),
        count=40,
    )  # fmt: skip
    return simulated(world, 80, record_every=4)
