"""Every iterative solver on every kind of problem; answers are proved by the slow twin."""

import numpy as np
import pytest
from solver_cases import (
    FORMS,
    INF,
    ITERATIVE,
    KINDS,
    LAWS,
    ROWS,
    SETS,
    VARIANTS,
    bounded_by_enumeration,
    dense,
    in_form,
    iterates,
    random_matrix,
    set_problem,
    started,
    twin_residual,
    with_rows,
    words,
)

import rollcone as rc
from balls import ball


def solve(problem, solver, tolerance=1e-9, **options):
    solution = rc.solve(problem, solver, tolerance=tolerance, max_iterations=20_000, **options)
    assert solution.converged, solution
    return solution


@pytest.mark.parametrize("solver", ITERATIVE)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rows", ROWS)
def test_proved_by_the_twin(rows, law, kind, solver):
    """Extra rows of all kinds and compliance, W singular or not symmetric, M one sparse matrix."""
    problem = kind(law, rows)
    for form in FORMS if hasattr(problem.form, "H") else FORMS[1:]:
        given = in_form(problem, form)
        s = solve(given, solver)
        assert twin_residual(problem, s) <= 1.001e-9
        W, q = dense(problem)
        y = W @ s.all_reactions() + q
        np.testing.assert_allclose([*s.velocities.flat, *s.row_velocities], y, atol=1e-9)


@pytest.mark.parametrize(("solver", "options"), VARIANTS, ids=words)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rows", ROWS)
def test_known_solutions(rows, law, solver, options):
    """Random problems built around a solution: velocities come back, in both forms.

    The seed is one for which the exact law has no second solution, as random plane
    problems often have."""
    known = rc.problems.random_problem(5, rows=rows, seed=24, law=law)
    for form in FORMS:
        s = solve(in_form(known.problem, form), solver, 1e-10, **options)
        np.testing.assert_allclose(s.velocities, known.velocities, atol=1e-7)


@pytest.mark.parametrize("solver", ITERATIVE)
@pytest.mark.parametrize("name", [name for name in SETS if name != "disc"])
@pytest.mark.parametrize("slot", ["sliding", "rolling"])
@pytest.mark.parametrize("law", LAWS)
def test_other_sets(law, slot, name, solver):
    """Against the definition of the law, written once more for each set."""
    rng = np.random.default_rng([3, *name.encode(), *slot.encode()])
    problem, check = set_problem(name, slot, law, rng)
    if solver == "interior-point" and name in ("pyramid", "polygon"):
        with pytest.raises(rc.InputError, match="does not support polygons"):
            rc.solve(problem, solver)
        return
    check(solve(problem, solver, 1e-11))


@pytest.mark.parametrize("solver", ITERATIVE)
@pytest.mark.parametrize("law", LAWS)
def test_other_sets_in_body_form(law, solver):
    """The same answers, and the same friction sets for the paper's map on the cone."""
    source = rc.problems.random_problem(4, rows=6, seed=4, law=law).problem.form
    problem = rc.ContactProblem.from_bodies(
        source.mass.blocks,
        source.H,
        source.v_free,
        source.b,
        sliding=rc.Box(0.4, 0.2),
        rolling=rc.Ellipse(0.05, 0.1),
        rows=6,
        law=law,
    )
    options = [{}, {"projection": "cone"}] if solver == "fixed-point" else [{}]
    for chosen in options:
        first, second = (solve(in_form(problem, f), solver, 1e-11, **chosen) for f in FORMS)
        np.testing.assert_allclose(first.reactions, second.reactions, atol=1e-8)
        assert problem.cone.contains(first.reactions).all()
        if law == "exact":
            power = -np.sum(first.velocities * first.reactions, axis=1)
            most = problem.cone.dissipation(first.velocities, first.reactions)
            np.testing.assert_allclose(power, most, atol=1e-9)
            assert first.velocities[:, 0].min() > -1e-9


# Extra rows alone.


@pytest.mark.parametrize("solver", ITERATIVE)
@pytest.mark.parametrize("form", FORMS)
def test_rows_against_enumeration(form, solver):
    bounds = np.array([[-0.2, 0.3], [0.0, INF], [-INF, 0.1], [0.4, 0.9], [0.5, 0.5], [-1e30, 1e12]])
    for seed in range(3):
        rng = np.random.default_rng([7, seed])
        H, v = rng.standard_normal((6, 8)), 2 * rng.standard_normal(8)
        problem = rc.ContactProblem.from_bodies(np.ones(8), H, v, bounds=bounds)
        s = solve(in_form(problem, form), solver, 1e-12)
        expected = bounded_by_enumeration(H @ H.T, H @ v, bounds)
        np.testing.assert_allclose(s.row_reactions, expected, atol=1e-9)


@pytest.mark.parametrize("solver", ITERATIVE)
def test_bilateral_rows_are_linear_algebra(solver):
    rng = np.random.default_rng(0)
    W, q = random_matrix(rng, 5), rng.normal(size=5)
    bounds = np.tile([-INF, INF], (5, 1))
    for soft in (0.0, 0.7):
        problem = rc.ContactProblem.from_delassus(W, q, bounds=bounds, compliance=soft)
        expected = np.linalg.solve(W + soft * np.eye(5), -q)
        s = solve(problem, solver, 1e-12)
        np.testing.assert_allclose(s.row_reactions, expected, atol=1e-9)


