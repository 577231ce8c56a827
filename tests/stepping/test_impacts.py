"""Impacts: momentum kept, Newton's law, friction by Coulomb's cone, landing without overlap."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollcone as rc
from scenes import RADIUS, G, angular_momentum, ball_on_floor, floor_world, heap

REBOUNDING = [rc.GapAhead(), rc.MoreauJean(), rc.DVI()]
UNDIVIDED = rc.GapAhead(max_impacts=0)  # as steps of large worlds are
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


def bounces(e, h, heights, until, scheme=None):
    """Of balls side by side that fall from heights: those of their arcs, from the state after
    each bounce, and the moments of rest."""
    world = floor_world(rc.ContactLaw(restitution=e))
    for k, height in enumerate(heights):
        world.add_sphere(radius=0.1, mass=1, position=(k, 0, 0.1 + height))
    run = rc.simulate(world, until=until, step=h, scheme=scheme)
    arcs, rests = [], []
    for k in range(len(heights)):
        track = run.body(k + 1)
        z, v = track.position[:, 2] - 0.1, track.velocity[:, 2]
        assert z.min() > -1e-12
        up = np.flatnonzero((v[1:] > 0.1 * G * h) & (v[:-1] < 0)) + 1
        arcs.append(z[up] + v[up] ** 2 / (2 * G))
        rests.append(run.time[np.flatnonzero(np.abs(v) > 1e-9)[-1]])
    return arcs, rests


def errors_of_bounces(scheme) -> list[float]:
    """The mean errors of the first three arcs, which are e^(2k) of the height, at three steps, over
    all phases of the step at impact."""
    e, heights, errors = 0.8, 1 + 0.03 * np.arange(24) / 24, []
    for h in (8e-3, 4e-3, 2e-3):
        found = np.array([arcs[:3] for arcs in bounces(e, h, heights, 1.9, scheme)[0]])
        errors.append(np.abs(found / heights[:, None] - e ** (2.0 * np.arange(1, 4))).mean())
    return errors


def test_a_bouncing_ball_is_exact():
    assert max(errors_of_bounces(rc.GapAhead())) < 1e-11


def test_a_bouncing_ball_is_of_first_order_where_steps_are_not_divided():
    errors = errors_of_bounces(UNDIVIDED)
    assert errors[0] < 0.01
    for coarse, fine in itertools.pairwise(errors):
        assert 1.6 < coarse / fine < 2.5


@pytest.mark.parametrize("h", [4e-3, 1e-3])
def test_a_bouncing_ball_comes_to_rest(h):
    """After sqrt(2 H / g) (1 + e) / (1 - e). It bounces while it comes faster than 2 g h: so
    often as e^k v0 > 2 g h."""
    e, height = 0.8, 1.0
    end = np.sqrt(2 * height / G) * (1 + e) / (1 - e)
    (arcs,), (rest,) = bounces(e, h, [height], 1.2 * end)
    assert abs(rest - end) < 20 * h
    expected = np.log(2 * G * h / np.sqrt(2 * G * height)) / np.log(e)
    assert abs(len(arcs) - expected) < 2


@pytest.mark.parametrize("e", [0.5, 1.0])
@pytest.mark.parametrize("h", [0.1, 0.01, 0.001])
def test_what_rests_does_not_rattle(h, e):
    """Balls on each other are pressed on the floor by g h in each step: that is no impact."""
    world, _ = ball_on_floor(rc.ContactLaw(sliding=0.3, restitution=e))
    for k in (1, 2):
        world.add_sphere(radius=RADIUS, mass=1, position=(0, 0, (2 * k + 1) * RADIUS))
    run = rc.simulate(world, until=200 * h, step=h)
    x = run.states("position")
    assert np.abs(x - x[0]).max() < 1e-12
    assert np.abs(run.states("velocity")).max() < 1e-9


@pytest.mark.parametrize("share", [0.5, 1.9, 2.1, 10.0])
def test_the_approach_at_the_start_of_the_step_decides(share):
    """Where steps are not divided. Faster than 2 g h: v+ = -e v of that moment, not of the impact.
    Slower: the gap closes."""
    h, e = 0.01, 0.6
    v = share * G * h
    gap = 0.4 * v * h
    world, ball = ball_on_floor(rc.ContactLaw(restitution=e), gap, velocity=(0, 0, -v))
    track = rc.simulate(world, until=h, step=h, scheme=UNDIVIDED).body(ball)
    after = e * v if share > 2 else -gap / h
    assert track.velocity[-1, 2] == pytest.approx(after, rel=1e-12)


@pytest.mark.parametrize(("mu", "sticks"), [(0.05, False), (2.0, True)])
def test_spin_from_friction_at_an_impact(mu, sticks):
    """Without spin before, e = 0.6. Sliding throughout: dv_t = -mu (1 + e) v_n and R dw = 5/2 of
    it; held: v_t+ = 5/7 v_t = R w."""
    e, v_t, v_n = 0.6, 3.0, 2.0
    world, ball = ball_on_floor(
        rc.ContactLaw(sliding=mu, restitution=e), 0.003, velocity=(v_t, 0, -v_n)
    )
    world.gravity = (0, 0, 0)
    track = rc.simulate(world, until=0.05, step=5e-3).body(ball)
    lost = 2 / 7 * v_t if sticks else mu * (1 + e) * v_n
    np.testing.assert_allclose(track.velocity[-1], [v_t - lost, 0, e * v_n], atol=1e-9)
    np.testing.assert_allclose(track.angular_velocity[-1], [0, 2.5 * lost / RADIUS, 0], atol=1e-9)


def test_restitution_belongs_to_a_pair_of_materials():
    """One ball between a wall of clay and a wall of steel."""
    world = rc.World()
    world.add_plane(normal=(1, 0, 0), material="clay")
    world.add_plane(normal=(-1, 0, 0), point=(0.5, 0, 0), material="steel")
    ball = world.add_sphere(
        radius=0.1, mass=1, material="ball", position=(0.3, 0, 0), velocity=(2, 0, 0)
    )
    world.set_contact_law(rc.ContactLaw(restitution=0.9), "ball", "steel")
    world.set_contact_law(rc.ContactLaw(restitution=0.25), "clay", "ball")
    v = rc.simulate(world, until=1.0, step=5e-3).body(ball).velocity[:, 0]
    kept = np.unique(np.round(v, 9))
    first = 2 * np.array([1, -0.9, 0.9 * 0.25, -(0.9**2) * 0.25])
    assert set(np.round(first, 9)) <= set(kept)


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
