"""One solve per time step: `run_solver`, which a simulation calls with what kernels made."""

import itertools

import numpy as np
import pytest
from solver_cases import ITERATIVE, LAWS, PLAIN

import rollcone as rc
from balls import ball
from rollcone.problem.residual import residuals
from rollcone.solvers.driver import run_solver
from rollcone.solvers.registry import make_options, solver_info


def run(problem, begin=None, tolerance=1e-8, limit=1000, solver="gauss-seidel", **given):
    info = solver_info(solver)
    start = np.zeros(problem.size) if begin is None else begin
    return run_solver(problem, info, make_options(info, {}), start, tolerance, limit, **given)


def shaken(law="exact"):
    return rc.problems.heap(15, 1, state="shake", law=law)


@pytest.mark.parametrize("solver", ITERATIVE)
@pytest.mark.parametrize("law", LAWS)
def test_the_same_as_solve(law, solver):
    problem = shaken(law)
    s, outcome = (
        rc.solve(problem, solver, tolerance=1e-8),
        run(problem, solver=solver, limit=10_000),
    )
    np.testing.assert_array_equal(outcome.p, s.all_reactions())
    np.testing.assert_array_equal(outcome.y, s.velocities.reshape(-1))
    np.testing.assert_array_equal(outcome.history, s.history)
    assert outcome.status is s.status
    assert outcome.iterations == s.iterations
    assert outcome.residual == s.residual
    assert outcome.residual_speed == s.residuals.residual_speed


@pytest.mark.parametrize("solver", ITERATIVE)
def test_speed_tolerance(solver):
    """Whichever of the two tolerances is met first ends it."""
    problem = shaken()
    speed = 1e-3
    for s in (
        rc.solve(problem, solver, tolerance=1e-14, speed_tolerance=speed, **PLAIN.get(solver, {})),
        run(problem, tolerance=1e-14, limit=10_000, speed_tolerance=speed, solver=solver),
    ):
        assert s.status is rc.Status.CONVERGED
        assert s.residual > 1e-14 or solver == "newton"  # its last step takes it to rounding
    assert residuals(problem, s.p).residual_speed <= speed
    tight = rc.solve(problem, solver, tolerance=1e-8, speed_tolerance=1e-300)
    assert tight.residual <= 1e-8


@pytest.mark.parametrize("solver", ITERATIVE)
def test_at_least_some_iterations(solver):
    problem = shaken()
    done = run(problem, solver=solver, limit=10_000)
    same = run(problem, done.p, tolerance=1e-6, solver=solver)
    assert same.iterations == 0
    more = run(problem, done.p, tolerance=1e-6, solver=solver, least_iterations=5)
    assert more.iterations >= 5
    assert more.residual <= done.residual
    loose = run(problem, done.p, tolerance=1e-14, speed_tolerance=1.0, least_iterations=2)
    assert 2 <= loose.iterations < 5
    short = run(problem, done.p, tolerance=1e-6, limit=3, solver=solver, least_iterations=5)
    assert short.status is rc.Status.MAX_ITERATIONS


@pytest.mark.parametrize("law", LAWS)
def test_errors_fall_step_after_step(law):
    """The same step again and again, each from the last answer: down to rounding, though every
    one of them already meets the tolerance."""
    problem = ball((3.0, 0.5, -1.0), (0.1, 0.2, 2.0), law, sliding=0.3, rolling=0.01, spinning=0.02)
    outcome = run(problem, tolerance=1e-4)
    residual = [outcome.residual]
    for _ in range(60):
        outcome = run(problem, outcome.p, tolerance=1e-4, least_iterations=1)
        residual.append(outcome.residual)
    assert residual[0] > 1e-8
    assert all(new <= max(old, 1e-14) for old, new in itertools.pairwise(residual))
    assert residual[-1] < 2e-15


@pytest.mark.parametrize("law", LAWS)
def test_one_contact_to_rounding(law):
    for spin in ((0, 0, 0), (0.1, 6.0, 2.0)):
        problem = ball((3.0, 0, -1.0), spin, law, sliding=0.3, rolling=0.01, spinning=0.02)
        outcome = run(problem, tolerance=1e-15)
        assert outcome.status is rc.Status.CONVERGED


@pytest.mark.parametrize("solver", ITERATIVE)
def test_nothing_to_do(solver):
    """Contacts that open need no reactions, whatever the start and the least iterations."""
    problem = ball((1.0, 0, 0.5), (0, 0, 0))
    outcome = run(problem, np.ones(6), solver=solver, least_iterations=3)
    assert outcome.status is rc.Status.CONVERGED
    assert outcome.iterations == 0
    assert outcome.residual == outcome.residual_speed == 0.0
    assert not outcome.p.any()
    np.testing.assert_array_equal(outcome.y, problem.q)


def test_start_is_left_alone():
    problem, start = shaken(), np.ones(shaken().size)
    run(problem, start, limit=5)
    np.testing.assert_array_equal(start, np.ones(problem.size))
