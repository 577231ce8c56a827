"""Joints of a world in the acceleration problem: pendulums, sliders, drives, stops, springs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from rollcone.analysis.acceleration.analyze import analyze
from rollcone.analysis.acceleration.from_world import problem_of
from rollcone.mechanics.rotations import rotation_matrix

G = 9.81
cross = np.cross
angles = st.floats(-3.0, 3.0)
rates = st.floats(-4.0, 4.0)


def rod(world, start, angle, length, mass, moment, velocity, rate, **options):
    """A rod from `start` at `angle` from -y in the plane x-y; its start has `velocity`."""
    along = np.array([math.sin(angle), -math.cos(angle), 0.0])
    v = np.asarray(velocity) + rate * 0.5 * length * np.array([math.cos(angle), math.sin(angle), 0])
    return world.add_box(
        size=(0.02, length, 0.02), mass=mass, inertia=(1.0, 1.0, moment),
        orientation=rc.rotation((0, 0, 1), math.degrees(angle)), velocity=v,
        position=np.asarray(start) + 0.5 * length * along, angular_velocity=(0, 0, rate), **options,
    )  # fmt: skip


def hinge(world, body, point=(0, 0, 0), base=None, **options):
    return world.add_joint(
        kind="revolute", body=body, base=base, point=point, axis=(0, 0, 1), **options
    )


LENGTH, MASS, MOMENT = 1.2, 0.7, 0.1
HINGED = MOMENT + MASS * (LENGTH / 2) ** 2


def pendulum(lean, rate=0.0, **options):
    world = rc.World(gravity=(0, -G, 0))
    body = rod(world, (0, 0, 0), lean, LENGTH, MASS, MOMENT, (0, 0, 0), rate, name="rod")
    hinge(world, body, name="hinge", **options)
    return world


def turning(world, body=0, **options):
    """Angular acceleration about z, where there is one motion."""
    answer = analyze(world, **options)
    assert answer.verdict == "one motion"
    return answer.motion.accelerations.reshape(-1, 6)[body, 5]


def names(problem):
    return [row.name for row in problem.places.held]


def natural(angle):
    return -MASS * G * LENGTH / 2 * math.sin(angle) / HINGED


@given(angles, rates)
def test_pendulum(angle, rate):
    """J theta'' = -m g l sin; the hinge has the weight and the centripetal force."""
    answer = analyze(pendulum(angle, rate))
    found = answer.motion.accelerations
    second = natural(angle)
    assert found[5] == pytest.approx(second, abs=1e-7)
    along = np.array([math.sin(angle), -math.cos(angle), 0.0])
    across = np.array([math.cos(angle), math.sin(angle), 0.0])
    centre = LENGTH / 2 * (second * across - rate**2 * along)
    assert np.allclose(found[:3], centre, atol=1e-6)
    problem = answer.problem
    force = (problem.held.T @ answer.motion.held_forces)[:3]
    assert np.allclose(force, MASS * centre + [0, MASS * G, 0], atol=1e-6)
    assert all(row.name == "joint 'hinge'" for row in problem.places.held)


@given(angles, angles, rates, rates)
def test_double_pendulum(a, b, a_rate, b_rate):
    """Two rods by Lagrange's equations: T = A a'^2 / 2 + C b'^2 / 2 + B a' b' cos(a - b)."""
    world = rc.World(gravity=(0, -G, 0))
    L1, m1, J1, L2, m2, J2 = 1.0, 2.0, 0.15, 0.7, 1.5, 0.08
    end = L1 * np.array([math.sin(a), -math.cos(a), 0.0])
    speed = a_rate * L1 * np.array([math.cos(a), math.sin(a), 0.0])
    first = rod(world, (0, 0, 0), a, L1, m1, J1, (0, 0, 0), a_rate)
    second = rod(world, end, b, L2, m2, J2, speed, b_rate)
    hinge(world, first)
    hinge(world, second, end, base=first)
    A, B, C = J1 + m1 * L1**2 / 4 + m2 * L1**2, m2 * L1 * L2 / 2, J2 + m2 * L2**2 / 4
    mixed, bend = B * math.cos(a - b), B * math.sin(a - b)
    load = [
        -bend * b_rate**2 - (m1 / 2 + m2) * L1 * G * math.sin(a),
        bend * a_rate**2 - m2 * L2 / 2 * G * math.sin(b),
    ]
    expected = np.linalg.solve([[A, mixed], [mixed, C]], load)
    found = analyze(world).motion.accelerations.reshape(2, 6)[:, 5]
    assert np.allclose(found, expected, atol=1e-6)


