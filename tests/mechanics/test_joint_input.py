"""What is said of a joint is checked: every mistake is an error that names what is wrong."""

import math

import numpy as np
import pytest

import rollcone as rc

NAN, INF = math.nan, math.inf


def some_world() -> rc.World:
    """Two bodies that move (0, 1), two that are fixed (2, 3), one that was removed (4)."""
    world = rc.World(gravity=(0, 0, -9.81))
    for x in (0.0, 1.0):
        world.add_sphere(radius=0.1, mass=1.0, position=(x, 0, 0))
    for y in (5.0, 8.0):
        world.add_sphere(radius=0.1, position=(0, y, 0), fixed=True)
    world.add_sphere(radius=0.1, mass=1.0, position=(9, 9, 9))
    world.remove(4)
    return world


HINGE = {"kind": "revolute", "body": 0, "point": (0, 0, 0), "axis": (0, 0, 1)}
CARDAN = HINGE | {"kind": "universal"}
RAW = {
    "kind": "revolute",
    "body": 0,
    "base_point": (0, 0, 0),
    "body_point": (0, 0, 0),
    "base_frame": (1, 0, 0, 0),
    "body_frame": (1, 0, 0, 0),
}
APART = {"kind": "distance", "body": 0, "base": 1}
WRONG = [
    ({"kind": "revolut", "body": 0}, r"kind = 'revolut': must be one of .*did you mean 'revolute'"),
    ({"kind": 3, "body": 0}, "kind = 3: must be one of"),
    ({"kind": "revolute"}, "body: must be given"),
    ({"kind": "revolute", "body": 0}, "axis: must be given"),
    ({"kind": "revolute", "body": 0, "axis": (0, 0, 1)}, "point: must be given"),
    ({"kind": "spherical", "body": 0}, "point: must be given"),
    (HINGE | {"axis": (0, 0, 0)}, "axis = .*: must not be zero"),
    (HINGE | {"axis": (NAN, 0, 0)}, "axis.* = nan: must be finite"),
    (HINGE | {"axis": (1, 0)}, r"axis = \(1, 0\): must be three numbers"),
    (HINGE | {"axis": "x"}, "axis = 'x': must be"),
    (HINGE | {"point": (INF, 0, 0)}, "point.* = inf: must be finite"),
    (HINGE | {"point": None}, "point = None: must be"),
    (HINGE | {"point": (1e200, 0, 0)}, "point has an entry 1e.200: must be at most"),
    (HINGE | {"slide": rc.Motor(speed=1)}, "slide: no coordinate of the kind 'revolute'"),
    (HINGE | {"axis2": (1, 0, 0)}, "axis2: a joint of the kind 'revolute' has no such"),
    (HINGE | {"distance": 1}, "distance: a joint of the kind"),
    (HINGE | {"base": 0}, "base: 'sphere 0' cannot be joined to itself"),
    (HINGE | {"body": 2}, "body: 'sphere 2' is not moved by forces, nor is its base"),
    (HINGE | {"body": 2, "base": 3}, "body: 'sphere 2' is not moved by forces, nor is its base"),
    (HINGE | {"body": 4}, "has been removed"),
    (HINGE | {"base": 4}, "has been removed"),
    (HINGE | {"body": 7}, "body 7: there is none"),
    (HINGE | {"base": "door"}, "body 'door': there is none"),
    (CARDAN, "axis2: must be given"),
    (CARDAN | {"axis2": (1, 0, 1)}, "axis2 = .*: must be at right angles to axis"),
    (CARDAN | {"axis2": (0, 0, 0)}, "axis2 = .*: must not be zero"),
    (HINGE | {"angle": [rc.Motor(speed=1), rc.Motor(speed=2)]}, "angle: has motor twice"),
    (HINGE | {"angle": 3}, "angle = 3: must be rc.Limits"),
    (HINGE | {"angle": [None]}, "angle = None: must be rc.Limits"),
    (HINGE | {"angle": rc.JointFriction(coefficient=1)}, "angle: friction .* needs the radius"),
    (APART | {"distance": 0}, "distance = 0: must be one number > 0"),
    (APART | {"distance": -1}, "distance = -1: must be one number > 0"),
    (APART | {"distance": NAN}, "distance = nan: must be finite"),
    (APART | {"length": rc.Spring(stiffness=1)}, "length: a distance is held; .* use a link"),
    (APART | {"point2": (0, 0, 0), "point": (0, 0, 0)}, "distance = 0.0: must be one number > 0"),
    ({"kind": "distance", "body": 0}, "point: must be given for a distance to the world"),
    ({"kind": "link", "body": 0}, "point: must be given for a link to the world"),
    ({"kind": "link", "body": 0, "base": 1, "length": rc.JointFriction(coefficient=1)},
     "length: .* a link holds nothing across"),
    ({"kind": "link", "body": 0, "base": 1, "length": rc.Limits(upper=0)},
     "upper = 0: a length has no end there; must be > 0"),
    ({"kind": "prismatic", "body": 0, "axis": (1, 0, 0),
      "slide": rc.JointFriction(limit=1, radius=0.1)}, "radius = 0.1: goes with friction of an"),
    ({"kind": "fixed", "body": 0, "point": (0, 0, 0)}, "point: a joint of the kind 'fixed'"),
    (HINGE | {"compliance": -1}, "compliance = -1: must be one number >= 0"),
    (HINGE | {"compliance": INF}, "compliance = inf: must be finite"),
    (HINGE | {"compliance": 1e-320}, "compliance = .*: must be 0 or at least 1e-150"),
    (HINGE | {"angular_compliance": 1e-200}, "angular_compliance = .*: must be 0 or at least"),
    (HINGE | {"collide": 1}, "collide = 1: must be True or False"),
    (HINGE | {"name": ""}, "name = '': must be a text"),
    (HINGE | {"name": 3}, "name = 3: must be a text"),
    (RAW | {"turns": (NAN, 0)}, "turns.* = nan: must be finite"),
    (RAW | {"turns": 3}, "turns = 3.*: must be two numbers"),
    (RAW | {"turns": (1, 2, 3)}, r"turns = \[1.0, 2.0, 3.0\]: must be two numbers"),
    (RAW | {"base_frame": (2, 0, 0, 0)}, "base_frame = .* has length 2: must be 1"),
    (RAW | {"body_frame": (1, 0, 0)}, "body_frame = .*: must be four numbers"),
    (HINGE | {"base_point": (0, 0, 0)}, "point: there is also base_point"),
    (HINGE | {"turns": (1, 0)}, "point: there is also turns"),
    ({"kind": "gear"}, "joints: must be given"),
    ({"kind": "gear", "joints": [0, 1]}, "ratio: must be given"),
    ({"kind": "gear", "joints": [0], "ratio": 1}, r"joints = \[0\]: must be two joints"),
    ({"kind": "gear", "joints": 3, "ratio": 1}, "joints = 3: must be two joints"),
    ({"kind": "gear", "joints": [0, 1], "ratio": 1}, "joint 0: there is none"),
    ({"kind": "gear", "joints": [0, 1], "ratio": 1, "body": 0}, "body: a joint of the kind 'gear'"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "words"), WRONG, ids=lambda v: v if isinstance(v, str) else "")
