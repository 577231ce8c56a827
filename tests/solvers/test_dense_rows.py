"""The active set method for rows alone: y = W p + q, low <= p <= high, against bounded least
squares and against all active sets one by one; redundant rows, bounds that leave no room, none."""

import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import lsq_linear

from rollcone.solvers.kernels.dense_row import apply_rows, fill_mobility, free_rates, solve_rows

TOLERANCE = 1e-11


def solve(W, q, low, high, start=None, most=60):
    """p, steps and the worst error over the speeds, which are those of q."""
    m = len(q)
    p = np.zeros(m) if start is None else start.copy()
    y, place, x = np.zeros((3, m))
    speeds = np.full(m, np.abs(q).max(initial=0.0) or 1.0)
    free, L = np.zeros(m, dtype=np.int64), np.zeros((m, m))
    steps, worst = solve_rows(
        W, q, low, high, np.diag(W).copy(), speeds, TOLERANCE, most, p, y, free, place, x, L
    )  # fmt: skip
    return p, steps, worst


def bounds_of(rng: np.random.Generator, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Of every kind: none, two, one, and two that are one; zero lies within."""
    low, high = np.full((2, m), np.inf)
    low = -low
    kind = rng.integers(5, size=m)
    size = 10.0 ** rng.uniform(-2, 1, size=m)
    low[kind == 1], high[kind == 1] = -size[kind == 1], size[kind == 1]
    low[kind == 2] = 0.0
    high[kind == 3] = 0.0
    low[kind == 4] = high[kind == 4] = 0.0
    return low, high


def least_squares(G, v, low, high) -> np.ndarray:
    """v + G^T p of least size, which is what the rows ask for: G (v + G^T p) _|_ bounds on p."""
    fixed = low == high
    free = ~fixed
    if not free.any():
        return v
    found = lsq_linear(
        G[free].T, -v, bounds=(low[free], high[free]), method="bvls", tol=1e-15, max_iter=1000
    )
    return v + G[free].T @ found.x


def by_enumeration(W, q, low, high) -> np.ndarray:
    """p of a regular W: the one active set (each row free, low or high) whose answer fits."""
    m, best, least = len(q), None, np.inf
    for choice in itertools.product(range(3), repeat=m):
        at = np.array(choice)
        p = np.where(at == 1, low, np.where(at == 2, high, 0.0))
        if not np.isfinite(p).all():
            continue
        free = at == 0
        if free.any():
            p[free] = np.linalg.solve(W[np.ix_(free, free)], -(q + W @ p)[free])
        y = W @ p + q
        wrong = np.maximum(low - p, p - high).max(initial=0.0)
        wrong = max(wrong, np.where(at == 1, -y, np.where(at == 2, y, 0.0)).max(initial=0.0))
        if wrong < least:
            best, least = p, wrong
    assert best is not None
    assert least < 1e-9
    return best


def check_rows(W, q, low, high, p) -> None:
    """Rows that are free do not move; those at a bound only the way it lets them."""
    near = 1e-9 * max(np.abs(q).max(initial=0.0), 1e-300)
    small = 1e-10 * np.abs(p).max()
    assert (p >= low - small).all()
    assert (p <= high + small).all()
    y = W @ p + q
    assert (y[p > low + small] < near).all()
    assert (y[p < high - small] > -near).all()


@given(st.integers(1, 4), st.integers(0, 2**32))
def test_small_problems_by_all_active_sets(m, seed):
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(m, m + 2))
    W, q = G @ G.T + 0.1 * np.eye(m), rng.normal(size=m)
    low, high = bounds_of(rng, m)
    p, _, worst = solve(W, q, low, high)
    assert worst <= TOLERANCE
    exact = by_enumeration(W, q, low, high)
    np.testing.assert_allclose(p, exact, rtol=0, atol=1e-9 * max(1.0, np.abs(exact).max()))


def test_redundant_rows_by_least_squares():
    """Where W is singular reactions are not unique; the velocities that they make are. Few of such
    problems are left unsolved (rows that change between their bounds for ever), and it is told."""
    unsolved, most = 0, 60
    for seed in range(300):
        rng = np.random.default_rng(seed)
        m, n = rng.integers(1, 31), rng.integers(1, 21)
        G, v = rng.normal(size=(m, n)), rng.normal(size=n)
        G[rng.random(m) < 0.2] = G[0]  # the same row again, to the last digit
        low, high = bounds_of(rng, m)
        W, q = G @ G.T, G @ v
        p, steps, worst = solve(W, q, low, high, most=most)
        assert np.isfinite(p).all()
        if worst > TOLERANCE:
            assert steps == most
            unsolved += 1
            continue
        check_rows(W, q, low, high, p)
        np.testing.assert_allclose(
            v + G.T @ p, least_squares(G, v, low, high), rtol=0, atol=1e-7 * np.abs(v).max()
        )
    assert unsolved < 0.05 * 300


@given(st.integers(1, 20), st.integers(0, 2**32))
def test_without_bounds_it_is_a_linear_system(m, seed):
    rng = np.random.default_rng(seed)
    G, soft = rng.normal(size=(m, m)), 10.0 ** rng.uniform(-3, 3, size=m)
    W, q = G @ G.T + np.diag(soft), rng.normal(size=m)
    none = np.full(m, np.inf)
    p, steps, worst = solve(W, q, -none, none)
    assert worst <= TOLERANCE
    assert steps <= 5
    np.testing.assert_allclose(p, np.linalg.solve(W, -q), rtol=1e-8, atol=1e-10)


@given(st.integers(1, 12), st.integers(0, 2**32))
def test_the_start_does_not_matter(m, seed):
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(m, m + 1))
    W, q = G @ G.T + 0.01 * np.eye(m), rng.normal(size=m)
    low, high = bounds_of(rng, m)
    one, _, _ = solve(W, q, low, high)
    two, _, worst = solve(W, q, low, high, start=rng.normal(size=m) * 10.0)
    assert worst <= TOLERANCE
    np.testing.assert_allclose(one, two, rtol=0, atol=1e-8 * max(1.0, np.abs(one).max()))


@example(scale=1e-12)
@example(scale=1e12)
@given(st.floats(1e-6, 1e6))
def test_units_do_not_matter(scale):
    rng = np.random.default_rng(3)
    G = rng.normal(size=(6, 8))
    W, q = G @ G.T, rng.normal(size=6)
    low, high = bounds_of(rng, 6)
    one, _, _ = solve(W, q, low, high)
    two, _, worst = solve(scale * W, scale * q, low, high)
    assert worst <= TOLERANCE
    np.testing.assert_allclose(one, two, rtol=0, atol=1e-9)


def test_rows_that_nothing_moves():
    """W = 0, as of two fixed bodies: nothing to do where q = 0, nothing to be done elsewhere."""
    none = np.full(2, np.inf)
    p, _, worst = solve(np.zeros((2, 2)), np.zeros(2), -none, none)
    assert worst == 0.0
    assert not p.any()
    p, _, worst = solve(np.zeros((2, 2)), np.array([1.0, 0.0]), -none, none)
    assert worst == 1.0
    assert np.isfinite(p).all()


def test_rows_that_contradict_each_other_end():
    """Two motors on one shaft that ask for different speeds."""
    none = np.full(2, np.inf)
    W, q = np.ones((2, 2)), np.array([-1.0, -3.0])
    p, _, worst = solve(W, q, -none, none)
    assert np.isfinite(p).all()
    assert worst > 0.1
    p, _, worst = solve(
        W, q, np.full(2, -5.0), np.full(2, 5.0)
    )  # with limits one pulls, one brakes
    assert worst <= TOLERANCE
    check_rows(W, q, np.full(2, -5.0), np.full(2, 5.0), p)


def test_no_rows_and_no_steps():
    none = np.zeros(0)
    p, steps, worst = solve(np.zeros((0, 0)), none, none, none)
    assert len(p) == steps == worst == 0
    p, steps, worst = solve(np.eye(1), np.ones(1), -np.ones(1), np.ones(1), most=0)
    assert steps == 0
    assert worst == pytest.approx(1.0)


@given(st.integers(0, 2**32))
def test_mobility_rates_and_impulses_are_those_of_plain_matrices(seed):
    """W = G M^-1 G^T + C, q = G v + b and G^T p, rows on up to four of three bodies."""
    rng = np.random.default_rng(seed)
    m, n = 5, 3
    G, bodies = rng.normal(size=(m, 4, 6)), rng.integers(0, n + 1, size=(m, 4))
    inverse = np.zeros((n, 7))
    M = np.zeros((6 * n, 6 * n))
    for a in range(n):
        A = rng.normal(size=(3, 3))
        J = A @ A.T + np.eye(3)
        inverse[a, 0] = rng.uniform(0.1, 2)
        inverse[a, 1:] = J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]
        M[6 * a : 6 * a + 3, 6 * a : 6 * a + 3] = inverse[a, 0] * np.eye(3)
        M[6 * a + 3 : 6 * a + 6, 6 * a + 3 : 6 * a + 6] = J
    plain = np.zeros((m, 6 * n))
    for i, s in itertools.product(range(m), range(4)):
        a = bodies[i, s]
        if a < n:
            plain[i, 6 * a : 6 * a + 6] += G[i, s]
    soft, b, p = rng.uniform(size=(3, m))
    v, w = rng.normal(size=(2, n, 3))
    N, W, q = np.zeros((m, 4, 6)), np.zeros((m, m)), np.zeros(m)
    fill_mobility(G, bodies, inverse, soft, N, W)
    np.testing.assert_allclose(W, plain @ M @ plain.T + np.diag(soft), atol=1e-12)
    free_rates(G, bodies, v, w, b, q)
    np.testing.assert_allclose(q, plain @ np.hstack([v, w]).ravel() + b, atol=1e-12)
    force, torque = np.ones((2, n, 3))
    apply_rows(G, bodies, p, force, torque)
    np.testing.assert_allclose(np.hstack([force, torque]).ravel(), plain.T @ p, atol=1e-12)
