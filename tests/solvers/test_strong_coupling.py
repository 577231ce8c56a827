"""Contacts where plain steps run in a circle: methods that shorten theirs in time get through."""

import numpy as np
import pytest
from solver_cases import words

import rollcone as rc

CAUTIOUS = [
    ("gauss-seidel", {}),
    ("gauss-seidel", {"local": "exact"}),
    ("jacobi", {}),
    ("jacobi", {"K": "gauss-seidel"}),
    ("jacobi", {"B": "block"}),
    ("modified-newton", {}),
    ("spectral", {"memory": 1}),
    ("admm", {}),
    ("admm", {"memory": 0}),
]


@pytest.mark.parametrize(("solver", "options"), CAUTIOUS, ids=words)
def test_normal_and_tangent(solver, options):
    """One contact, mu = 5, W_nt near its limit."""
    k = 10.0
    a = 0.6 * np.sqrt(k)
    problem = rc.ContactProblem.from_delassus(
        [[1, a, 0], [a, k, 0], [0, 0, k]], [-1, -3 * np.sqrt(k), 0.3], sliding=[5.0]
    )
    s = rc.solve(problem, solver, tolerance=1e-10, **options)
    assert s.converged
    assert s.velocities[0, 0] > -1e-9
    assert problem.cone.contains(s.reactions).all()
    plain = {"gauss-seidel": {"relaxation": 1.3}, "jacobi": {"omega": 1.2}}.get(solver)
    if plain and options in ({}, {"K": "gauss-seidel"}):  # what is given is not changed
        assert not rc.solve(problem, solver, tolerance=1e-10, **plain, **options).converged


@pytest.mark.parametrize(("solver", "options"), CAUTIOUS, ids=words)
def test_matrix_that_is_mostly_skew(solver, options):
    """W with the eigenvalues 1 + 5i, 1 - 5i; the answer is known since it sticks."""
    W = np.eye(3) + 5 * np.array([[0, 0, 0], [0, 0, 1.0], [0, -1.0, 0]])
    q = np.array([-1.0, 1.0, 0.3])
    problem = rc.ContactProblem.from_delassus(W, q, sliding=[10.0])
    s = rc.solve(problem, solver, tolerance=1e-10, **options)
    assert s.converged
    np.testing.assert_allclose(s.reactions[0], np.linalg.solve(W, -q), atol=1e-8)
