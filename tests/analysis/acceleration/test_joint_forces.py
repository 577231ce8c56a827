"""Forces and torques of joints on their bodies, against statics and the laws of a pendulum."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.analysis.acceleration.joint_forces import joint_forces

G, MASS, LENGTH = 9.81, 3.0, 1.2


def beam(kind, swap=False, **options):
    """A beam along x with its start in (0.3, 0, 2), held there."""
    world = rc.World(gravity=(0, 0, -G))
    rod = world.add_box(
        size=(LENGTH, 0.1, 0.1), mass=MASS, position=(0.3 + LENGTH / 2, 0, 2), name="beam"
    )
    wall = world.add_box(size=(0.1,) * 3, mass=1, position=(0, 0, 2), fixed=True, name="wall")
    body, base = (wall, rod) if swap else (rod, wall)
    world.add_joint(kind=kind, name="root", body=body, base=base, point=(0.3, 0, 2), **options)
    return world


def forces(world, **options):
    return joint_forces(rc.analyze(world, **options).motion)


@pytest.mark.parametrize("swap", [False, True])
def test_cantilever(swap):
    """It holds the weight, and its moment about the root; on the beam, whichever is the base."""
    (found,) = forces(beam("prismatic", swap, axis=(0, 1, 0)))
    assert (found.name, found.body, found.against) == ("root", "beam", "wall")
    np.testing.assert_allclose(found.point, [0.3, 0, 2], atol=1e-12)
    np.testing.assert_allclose(found.force, [0, 0, MASS * G], atol=1e-9)
    np.testing.assert_allclose(found.torque, [0, -MASS * G * LENGTH / 2, 0], atol=1e-9)


def test_hinge_of_a_beam_that_begins_to_fall():
    """Its hinge has m g - m (l/2) w' = m g (1 - m l^2 / 4 J), and no torque."""
    world = beam("revolute", axis=(0, 1, 0))
    turning = MASS / 12 * (LENGTH**2 + 0.01) + MASS * LENGTH**2 / 4
    (found,) = forces(world)
    up = MASS * G * (1 - MASS * LENGTH**2 / 4 / turning)
    np.testing.assert_allclose(found.force, [0, 0, up], atol=1e-9)
    np.testing.assert_allclose(found.torque, 0.0, atol=1e-9)


def test_chain():
    """The upper joint bears both weights, the lower one that of its body."""
    world = rc.World(gravity=(0, 0, -G))
    upper = world.add_sphere(radius=0.1, mass=1, position=(0, 0, -1), name="upper")
    lower = world.add_sphere(radius=0.1, mass=2, position=(0, 0, -2), name="lower")
    world.add_joint(kind="spherical", name="a", body=upper, point=(0, 0, 0))
    world.add_joint(kind="spherical", name="b", body=lower, base=upper, point=(0, 0, -1.5))
    a, b = forces(world)
    assert (a.against, b.against) == ("world", "upper")
    np.testing.assert_allclose([a.force, b.force], [[0, 0, 3 * G], [0, 0, 2 * G]], atol=1e-9)
    np.testing.assert_allclose([a.torque, b.torque], np.zeros((2, 3)), atol=1e-9)


def test_drives_have_units():
    world = beam("revolute", axis=(0, 1, 0))
    motion = rc.analyze(world, accelerations={"root": 0.0}).plain()["motions"][0]
    (drive,) = motion["held"]["drives"]
    torque = -MASS * G * LENGTH / 2
    assert drive["force"] == pytest.approx(torque)
    assert (drive["name"], drive["unit"], drive["given_acceleration"]) == (
        "drive of 'root'", "N m", 0.0,
    )  # fmt: skip
    assert len(motion["held"]["rows"]) == 6
    text = rc.analyze(world, accelerations={"root": 0.0}).report()
    assert f"drive of 'root': {torque:.4g} N m (for the given 0 rad/s2)" in text
    slide = beam("prismatic", axis=(0, 0, 1))
    text = rc.analyze(slide, accelerations={"root": 2.0}).report()
    assert f"drive of 'root': {MASS * (G + 2):.4g} N (for the given 2 m/s2)" in text


def test_gear_has_its_own_row():
    """Wheels with J = 2 and 0.5, ratio -2: 3 N m on the first leave q = J2 w2' / 2 for it."""
    world = rc.World()
    for name, moment, x in (("first", 2.0, 0.0), ("second", 0.5, 1.0)):
        wheel = world.add_box(
            size=(0.1,) * 3, mass=1, inertia=(1, 1, moment), position=(x, 0, 0), name=name
        )
        world.add_joint(
            kind="revolute", name=f"{name} axle", body=wheel, point=(x, 0, 0), axis=(0, 0, 1)
        )
    world.add_joint(kind="gear", name="gear", joints=["first axle", "second axle"], ratio=-2.0)
    held = rc.analyze(world, torques={"first axle": 3.0}).plain()["motions"][0]["held"]
    assert [joint["name"] for joint in held["joints"]] == ["first axle", "second axle"]
    (drive,) = held["drives"]
    assert (drive["name"], drive["unit"]) == ("gear 'gear'", "N m")
    assert drive["force"] == pytest.approx(-3.0 * (0.5 / 4) / (2.0 + 0.5 / 4))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"torques": [10, 10]}, r"torques = \[10, 10\]: must be a table of joints and numbers"),
        ({"accelerations": 3.0}, "accelerations = 3.0: must be a table"),
        (
            {"torques": {"root": 1.0}, "accelerations": {"root": 0.0}},
            r"torques\['root'\], accelerations\['root'\]: are of one coordinate; must be one of",
        ),
        (
            {"torques": {"root": 1.0, "root.angle": 2.0}},
            r"torques\['root'\], torques\['root.angle'\]: are of one coordinate",
        ),
    ],
)
def test_wrong_drives(options, words):
    with pytest.raises(rc.InputError, match=words):
        rc.analyze(beam("revolute", axis=(0, 1, 0)), **options)


def test_forces_that_are_shared_are_noted():
    """A motor that holds its speed, and a given acceleration: only their sum is certain."""
    options = {"axis": (0, 1, 0), "angle": [rc.Motor(speed=0.0)]}
    alone = rc.analyze(beam("revolute", **options)).plain()
    both = rc.analyze(beam("revolute", **options), accelerations={"root": 0.0}).plain()
    assert not any("hold more than is needed" in note for note in alone["notes"])
    assert any("hold more than is needed" in note for note in both["notes"])
    drives = both["motions"][0]["held"]["drives"]
    assert sum(drive["force"] for drive in drives) == pytest.approx(-MASS * G * LENGTH / 2)