def test_slider_on_an_incline():
    """Prismatic: g sin along the axis; a body that a wheel cannot tip."""
    tilt = 0.4
    axis = (math.cos(tilt), 0.0, -math.sin(tilt))
    world = rc.World(gravity=(0, 0, -G))
    box = world.add_box(size=(1, 1, 1), mass=2.0, velocity=0.5 * np.array(axis))
    world.add_joint(kind="prismatic", body=box, axis=axis, name="slide")
    answer = analyze(world, torques={"slide": 3.0})
    assert np.allclose(answer.motion.accelerations[:3], (G * math.sin(tilt) + 1.5) * np.array(axis))
    assert np.allclose(answer.motion.accelerations[3:], 0.0, atol=1e-12)


def test_slider_on_a_turning_arm():
    """The slide on a hinged arm at r = 0.6 with rate W: r'' = r W^2 if nothing pulls it; the arm
    slows down by Coriolis' force 2 m r' W r."""
    W, r, pace, m, J = 2.0, 0.6, 0.3, 0.5, 0.8
    world = rc.World()
    arm = world.add_box(
        size=(0.1, 0.1, 0.1), mass=1.0, inertia=(1, 1, J), angular_velocity=(0, 0, W)
    )
    bead = world.add_sphere(
        radius=0.05, mass=m, inertia=(0.01, 0.01, 0.01), position=(r, 0, 0),
        velocity=(pace, W * r, 0), angular_velocity=(0, 0, W),
    )  # fmt: skip
    hinge(world, arm)
    world.add_joint(kind="prismatic", body=bead, base=arm, axis=(1, 0, 0), collide=False)
    found = analyze(world).motion.accelerations.reshape(2, 6)
    turn = -2 * m * r * pace * W / (J + 0.01 + m * r**2)
    assert found[0, 5] == pytest.approx(turn, abs=1e-7)
    # in space: r'' - r W^2 = 0 along the arm, r W' + 2 r' W across
    assert np.allclose(found[1, :2], [0.0, r * turn + 2 * pace * W], atol=1e-6)


@given(angles, rates, st.floats(-20.0, 20.0))
def test_torque_given_and_acceleration_given(angle, rate, wanted):
    """Inverse dynamics: the torque that a given acceleration takes has it as its effect."""
    world = pendulum(angle, rate)
    answer = analyze(world, accelerations={"hinge": wanted})
    assert answer.motion.accelerations[5] == pytest.approx(wanted, abs=1e-9)
    row = names(answer.problem).index("drive of 'hinge'")
    torque = answer.motion.held_forces[row]
    assert torque == pytest.approx(HINGED * (wanted - natural(angle)), abs=1e-6)
    assert turning(world, torques={"hinge": torque}) == pytest.approx(wanted, abs=1e-6)


def test_cylindrical_joint_has_two_coordinates():
    world = rc.World()
    box = world.add_box(size=(1, 1, 1), mass=2.0, inertia=(1, 1, 0.5))
    world.add_joint(kind="cylindrical", body=box, point=(0, 0, 0), axis=(0, 0, 1), name="screw")
    answer = analyze(world, torques={"screw.slide": 4.0, "screw.angle": 1.0})
    assert np.allclose(answer.motion.accelerations, [0, 0, 2.0, 0, 0, 2.0], atol=1e-12)
    with pytest.raises(rc.InputError, match=r"'screw\.angle', 'screw\.slide'"):
        analyze(world, torques={"screw": 4.0})
    with pytest.raises(rc.InputError, match=r"screw\.slid"):
        analyze(world, torques={"screw.slid": 4.0})


