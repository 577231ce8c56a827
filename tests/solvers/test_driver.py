"""What the driver promises for every iterative solver: limits, starts, history, how it ends."""

import numpy as np
import pytest
from solver_cases import FORMS, ITERATIVE, LAWS, PLAIN, VARIANTS, in_form, started, words

import rollcone as rc
from balls import ball
from rollcone.problem.residual import drive, residuals, rounding_residual
from rollcone.solvers.driver import _at_rounding

EQUATIONS = ("newton", "admm", "interior-point", "hybrid", "auto")  # these solve linear ones


def shaken(spheres=15, law="exact"):
    return rc.problems.heap(spheres, 1, state="shake", law=law)


@pytest.mark.parametrize(("solver", "options"), VARIANTS, ids=words)
def test_as_many_iterations_as_allowed(solver, options):
    for limit in (0, 1, 7, 50):
        s = rc.solve(shaken(), solver, tolerance=0.0, max_iterations=limit, **options)
        assert s.status is rc.Status.MAX_ITERATIONS
        assert "not converged" in s.message
        assert s.iterations == limit
        assert s.history[-1, 0] == limit


@pytest.mark.parametrize(("solver", "options"), VARIANTS, ids=words)
def test_methods_return_when_they_seem_done(solver, options):
    """A check costs an iteration: none is asked for before the method's own error is small."""
    problem = shaken()
    for tolerance, done in ((1e-30, 10), (1e6, 1)):
        method = started(problem, solver, np.zeros(problem.size), options)
        assert method.advance(10, tolerance) == done
    done = rc.solve(problem, solver, tolerance=1e-8, **options)
    again = started(problem, solver, done.all_reactions(), options)
    assert again.advance(100, 1e-6) <= 2


@pytest.mark.parametrize("solver", ITERATIVE)
@pytest.mark.parametrize("law", LAWS)
def test_history_tells_how_it_went(law, solver):
    """Iterations and residuals from the start on; the best answer seen is the one returned."""
    problem, plain = shaken(law=law), PLAIN.get(solver, {})
    cut = rc.solve(problem, solver, tolerance=1e-14, max_iterations=40, **plain)
    assert cut.history[0].tolist() == [0, 1]
    assert (np.diff(cut.history[:, 0]) > 0).all()
    assert cut.residual == cut.history[:, 1].min()
    done = rc.solve(problem, solver, tolerance=1e-6, **plain)
    assert done.converged
    assert done.history[-1].tolist() == [done.iterations, done.residual]
    assert done.residual <= 1e-6
    assert (done.history[:-1, 1] > 1e-6).all()
    # The first iterations of both runs are the same ones, checked at the same points.
    shared = [row for row in done.history.tolist() if row in cut.history.tolist()]
    assert len(shared) >= (3 if solver in ("newton", "interior-point") else 5)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_no_better_than_rounding(form):
    """Light boxes under heavy ones, mass ratio 1e6: neighbours of the reactions found, each number
    up or down by the last digit, are about as good or bad, and none meets the tolerance."""
    problem = in_form(rc.problems.stack(10, mass_ratio=1e6), form)
    s = rc.solve(problem, "newton", tolerance=1e-13)
    assert s.status is rc.Status.ROUNDING
    assert s.message == "not converged: rounding of reactions of this size allows no better"
    assert s.iterations < 300
    p, rng = s.all_reactions(), np.random.default_rng(0)
    for _ in range(20):
        near = p * (1.0 + 2.0**-52 * rng.integers(-1, 2, p.size))
        assert 0.2 * s.residual < residuals(problem, near).residual
    assert rc.solve(problem, "newton", tolerance=3.0 * s.residual).converged
    asked = rc.solve(problem, "newton", tolerance=0.0, max_iterations=150)  # for all of them
    assert asked.status is rc.Status.MAX_ITERATIONS


def test_rounding_is_no_excuse_for_a_tolerance_that_can_be_met():
    problem = rc.problems.stack(10, mass_ratio=1e6)
    p, against = rc.solve(problem, "newton", tolerance=1e-13).all_reactions(), drive(problem)
    least = rounding_residual(problem, p, against)
    assert least <= residuals(problem, p).residual
    for tolerance, ends in ((1.5 * least, False), (0.5 * least, True)):
        assert _at_rounding(problem, p, 2.0 * least, (tolerance, 0.0, against, None)) == ends
        assert not _at_rounding(problem, p, 9.0 * least, (tolerance, 0.0, against, None))


@pytest.mark.slow
@pytest.mark.parametrize("size", [1e6, 1e8])
def test_a_start_larger_than_need_be(size):
    """A block between two walls, pressed together by as much: that it cancels out is no excuse."""
    x, y, z = np.eye(3)
    H = [e for frame in ((x, y, z), (-x, y, z), (z, x, y)) for e in frame]
    block = rc.ContactProblem.from_bodies(np.eye(3)[None], H, [0.3, 0.2, -1.0], sliding=0.5, rows=3)
    start = np.zeros(9)
    start[[0, 3]] = size
    assert rc.solve(block, tolerance=1e-10, warm_start=start).converged


