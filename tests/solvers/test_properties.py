"""What holds for every answer that Gauss-Seidel calls converged, whatever the problem."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import rollcone as rc
import twins


@settings(max_examples=60)
@given(
    contacts=st.integers(1, 12),
    rows=st.sampled_from([2, 3, 5, 6]),
    law=st.sampled_from(["exact", "associated"]),
    seed=st.integers(0, 10**6),
    order=st.sampled_from(["fixed", "symmetric", "shuffled"]),
)
def test_converged_answers_obey_the_law(contacts, rows, law, seed, order):
    """Certified by the slow twin on dense W; reactions in K; no penetration; same in both forms."""
    problem = rc.problems.random_problem(contacts, rows=rows, seed=seed, law=law).problem
    s = rc.solve(problem, tolerance=1e-7, max_iterations=3_000, order=order)
    assert s.status in (rc.Status.CONVERGED, rc.Status.MAX_ITERATIONS)
    assert s.converged == (s.residual <= 1e-7)
    assert problem.cone.contains(s.reactions, tolerance=1e-11).all()
    other = rc.solve(problem.to_delassus(), tolerance=1e-7, max_iterations=3_000, order=order)
    assert abs(other.iterations - s.iterations) <= 0.1 * s.iterations + 3
    if not s.converged or not s.reactions.any():
        return
    W = problem.to_delassus().form.W.toarray()
    p = s.reactions.reshape(-1)
    coefficients = problem.cone.radii[:, [0, 2, 4]]
    proof = twins.measures(W, problem.q, p, coefficients, law)
    assert proof["residual"] <= 1.001e-7
    assert proof["dual_violation"] <= 1e-5 * np.abs(problem.q).max()


@settings(max_examples=30)
@given(
    seed=st.integers(0, 10**6),
    factor=st.floats(1e-3, 1e3),
    law=st.sampled_from(["exact", "associated"]),
)
def test_answers_scale_with_the_drive(seed, factor, law):
    """Twice as fast, twice the reactions: the problem is positively homogeneous in q."""
    problem = rc.problems.random_problem(5, rows=6, seed=seed, law=law).problem.to_delassus()
    radii = problem.cone.radii
    other = rc.ContactProblem.from_delassus(
        problem.form.W,
        factor * problem.q,
        sliding=radii[:, 0],
        rolling=radii[:, 2],
        spinning=radii[:, 4],
        law=law,
    )
    first, second = (rc.solve(p, tolerance=1e-6, max_iterations=1_000) for p in (problem, other))
    size = np.abs(first.reactions).max() + 1e-300
    np.testing.assert_allclose(second.reactions / factor, first.reactions, atol=1e-9 * size)
