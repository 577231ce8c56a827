"""The sphere of Acary and Bourrier 2021, section 6.1: rolls, slips, stops; every scheme.

Velocities are linear in time between the changes of mode, and a step over a change ends with the
exact velocity. So positions by the theta rule are off by (theta - 1/2) h (v - v0), and
by at most da h^2 / 8 where the acceleration jumps by da within a step.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import rollcone as rc
from scenes import DENSITY, RADIUS, G, ball_on_floor

# U0, Omega0, mu, mu_r: distance, stop time, sum of all jumps of acceleration
CASES = {
    "a": (2.5, 5.0, 0.2, 0.04, 21875 / 3924, 4375 / 981, 981 / 1750),
    "b": (2.5, 2.5, 0.2, 0.04, 8125 / 1962, 1250 / 327, 1.962),
    "c": (2.5, 5.0, 0.05, 0.04, 6250 / 981, 5000 / 981, 2 * 0.4905),
}
SCHEMES = {
    "GapAhead": (rc.GapAhead(), 0.5),
    "MoreauJean": (rc.MoreauJean(theta=0.5), 0.5),
    "MoreauJean 0.7": (rc.MoreauJean(theta=0.7), 0.7),
    "MoreauMidpoint": (rc.MoreauMidpoint(), 0.5),
    "DVI": (rc.DVI(), 1.0),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", SCHEMES)
def test_distance_and_stop(name, case):
    scheme, theta = SCHEMES[name]
    speed, spin, mu, rho, distance, stop, jumps = CASES[case]
    world, ball = ball_on_floor(
        rc.ContactLaw(sliding=mu, rolling=rho),
        velocity=(speed, 0, 0),
        angular_velocity=(0, spin, 0),
    )
    h = 0.043
    run = rc.simulate(world, until=stop + 0.3, step=h, scheme=scheme)
    track = run.body(ball)
    off = track.position[-1, 0] - distance + (theta - 0.5) * h * speed
    assert abs(off) <= jumps * h**2 / 8 + 1e-12
    still = run.time >= stop + h
    assert np.abs(track.velocity[still]).max() < 1e-11
    assert np.abs(track.angular_velocity[still]).max() < 1e-11
    assert track.velocity[run.time < stop - h, 0].min() > 0  # not a moment too early
    np.testing.assert_allclose(track.position[:, 2], RADIUS, atol=1e-12)
    np.testing.assert_allclose(track.position[:, 1], 0, atol=1e-12)
    assert run.converged


def test_velocities_of_case_b_are_exact_at_every_moment():
    """Also in the step in which slipping ends."""
    world, ball = ball_on_floor(
        rc.ContactLaw(sliding=0.2, rolling=0.04),
        velocity=(2.5, 0, 0),
        angular_velocity=(0, 2.5, 0),
    )
    run = rc.simulate(world, until=3.7, step=0.037)
    t, t1 = run.time, 250 / 981
    slip, roll = np.minimum(t, t1), np.maximum(t - t1, 0)
    U = 2.5 - 1.962 * slip - 981 / 1750 * roll
    np.testing.assert_allclose(run.body(ball).velocity[:, 0], U, atol=1e-12)
    Omega = 2.5 + 5.886 * slip - 981 / 875 * roll
    np.testing.assert_allclose(run.body(ball).angular_velocity[:, 1], Omega, atol=1e-12)
    modes = [run.contacts(k).mode[0] for k in (1, 5, 8, -1)]
    assert modes == ["sliding, rolling, no-spinning"] * 2 + ["sticking, rolling, no-spinning"] * 2


def test_spin_dies_as_the_moment_says():
    """d omega / dt = -sigma g / (0.4 R^2), to rest."""
    world, ball = ball_on_floor(
        rc.ContactLaw(sliding=0.2, spinning=0.01), angular_velocity=(0, 0, 3)
    )
    run = rc.simulate(world, until=4, step=0.02)
    rate = np.maximum(3 - 0.01 * G / (0.4 * RADIUS**2) * run.time, 0)
    np.testing.assert_allclose(run.body(ball).angular_velocity[:, 2], rate, atol=1e-12)


@given(turn=st.tuples(*[st.floats(-3, 3)] * 3), slope=st.floats(0.05, 1.2))
@settings(max_examples=12)
def test_down_an_incline_whichever_way_it_lies(turn, slope):
    """From rest: it rests, rolls at 5/7 (g sin - rho/R g cos), or slips at g (sin - mu cos);
    the world as a whole may be turned."""
    mu, rho = 0.3, 0.05
    sin, cos = np.sin(slope), np.cos(slope)
    if sin <= rho / RADIUS * cos:
        speed_up = 0.0
    else:
        speed_up = 5 / 7 * G * (sin - rho / RADIUS * cos)
        speed_up = max(speed_up, G * (sin - mu * cos))
    R = Rotation.from_rotvec(turn).as_matrix()
    world = rc.World(gravity=R @ [G * sin, 0, -G * cos])
    world.add_plane(normal=R @ [0, 0, 1], point=R @ [0.3, 0, 0])
    ball = world.add_sphere(radius=RADIUS, density=DENSITY, position=R @ [0.3, 0, RADIUS])
    world.set_contact_law(rc.ContactLaw(sliding=mu, rolling=rho))
    run = rc.simulate(world, until=1, step=0.05)
    along = run.body(ball).position @ R[:, 0] - 0.3
    np.testing.assert_allclose(along, 0.5 * speed_up * run.time**2, atol=1e-10)
    np.testing.assert_allclose(run.body(ball).position @ R[:, 2], RADIUS, atol=1e-10)
    np.testing.assert_allclose(run.body(ball).position @ R[:, 1], 0.0, atol=1e-10)


@pytest.mark.parametrize("order", ["floor first", "ball first"])
def test_the_order_of_bodies_does_not_matter(order):
    """The normal points from the lower number to the higher: reactions change sign, motion not."""
    world = rc.World(gravity=(0, 0, -G))
    if order == "floor first":
        world.add_plane()
    ball = world.add_sphere(radius=RADIUS, mass=2, position=(0, 0, RADIUS), velocity=(2.5, 0.5, 0))
    if order == "ball first":
        world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.2, rolling=0.04, spinning=0.01))
    run = rc.simulate(world, until=0.1, step=0.01)
    slow_down = 0.2 * G * 0.1 * np.array([2.5, 0.5, 0]) / np.hypot(2.5, 0.5)
    np.testing.assert_allclose(
        run.body(ball).velocity[-1], np.array([2.5, 0.5, 0]) - slow_down, atol=1e-12
    )
    found = run.contacts(-1)
    sign = 1.0 if order == "floor first" else -1.0
    np.testing.assert_allclose(found.normal, [[0, 0, sign]], atol=1e-15)
    assert found.reaction[0, 0] == pytest.approx(2 * G)


def test_a_belt_carries_a_ball_off():
    """A fixed body with a velocity: the ball gains mu g until it goes along without slip, from
    rest at 2/7 of the belt's speed; seen from the belt it is a ball that is thrown on a floor."""
    mu, speed = 0.3, 4.0
    world = rc.World(gravity=(0, 0, -G))
    belt = world.add_plane(velocity=(speed, 0, 0))
    ball = world.add_sphere(radius=RADIUS, mass=2, position=(0, 0, RADIUS))
    world.set_contact_law(rc.ContactLaw(sliding=mu))
    run = rc.simulate(world, until=1, step=0.01)
    slip = np.minimum(run.time, 2 / 7 * speed / (mu * G))
    np.testing.assert_allclose(run.body(ball).velocity[:, 0], mu * G * slip, atol=1e-12)
    np.testing.assert_allclose(run.body(belt).position[:, 0], speed * run.time, rtol=1e-13)
    assert run.body(ball).velocity[-1, 0] == pytest.approx(2 / 7 * speed, rel=1e-12)


def test_a_mirror_image_moves_as_a_mirror_image():
    """y to -y: velocities as vectors, spins as axial vectors."""
    law = rc.ContactLaw(sliding=0.3, rolling=0.02, spinning=0.01)
    ends = []
    for s in (1.0, -1.0):
        world, ball = ball_on_floor(
            law, velocity=(2, s * 1, 0), angular_velocity=(s * 3, -4, s * 5)
        )
        track = rc.simulate(world, until=0.5, step=0.01).body(ball)
        ends.append([*track.position[-1] * [1, s, 1], *track.angular_velocity[-1] * [s, 1, s]])
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-12)
