"""Dry friction and limits of joints against closed forms: stops that are stops, friction that grows
with the load, ends that are met and rebounds from them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from single_mass_references import (
    rubbing_spring,
    rubbing_spring_stop,
    sliding_mass,
    sliding_stop,
)

import rollcone as rc

MASS, G = 2.0, 9.81


def slider(elements, speed: float = 0.0, gravity=(0.0, 0.0, 0.0), axis=(1, 0, 0)) -> rc.World:
    world = rc.World(gravity=gravity)
    direction = np.array(axis) / np.linalg.norm(axis)
    body = world.add_sphere(radius=0.1, mass=MASS, velocity=speed * direction)
    world.add_joint(kind="prismatic", body=body, axis=axis, slide=elements, name="guide")
    return world


def slide_of(run: rc.Run) -> tuple[np.ndarray, np.ndarray]:
    track = run.joint("guide")
    return track.coordinate["slide"], track.rate["slide"]


@given(st.floats(0.5, 20), st.floats(-2, 2).filter(lambda v: abs(v) > 0.1), st.floats(0.004, 0.02))
def test_a_sliding_mass_stops_and_stays(friction, speed, h):
    time, _ = sliding_stop(MASS, friction, speed)
    run = rc.simulate(
        slider(rc.JointFriction(limit=friction), speed), until=min(time, 1) + 5 * h, step=h
    )
    place, rate = slide_of(run)
    exact, slowed = sliding_mass(MASS, friction, speed, run.time)
    np.testing.assert_allclose(rate, slowed, atol=1e-9)
    np.testing.assert_allclose(place, exact, atol=friction / MASS * h**2)
    stopped = run.time > time + h
    assert not rate[stopped].any()  # exactly
    assert np.ptp(place[stopped]) == 0.0 if stopped.any() else True
    assert run.energy.joints[-1] == pytest.approx(0.5 * MASS * (rate[-1] ** 2 - speed**2), rel=1e-9)


@pytest.mark.parametrize("push", [2.9, -2.9, 3.1, -3.1])
def test_friction_holds_up_to_its_limit(push):
    world = slider(rc.JointFriction(limit=3.0))
    world.body(0).force = (push, 0, 0)
    run = rc.simulate(world, until=0.5, step=0.01)
    place, _ = slide_of(run)
    effort = run.joint("guide").effort["slide.friction"][1:]
    if abs(push) < 3.0:
        assert not place.any()
        np.testing.assert_allclose(effort, -push, rtol=1e-12)
    else:
        beyond = math.copysign(abs(push) - 3.0, push)
        np.testing.assert_allclose(place, beyond / MASS * run.time**2 / 2, atol=1e-12)


def test_a_rubbing_spring():
    """Swings that lose 2 S / k each; first order in h, since turning points lie within steps. It
    stops where the last of them ends."""
    stop, end = rubbing_spring_stop(MASS, 50.0, 3.0, 0.5)
    for h in (0.01, 0.0025):
        elements = [rc.JointFriction(limit=3.0), rc.Spring(stiffness=50.0, rest=-0.5)]
        run = rc.simulate(slider(elements), until=stop + 0.3, step=h)
        place, rate = slide_of(run)
        exact, speed = rubbing_spring(MASS, 50.0, 3.0, 0.5, run.time)
        np.testing.assert_allclose(place + 0.5, exact, atol=0.5 * h)
        np.testing.assert_allclose(rate, speed, atol=2.5 * h)
        assert place[-1] + 0.5 == pytest.approx(end, abs=0.1 * h)
        assert not rate[run.time > stop + 2 * h].any()
        assert np.abs(run.energy.remainder).max() < 1e-12


@pytest.mark.parametrize("h", [0.01, 0.004])
def test_a_loaded_wheel_spins_down(h):
    """Bearing friction mu r N with N the weight: w = w0 - mu r m g t / J."""
    moment, mu, radius, start = 0.05, 0.2, 0.03, 10.0
    world = rc.World(gravity=(0, -G, 0))
    wheel = world.add_sphere(
        radius=0.1, mass=MASS, inertia=(1, 1, moment), angular_velocity=(0, 0, start)
    )
    bearing = rc.JointFriction(coefficient=mu, radius=radius)
    world.add_joint(
        kind="revolute", body=wheel, point=(0, 0, 0), axis=(0, 0, 1), angle=bearing, name="j"
    )
    torque = mu * radius * MASS * G
    stop = start * moment / torque
    run = rc.simulate(world, until=stop + 0.2, step=h)
    track = run.joint("j")
    np.testing.assert_allclose(
        track.rate["angle"], np.maximum(start - torque / moment * run.time, 0.0), atol=1e-9
    )
    assert np.abs(track.rate["angle"][run.time > stop + h]).max() < 1e-300
    turning = (run.time > 0) & (run.time < stop)
    np.testing.assert_allclose(track.effort["angle.friction"][turning], -torque, rtol=1e-9)
    assert run.energy.joints[-1] == pytest.approx(-0.5 * moment * start**2)


def test_load_from_a_belt_and_a_limit_together():
    """S + mu r N: a wheel that weighs nothing, pulled across its axis by a force."""
    world = rc.World()
    wheel = world.add_sphere(
        radius=0.1, mass=MASS, inertia=(1, 1, 0.05), angular_velocity=(0, 0, 20.0),
        force=(30, 40, 7),
    )  # fmt: skip
    bearing = rc.JointFriction(limit=0.1, coefficient=0.3, radius=0.02)
    world.add_joint(
        kind="revolute", body=wheel, point=(0, 0, 0), axis=(0, 0, 1), angle=bearing, name="j"
    )
    run = rc.simulate(world, until=0.5, step=0.01)
    held = np.linalg.norm([30, 40, 7])  # all of it, along the axis too: a thrust bearing's share
    np.testing.assert_allclose(
        run.joint("j").effort["angle.friction"][1:], -(0.1 + 0.3 * 0.02 * held), rtol=1e-9
    )


@given(st.floats(0.05, 1.2), st.floats(2, 60))
def test_a_body_on_an_incline_slides_if_it_is_steep(mu, degrees):
    """Where tan a > mu, at g (sin a - mu cos a)."""
    a = math.radians(degrees)
    steep = math.tan(a) - mu
    if abs(steep) < 1e-3:
        return
    down = (math.cos(a), 0, -math.sin(a))
    world = slider(rc.JointFriction(coefficient=mu), gravity=(0, 0, -G), axis=down)
    run = rc.simulate(world, until=0.3, step=0.01)
    assert run.converged
    place, _ = slide_of(run)
    growth = max(G * (math.sin(a) - mu * math.cos(a)), 0.0)
    np.testing.assert_allclose(place, growth * run.time**2 / 2, atol=1e-9)


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_a_mass_between_two_ends(e):
    """It goes to and fro at e, e^2, ... of its speed, never past the ends; a rebound within a step
    happens at its start, which shifts it by less than a step's way."""
    limits = rc.Limits(lower=-0.3, upper=0.4, restitution=e)
    run = rc.simulate(slider(limits, speed=1.0), until=3.0, step=0.01)
    place, rate = slide_of(run)
    assert place.max() <= 0.4 + 1e-14
    assert place.min() >= -0.3 - 1e-14
    hits = [0.4 + 1e-9]
    if e > 0:
        speed = e
        while hits[-1] < 3.0:
            hits.append(hits[-1] + 0.7 / speed)
            speed *= e
    count = np.searchsorted(hits, run.time)
    away = np.abs(run.time[:, None] - np.array(hits)).min(axis=1) > 0.02 * (1 + count)
    speeds = (-1.0) ** count * e**count if e > 0 else np.where(count > 0, 0.0, 1.0)
    np.testing.assert_allclose(rate[away], speeds[away], atol=1e-12)
    assert np.abs(run.energy.remainder).max() < 1e-12
    assert run.energy.joints[-1] == pytest.approx(0.5 * MASS * (rate[-1] ** 2 - 1.0), abs=1e-12)


