"""Solvers with little in common give the same velocities: 200 generated problems.

`reference` hands the problem, posed in body velocities, to a conic interior-point code; the
others iterate on contact blocks, or on all reactions at once. Every answer that claims
convergence is compared with the reference, or, where that stalls, with apgd. Under the exact law
a problem may have several solutions: two answers that differ count as such only if a third
code, the slow twin, finds that both obey the law; they are listed.
"""

import numpy as np
import pytest
from solver_cases import INF, ITERATIVE, LAWS, ROWS, twin_residual

import rollcone as rc

pytest.importorskip("clarabel")

TOLERANCE = 1e-10
# Iterations that the slow ones are allowed, and how many of 50 problems each with 2, 3, 5, 6 rows
# must be solved: a few less than were. A solver that is not named must solve half of them.
LIMITS = {
    "gauss-seidel": 100_000,
    "jacobi": 6_000,
    "modified-newton": 4_000,
    "fixed-point": 4_000,
    "extragradient": 3_000,
    "spectral": 5_000,
}
LEAST = {
    "gauss-seidel": (48, 48, 47, 46),
    "jacobi": (40, 40, 31, 28),
    "modified-newton": (44, 45, 39, 36),
    "fixed-point": (43, 41, 33, 30),
    "extragradient": (33, 35, 17, 14),
    "apgd": (49, 49, 49, 49),
    "spectral": (46, 48, 45, 42),
    "admm": (48, 48, 48, 48),
}
FAST = ("gauss-seidel", "apgd", "spectral", "admm")


def generated(number):
    """The problem of that number, and what to call it."""
    rows, law = ROWS[number % 4], LAWS[number // 4 % 2]
    contacts = 1 + number % 200 // 4
    problem = rc.problems.random_problem(contacts, rows=rows, seed=number, law=law).problem
    return problem, f"problem {number}: {contacts} contacts x {rows} rows, {law} law"


def compare(problem, answer, trusted):
    """Relative difference of velocities; None for two solutions, and what was found."""
    scale = max(np.abs(problem.q).max(), 1e-300)
    away = np.abs(answer.velocities - trusted.velocities).max() / scale
    if problem.law == "exact" and away > 1e-3:
        proofs = twin_residual(problem, answer), twin_residual(problem, trusted)
        if max(proofs) <= 2 * TOLERANCE:
            return None, f"two solutions, certified to {proofs[0]:.0e}, {proofs[1]:.0e}"
    return away, f"off by {away:.1e}"


def differences(numbers, solvers):
    """Per solver the differences on the problems that it solved, None for another solution;
    and a list of what is left out or far off."""
    found = {solver: [] for solver in solvers}
    notes = []
    for number in numbers:
        problem, name = generated(number)
        answers = {
            solver: rc.solve(
                problem, solver, tolerance=TOLERANCE, max_iterations=LIMITS.get(solver)
            )
            for solver in (*solvers, "reference")
        }
        sure = answers.pop("reference")
        if not sure.converged:
            notes.append(f"{name}: reference: {sure.message}")
            sure = answers["apgd"]
        for solver, answer in answers.items():
            if not (answer.converged and sure.converged):
                notes.append(f"{name}: {solver}: {answer.message}, at {answer.residual:.0e}")
                continue
            away, note = compare(problem, answer, sure)
            if away is None or away > 1e-7:
                notes.append(f"{name}: {solver}: {note}")
            found[solver].append(away)
    return found, notes


SLOW = [pytest.param(k, 200, marks=pytest.mark.slow) for k in (0, 200, 400, 600, 800)]


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize(("first", "many"), [(0, 60), *SLOW])
def test_solvers_agree(first, many, rows):
    place = ROWS.index(rows)
    solvers = FAST if first else ITERATIVE
    found, notes = differences(range(first + place, first + many, 4), solvers)
    print("\n".join(notes))
    for solver, aways in found.items():
        same = np.array([away for away in aways if away is not None])
        least = LEAST.get(solver, (25,) * 4)[place]  # of fifty
        assert len(aways) >= least * many // 200, (solver, notes)
        assert len(same) >= 0.8 * len(aways), (solver, notes)
        assert np.mean(same <= 1e-7) >= 0.95, (solver, notes)
        assert max(same) <= 1e-4, (solver, notes)


@pytest.mark.parametrize("law", LAWS)
def test_they_agree_on_harder_kinds(law):
    """Hyperstatic heaps and stacks, sets that are not discs, zero coefficients, extra rows."""
    W = rc.problems.random_problem(6, rows=6, seed=8).problem.to_delassus()
    sets = {"sliding": rc.Ellipse(0.4, 0.2), "rolling": rc.Box(0.1, 0.05), "spinning": 0.1}
    zero = {"sliding": [0.0, 0.3, 0.0, 0.3, 1.0, 0.2], "rolling": [0.1, 0.0, 0.0, 0.1, 0.1, 0.0]}
    rows = {"sliding": [0.3] * 5, "bounds": [(-INF, INF), (-0.1, 0.1), (0, INF)] * 2}
    cases = {
        "shaken heap": rc.problems.heap(25, 3, state="shake", law=law),
        "pushed stack": rc.problems.stack(3, push=0.5, law=law),
        "other sets": rc.ContactProblem.from_delassus(W.form.W, W.q, rows=6, law=law, **sets),
        "zero coefficients": rc.ContactProblem.from_delassus(W.form.W, W.q, law=law, **zero),
        "extra rows": rc.ContactProblem.from_delassus(W.form.W, W.q, law=law, **rows),
    }
    for name, problem in cases.items():
        sure = rc.solve(problem, solver="reference", tolerance=1e-9)
        assert sure.converged, (name, sure)
        for solver in FAST:
            answer = rc.solve(problem, solver, tolerance=1e-9, max_iterations=200_000)
            assert answer.converged, (name, answer)
            away = np.abs(answer.velocities - sure.velocities).max() / np.abs(problem.q).max()
            assert away < 1e-5, (name, solver, away)
