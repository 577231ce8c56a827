"""How many sweeps and how long: heaps and stacks to several residuals, both laws."""

from __future__ import annotations

from collections.abc import Iterator

import rollcone as rc
from rollcone.problem.contact_problem import LAWS

HEADER = ("problem", "law", "contacts", "1e-3", "1e-4", "1e-6", "1e-8")
TOLERANCES = (1e-3, 1e-4, 1e-6, 1e-8)


def cell(problem: rc.ContactProblem, tolerance: float) -> str:
    """Sweeps and seconds, or the residual reached in 20,000 sweeps."""
    found = rc.solve(problem, tolerance=tolerance, max_iterations=20_000)
    if not found.converged:
        return f"({found.residual:.0e})"
    return f"{found.iterations}, {found.time:.2g} s"


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
            rc.solve(problem, max_iterations=1)
            cells = [cell(problem, tolerance) for tolerance in TOLERANCES]
            yield name, law, str(problem.contacts), *cells
