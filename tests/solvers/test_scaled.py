"""The scaled problem that first-order methods work in, and how they judge their progress."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from iteration_twins import Twin
from solver_cases import KINDS, LAWS, ROWS, chained, dense, random_matrix, skewed, with_rows

import rollcone as rc
from rollcone.problem.kernels import linear as _linear_kernels
from rollcone.solvers.progress import Goal, Pace, Watch
from rollcone.solvers.scaled import BodyMap, MatrixMap, ScaledProblem

GROUPS = (slice(0, 1), slice(1, 3), slice(3, 5), slice(5, 6))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", ROWS)
def test_scaled_rows_are_the_problem(rows, kind):
    """y -> D y / u, p -> p / (D u): W, q, coefficients and bounds follow."""
    problem = kind("exact", rows)
    scaled, twin = ScaledProblem(problem), Twin(problem)
    np.testing.assert_allclose(scaled.scale, twin.scale, rtol=1e-12)
    np.testing.assert_allclose(scaled.radii[:, [0, 2, 4]], twin.coefficients, rtol=1e-12)
    np.testing.assert_allclose(scaled.unit, np.abs(twin.q).max(), rtol=1e-12)
    np.testing.assert_allclose(scaled.bounds * scaled.unit, twin.bounds, rtol=1e-12)
    blocks = [twin.block(i) for i in range(twin.n)]
    np.testing.assert_allclose(scaled.blocks, blocks, atol=1e-12)
    p = np.random.default_rng(rows).normal(size=problem.size)
    np.testing.assert_allclose(scaled.enter(scaled.leave(p)), p, rtol=1e-14)
    np.testing.assert_allclose(scaled.leave(p), p * twin.scale * scaled.unit, rtol=1e-12)
    maps = [MatrixMap(scaled)]
    if (bodies := BodyMap.of(scaled)) is not None:
        maps.append(bodies)
    assert type(scaled.velocity_map()) is type(maps[-1])
    assert len(maps) == (1 if kind in (chained, skewed) else 2)
    for velocities in (m.velocities for m in maps for _ in range(2)):  # it must not add up
        np.testing.assert_allclose(velocities(p), twin.W @ p + twin.q / scaled.unit, atol=1e-12)


def test_contact_of_three_bodies_takes_the_matrix():
    rng = np.random.default_rng(0)
    H, v = rng.normal(size=(3, 18)), rng.normal(size=18)
    problem = rc.ContactProblem.from_bodies(np.tile(np.eye(6), (3, 1, 1)), H, v, sliding=[0.3])
    scaled = ScaledProblem(problem)
    assert BodyMap.of(scaled) is None
    p = rng.normal(size=3)
    W, q = dense(problem)
    y = (W @ scaled.leave(p) + q) * scaled.scale / scaled.unit
    np.testing.assert_allclose(scaled.velocity_map().velocities(p), y, rtol=1e-12)


@settings(max_examples=60)
@given(
    rows=st.sampled_from(ROWS),
    rank=st.integers(1, 12),
    sizes=st.lists(st.integers(-9, 9), min_size=4, max_size=4),
    skew=st.floats(0.0, 1.0),
    seed=st.integers(0, 10**6),
)
def test_no_eigenvalue_above_one(rows, rank, sizes, skew, seed):
    """However unlike the groups, of whatever rank; and D is equal within each group."""
    rng = np.random.default_rng(seed)
    W = random_matrix(rng, 2 * rows, rank)
    turn = rng.normal(size=W.shape)
    W += skew * np.abs(W).max() * (turn - turn.T)
    for number, group in enumerate(GROUPS):
        for first in (0, rows):
            here = np.arange(2 * rows)[first : first + rows][group]
            W[here] *= 10.0 ** sizes[number]
            W[:, here] *= 10.0 ** sizes[number]
    problem = rc.ContactProblem.from_delassus(W, np.ones(2 * rows), sliding=0.3, rows=rows)
    scaled = ScaledProblem(problem)
    for block, D in zip(scaled.blocks, scaled.D, strict=True):
        top = np.linalg.eigvalsh((block + block.T) / 2)[-1]
        assert 0 < top <= 1 + 1e-12
        assert all(len(set(D[group])) <= 1 for group in GROUPS)
        assert np.isfinite(D).all()
        assert (D > 0).all()


def test_rows_that_cannot_move():
    """Nothing is divided by zero, and what moves is scaled as ever."""
    for diagonal in ([1.0, 0, 0], [0, 1.0, 1.0], [0, 0, 0]):
        W, q = np.diag(diagonal), -np.ones(3)
        scaled = ScaledProblem(rc.ContactProblem.from_delassus(W, q, sliding=[0.3]))
        assert np.isfinite([*scaled.scale, *scaled.radii[0]]).all()
        np.testing.assert_allclose(scaled.blocks[0], W)


@pytest.mark.parametrize("law", LAWS)
def test_one_scale_given(law):
    """Other scales than the groups' own, as long as they are equal within a group."""
    problem = with_rows(law, 6)
    twin = Twin(problem, "one")
    D = twin.scale[: twin.cut].reshape(twin.n, 6)
    scaled = ScaledProblem(problem, D)
    np.testing.assert_allclose(scaled.scale, twin.scale)
    np.testing.assert_allclose(scaled.radii[:, [0, 2, 4]], twin.coefficients, rtol=1e-12)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 7, 8, 9, 1000])
