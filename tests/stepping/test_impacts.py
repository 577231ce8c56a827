"""Impacts: momentum kept, Newton's law, friction by Coulomb's cone, landing without overlap."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollcone as rc
from scenes import RADIUS, G, angular_momentum, ball_on_floor, floor_world, heap

REBOUNDING = [rc.GapAhead(), rc.MoreauJean(), rc.DVI()]
vectors = st.tuples(*[st.floats(-3, 3)] * 3)
shares = st.floats(0, 1)


def name(scheme) -> str:
    return type(scheme).__name__


def state_at(run, k):
    return [run.states(s)[k] for s in ("position", "orientation", "velocity", "angular_velocity")]


@pytest.mark.parametrize("scheme", REBOUNDING, ids=name)
@given(e=shares, mass=st.floats(0.05, 20), speed=st.floats(0.1, 10))
@settings(max_examples=10)
def test_two_balls_head_on(scheme, e, mass, speed):
    """One at rest: v1 = (m1 - e m2) v / (m1 + m2), v2 = (1 + e) m1 v / (m1 + m2)."""
    world = rc.World()
    one = world.add_sphere(radius=0.1, mass=mass, velocity=(speed, 0, 0))
    two = world.add_sphere(radius=0.2, mass=1, position=(0.301, 0, 0))
    world.set_contact_law(rc.ContactLaw(restitution=e))
    run = rc.simulate(world, until=0.1 / speed, step=0.0105 / speed, scheme=scheme)
    v = run.body(one).velocity[-1, 0], run.body(two).velocity[-1, 0]
    expected = (mass - e) / (mass + 1) * speed, (1 + e) * mass / (mass + 1) * speed
    np.testing.assert_allclose(v, expected, atol=1e-11 * speed)


def test_a_row_of_three_that_touch():
    """Moreau's law with e = 1: the pair that touches stays together (their approach was zero):
    v = (-1/3, 2/3, 2/3), not Newton's cradle; energy and momentum are kept."""
    world = rc.World()
    balls = [
        world.add_sphere(radius=0.5, mass=2, position=(x, 0, 0), velocity=(v, 0, 0))
        for x, v in ((-1.001, 1.0), (0.0, 0.0), (1.0, 0.0))
    ]
    world.set_contact_law(rc.ContactLaw(restitution=1))
    run = rc.simulate(world, until=0.05, step=0.01)
    ends = [run.body(ball).velocity[-1, 0] for ball in balls]
    np.testing.assert_allclose(ends, [-1 / 3, 2 / 3, 2 / 3], atol=1e-11)
    np.testing.assert_allclose(run.energy.kinetic, 1.0, rtol=1e-11)
    assert run.energy.gained[-1] < 1e-11


def test_three_that_touch_and_do_not_rebound_go_on_together():
    world = rc.World()
    balls = [
        world.add_sphere(radius=0.5, mass=m, position=(x, 0, 0), velocity=(v, 0, 0))
        for x, v, m in ((-1.0, 1.0, 1.0), (0.0, 0.0, 2.0), (1.0, 0.0, 3.0))
    ]
    run = rc.simulate(world, until=0.05, step=0.01)
    for ball in balls:
        assert run.body(ball).velocity[-1, 0] == pytest.approx(1 / 6, rel=1e-11)