@pytest.mark.parametrize("solver", ITERATIVE)
def test_time_limit(solver):
    problem = shaken(60)
    rc.solve(problem, solver, tolerance=0.0, max_iterations=3)  # kernels are loaded
    s = rc.solve(problem, solver, tolerance=0.0, max_iterations=10**8, time_limit=0.05)
    assert s.status is rc.Status.TIME_LIMIT
    assert s.iterations > 0
    none = rc.solve(problem, solver, tolerance=0.0, time_limit=0.0)
    assert none.status is rc.Status.TIME_LIMIT
    assert none.iterations == 0


@pytest.mark.parametrize("solver", ITERATIVE)
@pytest.mark.parametrize("law", LAWS)
def test_warm_start(law, solver):
    """At a solution there is nothing to do; near it less; from far away, even where all digits of
    the answer are lost at first, the same answer."""
    problem, plain = shaken(law=law), PLAIN.get(solver, {})
    cold = rc.solve(problem, solver, tolerance=1e-8, **plain)
    p = cold.all_reactions()
    assert rc.solve(problem, solver, tolerance=1.1e-8, warm_start=cold).iterations == 0
    assert rc.solve(problem, solver, tolerance=1.1e-8, warm_start=p).iterations == 0
    near = rc.solve(problem, solver, tolerance=1e-8, warm_start=(1 + 1e-5) * p, **plain)
    assert 0 < near.iterations < cold.iterations
    for start in (-p, np.full(len(p), 1e9)):
        far = rc.solve(problem, solver, tolerance=1e-10, warm_start=start)
        assert far.converged
        np.testing.assert_allclose(far.velocities, cold.velocities, atol=1e-5)


@pytest.mark.parametrize("K", ["jacobi", "gauss-seidel"])
@pytest.mark.parametrize("B", ["scalar", "diagonal", "block"])
@pytest.mark.parametrize("law", LAWS)
def test_divergence_is_a_status(law, B, K):
    """No exception and no warning; the best answer seen is returned, and finite."""
    for rows in (3, 6):
        problem = rc.problems.stack(3, push=0.5, rows=rows, law=law)
        s = rc.solve(problem, "jacobi", omega=100.0, B=B, K=K)
        assert s.status is rc.Status.DIVERGED
        assert "no longer finite" in s.message
        assert np.isfinite(s.reactions).all()
        assert s.residual == s.history[:, 1].min() == 1.0
        assert s.history[-1].tolist() == [s.iterations, np.inf]


@pytest.mark.parametrize("solver", ITERATIVE)
@pytest.mark.parametrize("law", LAWS)
def test_matrix_that_is_not_positive(law, solver):
    """Contacts, or joints, that pull each other in: reactions grow, and none is an answer of
    contacts. That of the joints, pull^-1 (1, 1), is found by who solves equations."""
    pull, free = np.array([[1.0, -3.0], [-3.0, 1.0]]), [(-np.inf, np.inf)] * 2
    contacts = rc.ContactProblem.from_delassus(
        np.kron(pull, np.eye(3)), [-1, 0.1, 0, -1, 0.2, 0], sliding=[0.3, 0.3], law=law
    )
    joints = rc.ContactProblem.from_delassus(pull, [-1.0, -1.0], bounds=free, law=law)
    for problem in (contacts, joints):
        s = rc.solve(problem, solver, max_iterations=2_000)
        if solver in EQUATIONS and problem is joints:
            np.testing.assert_allclose(s.all_reactions(), -0.5, rtol=1e-9)
            continue
        ends = (rc.Status.DIVERGED, rc.Status.MAX_ITERATIONS)
        assert s.status in ((*ends, rc.Status.STALLED) if solver in EQUATIONS else ends)
        assert s.residual == 1.0
        assert not s.all_reactions().any()
        if solver in ("gauss-seidel", "apgd"):
            assert s.status is rc.Status.DIVERGED


@pytest.mark.parametrize(("solver", "options"), VARIANTS, ids=words)
def test_same_bits(solver, options):
    """The same input twice, and built anew: the same answer to the last bit."""
    given = {"solver": solver, "max_iterations": 60, **options}
    problem = shaken(30)
    first = rc.solve(problem, **given)
    for again in (rc.solve(problem, **given), rc.solve(shaken(30), **given)):
        np.testing.assert_array_equal(first.reactions, again.reactions)
        np.testing.assert_array_equal(first.history, again.history)