def test_wrong_joints(given, words):
    world = some_world()
    with pytest.raises(rc.InputError, match=words):
        world.add_joint(**given)
    assert not len(world.joints)  # nothing was left behind
    rc.simulate(world, until=0.01, step=0.01)


def test_unknown_options():
    with pytest.raises(TypeError, match=r"unknown argument 'axes' \(did you mean 'axis'\?\)"):
        some_world().add_joint(**HINGE, axes=(1, 0, 0))
    with pytest.raises(TypeError, match="kind"):
        some_world().add_joint(body=0)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: rc.Limits(), "lower, upper: one of them must be given"),
        (lambda: rc.Limits(lower=1, upper=0), "lower = 1: must be below upper = 0"),
        (lambda: rc.Limits(lower=1, upper=1), "lower = 1: must be below upper = 1"),
        (lambda: rc.Limits(lower=NAN), "lower = nan: must be finite"),
        (lambda: rc.Limits(lower="a"), "lower = 'a': must be"),
        (lambda: rc.Limits(lower=INF), "lower = inf: must be below"),
        (lambda: rc.Limits(lower=0, restitution=2), "restitution = 2: must be a number from 0"),
        (lambda: rc.Limits(lower=0, restitution=NAN), "restitution = nan: must be finite"),
        (lambda: rc.JointFriction(), "friction: must have a limit or a coefficient > 0"),
        (lambda: rc.JointFriction(limit=-1), "limit = -1: must be one number >= 0"),
        (lambda: rc.JointFriction(limit=INF), "limit = inf: must be finite"),
        (lambda: rc.JointFriction(limit=1, radius=NAN), "radius = nan: must be finite"),
        (lambda: rc.Motor(), "motor: must have a speed or a position"),
        (lambda: rc.Motor(speed=1, position=2), "motor: must have a speed or a position, and not"),
        (lambda: rc.Motor(speed=NAN), "speed = nan: must be a number, rc.Sine"),
        (lambda: rc.Motor(position=(1, 2)), r"position = \(1, 2\): must be a number, rc.Sine"),
        (lambda: rc.Motor(speed=1, limit=0), "limit = 0: must be one number > 0"),
        (lambda: rc.Motor(speed=1, limit=NAN), "limit = nan: must be finite"),
        (lambda: rc.Motor(speed=1, limit=-INF), "limit = -inf: must be finite"),
        (lambda: rc.Motor(position=1, limit=1, response=0), "response = 0: must be one number > 0"),
        (lambda: rc.Motor(position=1, response=1), "response: must come with a position and a"),
        (lambda: rc.Motor(speed=1, limit=1, response=1), "response: must come with a position"),
        (lambda: rc.Spring(), "spring: must have a stiffness or a damping > 0"),
        (lambda: rc.Spring(stiffness=-1), "stiffness = -1: must be one number >= 0"),
        (lambda: rc.Spring(stiffness=INF), "stiffness = inf: must be finite"),
        (lambda: rc.Spring(stiffness=1, rest=[1]), r"rest = \[1\]: must be a number, rc.Sine"),
        (lambda: rc.Spring(damping=1, limit=0), "limit = 0: must be one number > 0"),
        (lambda: rc.Sine(amplitude=1, frequency=0), "frequency = 0: must be one number > 0"),
        (lambda: rc.Sine(amplitude=NAN, frequency=1), "amplitude = nan: must be finite"),
        (lambda: rc.TimeTable(times=[], values=[]), r"times = \[\]: must be numbers, each above"),
        (lambda: rc.TimeTable(times=[0, 0], values=[1, 1]), "times = .*: must be numbers, each"),
        (lambda: rc.TimeTable(times=[0, 1], values=[1]), r"values = \[1\]: must be 2 numbers"),
        (lambda: rc.TimeTable(times=[0, NAN], values=[1, 2]), "times.* = nan: must be finite"),
    ],
)
def test_wrong_elements(make, words):
    with pytest.raises(rc.InputError, match=words):
        make()


