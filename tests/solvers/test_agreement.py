"""Two solvers with nothing in common give the same velocities: 200 generated problems.

Gauss-Seidel iterates on contact blocks; `reference` hands the problem, posed in body
velocities, to a conic interior-point code. Under the exact law a problem may have several
solutions: two answers that differ count as such only if a third code, the slow twin, finds
that both obey the law; they are listed.
"""

import numpy as np
import pytest

import rollcone as rc
import twins

pytest.importorskip("clarabel")


def certified(problem, solution) -> float:
    """The twin's residual of an answer, from dense W."""
    W = problem.to_delassus().form.W.toarray()
    coefficients = problem.cone.radii[:, [0, 2, 4]]
    p = solution.reactions.reshape(-1)
    return twins.measures(W, problem.q, p, coefficients, problem.law)["residual"]


def compare(number: int):
    """(relative difference of velocities or None, description) of one generated problem."""
    rows = (2, 3, 5, 6)[number % 4]
    law = ("exact", "associated")[number // 4 % 2]
    contacts = 1 + number % 200 // 4
    problem = rc.problems.random_problem(contacts, rows=rows, seed=number, law=law).problem
    first = rc.solve(problem, tolerance=1e-10, max_iterations=100_000)
    second = rc.solve(problem, solver="reference", tolerance=1e-10)
    name = f"problem {number}: {contacts} contacts x {rows} rows, {law} law"
    if not (first.converged and second.converged):
        return None, f"{name}: {first.message}; {second.message}"
    away = np.abs(first.velocities - second.velocities).max()
    scale = max(np.abs(problem.q).max(), 1e-300)
    if away > 1e-7 * scale and law == "exact":
        proofs = certified(problem, first), certified(problem, second)
        if max(proofs) <= 2e-10 and away > 1e-3 * scale:
            return None, f"{name}: two solutions, certified to {proofs[0]:.0e}, {proofs[1]:.0e}"
    return away / scale, name


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in (200, 400, 600, 800))]
)
def test_two_solvers_agree(first):
    found = [compare(number) for number in range(first, first + 200)]
    differences = np.array([away for away, _ in found if away is not None])
    left_out = [name for away, name in found if away is None]
    outliers = [f"{name}: {away:.1e}" for away, name in found if away and away > 1e-7]
    print("\n".join([*left_out, *outliers]))
    assert len(differences) >= 180, left_out
    assert np.mean(differences <= 1e-7) >= 0.95, outliers
    assert differences.max() <= 1e-4, outliers


@pytest.mark.parametrize("law", ["exact", "associated"])
def test_they_agree_on_harder_kinds(law):
    """Hyperstatic heaps and stacks, sets that are not discs, zero coefficients, extra rows."""
    W = rc.problems.random_problem(6, rows=6, seed=8).problem.to_delassus()
    sets = {"sliding": rc.Ellipse(0.4, 0.2), "rolling": rc.Box(0.1, 0.05), "spinning": 0.1}
    zero = {"sliding": [0.0, 0.3, 0.0, 0.3, 1.0, 0.2], "rolling": [0.1, 0.0, 0.0, 0.1, 0.1, 0.0]}
    rows = {"sliding": [0.3] * 5, "bounds": [(-np.inf, np.inf), (-0.1, 0.1), (0, np.inf)] * 2}
    cases = {
        "shaken heap": rc.problems.heap(25, 3, state="shake", law=law),
        "pushed stack": rc.problems.stack(3, push=0.5, law=law),
        "other sets": rc.ContactProblem.from_delassus(W.form.W, W.q, rows=6, law=law, **sets),
        "zero coefficients": rc.ContactProblem.from_delassus(W.form.W, W.q, law=law, **zero),
        "extra rows": rc.ContactProblem.from_delassus(W.form.W, W.q, law=law, **rows),
    }
    for name, problem in cases.items():
        first = rc.solve(problem, tolerance=1e-9, max_iterations=200_000)
        second = rc.solve(problem, solver="reference", tolerance=1e-9)
        assert first.converged, (name, first)
        assert second.converged, (name, second)
        away = np.abs(first.velocities - second.velocities).max() / np.abs(problem.q).max()
        assert away < 1e-5, (name, away)