@pytest.mark.parametrize("e", [1.0, 0.6])
def test_a_mass_that_falls_on_an_end_rebounds_as_a_ball_on_a_floor(e):
    """Limits and contacts are the same law: the same path where steps are not divided, as steps
    with joints are not; e = 1 keeps the height for ever."""
    h = 0.005
    world = slider(rc.Limits(lower=-0.5, restitution=e), gravity=(-10, 0, 0))
    limited = rc.simulate(world, until=1.2, step=h)
    world = rc.World(gravity=(-10, 0, 0))
    world.set_contact_law(rc.ContactLaw(restitution=e))
    world.add_plane(normal=(1, 0, 0), point=(-0.6, 0, 0))
    ball = world.add_sphere(radius=0.1, mass=MASS)
    free = rc.simulate(world, until=1.2, step=h, scheme=rc.GapAhead(max_impacts=0))
    place, _ = slide_of(limited)
    np.testing.assert_allclose(place, free.body(ball).position[:, 0], atol=1e-9)
    bounces = limited.time > math.sqrt(0.1) + h
    assert place[bounces].max() == pytest.approx(-0.5 + 0.5 * e**2, abs=0.03)
    if e == 1.0:
        energy = limited.energy.kinetic + limited.energy.potential
        np.testing.assert_allclose(energy, energy[0], atol=1e-9)