def test_spring_and_damper():
    """Torsion: -k (angle - rest) - c rate; the angle is 0 as built. A limit caps it."""
    rate, k, c, rest = 0.7, 5.0, 0.4, 0.3
    push = -k * (0.0 - rest) - c * rate
    spring = rc.Spring(stiffness=k, damping=c, rest=rest)
    assert turning(pendulum(0.5, rate, angle=spring)) == pytest.approx(natural(0.5) + push / HINGED)
    weak = rc.Spring(stiffness=k, damping=c, rest=rest, limit=0.2)
    assert turning(pendulum(0.5, rate, angle=weak)) == pytest.approx(natural(0.5) + 0.2 / HINGED)
    moving = rc.Spring(stiffness=k, damping=c, rest=lambda t: 0.3 * t)
    push = k * 0.3 * 2.0 - c * (rate - 0.3)
    assert turning(pendulum(0.5, rate, angle=moving), time=2.0) == pytest.approx(
        natural(0.5) + push / HINGED
    )


def test_linear_spring_between_balls():
    world = rc.World()
    a = world.add_sphere(radius=0.1, mass=1.0, velocity=(0.2, 0, 0))
    b = world.add_sphere(radius=0.1, mass=3.0, position=(2.0, 0, 0), velocity=(0.5, 0.4, 0))
    world.add_joint(
        kind="link", base=a, body=b, point=(0, 0, 0),
        length=rc.Spring(stiffness=7.0, damping=2.0, rest=1.5),
    )  # fmt: skip
    pull = 7.0 * 0.5 + 2.0 * 0.3
    found = analyze(world).motion.accelerations.reshape(2, 6)[:, :3]
    assert np.allclose(found, [[pull, 0, 0], [-pull / 3, 0, 0]], atol=1e-9)


def test_motor_that_has_its_speed_holds_it():
    """Its torque is what gravity takes; a speed that changes is followed."""
    world = pendulum(0.5, 2.0, angle=rc.Motor(speed=2.0))
    answer = analyze(world)
    assert answer.motion.accelerations[5] == pytest.approx(0.0, abs=1e-9)
    row = names(answer.problem).index("motor of the angle of joint 'hinge'")
    assert answer.motion.held_forces[row] == pytest.approx(-HINGED * natural(0.5), abs=1e-6)
    assert np.isinf(answer.problem.places.held[row].limit)
    rising = pendulum(0.5, 2.0, angle=rc.Motor(speed=lambda t: 2.0 + 3.0 * t))
    assert turning(rising) == pytest.approx(3.0, abs=1e-6)
    limited = pendulum(0.5, 2.0, angle=rc.Motor(speed=2.0, limit=30.0))
    problem = problem_of(limited)
    assert problem.places.held[row].limit == 30.0
    assert turning(limited) == pytest.approx(0.0, abs=1e-9)


def test_motor_with_a_position():
    """sin t from t = 0: rate 1, acceleration -sin t."""
    t = 0.4
    sine = rc.Sine(amplitude=1.0, frequency=1 / (2 * math.pi))
    world = pendulum(0.0, math.cos(t), angle=rc.Motor(position=sine))
    assert turning(world, time=t) == pytest.approx(-math.sin(t), abs=1e-5)


def test_servo_closes_in_on_its_position():
    """With a limit the motor asks for the rate (position - angle) / response, which falls as the
    angle comes nearer: the rate decays by rate / response. From another rate it is at its limit."""
    position, response = 0.3, 0.2
    servo = rc.Motor(position=position, limit=100.0, response=response)
    rate = position / response
    assert turning(pendulum(0.5, rate, angle=servo)) == pytest.approx(-rate / response, abs=1e-6)
    slow = turning(pendulum(0.5, 0.9 * rate, angle=servo))
    assert slow == pytest.approx(natural(0.5) + 100.0 / HINGED)


def test_motor_at_its_limit():
    for wanted, sign in ((5.0, 1.0), (-5.0, -1.0)):
        world = pendulum(0.5, 2.0, angle=rc.Motor(speed=wanted, limit=1.3))
        assert turning(world) == pytest.approx(natural(0.5) + sign * 1.3 / HINGED)
    with pytest.raises(rc.InputError, match=r"asks for the rate 5, which is 2 at present"):
        analyze(pendulum(0.5, 2.0, angle=rc.Motor(speed=5.0)))


