"""What each scheme takes and refuses, how overlap is undone, and what it does beyond planes."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rollcone as rc
from scenes import RADIUS, G, ball_on_floor, floor_world

ALL = [rc.GapAhead(), rc.MoreauJean(), rc.MoreauMidpoint(), rc.DVI()]


def name(scheme) -> str:
    return type(scheme).__name__


@pytest.mark.parametrize("scheme", ALL[:3], ids=name)
def test_the_associated_law_is_refused_by_name(scheme):
    world, _ = ball_on_floor()
    with pytest.raises(rc.InputError, match=rf"law = 'associated': {name(scheme)} .*rc\.DVI"):
        rc.simulate(world, until=1, step=0.1, scheme=scheme, law="associated")


def test_moreau_midpoint_does_not_rebound():
    world, ball = ball_on_floor(rc.ContactLaw(restitution=0.5))
    with pytest.raises(rc.InputError, match=r"restitution = 0\.5: MoreauMidpoint is inelastic"):
        rc.simulate(world, until=1, step=0.1, scheme=rc.MoreauMidpoint())
    world.set_contact_law(rc.ContactLaw())
    simulation = rc.Simulation(world, step=0.1, scheme=rc.MoreauMidpoint())
    simulation.take_step()
    world.set_contact_law(rc.ContactLaw(restitution=0.2), "steel", "ice")
    with pytest.raises(rc.InputError, match=r"restitution = 0\.2"):
        simulation.take_step()
    assert ball.position[2] == pytest.approx(RADIUS)


@pytest.mark.parametrize("theta", [-0.1, 1.1, math.nan, "half", (0.5, 0.5)])
def test_no_theta(theta):
    with pytest.raises(rc.InputError, match=r"^theta = "):
        rc.MoreauJean(theta=theta)


@pytest.mark.parametrize("scheme", [rc.GapAhead, rc.MoreauJean, rc.MoreauMidpoint, rc.DVI])
def test_no_options(scheme):
    for bad in (-0.1, 1.5, math.nan, "all"):
        with pytest.raises(rc.InputError, match=r"^recovery = "):
            scheme(recovery=bad)
    for bad in (-1.0, math.inf, "fast"):
        with pytest.raises(rc.InputError, match=r"^recovery_speed"):
            scheme(recovery_speed=bad)
    with pytest.raises(rc.InputError, match=r"^projection = 'yes'"):
        scheme(projection="yes")
    with pytest.raises(TypeError):
        scheme(recover=0.1)


def test_a_scheme_must_be_one():
    world, _ = ball_on_floor()
    for bad in (rc.DVI, "DVI", 3):
        with pytest.raises(rc.InputError, match=r"scheme = .*: must be one of rc\.GapAhead\(\)"):
            rc.simulate(world, until=1, step=0.1, scheme=bad)


@pytest.mark.parametrize("scheme", [rc.GapAhead, rc.MoreauJean, rc.DVI])
def test_recovery_is_capped_and_its_energy_is_told(scheme):
    """An overlap of 4 cm at 5 cm/s at most: undone in 0.8 s and no sooner; the work that lifts
    the ball is told: as `correction` by GapAhead, which knows it, as `gained` by the others."""
    world, ball = ball_on_floor(height=-0.04)
    run = rc.simulate(world, until=0.5, step=0.01, scheme=scheme(recovery=0.5, recovery_speed=0.05))
    track = run.body(ball)
    assert np.abs(track.velocity[:, 2]).max() <= 0.05 * (1 + 1e-12)
    assert track.position[-1, 2] == pytest.approx(RADIUS - 0.04 + 0.05 * 0.5, rel=1e-3)
    lift = ball.mass * (G * (track.position[-1, 2] - track.position[0, 2]) + 0.5 * 0.05**2)
    if scheme is rc.GapAhead:
        assert run.energy.correction[-1] == pytest.approx(lift, rel=1e-12)
        assert abs(run.energy.gained[-1]) < 1e-12 * lift
        assert np.abs(run.energy.remainder).max() < 1e-12 * lift
    else:
        assert run.energy.gained[-1] == pytest.approx(lift, rel=0.05)
        assert "contacts added" in run.summary()
    late = rc.simulate(
        world, until=2, step=0.01, scheme=scheme(recovery=0.5, recovery_speed=0.05)
    ).body(ball)
    if scheme is rc.MoreauJean:  # it lands where it lands, and goes on doing so
        assert abs(late.position[-1, 2] - RADIUS) < 0.01 * 0.05
    else:
        assert abs(late.position[-1, 2] - RADIUS) < 2e-6 * RADIUS
        assert abs(late.velocity[-1, 2]) < 1e-6


def test_without_recovery_an_overlap_stays():
    for scheme in (rc.GapAhead(recovery=0), rc.MoreauJean()):
        world, ball = ball_on_floor(height=-0.04)
        run = rc.simulate(world, until=0.2, step=0.01, scheme=scheme)
        np.testing.assert_allclose(run.body(ball).position[:, 2], RADIUS - 0.04, atol=1e-12)
        assert run.overlap.max() == pytest.approx(0.04, rel=1e-12)


def test_recovery_by_default_goes_no_faster_than_loads_in_two_steps():
    world, ball = ball_on_floor(height=-0.2)
    run = rc.simulate(world, until=1.5, step=0.01)
    assert run.body(ball).velocity[:, 2].max() <= 2 * G * 0.01 * (1 + 1e-9)
    assert abs(run.body(ball).position[-1, 2] - RADIUS) < 1e-5


@pytest.mark.parametrize(
    "scheme",
    [rc.GapAhead(recovery=0, projection=True), rc.MoreauJean(projection=True), rc.MoreauMidpoint()],
    ids=name,
)
def test_projection_moves_apart_and_leaves_velocities(scheme):
    """Two unlike balls in each other on no floor: apart after one step, about a centre of mass that
    does not move, at the speed they had along their common tangent."""
    world = rc.World()
    one = world.add_sphere(radius=0.5, mass=1, velocity=(0, 1, 0))
    two = world.add_sphere(radius=0.5, mass=3, position=(0.9, 0, 0), velocity=(0, 1, 0))
    run = rc.simulate(world, until=0.02, step=0.01, scheme=scheme)
    a, b = run.body(one), run.body(two)
    assert np.linalg.norm(b.position[1] - a.position[1]) == pytest.approx(1.0, abs=2e-6)
    np.testing.assert_allclose(a.velocity, [[0, 1, 0]] * 3, atol=1e-14)
    np.testing.assert_allclose(b.velocity, [[0, 1, 0]] * 3, atol=1e-14)
    np.testing.assert_allclose(a.position[-1], [-0.075, 0.02, 0], atol=2e-6)
    np.testing.assert_allclose(b.position[-1], [0.925, 0.02, 0], atol=2e-6)


def test_projection_in_a_corner_and_its_energy():
    """A ball in a floor and a wall: moved to the nearest place free of both; the lift is in
    `correction`, and the audit closes."""
    world = floor_world()
    world.add_plane(normal=(1, 0, 0))
    ball = world.add_sphere(radius=0.5, mass=2, position=(0.47, 0, 0.46))
    run = rc.simulate(world, until=0.05, step=0.01, scheme=rc.GapAhead(recovery=0, projection=True))
    np.testing.assert_allclose(run.body(ball).position[-1], [0.5, 0, 0.5], atol=2e-6)
    assert run.energy.correction[-1] == pytest.approx(2 * G * 0.04, rel=1e-4)
    assert np.abs(run.energy.remainder).max() < 1e-12
    assert run.energy.gained[-1] < 1e-12


def test_a_ball_in_a_wedge_rests_on_both_sides():
    """Two planes at 30 degrees to the vertical: N = m g / (2 sin 30) each, without friction."""
    world = rc.World(gravity=(0, 0, -G))
    for s in (1, -1):
        world.add_plane(normal=(s * np.cos(np.pi / 6), 0, np.sin(np.pi / 6)))
    ball = world.add_sphere(radius=0.5, mass=2, position=(0, 0, 1.0))
    run = rc.simulate(world, until=0.2, step=0.01)
    np.testing.assert_allclose(run.body(ball).position[-1], [0, 0, 1.0], atol=1e-10)
    np.testing.assert_allclose(run.contacts(-1).reaction[:, 0], 2 * G, rtol=1e-9)


def test_a_box_slides_down_and_stops():
    """On an incline of slope 0.5 with mu = 0.3 it slides at g (sin - mu cos); with 0.6 it rests."""
    angle = np.arctan(0.5)
    for mu in (0.3, 0.6):
        world = rc.World(gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
        world.add_plane()
        box = world.add_box(size=(0.4, 0.3, 0.1), mass=2, position=(0, 0, 0.05))
        world.set_contact_law(rc.ContactLaw(sliding=mu))
        run = rc.simulate(world, until=0.5, step=0.02, tolerance=1e-10)
        speed_up = max(G * (np.sin(angle) - mu * np.cos(angle)), 0)
        np.testing.assert_allclose(
            run.body(box).position[:, 0], 0.5 * speed_up * run.time**2, atol=1e-6
        )
        assert len(run.contacts(-1)) == 4
        assert run.contacts(-1).reaction[:, 0].sum() == pytest.approx(
            2 * G * np.cos(angle), rel=1e-6
        )


@pytest.mark.parametrize("h", [0.02, 0.01])
def test_dvi_hovers_under_the_associated_law(h):
    """A rolling ball: steady gap h (mu |u_T| + rho |w_R|), the price of convexity."""
    speed, rho = 2.5, 0.04
    world, ball = ball_on_floor(
        rc.ContactLaw(sliding=0.2, rolling=rho),
        velocity=(speed, 0, 0),
        angular_velocity=(0, speed / RADIUS, 0),
    )
    run = rc.simulate(world, until=1, step=h, scheme=rc.DVI(), law="associated")
    track = run.body(ball)
    gap = track.position[:, 2] - RADIUS
    rate = track.angular_velocity[:, 1]
    np.testing.assert_allclose(gap[20:], h * rho * rate[20:], rtol=0.02)
    slowing = -np.diff(track.velocity[:, 0])[20:] / h
    np.testing.assert_allclose(slowing, 981 / 1750, rtol=0.01)


def test_dvi_with_the_exact_law_does_not_hover():
    world, ball = ball_on_floor(
        rc.ContactLaw(sliding=0.2, rolling=0.04), velocity=(2.5, 0, 0), angular_velocity=(0, 5, 0)
    )
    z = rc.simulate(world, until=1, step=0.02, scheme=rc.DVI()).body(ball).position[:, 2]
    np.testing.assert_allclose(z, RADIUS, atol=1e-12)


def converges(errors, order: float = 1.0) -> None:
    """Errors at steps halved each time: at least of that order, with some slack."""
    errors = np.abs(errors)
    assert np.all(errors[1:] < errors[:-1] * 0.5**order * 1.35), errors


@pytest.mark.parametrize("mu", [0.0, 5.0])
@pytest.mark.parametrize("scheme", ALL, ids=name)
def test_a_ball_runs_down_a_ball(scheme, mu):
    """From rest at the angle 0.3 on a fixed ball, sliding (mu = 0) or rolling: the angle obeys
    (R + r) theta'' = k g sin theta, k = 1 or 5/7."""
    R, r, start, until = 1.0, 0.25, 0.3, 0.5
    k = 1.0 if mu == 0.0 else 5 / 7
    exact = solve_ivp(
        lambda t, y: [y[1], k * G / (R + r) * np.sin(y[0])], (0, until), [start, 0], rtol=1e-10
    ).y[0, -1]
    errors = []
    for steps in (50, 100):
        world = rc.World(gravity=(0, 0, -G))
        world.add_sphere(radius=R, fixed=True)
        place = (R + r) * np.array([np.sin(start), 0, np.cos(start)])
        ball = world.add_sphere(radius=r, mass=1, position=place)
        world.set_contact_law(rc.ContactLaw(sliding=mu))
        x = rc.simulate(world, until=until, step=until / steps, scheme=scheme).body(ball).position
        errors.append(np.arctan2(x[-1, 0], x[-1, 2]) - exact)
        assert np.abs(np.linalg.norm(x, axis=1) - R - r).max() < 3e-3
    if isinstance(scheme, rc.GapAhead):
        converges(errors, order=1.5)
        assert abs(errors[1]) < 1e-4
    else:
        converges(errors)
        assert abs(errors[1]) < 6e-3


def test_it_leaves_the_ball_where_the_normal_force_ends():
    """Without friction N = m g (3 cos theta - 2 cos theta_0): the ball takes off at cos = 2/3 cos
    theta_0, and flies on its parabola from there."""
    R, r, start, until = 1.0, 0.25, 0.3, 0.8
    leave = np.arccos(2 / 3 * np.cos(start))
    slide = solve_ivp(
        lambda t, y: [y[1], G / (R + r) * np.sin(y[0])],
        (0, until),
        [start, 0],
        events=lambda t, y: y[0] - leave,
        rtol=1e-10,
    )
    (gone,), ((_, rate),) = slide.t_events[0], slide.y_events[0]
    out, along = np.array([np.sin(leave), np.cos(leave)]), np.array([np.cos(leave), -np.sin(leave)])
    flight = until - gone
    end = (R + r) * (out + rate * flight * along) - [0, G * flight**2 / 2]
    errors = []
    for steps in (100, 200):
        world = rc.World(gravity=(0, 0, -G))
        world.add_sphere(radius=R, fixed=True)
        ball = world.add_sphere(
            radius=r, mass=1, position=(R + r) * np.array([np.sin(start), 0, np.cos(start)])
        )
        run = rc.simulate(world, until=until, step=until / steps)
        x = run.body(ball).position
        errors.append(np.linalg.norm(x[-1, ::2] - end))
        held = [k for k in range(1, steps) if run.contacts(k).impulse[:, 0].sum() > 0]
        for k in held[5::10]:
            cosine = 0.5 * (x[k, 2] + x[k - 1, 2]) / (R + r)  # in the middle of the step
            expected = G * (3 * cosine - 2 * np.cos(start))
            assert abs(run.contacts(k).reaction[0, 0] - expected) < 0.05 * G
        assert abs(np.arctan2(x[held[-1], 0], x[held[-1], 2]) - leave) < 0.08
    converges(errors, order=1.5)
    assert errors[1] < 1e-3


@pytest.mark.parametrize("scheme", [rc.GapAhead(), rc.MoreauJean(), rc.DVI()], ids=name)
def test_a_box_tips_over_its_edge(scheme):
    """With friction that holds the edge: phi'' = m g d sin phi / (J + m d^2), the pendulum."""
    a, c, start, until = 0.2, 0.6, 0.1, 0.4
    d = np.hypot(a, c) / 2
    inertia = (a * a + c * c) / 12 + d * d
    exact = solve_ivp(
        lambda t, y: [y[1], G * d / inertia * np.sin(y[0])], (0, until), [start, 0], rtol=1e-10
    ).y[0, -1]
    upright = np.arctan2(a, c)
    errors = []
    for steps in (40, 80):
        tilt = upright + start
        world = floor_world(rc.ContactLaw(sliding=10))
        box = world.add_box(
            size=(a, 0.3, c),
            mass=1.5,
            orientation=(np.cos(tilt / 2), 0, np.sin(tilt / 2), 0),
            position=(d * np.sin(start), 0, d * np.cos(start)),
        )
        run = rc.simulate(world, until=until, step=until / steps, scheme=scheme, tolerance=1e-10)
        q = run.body(box).orientation[-1]
        phi = 2 * np.arctan2(q[2], q[0]) - upright
        errors.append(phi - exact)
        edge = run.body(box).position[-1] - d * np.array([np.sin(phi), 0, np.cos(phi)])
        assert np.linalg.norm(edge) < 2e-3
    if isinstance(scheme, rc.GapAhead):
        converges(errors, order=2.0)
        assert abs(errors[1]) < 5e-4
    else:
        converges(errors)
        assert abs(errors[1]) < 8e-3
