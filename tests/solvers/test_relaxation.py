"""The price of the associated law: closed forms of one contact, twins, and where it is zero."""

import numpy as np
import pytest

import rollcone as rc
import twins
from balls import RADIUS, ball
from rollcone.solvers import driver

FALL, SLIDE, MU = 1.0, 3.0, 0.4
# A block of mass m: both laws push along (1, -mu), the associated one harder by LIFT m.
LIFT = MU * (SLIDE - MU * FALL) / (1 + MU**2)


def block(law="associated", mass=2.0, fall=FALL):
    q = [-fall, SLIDE, 0.0]
    return rc.ContactProblem.from_delassus(np.eye(3) / mass, q, sliding=[MU], law=law)


@pytest.mark.parametrize("mass", [2.0, 5e3])
def test_block_by_hand(mass):
    price = rc.relaxation_price(rc.solve(block(mass=mass), tolerance=1e-12), tolerance=1e-12)
    assert price.largest_lift == pytest.approx(LIFT, rel=1e-9)
    assert price.mean_lift == price.largest_lift
    assert price.residual_speed == pytest.approx(LIFT, rel=1e-9)
    assert price.residual == pytest.approx(LIFT / FALL, rel=1e-9)
    assert price.velocity_difference == pytest.approx(LIFT * np.hypot(1, MU), rel=1e-9)
    largest = np.hypot(FALL, SLIDE)
    assert price.relative_difference == pytest.approx(price.velocity_difference / largest)
    assert price.exact.converged


def test_ball_lifts_by_all_three():
    """u_n = mu |u_T| + rho |w_R| + sigma |w_n| (Tasora and Anitescu 2013)."""
    friction = {"sliding": 0.2, "rolling": 0.03, "spinning": 0.01}
    problem = ball([4.0, 1.0, -1.0], [2.0, -3.0, 20.0], "associated", **friction)
    solution = rc.solve(problem, tolerance=1e-13)
    (y,) = solution.velocities
    parts = [np.hypot(*y[1:3]), np.hypot(*y[3:5]), abs(y[5])]
    assert min(parts) > 0.1  # it slides, rolls and spins
    price = rc.relaxation_price(solution)
    assert price.largest_lift == pytest.approx(np.dot(list(friction.values()), parts), rel=1e-12)
    assert price.largest_lift == pytest.approx(y[0], rel=1e-9)
    units = np.array([1, 1, 1, *[RADIUS * np.sqrt(1.4)] * 2, RADIUS * np.sqrt(1.4)])
    assert np.allclose(problem.scaling.units, units)
    away = np.linalg.norm((price.exact.velocities - y) * units)
    assert price.velocity_difference == pytest.approx(away)


def test_nothing_to_pay_where_all_stick():
    solution = rc.solve(ball([0.1, 0.0, -1.0], [0, 0.2, 0], "associated", rows=3), tolerance=1e-13)
    assert solution.modes().tolist() == ["sticking"]
    price = rc.relaxation_price(solution)
    figures = [value for name, value in vars(price).items() if name != "exact"]
    assert max(figures) < 1e-12
    heap = rc.problems.stack(3, law="associated")
    price = rc.relaxation_price(rc.solve(heap, solver="gauss-seidel", max_iterations=50_000))
    assert max(price.residual, price.relative_difference) < 1e-6
    assert price.largest_lift < 1e-9


def test_nothing_to_pay_without_friction_or_contacts():
    price = rc.relaxation_price(rc.solve(ball([3, 0, -1.0], [0, 0, 9], "associated", sliding=0)))
    assert price.residual < 1e-8
    assert (price.largest_lift, price.velocity_difference) == (0, 0)
    row = rc.ContactProblem.from_delassus(
        [[2.0]], [-1.0], rows=3, bounds=[[0, 9]], law="associated"
    )
    price = rc.relaxation_price(rc.solve(row))
    assert (price.residual, price.mean_lift, price.relative_difference) == (0, 0, 0)


def test_a_contact_that_only_the_associated_law_closes():
    """It parts at 0.1 m/s, less than S(y) = mu |u_T|: no exact reactions, yet associated ones."""
    price = rc.relaxation_price(rc.solve(block(fall=-0.1), tolerance=1e-12))
    assert price.residual == np.inf
    assert not price.exact.reactions.any()
    assert price.largest_lift == pytest.approx(MU * (SLIDE + MU * 0.1) / (1 + MU**2))


def test_only_closed_contacts_count():
    """Two blocks on the floor, one sliding and one sticking; one that leaves it, fast."""
    q = [-FALL, SLIDE, 0, -FALL, 0, 0, 5.0, SLIDE, SLIDE]
    problem = rc.ContactProblem.from_delassus(np.eye(9), q, sliding=[MU] * 3, law="associated")
    for solver in ("gauss-seidel", "reference"):
        if solver == "reference":
            pytest.importorskip("clarabel")
        solution = rc.solve(problem, solver, tolerance=1e-8)
        price = rc.relaxation_price(solution)
        assert price.largest_lift == pytest.approx(LIFT, abs=1e-7)
        assert price.mean_lift == pytest.approx(LIFT / 2, abs=1e-7)
        assert price.relative_difference == pytest.approx(
            price.velocity_difference / np.linalg.norm(q[6:]), abs=1e-7
        )