def test_a_swing_door_rests_on_its_stop():
    """A pendulum on an end of its range: the stop bears the torque of its weight."""
    world = rc.World(gravity=(0, -G, 0))
    rod = world.add_box(size=(1, 0.1, 0.1), mass=MASS, position=(0.5, 0, 0))
    limits = rc.Limits(lower=-0.7, upper=0.2)
    world.add_joint(
        kind="revolute", body=rod, point=(0, 0, 0), axis=(0, 0, 1), angle=limits, name="j"
    )
    run = rc.simulate(world, until=2.0, step=0.01)
    track = run.joint("j")
    assert track.coordinate["angle"].min() >= -0.7 - 1e-12
    assert track.coordinate["angle"][-1] == pytest.approx(-0.7, abs=1e-12)
    assert track.effort["angle.limits"][-1] == pytest.approx(MASS * G * 0.5 * math.cos(0.7))
    np.testing.assert_allclose(track.force[-1], (0, MASS * G, 0), atol=1e-9)


def test_a_rope():
    """An upper limit of a link's length: slack it does nothing, taut it holds; a ball that falls
    on it swings as on a distance."""
    world = rc.World(gravity=(0, 0, -G))
    ball = world.add_sphere(radius=0.05, mass=MASS, position=(0, 0, -0.5))
    world.add_joint(
        kind="link", body=ball, point=(0, 0, 0), length=rc.Limits(upper=1.0), name="rope"
    )
    run = rc.simulate(world, until=1.0, step=0.005)
    length = run.joint("rope").coordinate["length"]
    falling = run.time < math.sqrt(2 * 0.5 / G)
    np.testing.assert_allclose(length[falling], 0.5 + G / 2 * run.time[falling] ** 2, atol=1e-12)
    assert length.max() <= 1.0 + 1e-12
    assert length[-1] == pytest.approx(1.0)
    assert run.joint("rope").effort["length.limits"][-1] == pytest.approx(-MASS * G)


def test_a_start_beyond_the_end_is_undone():
    """Positions are brought back at once, with no speed."""
    world = slider(rc.Limits(lower=0.1, upper=0.4))
    run = rc.simulate(world, until=0.1, step=0.01)
    place, rate = slide_of(run)
    np.testing.assert_allclose(place[1:], 0.1, atol=1e-12)
    np.testing.assert_allclose(rate, 0.0, atol=1e-12)
