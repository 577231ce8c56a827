"""One method after the other: who is asked, when they hand over, and that it is told."""

import re

import numpy as np
import pytest
from solver_cases import LAWS, twin_residual

import rollcone as rc
from rollcone.solvers import hybrid


def makers(solution):
    """Names and iterations, in the order of the report."""
    told = re.search(r"\((?:[^:()]*: )?([^()]*)\)$", solution.message).group(1)
    return [(part.rsplit(" ", 1)[0], int(part.rsplit(" ", 1)[1])) for part in told.split(", ")]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("solver", ["hybrid", "auto"])
def test_sweeps_are_enough(solver, law):
    s = rc.solve(rc.problems.heap(40, 1, state="shake", law=law), solver, tolerance=1e-6)
    assert s.converged
    assert makers(s) == [("gauss-seidel", s.iterations)]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("solver", ["hybrid", "auto"])
def test_sweeps_hand_over(solver, law):
    """Where they would take thousands; the iterations of all add up."""
    problem = rc.problems.stack(12, law=law)
    s = rc.solve(problem, solver, tolerance=1e-11)
    alone = rc.solve(problem, "gauss-seidel", tolerance=1e-11, max_iterations=3000)
    assert not alone.converged
    assert s.converged
    assert twin_residual(problem, s) <= 1.01e-11
    told = makers(s)
    assert [name for name, _ in told[:2]] == ["gauss-seidel", "newton"]
    assert sum(count for _, count in told) == s.iterations
    assert told[0][1] < 1000


def test_newton_hands_over():
    """A heap on which Newton's method, started from sweeps, gets stuck."""
    problem = rc.problems.heap(100, 0, rows=6)
    s = rc.solve(problem, "hybrid", tolerance=1e-12)
    assert s.converged
    assert twin_residual(problem, s) <= 1.01e-12
    names = [name for name, _ in makers(s)]
    assert names[:3] == ["gauss-seidel", "newton", "interior-point"]


@pytest.mark.slow
def test_the_relaxed_law_leads_the_way():
    """A heap of 1,000 contacts, half of which move: Newton's method and apgd alone end at 1e-5.
    From the path of the associated law few iterations are left."""
    problem = rc.problems.heap(430, 0)
    s = rc.solve(problem, "auto", tolerance=1e-12)
    assert s.converged
    assert twin_residual(problem, s) <= 1.01e-12
    told = makers(s)
    assert [name for name, _ in told[:3]] == ["gauss-seidel", "interior-point relaxed", "apgd"]
    assert sum(count for name, count in told if name in ("newton", "interior-point")) < 100


def test_the_associated_law_is_not_relaxed_again(monkeypatch):
    monkeypatch.setattr(hybrid, "_FEW", 0)
    for law in LAWS:
        s = rc.solve(rc.problems.stack(12, law=law), "hybrid", tolerance=1e-11)
        assert s.converged
        assert ("relaxed" in s.message) == (law == "exact")


def belts(blocks, mu):
    """Blocks in a row on a floor, each between two belts that run in opposite directions: under the
    associated law belts would have to part, and there is no solution."""
    H, b, x, y, z = [], [], *np.eye(3)
    for k in range(blocks):
        touching = [(None, (x, y, z), 5.0), (None, (-x, y, z), -5.0), (None, (z, x, y), 0.0)]
        for other, frame, speed in touching + ([(k - 1, (y, x, z), 0.0)] if k else []):
            for e in frame:
                row = np.zeros((blocks, 3))
                row[k] = e
                if other is not None:
                    row[other] = -e
                H.append(row.reshape(-1))
            b.extend([0.0, speed, 0.0])
    v = 0.1 * np.random.default_rng(0).normal(size=(blocks, 3))
    v[:, 2] = -0.1
    M = np.tile(np.eye(3), (blocks, 1, 1))
    return rc.ContactProblem.from_bodies(M, H, v.reshape(-1), b, sliding=mu, rows=3)


@pytest.mark.parametrize("mu", [0.2, 0.5, 1.0])
def test_where_only_the_exact_law_has_a_solution(mu):
    """What grows without bound under the associated law is not taken over."""
    problem = belts(90, mu)
    assert problem.contacts > hybrid._FEW
    relaxed = rc.solve(problem.with_law("associated"), "newton")
    assert relaxed.status is rc.Status.INFEASIBLE
    for sweeps in (0, 1000):
        s = rc.solve(problem, "hybrid", tolerance=1e-12, sweeps=sweeps)
        assert s.converged
        assert twin_residual(problem, s) <= 1.01e-12
        assert s.reactions.max() < 2.0  # masses are 1, speeds 0.1 and mu 5 at the most


def test_a_good_start_goes_to_newton():
    problem = rc.problems.heap(430, 1)
    good = rc.solve(problem, "hybrid", tolerance=1e-9)
    noise = 1.0 + 1e-5 * np.random.default_rng(0).normal(size=problem.size)
    s = rc.solve(problem, "hybrid", tolerance=1e-11, warm_start=noise * good.all_reactions())
    assert s.converged
    assert "relaxed" not in s.message


def test_no_sweeps_where_masses_differ():
    problem = rc.problems.stack(8, mass_ratio=1e4)
    s = rc.solve(problem, "auto", tolerance=1e-9)
    assert s.converged
    assert "mobilities differ" in s.message
    assert makers(s)[0][0] == "newton"
    assert makers(rc.solve(problem, "hybrid", tolerance=1e-9))[0][0] == "gauss-seidel"


def test_no_factorisations_of_too_many_contacts(monkeypatch):
    monkeypatch.setattr(hybrid, "_MOST_CONTACTS", 20)
    s = rc.solve(rc.problems.heap(30, 1), "auto", tolerance=1e-5)
    assert s.converged
    assert "too many contacts" in s.message
    assert {name for name, _ in makers(s)} <= {"gauss-seidel", "apgd"}


def test_the_best_start_is_kept():
    """A good answer is not lost to methods that begin anew."""
    problem = rc.problems.heap(60, 1)
    good = rc.solve(problem, "newton", tolerance=1e-10)
    again = rc.solve(problem, "hybrid", tolerance=0.0, max_iterations=400, warm_start=good)
    assert again.residual <= good.residual


def test_polygons_pass_the_interior_point_by():
    rng = np.random.default_rng(3)
    B = rng.normal(size=(30, 18))
    q = rng.normal(size=30)
    q[::3] -= 1.0
    problem = rc.ContactProblem.from_delassus(B @ B.T, q, sliding=rc.Polygon(0.5, 6), rows=3)
    s = rc.solve(problem, "hybrid", tolerance=1e-13, sweeps=0, max_iterations=2000)
    assert "interior-point" not in s.message
