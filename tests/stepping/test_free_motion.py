"""Bodies that touch nothing: closed forms, conservation laws, orders of convergence."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import rollcone as rc
from scenes import angular_momentum, kinetic_energy, matrix

SECOND_ORDER = [rc.GapAhead(), rc.MoreauJean(), rc.MoreauMidpoint()]
vectors = st.tuples(*[st.floats(-5, 5)] * 3)


def name(scheme) -> str:
    return type(scheme).__name__


@pytest.mark.parametrize("scheme", SECOND_ORDER, ids=name)
@given(v=vectors, g=vectors, h=st.floats(1e-4, 10.0))
@settings(max_examples=15)
def test_a_projectile_flies_on_its_parabola_at_any_step(scheme, v, g, h):
    """x = x0 + v t + g t^2 / 2 to rounding."""
    world = rc.World(gravity=g)
    body = world.add_sphere(radius=0.1, mass=3, position=(1, 2, 3), velocity=v)
    run = rc.simulate(world, until=7 * h, step=h, scheme=scheme)
    t, v, g = run.time[:, None], np.array(v), np.array(g)
    assert len(t) == 8
    size = 1e-14 * (4 + np.abs(v).max() * t[-1] + np.abs(g).max() * t[-1] ** 2).max()
    np.testing.assert_allclose(
        run.body(body).position, [1, 2, 3] + v * t + 0.5 * g * t**2, atol=4 * size, rtol=0
    )
    np.testing.assert_allclose(run.body(body).velocity, v + g * t, atol=4 * size / h, rtol=0)


@pytest.mark.parametrize(
    ("scheme", "theta"), [(rc.DVI(), 1.0), (rc.MoreauJean(0.0), 0.0), (rc.MoreauJean(0.8), 0.8)]
)
def test_a_projectile_is_off_by_the_theta_rule(scheme, theta):
    """x - exact = (theta - 1/2) h (v - v0), whatever the step."""
    world = rc.World(gravity=(0, 0, -10))
    body = world.add_sphere(radius=0.1, mass=3, velocity=(1, 0, 4))
    run = rc.simulate(world, until=1, step=0.1, scheme=scheme)
    track, t = run.body(body), run.time
    off = track.position[:, 2] - (4 * t - 5 * t**2)
    np.testing.assert_allclose(off, (theta - 0.5) * 0.1 * (-10 * t), atol=1e-13)


def test_constant_loads_and_uneven_steps():
    """A force and a torque on a ball: v = f t / m, w = torque t / J, exact at any step."""
    world = rc.World()
    ball = world.add_sphere(radius=0.5, mass=2, force=(4, 0, 0), torque=(0, 0, 0.3))
    run = rc.simulate(world, until=1, step=0.3)
    assert run.time[-1] == pytest.approx(1.2)  # whole steps
    track, t = run.body(ball), run.time
    np.testing.assert_allclose(track.velocity[:, 0], 2 * t, rtol=1e-14)
    np.testing.assert_allclose(track.position[:, 0], t**2, rtol=1e-14)
    np.testing.assert_allclose(track.angular_velocity[:, 2], 0.3 / 0.2 * t, rtol=1e-14)
    angle = 2 * np.arctan2(track.orientation[:, 3], track.orientation[:, 0])
    np.testing.assert_allclose(angle, 0.75 * t**2, rtol=1e-13)


def test_a_load_that_changes_with_time_is_second_order():
    """f = m cos t from rest: x = 1 - cos t; a function is called with the time and the body."""
    errors = []
    for h in (0.1, 0.05, 0.025):
        world = rc.World()
        body = world.add_sphere(
            radius=0.1,
            mass=2,
            force=lambda t, body: (body.mass * np.cos(t), 0, 0),
            torque=lambda t, body: (0, 0, body.inertia[0] * np.cos(t)),
        )
        track = rc.simulate(world, until=2, step=h).body(body)
        angle = 2 * np.arctan2(track.orientation[-1, 3], track.orientation[-1, 0])
        errors.append([track.position[-1, 0] - (1 - np.cos(2)), angle - (1 - np.cos(2))])
    ratios = np.abs(errors[:-1]) / np.abs(errors[1:])
    np.testing.assert_allclose(ratios, 4.0, rtol=0.02)
    assert np.abs(errors[-1]).max() < 1e-4


def test_a_spring_keeps_its_energy_and_is_second_order():
    """A force that depends on where the body is: x = cos t."""
    errors, swings = [], []
    for steps in (50, 100):
        world = rc.World()
        body = world.add_sphere(
            radius=0.1, mass=1, position=(1, 0, 0), force=lambda t, body: -body.position
        )
        x = rc.simulate(world, until=6 * np.pi, step=2 * np.pi / steps).body(body).position[:, 0]
        errors.append(np.abs(x - np.cos(2 * np.pi / steps * np.arange(len(x)))).max())
        swings.append(x[-2 * steps :].max())
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)
    assert max(swings) < 1.01


@pytest.mark.parametrize("c", [0.0, 0.3, 40.0])
def test_damping_is_exact(c):
    """v = v0 exp(-c t), likewise a spin; at any step, also where an explicit rule blows up."""
    world = rc.World()
    ball = world.add_sphere(
        radius=0.5,
        mass=2,
        velocity=(1, -2, 3),
        angular_velocity=(4, 5, 6),
        linear_damping=c,
        angular_damping=2 * c,
    )
    run = rc.simulate(world, until=1, step=0.1)
    decay = np.exp(-c * run.time)[:, None]
    np.testing.assert_allclose(run.body(ball).velocity, [1, -2, 3] * decay, rtol=1e-13)
    np.testing.assert_allclose(run.body(ball).angular_velocity, [4, 5, 6] * decay**2, rtol=1e-13)


def test_terminal_velocity():
    """v = (g / c) (1 - exp(-c t)) + ... at any step; positions are second order."""
    errors = []
    for h in (0.2, 0.1):
        world = rc.World(gravity=(0, 0, -9.81))
        ball = world.add_sphere(radius=0.5, mass=2, linear_damping=1.5, force=(3, 0, 0))
        run = rc.simulate(world, until=20, step=h)
        t = run.time
        grown = -np.expm1(-1.5 * t) / 1.5
        np.testing.assert_allclose(run.body(ball).velocity[:, 2], -9.81 * grown, rtol=1e-13)
        np.testing.assert_allclose(run.body(ball).velocity[:, 0], 1.5 * grown, rtol=1e-13)
        errors.append(np.abs(run.body(ball).position[:, 2] + 9.81 * (t - grown) / 1.5).max())
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)


def test_an_unequal_body_loses_its_angular_momentum_at_the_given_rate():
    """dL/dt = -c L in world axes, though the rate itself tumbles."""
    world = rc.World()
    world.add_box(size=(0.1, 0.2, 0.5), mass=2, angular_velocity=(5, 3, 1), angular_damping=0.7)
    run = rc.simulate(world, until=1, step=0.02)
    states = [run.states(name) for name in ("position", "orientation", "velocity")]
    L = [
        angular_momentum(world, *(s[k] for s in states), run.states("angular_velocity")[k])
        for k in range(len(run.time))
    ]
    np.testing.assert_allclose(L, L[0] * np.exp(-0.7 * run.time)[:, None], atol=1e-13)


@given(turn=vectors, spin=vectors, h=st.floats(1e-3, 0.3))
@settings(max_examples=20)
def test_a_free_top_keeps_energy_and_angular_momentum(turn, spin, h):
    world = rc.World()
    length = np.linalg.norm(turn)
    q = [np.cos(length / 2), *(np.sinc(length / 2 / np.pi) / 2 * np.array(turn))]
    world.add_box(
        size=(0.3, 0.5, 0.9),
        mass=2,
        orientation=q,
        angular_velocity=spin,
        position=(1, 0, 0),
        velocity=(0, 1, 0),
    )
    run = rc.simulate(world, until=20 * h, step=h)
    x, q, v, w = (
        run.states(name) for name in ("position", "orientation", "velocity", "angular_velocity")
    )
    energy = [kinetic_energy(world, q[k], v[k], w[k]) for k in range(len(x))]
    np.testing.assert_allclose(energy, energy[0], rtol=1e-12)
    np.testing.assert_allclose(run.energy.kinetic, energy, rtol=1e-13)
    L = [angular_momentum(world, x[k], q[k], v[k], w[k]) for k in range(len(x))]
    np.testing.assert_allclose(L, np.tile(L[0], (len(L), 1)), atol=1e-12 * (2 + np.abs(L).max()))


@pytest.mark.parametrize("h", [0.01, 0.2, 2.0])
def test_a_symmetric_top_precesses_as_euler_says(h):
    """w3 stays, the transverse rate turns in the body at (J3 - J1) / J1 w3, and the top turns by
    L / J1 about L and by (1 - J3 / J1) w3 about its axis: to rounding, at 6 rad per step too."""
    world = rc.World()
    top = world.add_sphere(radius=1, mass=1, inertia=(2, 2, 1), angular_velocity=(0.5, 0, 3))
    run = rc.simulate(world, until=4, step=h)
    track = run.body(top)
    momentum = np.array([2 * 0.5, 0, 1 * 3.0])
    for t, q, rate in zip(run.time, track.orientation, track.angular_velocity, strict=True):
        turned = Rotation.from_rotvec(t * momentum / 2) * Rotation.from_rotvec([0, 0, t * 1.5])
        np.testing.assert_allclose(matrix(q), turned.as_matrix(), atol=1e-13)
        w = matrix(q).T @ rate
        assert w[2] == pytest.approx(3, rel=1e-13)
        phase = (1 - 2) / 2 * 3 * t
        np.testing.assert_allclose(
            w[:2], 0.5 * np.array([np.cos(phase), np.sin(phase)]), atol=1e-13
        )


def test_a_body_with_a_tensor_under_a_torque_in_world_axes():
    """Euler's equations for a full inertia tensor, integrated by SciPy."""
    tensor = np.array([[3.0, 0.4, 0.1], [0.4, 2.0, 0.2], [0.1, 0.2, 2.5]])
    torque = np.array([0.3, -1.0, 0.5])
    start = np.array([1.0, 2.0, -0.5])

    def rates(t, state):
        R, w = state[:9].reshape(3, 3), state[9:]
        inertia = R @ tensor @ R.T
        turning = np.cross(w, R.T).T
        return [*turning.ravel(), *np.linalg.solve(inertia, torque - np.cross(w, inertia @ w))]

    exact = solve_ivp(rates, (0, 2), [*np.eye(3).ravel(), *start], rtol=1e-11, atol=1e-12).y[:, -1]
    errors = []
    for h in (0.02, 0.01):
        world = rc.World()
        body = world.add_sphere(
            radius=1, mass=1, inertia=tensor, angular_velocity=start, torque=torque
        )
        track = rc.simulate(world, until=2, step=h).body(body)
        errors.append(
            max(
                np.abs(track.angular_velocity[-1] - exact[9:]).max(),
                np.abs(matrix(track.orientation[-1]) - exact[:9].reshape(3, 3)).max(),
            )
        )
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
    assert errors[1] < 1e-3


