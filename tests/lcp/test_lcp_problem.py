"""The data of a complementarity problem: what is refused, the residual, the plain form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lcp_cases import draw, is_solution
from scipy import sparse

import rollcone as rc
from rollcone.lcp import LCP, MLCP, SOLVERS, LcpStatus, solve
from rollcone.lcp.factor import SingularBasisError

EYE = np.eye(2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.ones((2, 3)), np.ones(2)), r"M has the shape \(2, 3\): must be square"),
        ((EYE, np.ones(3)), r"q has the shape \(3,\): must be \(2,\)"),
        (([[1.0, np.nan], [0.0, 1.0]], np.ones(2)), r"M\[0, 1\] = nan: must be finite"),
        ((sparse.csc_array([[np.inf]]), [1.0]), r"M\.data\[0\] = inf: must be finite"),
        ((sparse.csc_array([[1j]]), [1.0]), "M holds complex128: must hold real numbers"),
        ((EYE, [1.0, np.inf]), r"q\[1\] = inf: must be finite"),
        ((EYE, np.ones(2), [0.0, np.nan]), r"lower\[1\] = nan: must be finite or -inf"),
        ((EYE, np.ones(2), [0.0, np.inf]), r"lower\[1\] = inf: must be finite or -inf"),
        ((EYE, np.ones(2), 0.0, [1.0, -np.inf]), r"upper\[1\] = -inf: must be finite or inf"),
        ((EYE, np.ones(2), 2.0, [3.0, 1.0]), r"lower\[1\] = 2.0: must be at most upper\[1\] = 1.0"),
        ((EYE, np.ones(2), np.zeros(3)), r"lower has the shape \(3,\): must be one number or"),
        ((EYE, ["a", "b"]), "q = .*: must be a number or an array of numbers"),
        ((1e200 * EYE, np.ones(2)), "M has an entry 1e.200: must be at most"),
    ],
)
def test_refused_data(arguments, message):
    with pytest.raises(rc.InputError, match=message):
        MLCP(*arguments)


def test_refused_arguments():
    problem = LCP(EYE, [-1.0, -1.0])
    with pytest.raises(rc.InputError, match="problem is a ndarray: must be an MLCP"):
        solve(EYE)
    with pytest.raises(rc.InputError, match="did you mean 'lemke'"):
        solve(problem, "lemkes")
    with pytest.raises(rc.InputError, match=r"option of solver 'pivoting'.*tries, proximal"):
        solve(problem, omega=1.0)
    with pytest.raises(rc.InputError, match=r"omega = 2\.5: must be below 2"):
        solve(problem, "sor", omega=2.5)
    with pytest.raises(rc.InputError, match=r"start has the shape \(3,\): must be \(2,\)"):
        solve(problem, start=np.zeros(3))
    with pytest.raises(rc.InputError, match="tolerance = 0"):
        solve(problem, tolerance=0)
    with pytest.raises(rc.InputError, match=r"M\[1, 1\] = 0.0: solver 'sor' needs a positive"):
        solve(LCP(np.diag([1.0, 0.0]), np.ones(2)), "sor")


def test_data_are_copied():
    M, q = np.eye(2), np.ones(2)
    problem = LCP(M, q)
    M[:], q[:] = 7.0, 7.0
    assert problem.w([1.0, 2.0]).tolist() == [2.0, 3.0]
    given_sparse = sparse.coo_array(([1.0, 2.0, 3.0], ([0, 0, 1], [0, 0, 1])))
    assert LCP(given_sparse, [0.0, 0.0]).M.toarray().tolist() == [[3.0, 0.0], [0.0, 3.0]]


def test_sizes_of_pairs():
    """A contact's row in saddle-point form has the size of its Delassus entry; both forms agree."""
    M = np.array([[2.0, 0.0, -3.0], [0.0, 4.0, 1.0], [3.0, -1.0, 0.0]])
    lower = np.array([-np.inf, -np.inf, 0.0])
    for matrix in (M, sparse.csr_array(M)):
        assert MLCP(matrix, np.ones(3), lower).sizes == pytest.approx([2.0, 4.0, 4.5])
    zero = np.array([[0.0, 5.0], [0.0, 0.0]])
    for matrix in (zero, sparse.csr_array(zero)):
        assert LCP(matrix, np.ones(2)).sizes.tolist() == [5.0, 5.0]
    rng = np.random.default_rng(1)
    whole = rng.normal(size=(9, 9)) * (rng.random((9, 9)) < 0.5)
    free = np.where(rng.random(9) < 0.4, -np.inf, 0.0)
    dense, thin = MLCP(whole, np.ones(9), free), MLCP(sparse.coo_array(whole), np.ones(9), free)
    assert np.allclose(dense.sizes, thin.sizes, rtol=1e-14)
    z = rng.normal(size=9)
    assert np.allclose(dense.residuals(z), thin.residuals(z))


