"""How many iterations and how long: heaps and stacks to several residuals, both laws. In brackets
the residual after 20,000 iterations."""

from __future__ import annotations

from collections.abc import Iterator

import rollcone as rc
from rollcone.problem.contact_problem import LAWS

HEADER = ("problem", "law", "solver", "contacts", "1e-3", "1e-4", "1e-6", "1e-8")
SOLVERS = ("gauss-seidel", "apgd", "spectral")
TOLERANCES = (1e-3, 1e-4, 1e-6, 1e-8)


def cells(problem: rc.ContactProblem, solver: str) -> Iterator[str]:
    """Iterations and seconds to each tolerance; after one that is not reached, no more is tried."""
    rc.solve(problem, solver, max_iterations=3)
    failed = ""
    for tolerance in TOLERANCES:
        if not failed:
            found = rc.solve(problem, solver, tolerance=tolerance, max_iterations=20_000)
            failed = "" if found.converged else f"({found.residual:.0e})"
        yield failed or f"{found.iterations}, {found.time:.2g} s"


def table() -> Iterator[tuple[str, ...]]:
    for name, make in {
        "heap 100 rest": lambda law: rc.problems.heap(100, 1, law=law),
        "heap 100 shake": lambda law: rc.problems.heap(100, 1, law=law, state="shake"),
        "heap 1000 rest": lambda law: rc.problems.heap(1000, 1, law=law),
        "heap 1000 shake": lambda law: rc.problems.heap(1000, 1, law=law, state="shake"),
        "stack 10, pushed": lambda law: rc.problems.stack(10, push=0.5, law=law),
        "stack 10, mass ratio 100": lambda law: rc.problems.stack(10, mass_ratio=100.0, law=law),
    }.items():
        for law in LAWS:
            problem = make(law)
            for solver in SOLVERS:
                yield name, law, solver, str(problem.contacts), *cells(problem, solver)