def test_limits_that_are_met_are_contacts():
    """A stop below holds the rod with the moment of its weight; a torque lifts it."""
    stop = rc.Limits(lower=0.0)
    world = pendulum(0.5, angle=stop)
    answer = analyze(world)
    assert answer.verdict == "one motion"
    assert answer.problem.contacts == 1
    assert np.allclose(answer.motion.accelerations, 0.0, atol=1e-9)
    assert answer.motion.forces[0, 0] == pytest.approx(-HINGED * natural(0.5))
    lifted = analyze(world, torques={"hinge": 10.0})
    assert lifted.motion.modes == "b"
    assert lifted.motion.accelerations[5] == pytest.approx(natural(0.5) + 10.0 / HINGED)
    upper = analyze(pendulum(-0.5, angle=rc.Limits(upper=0.0)))
    assert upper.motion.forces[0, 0] == pytest.approx(HINGED * natural(-0.5))


def test_stop_that_is_left_or_run_into():
    stop = rc.Limits(lower=0.0)
    leaving = problem_of(pendulum(0.5, 0.3, angle=stop))
    assert leaving.contacts == 0
    with pytest.raises(rc.InputError, match=r"runs into its limit 0 at 0\.3"):
        problem_of(pendulum(0.5, -0.3, angle=stop))
    away = problem_of(pendulum(0.5, -0.3, angle=rc.Limits(lower=-0.1)))
    assert away.contacts == 0


def test_stop_and_floor_together():
    """The end of the rod is on a floor, and its hinge on a stop: neither alone can be told."""
    world = pendulum(0.5, angle=rc.Limits(lower=0.0))
    tip = np.array([math.sin(0.5), -math.cos(0.5), 0.0]) * (LENGTH + 0.1)
    ball = world.add_sphere(radius=0.1, mass=0.2, position=tip, name="tip")
    world.add_joint(kind="fixed", body=ball, base="rod")
    world.add_plane(normal=(0, 1, 0), point=(0, tip[1] - 0.1, 0))
    world.set_contact_law(rc.ContactLaw(sliding=0.4))
    answer = analyze(world)
    assert answer.problem.contacts == 2
    assert np.allclose(answer.motion.accelerations, 0.0, atol=1e-8)
    assert answer.motion.certified


def test_friction_of_a_joint_that_turns():
    """A constant moment against the rate; at rest it is refused."""
    friction = rc.JointFriction(limit=0.4)
    for rate in (0.7, -0.7):
        found = turning(pendulum(0.5, rate, angle=friction))
        assert found == pytest.approx(natural(0.5) - math.copysign(0.4, rate) / HINGED)
    with pytest.raises(rc.InputError, match="friction of the angle of joint 'hinge'"):
        analyze(pendulum(0.5, angle=friction))
    loaded = pendulum(0.5, 1.0, angle=rc.JointFriction(coefficient=0.1, radius=0.01))
    with pytest.raises(rc.InputError, match="none that grows with the load"):
        analyze(loaded)


@given(st.floats(0.3, 3.0), st.floats(0.1, 5.0))
def test_distance_joint_goes_round(length, speed):
    """v^2 / L towards the middle, and the force m v^2 / L."""
    world = rc.World()
    ball = world.add_sphere(radius=0.05, mass=2.0, position=(length, 0, 0), velocity=(0, speed, 0))
    world.add_joint(kind="distance", body=ball, point=(0, 0, 0))
    answer = analyze(world)
    a = speed**2 / length
    assert np.allclose(answer.motion.accelerations[:3], [-a, 0, 0], rtol=1e-5, atol=1e-6 * a)
    assert abs(answer.motion.held_forces[0]) == pytest.approx(2.0 * a, rel=1e-5)


def test_taut_rope_goes_round():
    """A length at its upper limit is a contact, with the velocity product of the distance joint; a
    push inwards of more than m v^2 / L slackens it."""
    length, speed = 0.8, 1.5
    pull = speed**2 / length
    for push, taut in ((0.0, True), (2.5 * pull, False)):
        world = rc.World()
        ball = world.add_sphere(
            radius=0.05, mass=2.0, position=(length, 0, 0), velocity=(0, speed, 0),
            force=(-push, 0, 0),
        )  # fmt: skip
        world.add_joint(kind="link", body=ball, point=(0, 0, 0), length=rc.Limits(upper=length))
        motion = analyze(world).motion
        assert motion.modes == ("r" if taut else "b")
        assert motion.accelerations[0] == pytest.approx(-pull if taut else -push / 2.0, rel=1e-5)
        assert motion.forces[0, 0] == pytest.approx(2.0 * pull if taut else 0.0, abs=1e-4)


