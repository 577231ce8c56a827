"""Gauss-Seidel of a time step in one compiled call: bit for bit what the driver makes of it."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solver_cases import LAWS, crowded, duplicated

import rollcone as rc
from balls import MASS, ball
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.residual import error_norm
from rollcone.solvers import _pair_kernels
from rollcone.solvers._pair_work import pair_work
from rollcone.solvers.driver import Outcome, run_solver
from rollcone.solvers.registry import make_options, solver_info
from rollcone.solvers.solution import Status

INFO = solver_info("gauss-seidel")
OPTIONS = make_options(INFO, {})
ROWS = (3, 6)
STATUSES = {
    _pair_kernels.CONVERGED: Status.CONVERGED,
    _pair_kernels.MAX_ITERATIONS: Status.MAX_ITERATIONS,
    _pair_kernels.DIVERGED: Status.DIVERGED,
}


def paired(problem, b=None):
    """The same problem as a time step has it."""
    form, rows = problem.form, problem.rows
    pairs = form.pairs(0, problem.contacts, rows)
    return ContactProblem.from_pairs(
        pairs.blocks,
        pairs.bodies,
        form.mass.inverse_factor,
        form.z_free[:-1].copy(),
        form.b.reshape(-1, rows).copy() if b is None else b,
        problem.cone.radii,
        problem.law,
    )


def compiled(problem, begin, tolerance, limit, least, speed_tolerance, speeds, work=None):
    """What the compiled call makes of a problem from `paired`."""
    form, c, rows = problem.form, problem.contacts, problem.rows
    if work is None:
        work = pair_work(c, len(form.z_free) - 1, rows)
    p, pairs = begin.reshape(c, rows).copy(), form.pairs(0, c, rows)
    status, iterations, residual, speed = _pair_kernels.solve_pairs(
        (0,) * rows, problem.law == "exact", pairs.blocks, pairs.bodies, form.z_free[:-1],
        form.b.reshape(c, rows), problem.cone.radii, speeds, tolerance, speed_tolerance, least,
        limit, p, work,
    )  # fmt: skip
    p = p.reshape(-1)
    return Outcome(p, form.velocities(p), STATUSES[status], iterations, residual, speed)


def both(problem, begin, tolerance=1e-8, limit=300, least=1, speed_tolerance=0.0, speeds=None):
    """The driver's outcome, after the compiled call was seen to end with the same bits."""
    if speeds is None:
        speeds = np.linspace(0.01, 0.1, problem.contacts)
    limits = {"speed_tolerance": speed_tolerance, "least_iterations": least, "speeds": speeds}
    expected = run_solver(problem, INFO, OPTIONS, begin, tolerance, limit, **limits)
    same(compiled(problem, begin, tolerance, limit, least, speed_tolerance, speeds), expected)
    return expected


def same(found, expected):
    assert found.status is expected.status
    assert found.iterations == expected.iterations
    np.testing.assert_array_equal(found.residual, expected.residual)
    np.testing.assert_array_equal(found.residual_speed, expected.residual_speed)
    np.testing.assert_array_equal(found.p, expected.p)
    np.testing.assert_array_equal(found.y, expected.y)


def turning(rows, *values):
    return dict(zip(("rolling", "spinning"), values if rows > 3 else (0.0, 0.0), strict=True))


MAKERS = {
    "heap": lambda law, rows: rc.problems.heap(15, 1, rows=rows, law=law),
    "shaken heap": lambda law, rows: rc.problems.heap(15, 2, state="shake", rows=rows, law=law),
    "smooth heap": lambda law, rows: rc.problems.heap(
        15, 3, state="shake", rows=rows, law=law, sliding=0.0, rolling=0.0, spinning=0.0
    ),
    "rough heap": lambda law, rows: rc.problems.heap(
        15, 4, state="shake", rows=rows, law=law, sliding=1e6
    ),
    "strong heap": lambda law, rows: rc.problems.heap(
        15, 5, state="shake", rows=rows, law=law, sliding=5.0, rolling=2.0, spinning=2.0
    ),
    "stack": lambda law, rows: rc.problems.stack(
        4, push=0.2, rows=rows, law=law, **turning(rows, 0.1, 0.05)
    ),
    "unequal stack": lambda law, rows: rc.problems.stack(
        5, mass_ratio=1e4, push=1.0, rows=rows, law=law
    ),
    "random": lambda law, rows: rc.problems.random_problem(6, rows=rows, seed=3, law=law).problem,
    "duplicated": duplicated,
    "crowded": crowded,
    "ball": lambda law, rows: ball(
        (3, 0.5, -1), (0.1, 0.2, 2.0), law, rows, 0.3, **turning(rows, 0.01, 0.02)
    ),
}


@cache
def problem_of(name, law, rows):
    return paired(MAKERS[name](law, rows))


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", MAKERS)
def test_the_same_bits_as_the_driver(name, law, rows):
    problem = problem_of(name, law, rows)
    cold = both(problem, np.zeros(problem.size))
    assert cold.iterations > 0
    warm = both(problem, cold.p, tolerance=1e-3, least=1)
    assert warm.iterations <= cold.iterations
    both(problem, cold.p, tolerance=1e-3, least=0)
    rng = np.random.default_rng(1)
    for limit in (0, 1, 4, 50):
        both(problem, rng.normal(size=problem.size), 1e-13, limit, least=3)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", ["random", "strong heap", "unequal stack", "ball"])
