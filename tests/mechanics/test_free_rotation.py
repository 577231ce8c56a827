"""A turning body: energy and momentum kept, second order, closed forms, hard cases."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from scipy.special import ellipk

from own_kernels.rotation_kernels import turn, worst_drift
from rollcone.mechanics.kernels import rotation as kernels

pytestmark = pytest.mark.usefixtures("own_kernels")

TOPS = [(1.0, 2.0, 3.0), (0.2, 1.0, 1.1), (3.0, 1.0, 2.5)]
NO_TORQUE = (0.0, 0.0, 0.0)
START = (0.5, -0.1, 0.7, math.sqrt(1.0 - 0.75))


def matrix(q) -> np.ndarray:
    return Rotation.from_quat(np.roll(q, -1)).as_matrix()


def final_state(J, rate, torque, until, steps):
    last, q = np.array(rate), np.array(START)
    turn(np.array(J), last, q, np.array(torque), until / steps, np.empty((steps, 3)))
    return np.concatenate([last, matrix(q).ravel()])


def reference_state(J, rate, torque, until):
    """Euler's equations J W' = J W x W + R^T torque and R' = R hat(W)."""
    moments = np.array(J)

    def slope(_, state):
        W, R = state[:3], state[3:].reshape(3, 3)
        return np.concatenate(
            [(np.cross(moments * W, W) + R.T @ torque) / moments, np.cross(R, W).ravel()]
        )

    start = np.concatenate([rate, matrix(START).ravel()])
    run = solve_ivp(slope, (0, until), start, method="DOP853", rtol=1e-12, atol=1e-12)
    return run.y[:, -1]


@pytest.mark.parametrize("J", TOPS)
@pytest.mark.parametrize("h", [1e-3, 0.05])
def test_energy_and_momentum_of_a_tumbling_body(J, h):
    """About the middle axis, where the motion turns over again and again."""
    middle = sorted(range(3), key=lambda k: J[k])[1]
    rate = [0.01, 0.01, 0.02]
    rate[middle] = 5.0
    start = map(np.array, (J, rate, START, NO_TORQUE))
    energy, momentum = worst_drift(*start, h, 100_000)
    assert energy < 1e-12
    assert momentum < 1e-12


@pytest.mark.parametrize("torque", [NO_TORQUE, (0.4, -1.0, 0.8)])
@pytest.mark.parametrize("J", TOPS)
def test_second_order(J, torque):
    rate = (1.0, 2.0, -0.5)
    exact = reference_state(J, rate, torque, 2.0)
    errors = [
        np.abs(final_state(J, rate, torque, 2.0, steps) - exact).max() for steps in (200, 400, 800)
    ]
    assert errors[0] < 2e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.1)
    assert errors[1] / errors[2] == pytest.approx(4.0, abs=0.05)


@pytest.mark.parametrize("rate", [(0.3, 5.0, 0.1), (0.05, 5.0, 0.4)])
def test_period_of_tumbling(rate):
    """J1 < J2 < J3, on both sides of the separatrix: 4 K(m) over the rate of the motion."""
    J = (1.0, 2.0, 3.0)
    low, mid, high = J
    twice_energy = np.dot(J, np.square(rate))
    square = np.dot(np.square(J), np.square(rate))
    if square < twice_energy * mid:
        low, high = high, low
    speed = math.sqrt((high - mid) * (square - twice_energy * low) / math.prod(J))
    parameter = (mid - low) * (twice_energy * high - square)
    parameter /= (high - mid) * (square - twice_energy * low)
    period = 4.0 * ellipk(parameter) / speed
    h = 1e-3
    rates = np.empty((40_000, 3))
    turn(*map(np.array, (J, rate, START, NO_TORQUE)), h, rates)
    before, after = rates[:-1, 1], rates[1:, 1]
    rising = np.flatnonzero((before < 0) & (after >= 0))
    times = h * (rising + before[rising] / (before[rising] - after[rising]))
    assert len(times) > 5
    np.testing.assert_allclose(np.diff(times), period, rtol=2e-5)


