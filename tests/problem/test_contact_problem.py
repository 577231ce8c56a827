"""The problem's two forms agree; wrong input is refused with the field, value and remedy."""

import numpy as np
import pytest
import scipy.sparse as sp

import rollcone as rc


def bodies(seed=0, rows=6, contacts=5, size=6, count=3, extra=2):
    """Plain arrays of a random body-form problem: M blocks, H, v_free, b."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(count, size, size))
    M = root @ root.transpose(0, 2, 1) + np.eye(size)
    total = contacts * rows + extra
    H = np.zeros((total, count, size))
    for i in range(contacts):
        for j in rng.choice(count, 2, replace=False):
            H[i * rows : (i + 1) * rows, j] = rng.normal(size=(rows, size))
    for k in range(extra):
        H[contacts * rows + k, k % count] = rng.normal(size=size)
    v, b = rng.normal(size=count * size), rng.normal(size=total)
    return M, H.reshape(total, -1), v, b


ARGUMENTS = {
    "sliding": np.full(5, 0.4),
    "rolling": 0.1,
    "spinning": 0.05,
    "bounds": [(-np.inf, np.inf), (-1.0, 2.0)],
}


def dense(M):
    return sp.block_diag(list(M)).toarray()


@pytest.mark.parametrize("shape", ["blocks", "dense", "sparse"])
def test_body_form_is_the_delassus_form(shape):
    M, H, v, b = bodies()
    given = {"blocks": M, "dense": dense(M), "sparse": sp.csr_matrix(dense(M))}[shape]
    problem = rc.ContactProblem.from_bodies(given, H, v, b, **ARGUMENTS)
    W = H @ np.linalg.solve(dense(M), H.T)
    q = H @ v + b
    p = np.random.default_rng(1).normal(size=len(q))
    np.testing.assert_allclose(problem.q, q, rtol=0, atol=1e-13)
    np.testing.assert_allclose(problem.velocities(p), W @ p + q, rtol=1e-12, atol=1e-12)
    other = problem.to_delassus()
    np.testing.assert_allclose(other.form.W.toarray(), W, rtol=1e-12, atol=1e-12)
    for each in (problem, other):
        for i in range(5):
            rows = slice(6 * i, 6 * i + 6)
            np.testing.assert_allclose(each.diagonal_blocks[i], W[rows, rows], atol=1e-12)
    np.testing.assert_allclose(problem.scaling.lambdas, other.scaling.lambdas, rtol=1e-12)
    np.testing.assert_allclose(problem.scaling.row_lambdas, np.diag(W)[30:], rtol=1e-12)


def test_mass_that_couples_bodies():
    """A sparse M that is not made of blocks: factored once, W formed through it."""
    M, H, v, b = bodies()
    full = dense(M)
    full[0, 10] = full[10, 0] = 0.3
    problem = rc.ContactProblem.from_bodies(sp.csr_matrix(full), H, v, b, **ARGUMENTS)
    W = H @ np.linalg.solve(full, H.T)
    np.testing.assert_allclose(problem.to_delassus().form.W.toarray(), W, atol=1e-11)
    p = np.random.default_rng(1).normal(size=len(b))
    np.testing.assert_allclose(problem.velocities(p), W @ p + H @ v + b, atol=1e-11)
    first, second = (
        rc.solve(problem, tolerance=1e-11),
        rc.solve(rc.ContactProblem.from_delassus(W, H @ v + b, **ARGUMENTS), tolerance=1e-11),
    )
    assert first.converged
    np.testing.assert_allclose(first.velocities, second.velocities, atol=1e-8)


def test_contact_of_three_bodies():
    """Rows that join more than two blocks of M still solve, through W."""
    M, H, v, b = bodies(extra=0)
    H[:6] = np.random.default_rng(3).normal(size=(6, H.shape[1]))
    plain = {k: v for k, v in ARGUMENTS.items() if k != "bounds"}
    problem = rc.ContactProblem.from_bodies(M, H, v, b, **plain)
    solution = rc.solve(problem, tolerance=1e-10, max_iterations=50_000)
    assert solution.converged
    np.testing.assert_allclose(
        H @ solution.body_velocities + b, solution.velocities.reshape(-1), atol=1e-10
    )


def test_asymmetry_is_recorded_and_kept():
    W = np.eye(3) + 0.002 * np.triu(np.ones((3, 3)), 1)
    problem = rc.ContactProblem.from_delassus(W, [-1.0, 0.2, 0.1], sliding=[0.3])
    assert problem.asymmetry == pytest.approx(0.002)
    np.testing.assert_array_equal(problem.form.W.toarray(), W)


def test_rows_are_never_guessed_from_values():
    """Twelve rows are six, four or two contacts: one must say which, or how many contacts."""
    for rows in (2, 3, 6):
        problem = rc.ContactProblem.from_delassus(np.eye(12), np.zeros(12), sliding=0.3, rows=rows)
        assert (problem.contacts, problem.rows) == (12 // rows, rows)
        told = rc.ContactProblem.from_delassus(
            np.eye(12), np.zeros(12), sliding=np.full(12 // rows, 0.3), rolling=0.0
        )
        assert told.rows == rows
    for rolling in (0.0, 0.1):
        with pytest.raises(rc.InputError, match="rows is missing"):
            rc.ContactProblem.from_delassus(np.eye(12), np.zeros(12), sliding=0.3, rolling=rolling)


GOOD = {"W": np.eye(6), "q": np.zeros(6), "sliding": [0.3, 0.3]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"q": [0, 0, np.nan, 0, 0, 0]}, ["q[2]", "nan", "finite"]),
        ({"W": np.full((6, 6), np.inf)}, ["W", "finite"]),
        ({"W": np.ones((6, 5))}, ["W", "square"]),
        ({"W": 1e-200 * np.eye(6)}, ["W[0, 0] = 1e-200", "1e-150"]),
        ({"W": np.ones(6)}, ["W", "matrix"]),
        ({"q": np.zeros(5)}, ["q", "(5,)", "(6,)"]),
        ({"W": -np.eye(6)}, ["contact 0", "positive semidefinite"]),
        ({"sliding": [0.3, -0.1]}, ["sliding", "-0.1", "0"]),
        ({"sliding": [0.3, 0.3, 0.3, 0.3]}, ["6 contact rows", "4"]),
        ({"sliding": "rough"}, ["sliding", "rough", "number"]),
        ({"law": "exat"}, ["law", "exat", "exact"]),
        ({"rows": 4}, ["rows", "4", "2, 3, 5, 6"]),
        ({"rows": 6.0}, ["rows", "6.0"]),
        ({"rows": 2}, ["6 contact rows", "3 contacts", "2 friction"]),
        ({"bounds": np.ones((7, 2))}, ["more bounds than rows"]),
        ({"sliding": "0.3"}, ["sliding", "0.3", "number"]),
        ({"W": sp.csr_matrix(np.diag([1, 1, np.nan, 1, 1, 1]))}, ["W[2, 2]", "nan"]),
        ({"W": sp.csr_matrix(1j * np.eye(6))}, ["W", "complex"]),
        ({"rolling": 0.1}, ["rolling", "5 rows"]),
        ({"bounds": [(1.0, -1.0)]}, ["bounds[0]", "lower <= upper"]),
        ({"bounds": [1.0, 2.0]}, ["bounds", "(m, 2)"]),
        ({"compliance": -1.0}, ["compliance", ">= 0"]),
        ({"compliance": np.ones(4)}, ["compliance", "6"]),
    ],
)
def test_wrong_delassus_input(change, words):
    with pytest.raises(rc.InputError) as caught:
        rc.ContactProblem.from_delassus(**{**GOOD, **change})
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("M", "words"),
    [
        (np.array([1.0, 1.0, 0.0]), ["M[2, 2]", "> 0"]),
        (np.array([1.0, 1.0, -2.0]), ["M[2, 2]", "-2.0"]),
        (np.array([[[1.0, 2.0, 0], [2.0, 1.0, 0], [0, 0, 1]]]), ["body 0", "positive definite"]),
        (np.array([[[1.0, 0, 0], [0, 1.0, 0], [0, 0, -1]]]), ["body 0", "-1.0", "> 0"]),
        (np.array([[1.0, 2.0, 0], [0.0, 1.0, 0], [0, 0, 1]]), ["M", "symmetric"]),
        (np.ones((2, 3)), ["M", "(2, 3)"]),
        (np.ones(4), ["H", "4 columns"]),
    ],
)
def test_wrong_mass(M, words):
    with pytest.raises(rc.InputError) as caught:
        rc.ContactProblem.from_bodies(M, np.eye(3), np.zeros(3), sliding=0.3, rows=3)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("rows", [2, 3, 5, 6])
def test_empty(rows):
    problem = rc.ContactProblem.from_delassus(np.zeros((0, 0)), [], rows=rows)
    solution = rc.solve(problem)
    assert solution.converged
    assert solution.reactions.shape == (0, rows)
    free = rc.ContactProblem.from_bodies(np.ones(6), np.zeros((0, 6)), np.arange(6.0), rows=rows)
    np.testing.assert_array_equal(rc.solve(free).body_velocities, np.arange(6.0))


def test_symmetry_is_judged_body_by_body():
    """A light body's block that is not symmetric is not hidden by a heavy body."""
    heavy, light = 1e6 * np.eye(3), 1e-9 * np.array([[1, 0.9, 0], [0, 1, 0], [0, 0, 1]])
    for M in (np.stack([heavy, light]), sp.block_diag([heavy, light])):
        with pytest.raises(rc.InputError, match="symmetric"):
            rc.ContactProblem.from_bodies(M, np.eye(6), np.zeros(6), rows=3)


def test_negative_extra_row():
    with pytest.raises(rc.InputError, match="extra row 0 = -1"):
        rc.ContactProblem.from_delassus([[-1.0]], [1.0], bounds=[(-np.inf, np.inf)])


def test_law_can_be_changed():
    problem = rc.ContactProblem.from_delassus(**GOOD)
    assert problem.with_law("associated").law == "associated"
    assert problem.law == "exact"
    with pytest.raises(rc.InputError, match="assoc"):
        problem.with_law("assoc")