@given(v=vectors, w=vectors, mu=st.floats(0, 1), e=shares, down=st.floats(0.2, 5))
@settings(max_examples=25)
def test_a_spinning_ball_off_a_wall(v, w, mu, e, down):
    """p_n = (1 + e) m u_n; the slip u_t takes p_t = 2/7 m u_t to end, or gets mu p_n against it."""
    m = 1.5
    v, w = np.array([v[0], v[1], -down]), np.array(w)
    world = rc.World()
    world.add_plane()
    ball = world.add_sphere(
        radius=RADIUS, mass=m, position=(0, 0, RADIUS), velocity=v, angular_velocity=w
    )
    world.set_contact_law(rc.ContactLaw(sliding=mu, restitution=e))
    run = rc.simulate(world, until=0.01, step=0.01)
    arm = np.array([0, 0, -RADIUS])
    slip = (v + np.cross(w, arm)) * [1, 1, 0]
    normal = (1 + e) * m * down
    p = -2 / 7 * m * slip
    if np.linalg.norm(p) > mu * normal:
        p *= mu * normal / np.linalg.norm(p)
    p[2] = normal
    track = run.body(ball)
    np.testing.assert_allclose(track.velocity[-1], v + p / m, atol=1e-10)
    spin = w + np.cross(arm, p) / (0.4 * m * RADIUS**2)
    np.testing.assert_allclose(track.angular_velocity[-1], spin, atol=1e-10)
    found = run.contacts(-1)
    assert found.impulse[0, 0] == pytest.approx(normal, rel=1e-10)
    np.testing.assert_allclose(np.linalg.norm(found.impulse[0, 1:3]), np.hypot(*p[:2]), atol=1e-10)


@pytest.mark.parametrize("scheme", [*REBOUNDING, rc.MoreauMidpoint()], ids=name)
def test_collisions_keep_momentum_and_angular_momentum(scheme):
    """Six spinning balls fly at each other, without gravity, with friction of every kind.

    Angular momentum is that of reactions on two bodies at one point: kept by each solve. Moving
    on keeps x x v only up to the gap at which a first touch acts, so it is tested per step."""
    rng = np.random.default_rng(5)
    world = rc.World()
    for k in range(6):
        place = np.array([np.cos(k), np.sin(k), 0.3 * (k % 2)]) * 0.5
        world.add_sphere(
            radius=0.15,
            mass=rng.uniform(0.5, 3),
            position=place,
            velocity=-2 * place + 0.2 * rng.normal(size=3),
            angular_velocity=5 * rng.normal(size=3),
        )
    e = 0.0 if isinstance(scheme, rc.MoreauMidpoint) else 0.4
    world.set_contact_law(rc.ContactLaw(sliding=0.4, rolling=0.01, spinning=0.01, restitution=e))
    run = rc.simulate(world, until=0.6, step=0.004, scheme=scheme)
    assert run.contact_count.sum() >= 5
    m = world.state.mass[:, None]
    P = (m * run.states("velocity")).sum(axis=1)
    np.testing.assert_allclose(P, np.tile(P[0], (len(P), 1)), atol=1e-11)
    L = np.array([angular_momentum(world, *state_at(run, k)) for k in range(len(P))])
    drift = np.abs(L - L[0]).max()
    assert drift < 2e-2 * np.abs(L).max()
    if not scheme.projection:  # which moves bodies where no contact acts
        quiet = run.contact_count[1:] == 0
        assert np.abs(np.diff(L, axis=0)[quiet]).max() < 1e-12


@given(height=st.floats(1e-4, 1.0), h=st.floats(1e-3, 0.1), down=st.floats(0, 5))
@settings(max_examples=25)
def test_a_ball_lands_without_overlap_and_without_rebound(height, h, down):
    """GapAhead: closes its gap in the step of the impact, then rests at its radius."""
    world, ball = ball_on_floor(rc.ContactLaw(sliding=0.2), height, velocity=(0, 0, -down))
    fall = (np.sqrt(down**2 + 2 * G * height) - down) / G
    run = rc.simulate(world, until=fall + 6 * h, step=h)
    track = run.body(ball)
    z, v = track.position[:, 2] - RADIUS, track.velocity[:, 2]
    assert z.min() > -1e-9
    assert v.max() < 1e-9
    assert abs(z[-1]) < 2e-6 * RADIUS
    assert abs(v[-1]) < 1e-9
    flying = run.time < fall - h
    t = run.time[flying]
    np.testing.assert_allclose(z[flying], height - down * t - G * t**2 / 2, atol=1e-12)