def test_precession_of_a_symmetric_top():
    """R(t) = exp(t L / J1) R(0) exp(t (1 - J3 / J1) W3 e3), and W3 stays."""
    J, rate, until = (1.0, 1.0, 1.8), np.array([0.4, -0.3, 2.0]), 3.0
    R = matrix(START)
    world = Rotation.from_rotvec(until * (R @ (J * rate)) / J[0]).as_matrix()
    body = Rotation.from_rotvec([0.0, 0.0, until * (1 - J[2] / J[0]) * rate[2]]).as_matrix()
    expected = world @ R @ body
    errors = []
    for steps in (300, 600):
        state = final_state(J, tuple(rate), NO_TORQUE, until, steps)
        assert state[2] == pytest.approx(2.0, rel=1e-13)
        errors.append(np.abs(state[3:].reshape(3, 3) - expected).max())
    assert errors[0] < 1e-4
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.05)


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("angle", [1e-3, 1.0, 2.5])
def test_fixed_axis_is_exact(axis, angle):
    rate = 7.0 * np.eye(3)[axis]
    out = kernels.turn_body(1.0, 2.0, 3.0, *rate, 0.0, 0.0, 0.0, angle / 7.0)
    np.testing.assert_allclose(out, [*rate, *rate], atol=1e-14)


def test_three_equal_moments():
    """Free: the rate itself, to the last bit. With an impulse: the plain mean in world axes."""
    rate = np.array([0.1, -0.7, 0.3])
    assert kernels.turn_body(0.3, 0.3, 0.3, *rate, 0.0, 0.0, 0.0, 2.0) == (*rate, *rate)
    g, h = np.array([0.2, 0.1, -0.4]), 0.7
    out = np.array(kernels.turn_body(0.3, 0.3, 0.3, *rate, *g, h))
    np.testing.assert_allclose(out[:3], rate + 0.5 * g / 0.3, rtol=1e-15)
    end = Rotation.from_rotvec(h * out[:3]).apply(out[3:])
    np.testing.assert_allclose(end, rate + g / 0.3, rtol=1e-14)
    work = 0.15 * (out[3:] @ out[3:] - rate @ rate)
    assert work == pytest.approx(g @ out[:3], rel=1e-14)


number = st.floats(-1.0, 1.0)
vectors = st.builds(np.array, st.tuples(number, number, number))
moments = st.builds(np.array, st.tuples(*[st.floats(0.2, 5.0)] * 3))


@given(J=moments, rate=vectors, kick=vectors, h=st.floats(-0.3, 0.3))
def test_an_impulse_works_on_the_mean_rate(J, rate, kick, h):
    g = J * kick
    out = np.array(kernels.turn_body(*J, *rate, *g, h))
    a, new = out[:3], out[3:]
    turned = Rotation.from_rotvec(-h * a).apply(J * rate + g)
    np.testing.assert_allclose(J * new, turned, atol=1e-14)
    work = 0.5 * (J @ new**2 - J @ rate**2)
    assert work == pytest.approx(g @ a, abs=1e-14)
    if np.ptp(J) > 0:
        np.testing.assert_allclose(a, 0.5 * (rate + new), atol=1e-14)


@given(J=moments, rate=vectors, kick=vectors, h=st.floats(0.0, 0.3))
def test_a_step_back_undoes_a_step(J, rate, kick, h):
    g = J * kick
    out = np.array(kernels.turn_body(*J, *rate, *g, h))
    opposite = -Rotation.from_rotvec(-h * out[:3]).apply(g)
    back = np.array(kernels.turn_body(*J, *out[3:], *opposite, -h))
    np.testing.assert_allclose(back, [*out[:3], *rate], atol=1e-13)


@pytest.mark.parametrize("scale", [2.0**-100, 2.0**100])
def test_units_do_not_matter(scale):
    """Moments of a grain of dust and of a planet: the same bits, also in pieces."""
    rng = np.random.default_rng(5)
    for h in rng.uniform(0.0, 2.0, 200):
        J, rate, kick = rng.uniform(0.1, 1.0, 3), rng.normal(size=3), rng.normal(size=3)
        scaled = kernels.turn_body(*(scale * J), *rate, *(scale * J * kick), h)
        assert scaled == kernels.turn_body(*J, *rate, *(J * kick), h)