def test_prescribed_motion():
    """The body follows its function: velocity exactly, position to second order; loads and
    gravity do nothing to it."""
    errors = []
    for h in (0.1, 0.05):
        world = rc.World(gravity=(0, 0, -9.81))
        shaker = world.add_box(
            size=(1, 1, 1), motion=lambda t: ((0, 0, np.cos(t)), (0, 0, 2 * t)), force=(9, 9, 9)
        )
        run = rc.simulate(world, until=2, step=h)
        track, t = run.body(shaker), run.time
        np.testing.assert_allclose(track.velocity[:, 2], np.cos(t), atol=1e-15)
        np.testing.assert_allclose(track.angular_velocity[:, 2], 2 * t, rtol=1e-15)
        angle = 2 * np.arctan2(track.orientation[-1, 3], track.orientation[-1, 0])
        assert np.exp(1j * angle) == pytest.approx(np.exp(4j), rel=1e-12)
        errors.append(np.abs(track.position[:, 2] - np.sin(t)).max())
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)


def test_a_driven_body_that_comes_later_moves_at_once():
    world = rc.World()
    simulation = rc.Simulation(world, step=0.1)
    simulation.take_step()
    body = world.add_sphere(radius=1, motion=lambda t: ((1, 0, 0), (0, 0, 0)))
    simulation.take_step()
    assert body.position[0] == pytest.approx(0.1)