@pytest.mark.parametrize("solver", ITERATIVE)
def test_bounded_row_by_hand(solver):
    """A seal -S <= p <= S on a sliding mass: holds below its limit, drags at it above."""
    for speed, force, left in ((0.5, -1.0, 0.0), (3.0, -4.0, 1.0)):
        along = np.eye(6)[:1]
        problem = rc.ContactProblem.from_bodies(
            2.0 * np.ones(6), along, speed * along[0], bounds=[(-4.0, 4.0)]
        )
        s = solve(problem, solver, 1e-13)
        assert s.row_reactions[0] == pytest.approx(force)
        np.testing.assert_allclose(s.body_velocities, left * along[0], atol=1e-12)


@pytest.mark.parametrize("solver", ITERATIVE)
def test_prescribed_reactions_alone(solver):
    """lower = upper: nothing to solve for, whatever moves."""
    problem = rc.ContactProblem.from_bodies(
        np.ones(2), np.eye(2), np.ones(2), bounds=[[3, 3], [-2, -2]]
    )
    s = solve(problem, solver)
    np.testing.assert_array_equal(s.row_reactions, [3, -2])
    np.testing.assert_allclose(s.body_velocities, [4, -1])
    assert s.iterations == 0


# Special contacts.


@pytest.mark.parametrize("solver", ITERATIVE)
@pytest.mark.parametrize("law", LAWS)
def test_redundant_contacts(law, solver):
    """The same contact ten times: W singular, velocities as with one."""
    one = ball((5.0, 0, -1.0), (0, 0, 0), law, sliding=0.3, rows=3)
    H = np.tile(one.form.H.toarray(), (10, 1))
    ten = rc.ContactProblem.from_bodies(
        one.form.mass.blocks, H, one.form.v_free, sliding=np.full(10, 0.3), law=law
    )
    first, second = solve(one, solver, 1e-13), solve(ten, solver, 1e-12)
    np.testing.assert_allclose(second.body_velocities, first.body_velocities, atol=1e-10)


@pytest.mark.parametrize("solver", ITERATIVE)
@pytest.mark.parametrize("law", LAWS)
def test_no_contacts(law, solver):
    bodies = rc.ContactProblem.from_bodies(
        np.ones(6), np.zeros((0, 6)), np.ones(6), sliding=0.3, law=law
    )
    for problem in (bodies, bodies.to_delassus()):
        s = solve(problem, solver)
        assert s.reactions.shape == (0, 3)
        assert s.iterations == 0
        (p,) = iterates(started(problem, solver, np.zeros(0), {}), 1)
        assert p.shape == (0,)
    assert solve(bodies, solver).body_velocities.tolist() == [1.0] * 6


@pytest.mark.parametrize("solver", ITERATIVE)
@pytest.mark.parametrize("law", LAWS)
def test_nothing_moves(law, solver):
    """No free motion: zero reactions at once; other ones, given to begin with, do not stay."""
    source = rc.problems.random_problem(4, rows=6, seed=1, law=law).problem
    W, q = dense(source)
    radii = source.cone.radii
    problem = rc.ContactProblem.from_delassus(
        W, 0 * q, sliding=radii[:, 0], rolling=radii[:, 2], spinning=radii[:, 4], law=law
    )
    for start in (None, np.ones(len(q))):
        s = solve(problem, solver, warm_start=start)
        assert not s.reactions.any()
        assert s.iterations == 0


@pytest.mark.parametrize("skew", [0.1, 1.0])
@pytest.mark.parametrize("solver", ITERATIVE)
def test_unsymmetric_matrix(solver, skew):
    """A gyroscopic part in W: the answer still obeys the law on the raw data."""
    W = np.eye(3) + skew * np.array([[0, 0, 0], [0, 0, 1.0], [0, -1.0, 0]])
    q = np.array([-1.0, 1.0, 0.3])
    s = solve(rc.ContactProblem.from_delassus(W, q, sliding=[10.0]), solver, 1e-10)
    np.testing.assert_allclose(s.reactions[0], np.linalg.solve(W, -q), atol=1e-8)


def test_momentum_survives_a_flat_start():
    """From where Gauss-Seidel got tired the error stays flat at first, which is no circle."""
    problem = rc.problems.heap(200, 2, state="rest")
    tired = rc.solve(problem, tolerance=6e-5)
    s = rc.solve(problem, "apgd", tolerance=1e-8, warm_start=tired, max_iterations=4_000)
    assert s.converged


# Forms.


@pytest.mark.parametrize(("solver", "options"), VARIANTS, ids=words)
@pytest.mark.parametrize("law", LAWS)
def test_both_forms_iterate_alike(law, solver, options):
    """Matrix or bodies: the same reactions to rounding after each iteration; of an interior point
    only the first ones, since rounding has a say in which step it takes."""
    count = 4 if solver == "interior-point" else 20
    for rows in ROWS:
        problem = with_rows(law, rows)
        start = np.ones(problem.size)
        body, matrix = (started(in_form(problem, f), solver, start, options) for f in FORMS)
        for p, p_other in zip(iterates(body, count), iterates(matrix, count), strict=True):
            np.testing.assert_allclose(p, p_other, atol=1e-10 * np.abs(p).max())