@pytest.mark.parametrize("angle", [0.01, 0.3, 1.0, 3.0, 6.0])
@pytest.mark.parametrize("ratio", [3.0, 1e3, 1e6])
@pytest.mark.parametrize("kind", ["body", "any"])
def test_hard_cases(kind, ratio, angle):
    """Unequal moments, steps of almost a whole turn: always finite, and momentum is kept.

    Energy too, if the moments are those of a body (a matter of pieces of the step).
    """
    rng, h = np.random.default_rng(int(ratio + 100 * angle)), 0.3
    for case in range(300):
        J = ratio ** -rng.uniform(0.0, 1.0, 3)
        if kind == "body":
            J = J.sum() - J
        rate = rng.normal(size=3)
        rate *= angle / h / np.linalg.norm(rate)
        g = (case % 3) * angle / h * J * rng.normal(size=3)
        out = np.array(kernels.turn_body(*J, *rate, *g, h))
        assert np.isfinite(out).all()
        momentum = J * rate + g
        kept = Rotation.from_rotvec(h * out[:3]).apply(J * out[3:])
        np.testing.assert_allclose(kept, momentum, atol=1e-11 * np.linalg.norm(momentum))
        if kind == "body" and case % 3 == 0:
            assert J @ out[3:] ** 2 == pytest.approx(J @ rate**2, rel=1e-13)


@pytest.mark.parametrize("angle", [0.01, 0.1, 1.0])
@pytest.mark.parametrize("thin", [1e-6, 1e-8, 1e-10])
def test_needles(thin, angle):
    """Rounding of the large moments is felt in the rate about the thin axis."""
    rng = np.random.default_rng(3)
    for _ in range(100):
        J = np.array([0.0, 1.0, 1.0]) + thin * rng.uniform(0.1, 1.0, 3)
        rate = angle * rng.normal(size=3)
        out = np.array(kernels.turn_body(*J, *rate, 0.0, 0.0, 0.0, 1.0))
        assert J @ out[3:] ** 2 == pytest.approx(J @ rate**2, rel=1e-13)


@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-3, 1.0, 3.0])
def test_newton_uses_the_derivative(size):
    """Against differences of 2 J a - exp(-h a) l."""
    J, momentum, h = np.array([0.5, 0.9, 1.2]), np.array([0.7, -0.4, 1.1]), 0.8
    a, f = size * np.array([0.6, -0.64, 0.48]), np.array([0.3, 1.0, -0.7])

    def left(rate):
        return 2 * J * rate - Rotation.from_rotvec(-h * rate).apply(momentum)

    slopes = [(left(a + 1e-5 * e) - left(a - 1e-5 * e)) / 2e-5 for e in np.eye(3)]
    turned = Rotation.from_rotvec(-h * a).apply(momentum)
    found = kernels._correction(*(2 * J), *turned, *(h * a), h, *f)
    np.testing.assert_allclose(found, np.linalg.solve(np.transpose(slopes), f), rtol=1e-8)


@pytest.mark.parametrize("torque", [NO_TORQUE, (0.3, -0.4, 0.2)])
def test_a_step_in_two_pieces_is_two_steps(torque):
    """Half a turn at once, for which Newton's method finds no mean rate."""
    J, rate = (1.0, 1.2, 1.4), (1.8, 1.9, 1.7)
    momentum = np.multiply(J, rate) + matrix(START).T @ torque
    *mean, found = kernels._mean_rate(*J, *rate, *momentum, 1.0)
    assert not found
    np.testing.assert_allclose(mean, 0.5 * (rate + momentum / J), rtol=1e-15)
    halves = final_state(J, rate, torque, 1.0, 2)
    np.testing.assert_allclose(final_state(J, rate, torque, 1.0, 1), halves, atol=1e-13)


def test_at_rest():
    assert kernels.turn_body(1.0, 2.0, 3.0, *[0.0] * 6, 0.1) == (0.0,) * 6
    out = kernels.turn_body(1.0, 2.0, 3.0, 1.0, 1.0, 1.0, -2.0, -4.0, -6.0, 0.1)
    assert np.isfinite(out).all()
    assert kernels.turn_body(1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0)[3:] == (1, 2, 3)
