"""Polygonal friction: certified by the exact law on polygons, which knows nothing of linear
complementarity, and against the disc as facets grow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rollcone as rc


def point_mass(u, mu, **options):
    """A mass of 1 kg that comes to a floor with the velocity u (n, t1, t2)."""
    return rc.ContactProblem.from_delassus(np.eye(3), u, sliding=mu, rows=3, **options)


@given(
    contacts=st.integers(0, 7),
    rows=st.sampled_from([2, 3, 5, 6]),
    facets=st.sampled_from([4, 6, 8, 16]),
    seed=st.integers(0, 10**6),
)
@example(contacts=1, rows=5, facets=4, seed=1)  # parts: rounding leaves friction without pressure
def test_obeys_the_exact_law_on_polygons(contacts, rows, facets, seed):
    problem = rc.problems.random_problem(contacts, rows=rows, seed=seed).problem
    model = rc.PolygonalFriction(facets=facets)
    solution = rc.solve(problem, friction_model=model, tolerance=1e-10)
    assert solution.converged, solution.message
    assert solution.residual <= 1e-10
    assert solution.residuals.cone_violation <= 1e-12
    if rows > 2 and contacts:
        assert (solution.problem.cone.kinds == facets).all()


@pytest.mark.slow
@pytest.mark.parametrize("rows", [3, 6])
@pytest.mark.parametrize("seed", range(4))
def test_same_as_a_cone_solver(rows, seed):
    """Semismooth Newton on the projection on polygons: another method on other equations."""
    problem = rc.problems.random_problem(5, rows=rows, seed=seed).problem
    found = rc.solve(problem, friction_model="polygonal", tolerance=1e-11)
    other = rc.solve(found.problem, "newton", tolerance=1e-11)
    assert other.converged
    assert np.abs(found.velocities - other.velocities).max() < 1e-7


def test_error_falls_with_the_facets():
    """Friction points to a corner, up to pi / facets aside: velocities are wrong in proportion."""
    counts = np.array([4, 8, 16, 32, 64])
    errors = np.zeros(len(counts))
    for seed in range(12):
        problem = rc.problems.random_problem(4, rows=6, seed=100 + seed).problem
        exact = rc.solve(problem, tolerance=1e-11)
        assert exact.converged
        for k, facets in enumerate(counts):
            model = rc.PolygonalFriction(facets=int(facets))
            found = rc.solve(problem, friction_model=model, tolerance=1e-10)
            errors[k] += np.linalg.norm(found.velocities - exact.velocities)
    slope = np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert -1.6 < slope < -0.8


@pytest.mark.parametrize("facets", [4, 8, 16])
def test_sticks_up_to_the_facet(facets):
    """Between two corners friction reaches mu cos(pi / facets): an error of second order."""
    mu, angle = 0.4, np.pi / facets
    limit = mu * np.cos(angle)
    for share, sticks in ((0.999, True), (1.001, False)):
        u = np.array([-1.0, *(share * limit * np.array([np.cos(angle), np.sin(angle)]))])
        model = rc.PolygonalFriction(facets=facets)
        found = rc.solve(point_mass(u, mu), friction_model=model, tolerance=1e-12)
        speed = np.linalg.norm(found.velocities[0, 1:])
        assert (speed < 1e-12) == sticks
        if not sticks:
            assert speed == pytest.approx((share - 1.0) * limit, rel=1e-6)


@pytest.mark.parametrize("mu", [0.0, 1e-9, 1e6])
def test_any_coefficient(mu):
    found = rc.solve(point_mass([-1.0, 0.3, 0.2], mu), friction_model="polygonal", tolerance=1e-10)
    assert found.converged
    assert found.velocities[0, 0] == pytest.approx(0.0, abs=1e-12)
    expected = 0.0 if mu == 1e6 else np.hypot(0.3, 0.2)
    assert np.linalg.norm(found.velocities[0, 1:]) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("name", ["polygonal", "box"])
def test_extra_rows(name):
    """A bilateral and a bounded row beside a contact: what they hold is held, within bounds."""
    rng = np.random.default_rng(3)
    root = rng.normal(size=(5, 8))
    W, q = root @ root.T, np.array([-1.0, 0.4, -0.3, 0.5, 2.0])
    bounds = [[-np.inf, np.inf], [-0.01, 0.01]]
    problem = rc.ContactProblem.from_delassus(W, q, sliding=[0.3], bounds=bounds)
    model = rc.BoxFriction(rounds=200) if name == "box" else name
    found = rc.solve(problem, friction_model=model, tolerance=1e-10)
    assert found.converged
    assert found.row_velocities[0] == pytest.approx(0.0, abs=1e-10)
    assert found.row_reactions[1] == pytest.approx(-0.01)
    assert found.row_velocities[1] > 0.0
    assert found.residual < 1e-10


def test_no_solution_is_told():
    """A wedge that closes: two contacts without friction push one body into each other."""
    W = np.array([[1.0, -1.0], [-1.0, 1.0]])
    problem = rc.ContactProblem.from_delassus(
        np.kron(W, np.diag([1.0, 0.0, 0.0])) + np.diag([0, 1e-3, 1e-3] * 2),
        [-1.0, 0, 0, -1.0, 0, 0],
        sliding=[0.0, 0.0],
    )
    found = rc.solve(problem, friction_model="polygonal")
    assert not found.converged
    assert found.status is rc.Status.INFEASIBLE


@pytest.mark.parametrize("facets", [3, 5, 2, 258, 8.0, True, None])
def test_wrong_facets(facets):
    with pytest.raises(rc.InputError, match="facets"):
        rc.PolygonalFriction(facets=facets)


def test_wrong_input():
    problem = point_mass([-1.0, 0.0, 0.0], 0.3)
    with pytest.raises(rc.InputError, match="did you mean 'polygonal'"):
        rc.solve(problem, friction_model="poligonal")
    with pytest.raises(rc.InputError, match="friction_model = 3"):
        rc.solve(problem, friction_model=3)
    with pytest.raises(rc.InputError, match="choose a friction_model"):
        rc.solve(problem, "lemke")
    with pytest.raises(rc.InputError, match=r"rounds: .* settings of a friction model go with it"):
        rc.solve(problem, friction_model="box", rounds=5)
    with pytest.raises(rc.InputError, match="apgd"):
        rc.solve(problem, "apgd", friction_model="polygonal")
    with pytest.raises(rc.InputError, match="associated"):
        rc.solve(problem.with_law("associated"), friction_model="polygonal")
    with pytest.raises(rc.InputError, match="simulations alone"):
        rc.solve(problem, friction_model="regularised")
    with pytest.raises(rc.InputError, match="time_limit"):
        rc.solve(problem, friction_model="box", time_limit=1.0)
    with pytest.raises(rc.InputError, match="discs"):
        rc.solve(point_mass([-1.0, 0, 0], rc.Box(0.3, 0.2)), friction_model="box")
