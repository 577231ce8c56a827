"""Free turns in one call: exact for two equal moments, second order for three unequal ones; energy
and momentum to rounding at any angle, and what has no place in the world."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from rollcone.mechanics.kernels.rotation import turn_freely

NEEDLE = 1.0 / 11250.0  # moments of 2 x 2 x 300 mm: about the axis, over across
SYMMETRIC = [(1, 1, NEEDLE), (1, NEEDLE, 1), (NEEDLE, 1, 1), (1, 1, 2), (2, 1, 1), (0.7, 0.3, 0.7)]
UNEVEN = [(1.0, 2.0, 2.9), (3.0, 1.0, 2.5), (1.0, 1.3, 0.01), (1.0, 0.02, 0.98)]


class State:
    """Principal axes and the rate in world axes."""

    def __init__(self, q, w) -> None:
        self.q, self.w = np.array(q, dtype=float), np.array(w, dtype=float)

    @property
    def axes(self) -> np.ndarray:
        return Rotation.from_quat(self.q, scalar_first=True).as_matrix()

    def turned(self, J, t) -> "State":
        given = [float(x) for x in (*J, *self.q, *self.w, t)]
        found = turn_freely(*given)
        return State(found[:4], found[4:])

    def seen_from(self, turn: Rotation) -> "State":
        q = turn * Rotation.from_quat(self.q, scalar_first=True)
        return State(q.as_quat(scalar_first=True), turn.apply(self.w))

    def momentum(self, J) -> np.ndarray:
        return self.axes @ (np.array(J) * (self.axes.T @ self.w))

    def energy(self, J) -> float:
        own = self.axes.T @ self.w
        return 0.5 * float(np.sum(np.array(J) * own**2))


def start(seed: int, J, across: float = 1.0, along: float | None = None) -> State:
    """Random axes; rates in principal axes, `along` that of the axis with the odd moment."""
    rng = np.random.default_rng(seed)
    own = across * rng.normal(size=3)
    if along is not None:
        own[int(np.argmax(np.abs(np.array(J) - np.median(J))))] = along
    turn = Rotation.random(random_state=seed)
    return State(turn.as_quat(scalar_first=True), turn.apply(own))


def integrated(state: State, J, t: float) -> State:
    """Euler's equations and R' = R hat(Omega), by DOP853."""
    moments = np.array(J, dtype=float)

    def slope(_, y):
        q, own = y[:4], y[4:]
        turning = 0.5 * np.array([-q[1:] @ own, *(q[0] * own + np.cross(q[1:], own))])
        return np.concatenate([turning, np.cross(moments * own, own) / moments])

    y = np.concatenate([state.q, state.axes.T @ state.w])
    y = solve_ivp(slope, (0, t), y, method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    q = y[:4] / np.linalg.norm(y[:4])
    end = State(q, np.zeros(3))
    return State(q, end.axes @ y[4:])


def apart(a: State, b: State) -> float:
    return max(np.abs(a.axes - b.axes).max(), np.abs(a.w - b.w).max() / np.linalg.norm(b.w))


@pytest.mark.parametrize("J", SYMMETRIC)
@pytest.mark.parametrize("angle", [0.1, 2.0, 20.0])
def test_two_equal_moments_turn_exactly(J, angle):
    """About their own axis by `angle`, tumbling by 0.3 to 1 rad meanwhile."""
    for seed in range(3):
        state = start(seed, J, across=0.5, along=angle)
        assert apart(state.turned(J, 1.0), integrated(state, J, 1.0)) < 2e-12 * max(1.0, angle)


@pytest.mark.parametrize("J", UNEVEN)
def test_three_unequal_moments_turn_to_second_order(J):
    state = start(4, J)
    exact, errors = integrated(state, J, 2.0), []
    for steps in (40, 80, 160):
        end = state
        for _ in range(steps):
            end = end.turned(J, 2.0 / steps)
        errors.append(apart(end, exact))
    assert errors[0] < 0.02
    orders = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    assert np.abs(orders - 2.0).max() < 0.1
    # One call is divided by itself: about as good as steps of 0.3 rad.
    rate = np.linalg.norm(state.w)
    steps = math.ceil(2.0 * rate / 0.3)
    end = state
    for _ in range(steps):
        end = end.turned(J, 2.0 / steps)
    assert apart(state.turned(J, 2.0), exact) < 3.0 * apart(end, exact)


moments = st.one_of(
    st.sampled_from(SYMMETRIC + UNEVEN + [(1.0, 1.0, 1.0)]),
    st.tuples(*[st.floats(0.2, 1.0)] * 3),
)


@given(J=moments, seed=st.integers(0, 2**20), t=st.floats(-3.0, 3.0), size=st.floats(1e-3, 10.0))
@settings(max_examples=80)
def test_energy_and_momentum_are_kept_to_rounding(J, seed, t, size):
    state = start(seed, J, across=size)
    end = state.turned(J, t)
    pieces = 1 + abs(t) * np.linalg.norm(state.w) / 0.3
    noise = 4e-15 * (8 + pieces)
    np.testing.assert_allclose(np.linalg.norm(end.q), 1.0, rtol=0, atol=noise)
    assert end.energy(J) == pytest.approx(state.energy(J), rel=noise)
    # Momentum is made of rates by moments that may differ by 10^4, and so is its rounding.
    scale = max(J) * np.linalg.norm(state.w)
    np.testing.assert_allclose(end.momentum(J), state.momentum(J), rtol=0, atol=noise * scale)


@given(
    J=st.sampled_from(SYMMETRIC), seed=st.integers(0, 2**20),
    t=st.tuples(st.floats(-2.0, 2.0), st.floats(-2.0, 2.0)),
)  # fmt: skip
@settings(max_examples=50)
def test_turns_of_symmetric_bodies_compose(J, seed, t):
    """F_b F_a = F_(a + b); back and forth is nothing."""
    state = start(seed, J, across=1.0, along=3.0)
    assert apart(state.turned(J, t[0]).turned(J, t[1]), state.turned(J, sum(t))) < 1e-13
    assert apart(state.turned(J, t[0]).turned(J, -t[0]), state) < 1e-13


@given(J=st.sampled_from(UNEVEN), seed=st.integers(0, 2**20), angle=st.floats(0.001, 0.1))
@settings(max_examples=30)
def test_uneven_bodies_turn_back_the_way_they_came(J, seed, angle):
    """In one piece: a turn of some tenths of a radian."""
    state = start(seed, J)
    t = angle / np.linalg.norm(state.w)
    assert apart(state.turned(J, t).turned(J, -t), state) < 1e-12


@given(J=moments, seed=st.integers(0, 2**20), other=st.integers(0, 2**20), t=st.floats(0.0, 2.0))
@settings(max_examples=50)
def test_there_is_no_direction_in_space(J, seed, other, t):
    state, turn = start(seed, J), Rotation.random(random_state=other)
    assert apart(state.seen_from(turn).turned(J, t), state.turned(J, t).seen_from(turn)) < 1e-11


@given(J=moments, seed=st.integers(0, 2**20), t=st.floats(0.0, 2.0), by=st.integers(1, 2))
@settings(max_examples=50)
def test_axes_may_be_counted_from_any(J, seed, t, by):
    """Moments and axes in another cyclic order describe the same body."""
    state = start(seed, J)
    order = np.roll(np.arange(3), by)
    turn = Rotation.from_matrix(np.eye(3)[:, order])  # columns: the same axes, counted anew
    q = (Rotation.from_quat(state.q, scalar_first=True) * turn).as_quat(scalar_first=True)
    moved = State(q, state.w).turned(tuple(np.array(J)[order]), t)
    back = (Rotation.from_quat(moved.q, scalar_first=True) * turn.inv()).as_quat(scalar_first=True)
    assert apart(State(back, moved.w), state.turned(J, t)) < 1e-11


def test_a_sphere_turns_about_its_rate_and_nothing_takes_no_time():
    state = start(1, (1, 1, 1))
    end = state.turned((1, 1, 1), 2.0)
    np.testing.assert_array_equal(end.w, state.w)
    turned = Rotation.from_rotvec(2.0 * state.w).as_matrix() @ state.axes
    np.testing.assert_allclose(end.axes, turned, atol=1e-14)
    for J in ((1, 1, 1), SYMMETRIC[0], UNEVEN[0]):
        still = state.turned(J, 0.0)
        np.testing.assert_array_equal(still.q, state.q)
        np.testing.assert_array_equal(still.w, state.w)