def test_wrong_gears():
    world = some_world()
    hinge = world.add_joint(**HINGE, name="hinge")
    other = world.add_joint(kind="cylindrical", body=1, point=(1, 0, 0), axis=(0, 0, 1), name="two")
    ball = world.add_joint(kind="spherical", body=1, base=0, point=(1, 0, 0), name="ball")
    for joints, ratio, words in (
        ([hinge, other], 1.0, "joints: 'two' has 2 coordinates"),
        ([hinge, ball], 1.0, "joints: 'ball' has 0 coordinates"),
        ([hinge, (other, "length")], 1.0, "joints = 'length': must be one of angle, slide"),
        ([hinge, hinge], 1.0, "joints = .*: must be two different coordinates"),
        ([hinge, (other, "angle")], 0.0, "ratio = 0: must not be zero"),
        ([hinge, (other, "angle")], NAN, "ratio = nan: must be finite"),
        ([hinge, (other, "angle")], "x", "ratio = 'x': must be"),
        ([hinge, (some_world().add_joint(**HINGE), "angle")], 1.0, "belongs to another world"),
    ):
        with pytest.raises(rc.InputError, match=words):
            world.add_joint(kind="gear", joints=joints, ratio=ratio)
    with pytest.raises(rc.InputError, match="name = 'hinge': a joint has that name already"):
        world.add_joint(**HINGE, name="hinge")


def test_handles_of_joints():
    world = some_world()
    hinge = world.add_joint(**HINGE, name="hinge")
    ball = world.add_joint(kind="spherical", body=1, base=0, point=(1, 0, 0))
    assert world.joint("hinge").id == world.joint(0).id == hinge.id
    assert world.copy().joint(hinge).name == "hinge"
    assert "revolute" in repr(hinge)
    with pytest.raises(rc.InputError, match=r"joint 'hinges': .*did you mean 'hinge'"):
        world.joint("hinges")
    with pytest.raises(rc.InputError, match="has no coordinate"):
        ball.coordinate()
    with pytest.raises(rc.InputError, match="name = 'slide': must be one of angle"):
        hinge.coordinate("slide")
    world.remove_joint(hinge)
    for use in (lambda: hinge.name, lambda: hinge.coordinate(), lambda: world.joint(0)):
        with pytest.raises(rc.InputError, match="has been removed"):
            use()
    assert "removed" in repr(hinge)


def test_the_length_of_an_axis_does_not_matter():
    turned = []
    for size in (1e-200, 1.0, 1e150):
        joint = some_world().add_joint(**HINGE | {"axis": np.array([1.0, 2.0, 2.0]) * (size / 3)})
        turned.append(joint.axes)
    np.testing.assert_allclose(turned[0], turned[1], atol=1e-15)
    np.testing.assert_allclose(turned[2], turned[1], atol=1e-15)


@pytest.mark.parametrize("value", [NAN, INF, "a", None, (1, 2)])
def test_a_drive_that_gives_no_number(value):
    world = some_world()
    world.add_joint(**HINGE, angle=rc.Motor(speed=lambda t: value if t > 0.02 else 1.0))
    with pytest.raises(rc.SimulationError, match=r"a drive's function gave .*must be a finite"):
        rc.simulate(world, until=0.1, step=0.01)