def test_a_motion_that_is_none():
    world = rc.World()
    world.add_sphere(radius=1, motion=lambda t: 3.0, name="crank")
    with pytest.raises(rc.RollconeError, match=r"motion of 'crank' gave 3\.0: must be velocity"):
        rc.simulate(world, until=1, step=0.1)


@pytest.mark.parametrize("value", [(1, 2), None, (0, 0, np.nan)])
def test_a_load_that_is_none(value):
    world = rc.World()
    world.add_sphere(radius=1, mass=1, name="ball", force=lambda t, body: value)
    with pytest.raises(rc.RollconeError, match=r"force of 'ball'"):
        rc.simulate(world, until=1, step=0.1)


@pytest.mark.slow
def test_an_asymmetric_top_over_a_hundred_thousand_steps():
    """Tumbling about its middle axis with the default scheme, h = 1 ms."""
    world = rc.World()
    top = world.add_box(size=(1, 2, 3), mass=1, inertia=(1, 2, 3), angular_velocity=(0.01, 5, 0.01))
    run = rc.simulate(world, until=100, step=1e-3, record_every=1000)
    kinetic = run.energy.kinetic
    np.testing.assert_allclose(kinetic, kinetic[0], rtol=1e-9)
    turns = Rotation.from_quat(np.roll(run.body(top).orientation, -1, axis=1))
    rates = turns.inv().apply(run.body(top).angular_velocity)
    momentum = turns.apply(rates * (1, 2, 3))
    np.testing.assert_allclose(momentum, momentum[:1].repeat(len(momentum), 0), atol=1e-8)
    assert rates[:, 1].min() < -4  # it did turn over
