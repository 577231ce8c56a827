"""A problem known by its pairs is the one of its bodies, in whatever root of M^-1."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.problem.bodies import BodyForm
from rollcone.problem.residual import residuals

ROWS = (2, 3, 5, 6)


def roots_and_problem(rows=6, law="exact", contacts=7, bodies=4, seed=0):
    """The arguments of `from_pairs`, and the same problem built from M and H."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(bodies, 6, 6)) + 2.0 * np.eye(6)  # any root, far from triangular
    M = np.linalg.inv(A.transpose(0, 2, 1) @ A)
    M = 0.5 * (M + M.transpose(0, 2, 1))
    numbers = np.array([rng.choice(bodies + 1, 2, replace=False) for _ in range(contacts)])
    H = np.zeros((contacts, rows, bodies + 1, 6))
    for i, side in np.ndindex(contacts, 2):
        H[i, :, numbers[i, side]] = rng.normal(size=(rows, 6))
    H[:, :, bodies] = 0.0  # the ground
    blocks = np.zeros((contacts, 2, 6, rows))
    for i, side in np.ndindex(contacts, 2):
        if numbers[i, side] < bodies:
            blocks[i, side] = A[numbers[i, side]] @ H[i, :, numbers[i, side]].T
    v, b = rng.normal(size=(bodies, 6)), rng.normal(size=(contacts, rows))
    z = np.array([np.linalg.solve(root.T, free) for root, free in zip(A, v, strict=True)])
    mu, rho, sigma = rng.uniform(0.1, 0.8, (3, contacts)) * np.array([[1], [rows > 3], [rows > 5]])
    radii = np.stack([mu, mu, rho, rho, sigma], axis=1)
    plain = rc.ContactProblem.from_bodies(
        M,
        H[:, :, :bodies].reshape(contacts * rows, -1),
        v.reshape(-1),
        b.reshape(-1),
        sliding=mu,
        rolling=rho,
        spinning=sigma,
        law=law,
        rows=rows,
    )
    return (blocks, numbers, A, z, b, radii, law), plain


@pytest.mark.parametrize("rows", ROWS)
def test_the_same_problem(rows):
    given, plain = roots_and_problem(rows)
    pairs = rc.ContactProblem.from_pairs(*given)
    assert repr(pairs) == repr(plain)
    p = np.random.default_rng(1).normal(size=pairs.size)
    np.testing.assert_allclose(pairs.q, plain.q, atol=1e-11)
    np.testing.assert_allclose(pairs.velocities(p), plain.velocities(p), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(
        pairs.form.body_velocities(p), plain.form.body_velocities(p), rtol=1e-10, atol=1e-10
    )
    np.testing.assert_allclose(pairs.diagonal_blocks, plain.diagonal_blocks, atol=1e-9)
    np.testing.assert_allclose(pairs.scaling.units, plain.scaling.units, rtol=1e-11)
    np.testing.assert_allclose(pairs.scaling.lambdas, plain.scaling.lambdas, rtol=1e-11)
    first, second = residuals(pairs, p), residuals(plain, p)
    for name in vars(first):
        assert getattr(first, name) == pytest.approx(getattr(second, name), rel=1e-9), name


@pytest.mark.parametrize("rows", ROWS)
def test_what_is_made_when_asked_for(rows):
    """M, H and v_free, and all that takes them: W, files, pointedness."""
    given, plain = roots_and_problem(rows)
    pairs = rc.ContactProblem.from_pairs(*given)
    np.testing.assert_allclose(pairs.form.mass.blocks, plain.form.mass.blocks, atol=1e-12)
    np.testing.assert_allclose(pairs.form.H.toarray(), plain.form.H.toarray(), atol=1e-12)
    assert pairs.form.H.has_canonical_format
    np.testing.assert_allclose(pairs.form.v_free, plain.form.v_free, atol=1e-12)
    W = [problem.to_delassus().form.W.toarray() for problem in (pairs, plain)]
    np.testing.assert_allclose(W[0], W[1], rtol=1e-10, atol=1e-9)
    assert pairs.is_pointed().verdict == plain.is_pointed().verdict


def test_saved_and_loaded(tmp_path):
    given, _ = roots_and_problem()
    pairs = rc.ContactProblem.from_pairs(*given)
    rc.save_problem(pairs, tmp_path / "pairs.h5")
    again = rc.load_problem(tmp_path / "pairs.h5")
    p = np.random.default_rng(2).normal(size=pairs.size)
    np.testing.assert_allclose(again.velocities(p), pairs.velocities(p), rtol=1e-10, atol=1e-10)
    np.testing.assert_array_equal(again.cone.radii, pairs.cone.radii)
    np.testing.assert_array_equal(again.cone.kinds, pairs.cone.kinds)


@pytest.mark.parametrize("solver", rc.solvers.SOLVERS)
@pytest.mark.parametrize("law", ["exact", "associated"])
def test_solvers_take_it(law, solver):
    given, plain = roots_and_problem(law=law, contacts=3, seed=4)
    pairs = rc.ContactProblem.from_pairs(*given)
    first = rc.solve(pairs, solver, tolerance=1e-9)
    second = rc.solve(plain, solver, tolerance=1e-9)
    assert first.converged
    assert abs(first.iterations - second.iterations) <= 3
    np.testing.assert_allclose(first.velocities, second.velocities, atol=1e-6)
    np.testing.assert_allclose(first.body_velocities, second.body_velocities, atol=1e-6)


def test_nothing_is_copied():
    given, _ = roots_and_problem()
    pairs = rc.ContactProblem.from_pairs(*given)
    held = pairs.form.pairs(0, pairs.contacts, pairs.rows)
    assert held.blocks is given[0]
    assert held.bodies is given[1]
    assert pairs.form.mass.inverse_factor is given[2]
    assert np.shares_memory(pairs.form.b, given[4])
    assert pairs.cone.radii is given[5]


def test_ordinary_form_from_its_parts():
    """M, H and v_free as they are made give back an ordinary body form."""
    given, _ = roots_and_problem()
    form = rc.ContactProblem.from_pairs(*given).form
    plain = BodyForm(form.mass, form.H, form.v_free, form.b)
    np.testing.assert_allclose(plain.z_free, form.z_free, atol=1e-11)
    np.testing.assert_allclose(plain.diagonal_blocks(7, 6), form.diagonal_blocks(7, 6), atol=1e-9)


@pytest.mark.parametrize("bodies", [0, 3])
def test_no_contacts(bodies):
    A = np.tile(np.eye(6), (bodies, 1, 1))
    z = np.ones((bodies, 6))
    blocks, numbers = np.zeros((0, 2, 6, 6)), np.zeros((0, 2), dtype=np.int64)
    none = rc.ContactProblem.from_pairs(
        blocks, numbers, A, z, b=np.zeros((0, 6)), radii=np.zeros((0, 5))
    )
    assert none.form.H.shape == (0, 6 * bodies)
    for solver in rc.solvers.SOLVERS:
        s = rc.solve(none, solver)
        assert s.converged
        assert s.iterations == 0
        np.testing.assert_array_equal(s.body_velocities, np.ones(6 * bodies))
