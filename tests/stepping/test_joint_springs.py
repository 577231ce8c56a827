"""Springs, dampers, servos and drives of joints against closed forms; stiff ones settle."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from single_mass_references import damped_spring

import rollcone as rc

MASS, G = 2.0, 9.81


def slider(elements, speed: float = 0.0, gravity: float = 0.0, **options) -> rc.World:
    """A body that slides along z, its joint `guide`."""
    world = rc.World(gravity=(0, 0, -gravity))
    body = world.add_sphere(radius=0.1, mass=MASS, velocity=(0, 0, speed))
    world.add_joint(
        kind="prismatic", body=body, axis=(0, 0, 1), slide=elements, name="guide", **options
    )
    return world


def slide_of(run: rc.Run) -> tuple[np.ndarray, np.ndarray]:
    track = run.joint("guide")
    return track.coordinate["slide"], track.rate["slide"]


@pytest.mark.parametrize(
    ("stiffness", "damping"), [(50, 0), (50, 3), (50, 20), (50, 60), (0, 3)], ids=str
)
def test_a_spring_with_a_damper_is_of_second_order(stiffness, damping):
    errors = []
    for h in (0.01, 0.005):
        spring = rc.Spring(stiffness=stiffness, damping=damping)
        run = rc.simulate(slider(spring, speed=1.0), until=1.0, step=h)
        exact = damped_spring(MASS, stiffness, damping, 0.0, 1.0, run.time)
        errors.append([np.abs(a - b).max() for a, b in zip(slide_of(run), exact, strict=True)])
        energy = run.energy
        assert np.abs(energy.remainder).max() < 1e-12  # of any h: what a damper takes is told
        assert (damping == 0) == (np.abs(energy.joints).max() < 1e-12)
    coarse, fine = np.array(errors)
    assert (coarse < (5e-4, 3e-3)).all()
    np.testing.assert_allclose(coarse / fine, 4.0, atol=0.1)


@pytest.mark.parametrize("kind", ["revolute", "cylindrical", "free"])
def test_a_torsion_spring(kind):
    world = rc.World()
    body = world.add_sphere(radius=0.1, mass=1.0, inertia=(0.4, 0.4, 0.2))
    given = {"point": (0, 0, 0)} if kind != "free" else {}
    spring = rc.Spring(stiffness=8.0, damping=0.4, rest=1.5)
    world.add_joint(kind=kind, body=body, axis=(0, 0, 1), angle=spring, name="j", **given)
    run = rc.simulate(world, until=2.0, step=0.005)
    angle, rate = damped_spring(0.2, 8.0, 0.4, -1.5, 0.0, run.time)
    track = run.joint("j")
    np.testing.assert_allclose(track.coordinate["angle"], 1.5 + angle, atol=1e-3)
    np.testing.assert_allclose(track.rate["angle"], rate, atol=5e-3)
    effort = -8.0 * (track.coordinate["angle"] - 1.5) - 0.4 * track.rate["angle"]
    mean = (effort[1:] + effort[:-1]) / 2
    np.testing.assert_allclose(track.effort["angle.spring"][1:], mean, atol=1e-3)


def test_a_link_between_two_bodies():
    """They swing about their common centre with the reduced mass; a length of rest is kept."""
    world = rc.World()
    for x, mass in ((0.0, 1.0), (1.0, 3.0)):
        world.add_sphere(radius=0.1, mass=mass, position=(x, 0, 0))
    world.add_joint(
        kind="link", base=0, body=1, length=rc.Spring(stiffness=30.0, rest=0.8), name="l"
    )
    run = rc.simulate(world, until=2.0, step=0.005)
    away, _ = damped_spring(0.75, 30.0, 0.0, 0.2, 0.0, run.time)
    np.testing.assert_allclose(run.joint("l").coordinate["length"], 0.8 + away, atol=1e-3)
    centre = run.states("position")[:, :, 0] @ (0.25, 0.75)
    np.testing.assert_allclose(centre, 0.75, atol=1e-13)


def test_compliance_is_a_spring_of_that_flexibility():
    """A hinge that gives: under a weight it hangs lower by m g c, and swings about that."""
    world = rc.World(gravity=(0, 0, -G))
    body = world.add_sphere(radius=0.1, mass=MASS)
    joint = world.add_joint(
        kind="revolute", body=body, point=(0, 0, 0), axis=(1, 0, 0), compliance=1e-3
    )
    run = rc.simulate(world, until=1.0, step=0.001)
    sunk, _ = damped_spring(MASS, 1e3, 0.0, MASS * G * 1e-3, 0.0, run.time)
    np.testing.assert_allclose(
        run.body(body).position[:, 2], sunk - MASS * G * 1e-3, atol=2e-3 * MASS * G * 1e-3
    )
    force = run.joint(joint).force @ joint.axes
    momentum = MASS * np.diff(run.body(body).velocity, axis=0) / run.step
    np.testing.assert_allclose(force[1:, 2], momentum[:, 2] + MASS * G, atol=1e-9)


@given(st.floats(4, 14), st.floats(0, 14), st.floats(-3, 3).filter(lambda s: abs(s) > 0.1))
def test_stiff_springs_settle(stiffness, damping, speed):
    """Up to k = 1e14 N/m and c = 1e14 N s/m at h = 0.02 s: never faster than they began or fell,
    at rest in the end where they should."""
    k, c = 10.0**stiffness, 10.0**damping
    spring = rc.Spring(stiffness=k, damping=max(c, 0.1 * math.sqrt(k * MASS)))
    run = rc.simulate(slider(spring, speed=speed, gravity=G), until=2.0, step=0.02)
    assert run.converged
    place, rate = slide_of(run)
    assert np.isfinite(place).all()
    assert np.abs(rate).max() <= abs(speed) + 0.2 * G
    reach = abs(speed) * min(0.02, math.sqrt(MASS / k)) + MASS * G / k
    slow = spring.damping / k  # s, that an overdamped spring creeps by
    if slow < 0.1:
        np.testing.assert_allclose(place[-1], -MASS * G / k, rtol=0, atol=0.02 * reach)
    assert np.abs(place).max() < 0.05 * abs(speed) + 2 * MASS * G / k


@pytest.mark.slow
@given(st.floats(4.5, 14))
def test_a_spring_beyond_the_step_comes_to_rest_without_a_damper(stiffness):
    """h w > 2: what a step cannot show is taken out, never added: kinetic energy stays below that
    of the start."""
    k = 10.0**stiffness
    run = rc.simulate(slider(rc.Spring(stiffness=k), speed=1.0), until=2.0, step=0.01)
    place, rate = slide_of(run)
    assert run.energy.kinetic.max() <= 0.5 * MASS * (1 + 1e-9)
    late = slice(150, None)
    shown = 0.01 * math.sqrt(k / MASS)
    if shown > 3:
        assert np.abs(rate[late]).max() < 1e-6
        assert np.abs(place[late]).max() < 1e-8


@pytest.mark.parametrize("signal", ["sine", "function", "table"])
def test_a_prescribed_position_and_its_force(signal):
    """A weight on a shaker: x = a sin(w t), F = m (g - a w^2 sin(w t))."""
    a, frequency = 0.3, 2.0
    w = 2 * math.pi * frequency
    times = np.linspace(0, 1, 4001)
    drive = {
        "sine": rc.Sine(amplitude=a, frequency=frequency),
        "function": lambda t: a * math.sin(w * t),
        "table": rc.TimeTable(times=times, values=a * np.sin(w * times)),
    }[signal]
    worst = []
    for h in (0.01, 0.005):
        world = slider(rc.Motor(position=drive), speed=a * w, gravity=G)
        run = rc.simulate(world, until=0.5, step=h)
        place, rate = slide_of(run)
        np.testing.assert_allclose(place, a * np.sin(w * run.time), atol=1e-6)
        near = 0.02 if signal == "table" else 1e-6  # the slope of the line before a corner
        np.testing.assert_allclose(rate, a * w * np.cos(w * run.time), atol=near)
        middle = run.time[1:] - h / 2
        force = MASS * (G - a * w**2 * np.sin(w * middle))
        track = run.joint("guide")
        np.testing.assert_allclose(track.force[1:, 2], track.effort["slide.motor"][1:], atol=1e-9)
        worst.append(np.abs(track.effort["slide.motor"][1:] - force).max() / np.abs(force).max())
        assert np.abs(run.energy.remainder).max() < 1e-9
        # The motor's work is the change of energy, but for what positions were moved by.
        energy = run.energy
        total = energy.kinetic + energy.potential
        np.testing.assert_allclose(energy.drive + energy.correction, total - total[0], atol=1e-9)
        assert np.abs(energy.correction).max() < 1000 * h**2
    if signal != "table":
        assert worst[0] < 2e-3
        assert worst[0] / worst[1] == pytest.approx(4.0, abs=0.3)
    else:
        assert worst[0] < 0.05


def test_a_prescribed_turn_and_its_torque():
    """An arm that is swung: T = (J + m r^2) q'' + m g r cos q, of second order; the audit
    explains all, to rounding."""
    moment, arm, a, w = 0.05, 0.2, 0.5, 4 * math.pi
    worst = []
    for h in (0.01, 0.005):
        world = rc.World(gravity=(0, -G, 0))
        body = world.add_sphere(
            radius=0.1, mass=MASS, inertia=(1, 1, moment), position=(arm, 0, 0),
            velocity=(0, arm * a * w, 0), angular_velocity=(0, 0, a * w),
        )  # fmt: skip
        motor = rc.Motor(position=rc.Sine(amplitude=a, frequency=2.0))
        world.add_joint(
            kind="revolute", body=body, point=(0, 0, 0), axis=(0, 0, 1), angle=motor, name="j"
        )
        run = rc.simulate(world, until=0.5, step=h)
        track = run.joint("j")
        np.testing.assert_allclose(track.coordinate["angle"], a * np.sin(w * run.time), atol=1e-12)
        np.testing.assert_allclose(track.rate["angle"], a * w * np.cos(w * run.time), atol=1e-11)
        middle = run.time[1:] - h / 2
        angle, bend = a * np.sin(w * middle), -a * w**2 * np.sin(w * middle)
        torque = (moment + MASS * arm**2) * bend + MASS * G * arm * np.cos(angle)
        off = track.effort["angle.motor"][1:] - torque
        worst.append(np.abs(off).max() / np.abs(torque).max())
        assert np.abs(run.energy.remainder).max() < 1e-14 * run.energy.kinetic.max()
    assert worst[0] < 2e-3
    assert worst[0] / worst[1] == pytest.approx(4.0, abs=0.3)


def test_a_speed_that_a_function_of_time_gives():
    world = slider(rc.Motor(speed=lambda t: math.cos(3 * t)), speed=1.0, gravity=G)
    run = rc.simulate(world, until=1.0, step=0.01)
    place, rate = slide_of(run)
    np.testing.assert_allclose(rate, np.cos(3 * run.time), atol=1e-12)
    np.testing.assert_allclose(place, np.sin(3 * run.time) / 3, atol=1e-4)


@pytest.mark.parametrize("limit", [math.inf, 40.0, 25.0])
def test_a_servo(limit):
    """A spring whose rest jumps; strong enough it ends m g / k below, too weak (25 N < m g) it
    gives way, falling at g - limit / m."""
    weight = 3.0 * G
    world = rc.World(gravity=(0, 0, -G))
    body = world.add_sphere(radius=0.1, mass=3.0)
    servo = rc.Spring(
        stiffness=1e4, damping=300, rest=lambda t: 0.1 if t > 0.2 else 0.0, limit=limit
    )
    world.add_joint(kind="prismatic", body=body, axis=(0, 0, 1), slide=servo, name="guide")
    run = rc.simulate(world, until=2.0, step=0.005)
    place, _ = slide_of(run)
    effort = run.joint("guide").effort["slide.spring"]
    assert np.abs(effort).max() <= limit * (1 + 1e-12)
    if limit > weight:
        assert place[-1] == pytest.approx(0.1 - weight / 1e4, abs=1e-6)
        assert effort[-1] == pytest.approx(weight)
    else:
        assert effort[-1] == pytest.approx(limit)
        fall = np.diff(run.joint("guide").rate["slide"][run.time > 0.5]) / run.step
        np.testing.assert_allclose(fall, limit / 3.0 - G, rtol=1e-9)
    assert np.abs(run.energy.remainder).max() < 1e-10


def test_a_position_drive_with_a_limit_catches_up():
    """It lags while it is too weak to follow and is where it should be in the end."""
    table = rc.TimeTable(times=[0.0, 0.1], values=[0.0, 1.0])
    motor = rc.Motor(position=table, limit=60.0, response=0.05)
    run = rc.simulate(slider(motor), until=2.0, step=0.005)
    place, rate = slide_of(run)
    effort = run.joint("guide").effort["slide.motor"]
    early = run.time < 0.1
    np.testing.assert_allclose(place[early], 30.0 * run.time[early] ** 2 / 2, atol=1e-9)
    assert np.abs(effort).max() <= 60.0 * (1 + 1e-12)
    assert place[-1] == pytest.approx(1.0, abs=1e-9)
    assert abs(rate[-1]) < 1e-9


def test_a_time_table_ends():
    """Before and after its times a table is constant; so is what it drives."""
    table = rc.TimeTable(times=[0.2, 0.4], values=[0.0, 0.5])
    run = rc.simulate(slider(rc.Motor(position=table)), until=0.6, step=0.01)
    place, rate = slide_of(run)
    exact = np.interp(run.time, [0.2, 0.4], [0.0, 0.5])
    np.testing.assert_allclose(place, exact, atol=1e-12)
    assert not rate[run.time > 0.41].any()


@pytest.mark.parametrize("compliance", [1e-4, 1e-5, 1e-6, 7.55e-8, 1e-10])
@pytest.mark.parametrize("arm", [0.0, 0.2])
def test_what_comes_at_a_stiff_joint_stops(compliance, arm):
    """A ball that moves is joined. However stiff the joint is, its spring has no more energy than
    the ball has brought, and it rests or swings from then on."""
    world = rc.World()
    ball = world.add_sphere(radius=0.06, mass=0.421, velocity=(1.06, -0.391, -0.695))
    world.add_joint(kind="spherical", body=ball, point=(arm, 0, 0), compliance=compliance)
    run = rc.simulate(world, until=0.058, step=0.0058)
    energy = run.energy
    total = energy.kinetic + energy.potential
    assert np.diff(total).max() < 0.02 * total[0]
    assert np.abs(energy.remainder).max() < 0.03 * total[0]
    apart = np.abs(np.linalg.norm(run.body(ball).position - (arm, 0, 0), axis=1) - arm)
    if compliance <= 1e-6:
        assert apart.max() < 1e-3  # a straight step goes 3.8 mm
        assert apart[5:].max() < 1e-5