def test_numbers_too_large_to_be_a_solution():
    """Singular but for the last bit: the z that solves it is one of rounding alone."""
    problem = LCP([[1.0, -1.0], [-1.0, 1.0 + 1e-15]], [-1.0, -1.0])
    z = np.linalg.solve(problem.M, -problem.q)
    assert problem.w(z).tolist() == [0.0, 0.0]
    assert z.min() > 1e15
    assert problem.residual(z) > 1e-4


kinds = st.sampled_from(("p", "bounded", "mixed", "degenerate"))
seeds = st.integers(0, 10**6)


@given(kinds, st.integers(1, 6), seeds)
def test_residual_is_zero_only_at_a_solution(kind, n, seed):
    rng = np.random.default_rng(seed)
    problem = draw(kind, n, rng)
    z = solve(problem, "lemke").z
    assert problem.residual(z) < 1e-12
    assert is_solution(problem, z)
    i = rng.integers(n)
    moved = z.copy()
    moved[i] += 1e-3 * (1.0 + abs(z[i]))
    if problem.lower[i] == problem.upper[i] or not is_solution(problem, moved, 1e-6):
        assert problem.residual(moved) > 1e-6


@given(kinds, st.integers(1, 6), seeds)
def test_units_and_order_do_not_matter(kind, n, seed):
    """z_i times b_i, w_i over b_i times a constant, in another order: the same residuals and
    solution."""
    rng = np.random.default_rng(seed)
    problem = draw(kind, n, rng)
    b = 10.0 ** rng.uniform(-3, 3, n)
    a = 50.0 / b
    order = rng.permutation(n)
    other = MLCP(
        (a[:, None] * problem.M / b)[np.ix_(order, order)],
        (a * problem.q)[order],
        (b * problem.lower)[order],
        (b * problem.upper)[order],
    )
    z = rng.normal(size=n)
    assert np.allclose(problem.residuals(z)[order], other.residuals((b * z)[order]), rtol=1e-9)
    for solver in ("pivoting", "lemke"):
        one, two = solve(problem, solver), solve(other, solver)
        assert one.solved
        assert two.solved
        assert np.allclose(one.z[order], two.z / b[order], atol=1e-8)


@given(st.sampled_from(("bounded", "mixed")), st.integers(1, 6), seeds, st.booleans())
def test_plain_form(kind, n, seed, thin):
    """A solution of the plain problem is one of the bounded problem."""
    problem = draw(kind, n, np.random.default_rng(seed))
    if thin:
        problem = MLCP(sparse.csc_array(problem.M), problem.q, problem.lower, problem.upper)
    form = problem.to_lcp()
    assert np.all(form.problem.lower == 0.0)
    assert np.all(np.isinf(form.problem.upper))
    x = solve(form.problem, "lemke").z
    assert is_solution(problem, form.back(x))


def test_plain_form_of_a_singular_free_block():
    problem = MLCP(np.ones((3, 3)), np.ones(3), [-np.inf, -np.inf, 0.0])
    with pytest.raises(SingularBasisError, match="singular in rows 0, 1"):
        problem.to_lcp()
    told = solve(problem, "lemke")
    assert told.status is LcpStatus.SINGULAR
    assert "rows 0, 1" in told.message
    assert told.singular


@pytest.mark.parametrize("q", [-1e3, -1e9, -1e11, -1e15])
def test_narrow_bounds_hide_nothing(q):
    """A load far beyond what the bounds can move: z at the wrong end is wholly wrong."""
    problem = MLCP([[1.0]], [q], 0.0, 1.0)
    assert problem.residual([1.0]) == 0.0
    assert problem.residual([0.0]) > min(0.5, 5e8 / abs(q))
    assert problem.residual([0.9]) > min(0.05, 5e7 / abs(q))
    for solver in SOLVERS:
        assert solve(problem, solver).z == pytest.approx([1.0], abs=1e-4)


def test_narrow_bounds_forgive_rounding():
    """w = 0 between narrow bounds, up to the rounding of large numbers that cancel."""
    M = np.array([[1e-3, 1.0], [0.0, 1.0]])
    problem = MLCP(M, [-1e9, -1e9], [-1e-3, 0.0], [1e-3, np.inf])
    assert problem.residual([0.0, 1e9]) == 0.0
    assert problem.residual([5e-4, 1e9]) < 1e-12


def test_large_solutions_are_no_proof_of_none():
    problem = MLCP([[1.0, 1.0], [-1.0, 1e-10]], [0.0, -1.0])
    assert problem.residual([0.0, 1e10]) < 1e-12
    for solver in ("lemke", "pivoting"):
        assert solve(problem, solver).status is not LcpStatus.INFEASIBLE