def test_joint_on_a_driven_base():
    """A pendulum whose point accelerates by a to the side hangs still at tan = -a / g."""
    a = 4.0
    lean = -math.atan2(a, G)
    world = rc.World(gravity=(0, -G, 0))
    base = world.add_box(size=(0.1, 0.1, 0.1), motion=lambda t: ((a * t, 0, 0), (0, 0, 0)))
    body = rod(world, (0, 0, 0), lean, LENGTH, MASS, MOMENT, (0, 0, 0), 0.0)
    hinge(world, body, base=base)
    answer = analyze(world)
    assert np.allclose(answer.motion.accelerations, [a, 0, 0, 0, 0, 0], atol=1e-7)


@given(st.integers(0, 10**6))
def test_shaft_on_two_hinges(seed):
    """Redundant rows, whose velocity products are nothing but rounding: nothing accelerates."""
    rng = np.random.default_rng(seed)
    q = rng.normal(size=4)
    q /= np.linalg.norm(q)
    axis, place = rotation_matrix(q)[:, 2], 3.0 * rng.normal(size=3)
    world = rc.World(gravity=(0, -G, 0))
    shaft = world.add_box(
        size=(0.1, 0.2, 2.0), mass=3.0, orientation=q, position=place,
        angular_velocity=10 ** rng.uniform(-2, 2) * axis,
    )  # fmt: skip
    for z in (-1.0, 1.0):
        world.add_joint(kind="revolute", body=shaft, point=place + z * axis, axis=axis)
    assert np.allclose(analyze(world).motion.accelerations, 0.0, atol=1e-4)


def test_shaft_off_its_axis():
    """Redundant rows that agree: centripetal acceleration, and gravity's moment."""
    world, turn = rc.World(gravity=(0, -G, 0)), np.array([0, 0, 50.0])
    arm = np.array([0.4, -0.3, 0.0])
    shaft = world.add_box(
        size=(0.1, 0.2, 2.0), mass=3.0, position=-arm, velocity=cross(turn, -arm),
        angular_velocity=turn,
    )  # fmt: skip
    for z in (-1.0, 1.0):
        hinge(world, shaft, (0, 0, z))
    found = analyze(world).motion.accelerations
    J = 3.0 * (0.01 + 0.04) / 12 + 3.0 * 0.25
    second = 3.0 * G * arm[0] / J
    assert np.allclose(found[:3], cross([0, 0, second], -arm) + 2500 * arm, rtol=1e-6, atol=1e-4)
    assert found[5] == pytest.approx(second, rel=1e-6)


def test_gear():
    """Two wheels with ratio -2: one degree of freedom with J1 + J2 / 4."""
    world = rc.World()
    wheels = [
        world.add_box(size=(0.1, 0.1, 0.1), mass=1.0, inertia=(1, 1, J), position=(x, 0, 0))
        for J, x in ((2.0, 0.0), (0.5, 1.0))
    ]
    names = ("first", "second")
    for wheel, name, x in zip(wheels, names, (0.0, 1.0), strict=True):
        hinge(world, wheel, (x, 0, 0), name=name)
    world.add_joint(kind="gear", joints=list(names), ratio=-2.0)
    found = analyze(world, torques={"first": 3.0}).motion.accelerations.reshape(2, 6)[:, 5]
    assert found[0] == pytest.approx(3.0 / (2.0 + 0.5 / 4))
    assert found[1] == pytest.approx(-found[0] / 2)


def test_wrong_names_and_values():
    world = pendulum(0.5)
    with pytest.raises(rc.InputError, match="hing"):
        analyze(world, torques={"hinges": 1.0})
    with pytest.raises(rc.InputError, match=r"torques\['hinge'\]"):
        analyze(world, torques={"hinge": math.nan})
    with pytest.raises(rc.InputError, match=r"accelerations\['hinge'\]"):
        analyze(world, accelerations={"hinge": "fast"})
    with pytest.raises(rc.InputError, match="contradicts"):
        analyze(pendulum(0.5, angle=rc.Motor(speed=0.0)), accelerations={"hinge": 1.0})


def test_world_without_gravity_or_loads_stays():
    answer = analyze(pendulum(0.5, 0.0), accelerations={"hinge": 0.0})
    assert np.allclose(answer.motion.accelerations, 0.0, atol=1e-9)