def test_down_to_rounding_and_beyond(name, law, rows):
    """No end in sight: the relaxation is lowered, z made anew, the best answer kept."""
    problem = problem_of(name, law, rows)
    outcome = both(problem, np.zeros(problem.size), 0.0, 1300)
    assert outcome.status is rc.Status.CONVERGED or outcome.iterations == 1300


@pytest.mark.parametrize("law", LAWS)
def test_the_speed_tolerance(law):
    problem = problem_of("shaken heap", law, 6)
    outcome = both(problem, np.zeros(problem.size), 1e-14, speed_tolerance=1e-3)
    assert outcome.status is rc.Status.CONVERGED
    assert outcome.residual > 1e-14
    assert outcome.residual_speed <= 1e-3


def test_an_answer_that_will_do_is_kept_though_its_norm_is_larger():
    """Only the first contact of a tower counts: it gets better while the norm of all grows."""
    problem = problem_of("unequal stack", "exact", 3)
    speeds = np.full(problem.contacts, 1e9)
    speeds[0] = 1.0
    begin = np.zeros(problem.size)
    outcome = both(problem, begin, 0.04, speeds=speeds)
    assert outcome.status is rc.Status.CONVERGED
    assert outcome.residual <= 0.04
    assert error_norm(problem, outcome.p, outcome.y)[0] > error_norm(problem, begin, problem.q)[0]


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("law", LAWS)
def test_a_ball_that_slides(law, rows):
    """Known by hand: the normal impulse stops the fall, friction is mu times that (exact law)."""
    problem = paired(ball((3.0, 0, -1.0), (0, 0, 0), law, rows, 0.3))
    outcome = both(problem, np.zeros(rows), 1e-12)
    assert outcome.status is rc.Status.CONVERGED
    if law == "exact":
        np.testing.assert_allclose(outcome.p[:3], [MASS, -0.3 * MASS, 0.0], atol=1e-11)


@pytest.mark.parametrize("rows", ROWS)
def test_nothing_to_do(rows):
    """Contacts that open, and no contacts at all."""
    problem = paired(ball((1.0, 0, 0.5), (0, 0, 0), rows=rows))
    outcome = both(problem, np.ones(rows), least=3)
    assert outcome.iterations == 0
    assert not outcome.p.any()
    none = ContactProblem.from_pairs(
        np.zeros((0, 2, 6, rows)), np.zeros((0, 2), dtype=np.int64), np.eye(6)[None],
        np.zeros((1, 6)), np.zeros((0, rows)), np.zeros((0, 5)),
    )  # fmt: skip
    assert both(none, np.zeros(0)).status is rc.Status.CONVERGED


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("size", [1e300, 1.7e308, np.inf, np.nan])
def test_numbers_that_are_too_large(size, law, rows):
    source = MAKERS["shaken heap"](law, rows)
    b = np.zeros((source.contacts, rows))
    b[2] = -size
    outcome = both(paired(source, b), np.zeros(source.size))
    assert (outcome.status is rc.Status.CONVERGED) == (size == 1e300)
    assert (outcome.status is rc.Status.DIVERGED) == (size != 1e300)


@pytest.mark.parametrize("rows", ROWS)
def test_a_start_that_is_not_finite(rows):
    problem = problem_of("heap", "exact", rows)
    begin = np.zeros(problem.size)
    begin[rows] = np.inf
    assert both(problem, begin).status is rc.Status.DIVERGED


@given(
    st.integers(0, 10**6),
    st.integers(1, 8),
    st.sampled_from(ROWS),
    st.sampled_from(LAWS),
    st.sampled_from([1e-14, 1e-10, 1e-4]),
    st.integers(0, 60),
)
@settings(max_examples=60)
def test_random_problems(seed, contacts, rows, law, tolerance, limit):
    problem = paired(rc.problems.random_problem(contacts, rows=rows, seed=seed, law=law).problem)
    rng = np.random.default_rng(seed)
    both(problem, rng.normal(size=problem.size), tolerance, limit, least=seed % 4)


@pytest.mark.parametrize("rows", ROWS)
def test_what_arrays_held_before_does_not_matter(rows):
    """More room than needed, and full of NaN."""
    rng = np.random.default_rng(5)
    for name in ("heap", "ball", "unequal stack", "crowded", "shaken heap"):
        problem = problem_of(name, "exact", rows)
        begin, speeds = rng.normal(size=problem.size), np.ones(problem.contacts)
        limits = {"speed_tolerance": 0.0, "least_iterations": 1, "speeds": speeds}
        expected = run_solver(problem, INFO, OPTIONS, begin, 1e-8, 200, **limits)
        work = pair_work(problem.contacts + 3, len(problem.form.z_free) + 2, rows)
        for name, array in work._asdict().items():
            if name not in ("order", "state") and array.dtype == np.float64:
                array[:] = np.nan
        same(compiled(problem, begin, 1e-8, 200, 1, 0.0, speeds, work), expected)