@pytest.mark.parametrize("mass", [2.0, 2e12])
def test_a_contact_left_with_rounding_is_open(mass):
    """Interior points leave reactions of 1e-9 m/s times the mass where a contact parts."""
    solution = rc.solve(block(fall=-5.0, mass=mass))
    assert not solution.reactions.any()
    solution.reactions[0, 0] = 1e-9 * mass
    assert rc.relaxation_price(solution).largest_lift == 0.0


@pytest.mark.parametrize("rows", [2, 3, 5, 6])
def test_random_problems_against_twins(rows):
    same = 0
    for seed in range(5):
        problem = rc.problems.random_problem(7, rows=rows, seed=seed, law="associated").problem
        solution = rc.solve(problem, tolerance=1e-10, max_iterations=50_000)
        price = rc.relaxation_price(solution, tolerance=1e-10, max_iterations=50_000)
        dense = problem.to_delassus().form
        coefficients = problem.cone.radii[:, [0, 2, 4]]
        p = solution.all_reactions()
        found = twins.measures(dense.W.toarray(), dense.q, p, coefficients, "exact")
        assert price.residual == pytest.approx(found["residual"], rel=1e-9)
        assert price.residual_speed == pytest.approx(found["residual_speed"], rel=1e-9)
        lifts = [
            twins.shift(y, c)
            for y, c, r in zip(solution.velocities, coefficients, solution.reactions, strict=True)
            if r[0] > 0
        ]
        assert price.largest_lift == pytest.approx(max(lifts), rel=1e-12)
        assert price.mean_lift == pytest.approx(np.mean(lifts), rel=1e-12)
        assert price.exact.converged
        exact = rc.solve(problem.with_law("exact"), tolerance=1e-10, max_iterations=50_000)
        scaled = (exact.velocities - solution.velocities) * problem.scaling.units
        away = max(np.linalg.norm(row) for row in scaled)
        if np.allclose(exact.velocities, price.exact.velocities, atol=1e-7):  # one solution
            assert price.velocity_difference == pytest.approx(away, rel=1e-5)
            same += 1
        assert 0 < price.relative_difference < 2
    assert same >= 4


def test_compliance_adds_to_the_lift():
    """With C the law asks u_n + C r_n = S(y + C p)."""
    q = [-FALL, SLIDE, 0.0]
    soft = rc.ContactProblem.from_delassus(
        np.eye(3), q, sliding=[MU], law="associated", compliance=[0.5, 0.2, 0.2]
    )
    solution = rc.solve(soft, tolerance=1e-13)
    y = solution.velocities[0] + [0.5, 0.2, 0.2] * solution.reactions[0]
    price = rc.relaxation_price(solution)
    assert price.largest_lift == pytest.approx(y[0], rel=1e-9)
    assert price.largest_lift == pytest.approx(MU * y[1], rel=1e-9)


def test_exact_law_that_is_not_solved(monkeypatch):
    """Far from the exact law there is nothing to compare with; near it, an estimate."""
    problem = rc.problems.heap(30, 1, state="shake", law="associated")
    solution = rc.solve(problem)
    price = rc.relaxation_price(solution, max_iterations=3)
    assert (price.velocity_difference, price.relative_difference) == (None, None)
    assert price.largest_lift > 0
    assert rc.relaxation_price(solution, time_limit=0).velocity_difference is None
    near = rc.relaxation_price(solution, tolerance=0, max_iterations=200)
    assert not near.exact.converged
    sure = rc.relaxation_price(solution, tolerance=1e-10)
    assert sure.exact.converged
    assert near.velocity_difference == pytest.approx(sure.velocity_difference, rel=1e-2)
    starts = []
    monkeypatch.setattr(
        "rollcone.solvers.relaxation.solve",
        lambda problem, **given: starts.append(given) or driver.solve(problem, **given),
    )
    rc.relaxation_price(solution, tolerance=0.5, max_iterations=7, time_limit=3.0)
    assert starts == [
        {"tolerance": 0.5, "max_iterations": 7, "time_limit": 3.0, "warm_start": solution}
    ]
    rc.relaxation_price(solution, sure.exact)
    assert len(starts) == 1


def test_wrong_solutions_are_refused():
    exact, associated = rc.solve(block("exact")), rc.solve(block())
    with pytest.raises(rc.InputError, match=r"solution of the exact law: must be .* associated"):
        rc.relaxation_price(exact)
    with pytest.raises(rc.InputError, match=r"exact = Solution.*: must be an answer of the exact"):
        rc.relaxation_price(associated, associated)
    other = rc.solve(rc.problems.random_problem(2, rows=3, seed=1).problem)
    with pytest.raises(rc.InputError, match=r"to the same problem"):
        rc.relaxation_price(associated, other)
    assert rc.relaxation_price(associated, exact).exact is exact
