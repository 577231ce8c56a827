"""What is added to a joint acts as if it had been given with it."""

import numpy as np
import pytest

import rollcone as rc

FRICTION, MOTOR = rc.JointFriction(limit=0.1), rc.Motor(speed=2.0, limit=0.5)


def wheel(*elements):
    world = rc.World()
    body = world.add_box(size=(0.2, 0.2, 0.1), mass=1.0)
    hinge = {"point": (0, 0, 0), "axis": (0, 0, 1), "name": "axle", "angle": list(elements)}
    return world, world.add_joint(kind="revolute", body=body, **hinge)


def test_the_same_motion():
    given, _ = wheel(FRICTION, MOTOR)
    added, axle = wheel(FRICTION)
    axle.add(MOTOR)
    assert axle.elements == {"angle": (FRICTION, MOTOR)}
    runs = [rc.simulate(world, until=0.2, step=5e-3) for world in (given, added)]
    one, two = (run.joint("axle") for run in runs)
    np.testing.assert_array_equal(one.rate["angle"], two.rate["angle"])
    np.testing.assert_array_equal(one.effort["angle.motor"], two.effort["angle.motor"])
    assert one.rate["angle"][-1] > 1.0


def test_a_spring_rests_where_the_joint_is():
    world, axle = wheel()
    before = world.copy()
    world.joints.turns[0, 0] = 0.3
    axle.add(rc.Spring(stiffness=2.0), coordinate="angle")
    assert axle.elements["angle"][0].rest == axle.coordinate()
    assert not before.joint("axle").elements


def test_what_is_refused():
    world, axle = wheel(MOTOR)
    with pytest.raises(rc.InputError, match="angle: has motor twice; must be one at most"):
        axle.add(MOTOR)
    with pytest.raises(rc.InputError, match="name = 'slide': must be one of angle"):
        axle.add(FRICTION, coordinate="slide")
    with pytest.raises(rc.InputError, match="angle = 3: must be"):
        axle.add(3)
    assert axle.elements == {"angle": (MOTOR,)}
    ball = world.add_joint(kind="spherical", body=0, point=(0, 0, 0))
    with pytest.raises(rc.InputError, match="a spherical has no coordinate"):
        ball.add(MOTOR)
    free = world.add_joint(kind="free", body=0, axis=(0, 0, 1))
    with pytest.raises(rc.InputError, match="must be one of angle, slide"):
        free.add(MOTOR)
