"""The reference solver against closed forms, the definition of the law, and Gauss-Seidel."""

import sys

import numpy as np
import pytest
import scipy.sparse as sp
from solver_cases import INF, LAWS, SETS, bounded_by_enumeration, random_matrix, set_problem

import rollcone as rc
from balls import INERTIA, MASS, RADIUS, ball
from rollcone.solvers.reference import Reference, ReferenceOptions

pytest.importorskip("clarabel")


def solve(problem, tolerance=1e-12, **options):
    solution = rc.solve(problem, "reference", tolerance=tolerance, **options)
    assert solution.converged, solution
    return solution


# One contact, solved by hand.


@pytest.mark.parametrize("law", LAWS)
def test_sticks(law):
    """u_T = 0 after r_T = -2/7 m u_T: a ball thrown along the floor, then rolling."""
    s = solve(ball((0.1, 0, -1.0), (0, 0, 0), law, sliding=0.5))
    np.testing.assert_allclose(s.reactions[0], [2.0, -2 / 7 * MASS * 0.1, 0, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(s.velocities[0, :3], 0.0, atol=1e-12)


def test_slides():
    """r_T = -mu r_n against the motion, and u_T falls by mu r_n (1/m + R^2/J)."""
    s = solve(ball((3.0, -4.0, -1.0), (0, 0, 0), "exact", sliding=0.3))
    np.testing.assert_allclose(s.reactions[0, :3], [2.0, -0.36, 0.48], atol=1e-11)
    speed = 5.0 - 0.6 * (1 / MASS + RADIUS**2 / INERTIA)
    np.testing.assert_allclose(s.velocities[0, :3], [0, 0.6 * speed, -0.8 * speed], atol=1e-11)


@pytest.mark.parametrize("law", LAWS)
def test_takes_off(law):
    s = solve(ball((0, 0, 0.3), (0, 0, 0), law, sliding=0.3))
    np.testing.assert_allclose(s.reactions, 0.0, atol=1e-12)
    np.testing.assert_allclose(s.velocities[0], [0.3, 0, 0, 0, 0, 0], atol=1e-12)


def test_associated_law_lifts():
    """Where everything moves, u_n = mu |u_T| + rho |w_R| + sigma |w_n|; the exact law stays."""
    given = {"sliding": 0.3, "rolling": 0.02, "spinning": 0.01}
    throw = (5.0, -1.0, -1.0), (4.0, -5.0, -6.0)
    y = solve(ball(*throw, "associated", **given)).velocities[0]
    lift = 0.3 * np.hypot(y[1], y[2]) + 0.02 * np.hypot(y[3], y[4]) + 0.01 * abs(y[5])
    assert min(np.hypot(y[1], y[2]), np.hypot(y[3], y[4]), abs(y[5])) > 0.1
    assert y[0] == pytest.approx(lift, abs=1e-12)
    assert solve(ball(*throw, "exact", **given)).velocities[0, 0] == pytest.approx(0, abs=1e-11)


def test_frictionless_plane_contact():
    s = solve(ball((1.0, 0, -1.0), (0, 0, 0), "exact", rows=2, sliding=0.0))
    np.testing.assert_allclose(s.reactions[0], [MASS, 0], atol=1e-12)


# Every set, against the definition.


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("slot", ["sliding", "rolling"])
def test_every_set_against_the_definition(slot, name, law):
    rng = np.random.default_rng([3, *name.encode(), *slot.encode()])
    for _ in range(4):
        problem, check = set_problem(name, slot, law, rng)
        check(solve(problem, 1e-11))


def test_zero_coefficients_need_no_variables():
    """A cone without friction, next to one with it, in one problem."""
    W, q = np.eye(6), np.array([-1.0, 0.5, 0.0, -1.0, 0.5, 0.0])
    s = solve(rc.ContactProblem.from_delassus(W, q, sliding=[0.0, 0.3], law="exact"))
    np.testing.assert_allclose(s.reactions, [[1, 0, 0], [1, -0.3, 0]], atol=1e-12)


# Extra rows and compliance.


def test_bilateral_rows_are_a_linear_system():
    rng = np.random.default_rng(5)
    W, q = random_matrix(rng, 7), rng.standard_normal(7)
    q[0] = -3.0
    bounds = [[-INF, INF]] * 4
    s = solve(rc.ContactProblem.from_delassus(W, q, bounds=bounds, rows=3))
    free = [0, 3, 4, 5, 6]  # the contact is pressed, and has no friction
    np.testing.assert_allclose(
        s.all_reactions()[free], np.linalg.solve(W[np.ix_(free, free)], -q[free]), atol=1e-11
    )
    np.testing.assert_allclose(s.row_velocities, 0.0, atol=1e-11)


@pytest.mark.parametrize("seed", range(6))
def test_bounded_rows_against_enumeration(seed):
    rng = np.random.default_rng([7, seed])
    bounds = np.array([[-0.2, 0.3], [0.0, INF], [-INF, 0.1], [0.4, 0.9], [0.5, 0.5], [-1e30, 1e12]])
    H = rng.standard_normal((6, 8))
    v = 2 * rng.standard_normal(8)
    problem = rc.ContactProblem.from_bodies(np.ones(8), H, v, bounds=bounds)
    expected = bounded_by_enumeration(H @ H.T, H @ v, bounds)
    s = solve(problem)
    assert problem.contacts == 0
    np.testing.assert_allclose(s.row_reactions, expected, atol=1e-10)


def test_prescribed_reactions_alone():
    """lower = upper: nothing to solve for, whatever moves."""
    problem = rc.ContactProblem.from_bodies(
        np.ones(2), np.eye(2), np.zeros(2), bounds=[[3, 3], [-2, -2]]
    )
    np.testing.assert_allclose(solve(problem).row_reactions, [3, -2])


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("form", ["bodies", "delassus"])
def test_compliance_is_more_delassus_matrix(form, law):
    """y + C p with W is y with W + C, where y has friction as well."""
    rng = np.random.default_rng(11)
    H = rng.standard_normal((11, 14))
    q, C = rng.standard_normal(11), np.array([0.3, 0, 0.1, 2, 0, 0.5, 0, 0, 0, 0.7, 0])
    given = {"sliding": 0.4, "bounds": [[-INF, INF], [-0.1, 0.2]], "law": law, "rows": 3}
    if form == "bodies":
        soft = rc.ContactProblem.from_bodies(np.ones(14), H, np.zeros(14), q, compliance=C, **given)
    else:
        soft = rc.ContactProblem.from_delassus(H @ H.T, q, compliance=C, **given)
    hard = rc.ContactProblem.from_delassus(H @ H.T + np.diag(C), q, **given)
    np.testing.assert_allclose(solve(soft).all_reactions(), solve(hard).all_reactions(), atol=1e-10)


def test_compliant_contact_by_hand():
    """(W + C) r_n = -q for a pressed normal; bilateral likewise."""
    W, C = np.diag([2.0, 1.0, 1.0, 4.0]), [0.5, 0, 0, 1.0]
    problem = rc.ContactProblem.from_delassus(
        W, [-1.0, 0, 0, 3.0], compliance=C, bounds=[[-INF, INF]], rows=3
    )
    np.testing.assert_allclose(solve(problem).all_reactions(), [0.4, 0, 0, -0.6], atol=1e-12)


# Forms, units, other solvers.


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("mass", ["diagonal", "blocks", "band"])
def test_body_form_and_delassus_form_agree(mass, law):
    rng = np.random.default_rng(13)
    blocks = np.array([random_matrix(rng, 6) for _ in range(4)])
    band = sp.diags([np.ones(23), np.full(24, 3.0), np.ones(23)], [-1, 0, 1])
    M = {"diagonal": rng.uniform(0.1, 9, 24), "blocks": blocks, "band": band}[mass]
    H, v, b = rng.standard_normal((20, 24)), rng.standard_normal(24), rng.standard_normal(20)
    problem = rc.ContactProblem.from_bodies(M, H, v, b, sliding=0.5, rolling=0.2, rows=5, law=law)
    first, second = solve(problem), solve(problem.to_delassus())
    np.testing.assert_allclose(first.reactions, second.reactions, atol=1e-10)
    np.testing.assert_allclose(first.velocities, second.velocities, atol=1e-10)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rows", [2, 3, 5, 6])
def test_agrees_with_gauss_seidel(rows, law):
    """Reactions are unique under the associated law if W is regular, and here under both."""
    rng = np.random.default_rng([17, rows])
    for _ in range(5):
        n = int(rng.integers(1, 7))
        size = n * rows + 2
        W, q = random_matrix(rng, size), rng.standard_normal(size)
        given = {"sliding": rng.uniform(0, 0.6, n), "bounds": [[-0.3, 0.5], [-INF, INF]]}
        if rows > 3:
            given["rolling"] = rng.uniform(0, 0.3, n)
        if rows > 5:
            given["spinning"] = rng.uniform(0, 0.3, n)
        problem = rc.ContactProblem.from_delassus(W, q, rows=rows, law=law, **given)
        other = rc.solve(problem, "gauss-seidel", tolerance=1e-12, max_iterations=100_000)
        assert other.converged
        np.testing.assert_allclose(
            solve(problem, 1e-11).all_reactions(), other.all_reactions(), atol=1e-9
        )


@pytest.mark.parametrize("law", LAWS)
def test_more_contacts_than_freedom(law):
    """Reactions are not unique: the residual still goes to rounding."""
    rng = np.random.default_rng(19)
    H = rng.standard_normal((60, 6))
    H[::3] = np.abs(H[::3])
    v = -np.ones(6)
    problem = rc.ContactProblem.from_bodies(np.ones(6), H, v, sliding=0.5, rows=3, law=law)
    assert solve(problem).residual < 1e-12


@pytest.mark.parametrize("law", LAWS)
def test_units_do_not_matter(law):
    """Metres to millimetres, kilograms to tonnes, another speed: the same iterations."""
    rng = np.random.default_rng(23)
    W, q = random_matrix(rng, 24), rng.standard_normal(24)
    length, mass, speed = 1e-3, 1e3, 1e-6
    first = solve(
        rc.ContactProblem.from_delassus(
            W, q, sliding=0.4, rolling=0.2, spinning=0.1, rows=6, law=law
        )
    )
    turn = np.tile([1.0, 1, 1, 1 / length, 1 / length, 1 / length], 4)
    scaled = rc.ContactProblem.from_delassus(
        W * np.outer(turn, turn) / mass,
        q * turn * speed,
        sliding=0.4,
        rolling=0.2 * length,
        spinning=0.1 * length,
        rows=6,
        law=law,
    )
    second = solve(scaled)
    assert second.iterations == first.iterations
    back = second.all_reactions() * turn / mass / speed
    np.testing.assert_allclose(back, first.all_reactions(), atol=1e-10)


# What the driver is told.


@pytest.mark.parametrize("law", LAWS)
def test_infeasible_problem_is_reported(law):
    """A body of one direction between two walls that both close in on it."""
    H, b = np.array([[1.0, 0], [0, 1], [-1, 0], [0, 1]]), [-1, 0, -1, 0]
    problem = rc.ContactProblem.from_bodies(
        np.ones(2), H, np.zeros(2), b, sliding=0.5, rows=2, law=law
    )
    s = rc.solve(problem, "reference")
    assert s.status is rc.Status.INFEASIBLE
    assert "no velocities meet all contacts" in s.message
    assert np.isfinite(s.reactions).all()


def test_one_solve_for_the_associated_law():
    problem = ball((1.0, 0, -1.0), (0, 0, 0), "associated", sliding=0.3)
    assert solve(problem).iterations == 1
    s = rc.solve(problem, "reference", tolerance=0.0)
    assert s.iterations == 1
    assert s.converged or ("one solve is all" in s.message and s.residual < 1e-14)


def test_fixed_point_that_does_not_converge_is_reported():
    """A rod that slides and wedges: the plain fixed point jumps for ever, extrapolation ends it."""
    B = np.array([[0.8, -3.0], [-0.3, 1.4]])
    problem = rc.ContactProblem.from_delassus(B @ B.T, [-1.2, 0.1], sliding=1.5, rows=2)
    s = rc.solve(problem, "reference", tolerance=1e-10, memory=0)
    assert s.status is rc.Status.STALLED
    assert "the fixed point on the shift no longer converges" in s.message
    assert solve(problem, 1e-10).iterations < 100


def test_warm_start_gives_the_first_shift():
    rng = np.random.default_rng(29)
    W, q = random_matrix(rng, 30), rng.standard_normal(30)
    problem = rc.ContactProblem.from_delassus(W, q, sliding=0.5, rows=3)
    cold = solve(problem)
    assert solve(problem, warm_start=cold).iterations == 0
    near = cold.all_reactions() * (1 + 1e-6 * rng.standard_normal(30))
    assert 0 < solve(problem, warm_start=near).iterations < cold.iterations


def test_empty_problem():
    empty = rc.ContactProblem.from_bodies(np.ones(6), np.zeros((0, 6)), np.ones(6), sliding=0.3)
    s = solve(empty)
    assert s.reactions.shape == (0, 3)
    for law in LAWS:
        method = Reference(empty.with_law(law), ReferenceOptions())
        method.start(np.zeros(0))
        assert method.advance(1, 1e-8) == 1
        assert method.reactions().shape == (0,)


def test_missing_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "clarabel", None)
    with pytest.raises(rc.MissingPackageError, match="pip install clarabel"):
        rc.solve(ball((0, 0, -1.0), (0, 0, 0), "exact"), "reference")


def test_refusals():
    problem = ball((0, 0, -1.0), (0, 0, 0), "exact")
    with pytest.raises(rc.InputError, match="memory = -1"):
        rc.solve(problem, "reference", memory=-1)
    with pytest.raises(rc.InputError, match=r"refinements = 1\.5"):
        rc.solve(problem, "reference", refinements=1.5)
    W = np.eye(6)
    W[0, 3] = W[3, 0] = 2.0
    with pytest.raises(rc.InputError, match="positive semidefinite"):
        rc.solve(rc.ContactProblem.from_delassus(W, -np.ones(6), sliding=0.3, rows=3), "reference")
    W[0, 3] = 0.0
    with pytest.raises(rc.InputError, match="symmetric"):
        rc.solve(rc.ContactProblem.from_delassus(W, -np.ones(6), sliding=0.3, rows=3), "reference")


def test_refinement_is_what_reaches_rounding():
    """Without Newton's steps Clarabel's own accuracy remains: fair, but no more."""
    rng = np.random.default_rng(31)
    W, q = random_matrix(rng, 60, 30), rng.standard_normal(60)
    problem = rc.ContactProblem.from_delassus(W, q, sliding=0.5, rows=3, law="associated")
    raw = rc.solve(problem, "reference", tolerance=0.0, refinements=0)
    refined = rc.solve(problem, "reference", tolerance=0.0)
    assert raw.residual < 1e-6
    assert refined.residual < min(1e-13, raw.residual)
