"""The modified Newton method: its map, its fixed points, and the choice of rho."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solver_cases import (
    FORMS,
    KINDS,
    LAWS,
    ROWS,
    dense,
    in_form,
    iterates,
    started,
    twin_residual,
    with_rows,
)

import rollcone as rc
import twins
from balls import ball

NAMES = ("rho_normal", "rho_sliding", "rho_rolling", "rho_spinning")
GROUPS = (slice(0, 1), slice(1, 3), slice(3, 5), slice(5, 6))


def options_for(rhos, rows):
    """Only those that a contact of so many rows has."""
    return dict(zip(NAMES[: (rows + 2) // 2], rhos, strict=False))


def by_row(rhos, rows):
    out = np.empty(rows)
    for rho, group in zip(rhos, GROUPS, strict=True):
        out[group] = rho
    return out


def chosen(problem):
    """rho of each row from its formula: D^2 over the largest row sum in the group, if above 1."""
    W = dense(problem)[0] + np.diag(problem.compliance)
    scale = rc.solvers.scaled.ScaledProblem(problem).scale
    sums = np.maximum(1.0, np.abs(W * np.outer(scale, scale)).sum(axis=1))
    for i in range(problem.contacts):
        here = sums[i * problem.rows : (i + 1) * problem.rows]
        for group in GROUPS[: (problem.rows + 2) // 2]:
            here[group] = here[group].max()
    return scale**2 / sums


# The map.


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rows", ROWS)
def test_map_of_the_paper(rows, law, form):
    """(3.7) in the units of the problem, from the formula. Under the associated law the new
    reaction x is the nearest point in the metric of rho: w = (x - p) / rho + y is in K*, and
    x.w = 0."""
    problem = with_rows(law, rows)
    rhos = (0.3, 0.8, 0.11, 0.05)
    W, q = dense(problem)
    W = W + np.diag(problem.compliance)
    rho, cut = by_row(rhos, rows), problem.contacts * rows
    start = np.random.default_rng(1).normal(size=problem.size) + 0.3
    method = started(in_form(problem, form), "modified-newton", start, options_for(rhos, rows))
    p = method.reactions()
    line_rho = chosen(problem)[cut:]
    for new in iterates(method, 4):
        y = W @ p + q
        for i in range(problem.contacts):
            here = slice(i * rows, (i + 1) * rows)
            x, mu = new[here], problem.cone.radii[i, [0, 2, 4]]
            if law == "exact":
                free = p[here] - rho * y[here]
                expected = twins.project_sets(free, mu, max(free[0], 0.0))
                np.testing.assert_allclose(x, expected, atol=1e-12)
                continue
            w = (x - p[here]) / rho + y[here]
            np.testing.assert_allclose(x, twins.project(x, mu), atol=1e-12)
            assert w[0] >= twins.shift(w, mu) - 1e-9
            assert abs(x @ w) < 1e-9
        lines = np.clip(p[cut:] - line_rho * y[cut:], *problem.bounds.T)
        np.testing.assert_allclose(new[cut:], lines, atol=1e-12)
        p = new


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from((3, 5, 6)),
    st.sampled_from(LAWS),
    st.integers(0, 50),
    st.lists(st.floats(0.01, 100.0), min_size=4, max_size=4),
)
def test_fixed_points_are_the_solutions(rows, law, seed, rhos):
    """For any rho: the solution stays, other reactions move."""
    known = rc.problems.random_problem(4, rows=rows, seed=seed, law=law)
    p = known.reactions.reshape(-1)
    size = np.abs(p).max()
    for begin, stays in ((p, True), (1.1 * p, False)):
        method = started(known.problem, "modified-newton", begin, options_for(rhos, rows))
        (new,) = iterates(method, 1)
        moved = np.abs(new - begin).max()
        assert (moved <= 1e-9 * max(size, 1.0) * max(1.0, *rhos)) == (stays or size == 0.0)


@pytest.mark.parametrize("rows", [3, 5, 6])
def test_same_answers_as_other_methods(rows):
    for seed in (24, 25, 26):
        problem = rc.problems.random_problem(4, rows=rows, seed=seed).problem
        found = rc.solve(problem, "modified-newton", tolerance=1e-11)
        assert found.converged
        for other in ("gauss-seidel", "newton"):
            sure = rc.solve(problem, other, tolerance=1e-11)
            np.testing.assert_allclose(found.velocities, sure.velocities, atol=1e-8)


# The choice of rho.


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", ROWS)
def test_automatic_rho(rows, kind):
    """As the formula has it; no eigenvalue of rho W is above one."""
    problem = kind("exact", rows)
    method = started(problem, "modified-newton", np.zeros(problem.size), {})
    rho = method.scaled.scale**2
    np.testing.assert_allclose(rho, chosen(problem), rtol=1e-12)
    W = dense(problem)[0] + np.diag(problem.compliance)
    assert np.abs(np.linalg.eigvals(rho[:, None] * W)).max() <= 1 + 1e-9


def test_factor_by_hand():
    """W has the eigenvalues 1.9 and 0.1, rho = 1 / 1.9: along the first one step does it, along
    the second steps get longer by a fifth each time."""
    W, bounds = [[1.0, 0.9], [0.9, 1.0]], [(-np.inf, np.inf)] * 2
    one = rc.ContactProblem.from_delassus(W, [1.0, 1.0], bounds=bounds)
    (p,) = iterates(started(one, "modified-newton", np.zeros(2), {}), 1)
    np.testing.assert_allclose(p, [-1 / 1.9] * 2)
    slow = rc.ContactProblem.from_delassus(W, [1.0, -1.0], bounds=bounds)
    method = started(slow, "modified-newton", np.zeros(2), {})
    factors = [method.factor for _ in iterates(method, 6)]
    np.testing.assert_allclose(factors, [1.0, *(1.2**k for k in range(1, 6))])


def test_factor_falls_where_changes_grow():
    """Far too long a factor, as the adaptation may come to: half of it each time. Of one row, a
    change back by 0.99 of the one before is too long, too, and one by 0.8 is not."""
    for factor, later in ((1.99, 0.5), (1.8, 1.0)):
        row = rc.ContactProblem.from_delassus([[2.0]], [1.0], bounds=[(-np.inf, np.inf)])
        method = started(row, "modified-newton", np.zeros(1), {})
        method.factor = factor
        assert [method.factor / factor for _ in iterates(method, 2)] == [1.0, later]
    problem = rc.problems.stack(3, push=0.5)
    method = started(problem, "modified-newton", np.zeros(problem.size), {})
    next(iterates(method, 1))
    method.factor = 19.0
    factors = [method.factor for _ in iterates(method, 12)]
    assert min(factors) < 5.0
    falls = [b / a for a, b in zip([19.0, *factors[:-1]], factors, strict=True) if b < a]
    np.testing.assert_allclose(falls, 0.5)


@pytest.mark.parametrize("law", LAWS)
def test_given_rho_is_kept(law):
    """Also in circles; the automatic choice gets through there."""
    problem = rc.problems.random_problem(4, rows=6, seed=24, law=law).problem
    method = started(problem, "modified-newton", np.zeros(problem.size), {"rho_rolling": 0.02})
    before = method.scaled.scale.copy()
    for _ in iterates(method, 200):
        assert method.factor == 1.0
    np.testing.assert_array_equal(method.scaled.scale, before)
    np.testing.assert_allclose(before.reshape(4, 6)[:, 3:5], np.sqrt(0.02))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rows", [3, 6])
def test_small_is_slow_and_large_diverges(rows, law):
    """The paper's remark on rho, as multiples of 1 / W_kk; and `converged` is never said of a
    wrong answer. The automatic choice is as good as the best of these, or better."""
    others = {"rolling": 0.05, "spinning": 0.04} if rows == 6 else {}
    one = ball((5.0, 0, -1.0), (1.0, 0, 9.0), law, rows, sliding=0.3, **others)
    some = rc.problems.random_problem(4, rows=rows, seed=24, law=law).problem
    for problem, limit in ((one, 1_000), (some, 5_000)):
        largest = np.diag(dense(problem)[0]).reshape(-1, rows).max(axis=0)
        spent = {}
        for factor in (0.03, 0.1, 0.3, 3.0, 30.0, 1000.0):
            rhos = [factor / largest[group.start] for group in GROUPS[: (rows + 2) // 2]]
            chosen_rho = options_for(rhos, rows)
            s = rc.solve(problem, "modified-newton", max_iterations=limit, **chosen_rho)
            assert np.isfinite(s.reactions).all()
            assert s.converged == (twin_residual(problem, s) <= 1.001e-8)
            spent[factor] = s.iterations if s.converged else np.inf
        assert spent[0.3] < min(spent[0.1], 5_000) <= spent[0.03]
        assert min(spent[3.0], spent[30.0], spent[1000.0]) == np.inf
        automatic = rc.solve(problem, "modified-newton")
        assert automatic.converged
        assert automatic.iterations < spent[0.3]


def test_rate_by_hand():
    """A ball falls flat: the error of r_n is multiplied by 1 - rho W_nn each time."""
    problem = ball((0, 0, -1.0), (0, 0, 0), "exact", 3, sliding=0.3)
    W = dense(problem)[0][0, 0]
    for part in (0.1, 0.6, 1.5, 1.9):
        method = started(problem, "modified-newton", np.zeros(3), {"rho_normal": part / W})
        for k, p in enumerate(iterates(method, 5), start=1):
            assert p[0] == pytest.approx((1 - (1 - part) ** k) / W, rel=1e-12)