@pytest.mark.parametrize("solver", ITERATIVE)
def test_the_problem_is_left_alone(solver):
    problem, warm = shaken(), np.ones(shaken().size)
    before = [problem.q.copy(), problem.form.v_free.copy(), problem.form.H.data.copy(), 1 * warm]
    rc.solve(problem, solver, warm_start=warm, max_iterations=20)
    after = [problem.q, problem.form.v_free, problem.form.H.data, warm]
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("solver", ITERATIVE)
@pytest.mark.parametrize("law", LAWS)
def test_impossible_problems_say_so(law, solver):
    """Approach that nothing can stop: no answer, and no crash."""
    fixed = rc.ContactProblem.from_delassus(np.zeros((3, 3)), [-1.0, 0, 0], sliding=[0.3], law=law)
    H, b = np.array([[1.0, 0], [0, 1], [-1, 0], [0, 1]]), [-1, 0, -1, 0]
    between_walls = rc.ContactProblem.from_delassus(H @ H.T, b, sliding=0.5, rows=2, law=law)
    for problem in (fixed, between_walls):
        s = rc.solve(problem, solver, max_iterations=2_000)
        assert not s.converged
        assert np.isfinite(s.reactions).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"solver": "gauss-siedel"}, ["gauss-siedel", "did you mean 'gauss-seidel'", "reference"]),
        ({"solver": "gauss-seidel", "relax": 1.0}, ["relax", "relaxation", "local", "order"]),
        ({"solver": "gauss-seidel", "relaxation": 2.5}, ["relaxation", "2.5"]),
        ({"solver": "gauss-seidel", "local": "newton"}, ["local", "projection", "exact"]),
        ({"tolerance": -1.0}, ["tolerance", "-1.0"]),
        ({"tolerance": float("nan")}, ["tolerance", "nan"]),
        ({"max_iterations": 1.5}, ["max_iterations", "1.5"]),
        ({"solver": "gauss-seidel", "seed": -1}, ["seed", "-1"]),
        ({"solver": "gauss-seidel", "seed": 2**64}, ["seed", "2^63"]),
        ({"tol": 1e-8}, ["tol", "did you mean", "tolerance"]),
        ({"max_iterations": True}, ["max_iterations", "True"]),
        ({"solver": "jacobi", "omega": 0.0}, ["omega", "0.0", "> 0"]),
        ({"solver": "jacobi", "lambda_": 1.5}, ["lambda_", "1.5", "at most 1"]),
        ({"solver": "jacobi", "lambda_": 0.0}, ["lambda_", "0.0"]),
        ({"solver": "jacobi", "B": "blok"}, ["B", "did you mean 'block'", "scalar", "diagonal"]),
        ({"solver": "jacobi", "K": "sor"}, ["K", "sor", "jacobi", "gauss-seidel"]),
        ({"solver": "modified-newton", "rho_normal": 0.0}, ["rho_normal", "0.0", "> 0"]),
        ({"solver": "modified-newton", "rho": 1.0}, ["rho", "rho_normal", "rho_spinning"]),
        ({"solver": "fixed-point", "projection": "set"}, ["projection", "'sets'", "cone"]),
        ({"solver": "extragradient", "rho": 1.0}, ["rho", "extragradient"]),
        ({"solver": "spectral", "memory": 0}, ["memory", "0", ">= 1"]),
        ({"solver": "apgd", "memory": 3}, ["memory", "apgd", "restart"]),
        ({"solver": "apgd", "restart": 1}, ["restart = 1", "True or False"]),
        ({"solver": "admm", "relaxation": 2.0}, ["relaxation = 2.0", "below 2"]),
        ({"solver": "admm", "memory": -1}, ["memory", "-1", ">= 0"]),
        ({"solver": "reference", "refinements": -1}, ["refinements", "-1", ">= 0"]),
        ({"solver": "gauss-seidel", "seed": True}, ["seed", "True"]),
        ({"speed_tolerance": -1.0}, ["speed_tolerance", "-1.0"]),
    ],
    ids=str,
)
def test_wrong_arguments(arguments, words):
    problem = ball((0, 0, -1.0), (0, 0, 0))
    with pytest.raises(rc.InputError) as caught:
        rc.solve(problem, **arguments)
    for word in words:
        assert word in str(caught.value)


def test_wrong_warm_start():
    with pytest.raises(rc.InputError, match="warm_start has 3 numbers"):
        rc.solve(shaken(), warm_start=[1.0, 2.0, 3.0])
    with pytest.raises(rc.InputError, match=r"warm_start has an entry 1e\+300"):
        rc.solve(shaken(), warm_start=np.full(shaken().size, 1e300))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("solver", "options"), VARIANTS, ids=words)
def test_huge_warm_start(solver, options):
    """No warning, and a finite answer, converged or not."""
    problem = shaken()
    for sign in (1e149, -1e149):
        start = sign * np.cos(np.arange(problem.size))
        s = rc.solve(problem, solver, warm_start=start, max_iterations=20, **options)
        assert np.isfinite(s.reactions).all()
        assert np.isfinite(s.velocities).all()


def test_numbers_of_numpy_are_numbers():
    problem = shaken()
    plain = rc.solve(problem, "gauss-seidel", order="shuffled", seed=3, max_iterations=7)
    same = rc.solve(
        problem, "gauss-seidel", order="shuffled", seed=np.int64(3), max_iterations=np.int32(7)
    )
    np.testing.assert_array_equal(plain.reactions, same.reactions)


@pytest.mark.parametrize("thing", [None, "heap.h5", (np.eye(3), np.zeros(3))])
def test_not_a_problem(thing):
    with pytest.raises(rc.InputError, match="must be a ContactProblem"):
        rc.solve(thing)
    with pytest.raises(rc.InputError, match=r"pass its \.problem"):
        rc.solve(rc.problems.random_problem(2))