def test_dot(size):
    a, b = np.random.default_rng(size).normal(size=(2, size))
    exact = math.fsum(float(x) * float(y) for x, y in zip(a, b, strict=True))
    assert _linear_kernels.dot(a, b) == pytest.approx(exact, rel=1e-13, abs=1e-13)


def test_goal_asks_for_more_each_time():
    """tolerance times the size of the error to begin with; half of what was not enough."""
    goal = Goal(8.0)
    assert goal.error == math.inf
    goal.set(0.25)
    assert goal.error == 2.0
    assert not goal.met_by(2.1)
    assert not goal.met_by(math.nan)
    assert goal.error == 2.0
    assert goal.met_by(1.5)
    assert goal.error == 0.75
    goal.set(0.25)  # the driver was not content
    assert goal.error == 0.75
    assert goal.met_by(0.75)
    goal.set(0.01)
    assert goal.error == 0.08


def answers(watch, errors):
    """The iterations, from 1 on, after which the watch says that it is stuck."""
    return [number for number, error in enumerate(errors, start=1) if watch.stuck(error)]


def test_watch_looks_when_iterations_have_doubled():
    """Windows of 10, 20, 40, ... while the error falls; of 10 again after a no."""
    assert answers(Watch(0.5, 10), [1.0] * 10 + [0.51] * 20) == [30]
    assert answers(Watch(0.5, 10), [1.0] * 10 + [0.49] * 20 + [0.24] * 40) == []
    assert answers(Watch(0.5, 10), [1.0] * 70) == [30, 40, 50, 60, 70]
    falls = [1.0] * 10 + [0.4] * 20 + [0.4] * 40 + [0.1] * 10 + [0.1] * 20
    assert answers(Watch(0.5, 10), falls) == [70, 100]


def test_watch_takes_the_geometric_mean():
    """One small error does not hide many that are large, nor a large one many that are small."""
    dip = [1.0] * 10 + [0.9] * 19 + [1e-3]  # geometric mean 0.64
    assert answers(Watch(0.7, 10), dip) == []
    assert answers(Watch(0.6, 10), dip) == [30]
    peak = [1.0] * 10 + [0.1] * 19 + [100.0]  # geometric mean 0.14, the plain one 5.1
    assert answers(Watch(0.2, 10), peak) == []


def test_watch_compares_with_the_best_window():
    """A worse window does not make the next one look like progress."""
    worse = [1.0] * 10 + [8.0] * 20 + [2.0] * 10
    assert answers(Watch(0.5, 10), worse) == [30, 40]


def test_watch_counts_stretches():
    """The error of the last iteration stands for all of a stretch."""
    watch = Watch(0.5, 10)
    assert not watch.stuck(1.0, 9)
    assert not watch.stuck(1.0, 1)
    assert not watch.stuck(0.9, 19)
    assert watch.stuck(0.9, 1)
    odd = Watch(0.5, 10)
    assert not odd.stuck(0.0, 10)
    assert odd.stuck(math.inf, 20)
    assert odd.stuck(math.nan, 10)


def test_pace_compares_one_span_with_the_next():
    """Geometric means over ten iterations each; a worse span makes the next look better."""

    def slow(share, errors):
        pace = Pace(share, 10)
        return [number for number, error in enumerate(errors, start=1) if pace.slow(error)]

    assert slow(0.5, [1.0] * 10 + [0.49] * 10 + [0.3] * 10 + [1.0] * 10 + [0.4] * 10) == [30, 40]
    dip = [1.0] * 10 + [0.9] * 9 + [1e-2]  # geometric mean 0.57
    assert slow(0.6, dip) == []
    assert slow(0.5, dip) == [20]
    assert slow(0.5, [0.0] * 10 + [math.nan] * 10) == [20]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("mobility", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize("rate", [1e-250, 1e-300, 1e-308, 3e-310, 1e-315, 1e-320, 5e-324])
def test_rates_that_are_hardly_numbers(rate, mobility):
    """No warnings, and only numbers: bounds that cannot be told are none, starts likewise."""
    W = np.eye(7)
    W[0, 3] = W[3, 0] = W[3, 4] = W[4, 3] = 0.3
    bounds = [(0.0, 0.0), (-1.0, 1.0), (-1e-310, 1e90), (-np.inf, np.inf)]
    q = rate * np.array([-1, 0.5, 0.2, 0.7, -0.4, 1.0, 0.3])
    problem = rc.ContactProblem.from_delassus(mobility * W, q, sliding=[0.3], rows=3, bounds=bounds)
    scaled = ScaledProblem(problem)
    assert not np.isnan(scaled.bounds).any()
    np.testing.assert_array_equal(scaled.bounds[0], 0.0)
    np.testing.assert_array_equal(scaled.bounds[3], [-np.inf, np.inf])
    assert np.all(scaled.bounds[1] * [-1, 1] > 0)
    start = scaled.enter(np.full(7, 1e10))
    assert np.isfinite(start).all()
    for solver in ("gauss-seidel", "apgd", "newton", "interior-point"):
        solution = rc.solve(problem, solver=solver, tolerance=1e-8)
        assert np.isfinite(solution.reactions).all()