def test_a_column_lands_and_stands():
    """Balls above each other that fall together: none is thrown up. What is stopped within a step
    may be met by the next one, so an overlap up to the way of a step is allowed, and undone."""
    world = floor_world(rc.ContactLaw(sliding=0.3))
    for k in range(5):
        world.add_sphere(radius=0.05, density=1000, position=(0, 0, 0.1 + 0.11 * k))
    run = rc.simulate(world, until=0.5, step=0.005, tolerance=1e-9)
    z = run.states("position")[:, 1:, 2]
    gaps = np.column_stack([z[:, 0] - 0.05, np.diff(z, axis=1) - 0.1])
    assert gaps.min() > -0.005 * np.sqrt(2 * G * 0.05)
    assert run.states("velocity")[..., 2].max() < 2.1 * G * 0.005  # the speed of recovery
    np.testing.assert_allclose(z[-1], 0.05 + 0.1 * np.arange(5), atol=5e-6)


@pytest.mark.parametrize("e", [0.5, 0.8, 1.0])
def test_a_bouncing_ball(e):
    """The height after a bounce is e^2 of the one before, up to the way of a step at impact, for
    that is how far above the floor it may turn; at e = 1 it never climbs higher than it fell."""
    for h in (0.004, 0.001):
        world, ball = ball_on_floor(rc.ContactLaw(restitution=e), 1.0)
        first = np.sqrt(2 / G)
        z = rc.simulate(world, until=first * (1 + 2 * e), step=h).body(ball).position[:, 2]
        after = z[round(first / h) + 2 :] - RADIUS
        assert z.min() > RADIUS - 1e-9
        assert abs(after.max() - e**2) < h * np.sqrt(2 * G)
        assert after.max() < 1 + 1e-9


def test_a_slow_approach_is_no_impact():
    """A ball that rests is pressed on the floor by g h in each step: no rattle at e = 0.9."""
    world, ball = ball_on_floor(rc.ContactLaw(restitution=0.9), velocity=(1, 0, 0))
    run = rc.simulate(world, until=1, step=0.01)
    np.testing.assert_allclose(run.body(ball).position[:, 2], RADIUS, atol=1e-12)


@pytest.mark.parametrize("scheme", [rc.GapAhead(), rc.DVI()], ids=name)
@given(seed=st.integers(0, 2**16), mu=st.sampled_from([0.0, 0.3, 1.0]))
@settings(max_examples=3)
def test_energy_never_grows_without_rebound(scheme, seed, mu):
    """Random balls thrown over a floor, e = 0: kinetic and potential energy together only fall,
    but for what is told as gained (overlap undone) or is within the tolerance."""
    world, _ = heap(6, rc.ContactLaw(sliding=mu, rolling=0.005, spinning=0.005), seed)
    run = rc.simulate(world, until=0.5, step=0.01, scheme=scheme, tolerance=1e-6)
    audit = run.energy
    total = audit.kinetic + audit.potential
    assert np.diff(total - audit.gained).max() < 1e-5 * total[0]
    assert total[-1] < total[0]
    assert audit.gained[-1] < 0.02 * total[0]


def test_a_rocking_block_loses_what_housner_says():
    """Falling back on its other edge, held by friction, it keeps 1 - 3/2 sin^2 alpha of its rate,
    tan alpha = a / c: the angular momentum about the new edge. So it rocks to a known angle."""
    a, c, start = 0.2, 0.6, 0.1
    d, alpha = np.hypot(a, c) / 2, np.arctan2(a, c)
    rise = np.cos(alpha - start) - np.cos(alpha)
    kept = 1 - 1.5 * np.sin(alpha) ** 2
    expected = alpha - np.arccos(np.cos(alpha) + kept**2 * rise)
    world = floor_world(rc.ContactLaw(sliding=5))
    block = world.add_box(
        size=(a, 0.3, c),
        mass=2,
        orientation=(np.cos(start / 2), 0, np.sin(start / 2), 0),
        position=(d * np.sin(start - alpha), 0, d * np.cos(start - alpha)),
    )
    run = rc.simulate(world, until=0.8, step=0.002, tolerance=1e-9)
    q = run.body(block).orientation
    assert -2 * np.arctan2(q[:, 2], q[:, 0]).min() == pytest.approx(expected, rel=0.05)
