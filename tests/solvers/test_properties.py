"""What holds for every answer that an iterative solver calls converged, whatever the problem."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from solver_cases import LAWS, ROWS, VARIANTS, dense

import rollcone as rc
import twins

variants = st.sampled_from(VARIANTS)


@settings(max_examples=120)
@given(
    contacts=st.integers(1, 12),
    rows=st.sampled_from(ROWS),
    law=st.sampled_from(LAWS),
    seed=st.integers(0, 10**6),
    variant=variants,
)
def test_converged_answers_obey_the_law(contacts, rows, law, seed, variant):
    """Certified by the slow twin on dense W; reactions in K; no penetration; same in both forms."""
    solver, options = variant
    problem = rc.problems.random_problem(contacts, rows=rows, seed=seed, law=law).problem
    s = rc.solve(problem, solver, tolerance=1e-7, max_iterations=1_000, **options)
    assert s.status in (rc.Status.CONVERGED, rc.Status.MAX_ITERATIONS)
    assert s.converged == (s.residual <= 1e-7)
    assert problem.cone.contains(s.reactions, tolerance=1e-11).all()
    if solver in ("gauss-seidel", "jacobi"):  # the others' steps answer to rounding
        other = rc.solve(
            problem.to_delassus(), solver, tolerance=1e-7, max_iterations=1_000, **options
        )
        assert abs(other.iterations - s.iterations) <= 0.1 * s.iterations + 3
    if not s.converged or not s.reactions.any():
        return
    W, q = dense(problem)
    p = s.reactions.reshape(-1)
    proof = twins.measures(W, q, p, problem.cone.radii[:, [0, 2, 4]], law)
    assert proof["residual"] <= 1.001e-7
    assert proof["dual_violation"] <= 1e-5 * np.abs(q).max()


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    power=st.integers(-40, 40),
    law=st.sampled_from(LAWS),
    variant=variants,
)
def test_answers_scale_with_the_drive(seed, power, law, variant):
    """Twice as fast, twice the reactions, to the last bit: all is homogeneous in q."""
    solver, options = variant
    problem = rc.problems.random_problem(5, rows=6, seed=seed, law=law).problem.to_delassus()
    radii = problem.cone.radii
    other = rc.ContactProblem.from_delassus(
        problem.form.W,
        2.0**power * problem.q,
        sliding=radii[:, 0],
        rolling=radii[:, 2],
        spinning=radii[:, 4],
        law=law,
    )
    first, second = (
        rc.solve(p, solver, tolerance=1e-6, max_iterations=300, **options) for p in (problem, other)
    )
    np.testing.assert_array_equal(second.reactions / 2.0**power, first.reactions)
    np.testing.assert_array_equal(second.history, first.history)
