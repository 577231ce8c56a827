"""Heaps at rest, made by the library, to rounding; cold start, one thread, CPU seconds.

Heaps at rest under the exact law are where methods of first order get nowhere. Rows per contact 5
(rolling) and 6 (and spinning); three seeds each, also in scaled units for the first.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median

import rollcone as rc
from benchmarks.static_heap import FALL, STEP, loose
from benchmarks.table import Table
from rollcone.problem.contact_problem import LAWS

GOAL, LIMIT = 1e-12, 20.0
SHORT, LONG, MANY = 10.0, 40.0, 5000  # seconds for each of many solves; with so many contacts
SPHERES = {100: 50, 1000: 430, 5000: 2050}  # by the number of contacts, about
GROWTH = (50, 130, 430, 1300, 4100)  # spheres: 100 to 10,000 contacts
REACHED = 1e-8
# Spheres, rows, seeds: heaps that no setting of a solver was chosen on.
OTHERS = ((430, 6, range(100, 120)), (430, 3, range(100, 120)), (2050, 6, range(10, 13)))


METHODS = ("gauss-seidel", "newton", "interior-point", "apgd")


def timed(
    problem: rc.ContactProblem, solver: str, goal: float, limit: float = LIMIT
) -> tuple[rc.Solution, float]:
    """Kernels are loaded before the clock starts."""
    rc.set_threads(1)
    small = rc.problems.heap(5, rows=problem.rows, law=problem.law)
    for method in METHODS:
        rc.solve(small, method, tolerance=goal, max_iterations=30)
    clock = time.process_time()
    found = rc.solve(problem.fresh(), solver, tolerance=goal, time_limit=limit)
    return found, time.process_time() - clock


def rest_rows() -> Iterator[tuple[str, ...]]:
    for spheres in SPHERES.values():
        for rows in (5, 6):
            for seed, units in ((0, "SI"), (0, "scaled"), (1, "SI"), (2, "SI")):
                problem = rc.problems.heap(spheres, seed, rows=rows, units=units)
                found, seconds = timed(problem, "auto", GOAL)
                yield (
                    f"{spheres}, seed {seed}, {units}", str(problem.contacts), str(rows),
                    f"{found.residual:.0e}", f"{seconds:.3g}", found.message.partition("(")[2][:-1],
                )  # fmt: skip


def other_rows() -> Iterator[tuple[str, ...]]:
    for spheres, rows, seeds in OTHERS:
        times, solved = [], 0
        for seed in seeds:
            found, seconds = timed(rc.problems.heap(spheres, seed, rows=rows), "auto", GOAL)
            times.append(seconds)
            solved += found.converged
        cells = (f"{cell:.2g}" for cell in (min(times), median(times), max(times)))
        yield str(spheres), str(rows), str(len(seeds)), str(solved), *cells


def growth_rows() -> Iterator[tuple[str, ...]]:
    for law in LAWS:
        for rows in (3, 5, 6):
            for spheres in GROWTH:
                cells = []
                for solver in ("newton", "interior-point"):
                    runs = []
                    for seed in range(3 if spheres < 1000 else 1):
                        problem = rc.problems.heap(spheres, seed, rows=rows, law=law)
                        limit = LONG if problem.contacts > MANY else SHORT
                        found, _ = timed(problem, solver, REACHED, limit)
                        worst = f"({found.residual:.0e})"
                        runs.append(str(found.iterations) if found.converged else worst)
                    cells.append(", ".join(runs))
                yield law, str(rows), str(spheres), str(problem.contacts), *cells


def step_rows() -> Iterator[tuple[str, ...]]:
    for spheres in (100, 400, 1000):
        simulation = rc.Simulation(loose(spheres), step=STEP, record_every=100, contacts="none")
        run = simulation.advance(FALL)
        while run.energy.kinetic[-1] > 1e-12 and simulation.time < 15.0:
            run = simulation.advance(simulation.time + 100 * STEP)
        before = simulation.reactions.copy()
        simulation.take_step()
        problem = simulation.problem
        if problem is None or problem.size != before.size:
            yield str(spheres), "", "contacts changed", "", ""
            continue
        warm = rc.solve(problem, "newton", tolerance=1e-10, warm_start=before.reshape(-1), sweeps=0)
        cold = rc.solve(problem, "newton", tolerance=1e-10)
        yield (
            str(spheres), str(problem.contacts), f"{run.energy.kinetic[-1]:.0e}",
            *(f"{s.iterations} ({s.residual:.0e})" for s in (warm, cold)),
        )  # fmt: skip


TABLES = [
    Table(
        f"Heaps at rest to {GOAL:.0e}",
        f"{(__doc__ or '').strip()}\nSolver `auto`; {LIMIT:g} s at most.",
        ("spheres", "contacts", "rows", "residual", "CPU s", "by"),
        rest_rows,
    ),
    Table(
        f"Other heaps at rest to {GOAL:.0e}",
        f"Heaps that no setting of a solver was chosen on; solver `auto`, {LIMIT:g} s at most.\n"
        "Quickest, median and slowest in CPU seconds.",
        ("spheres", "rows", "heaps", "solved", "quickest", "median", "slowest"),
        other_rows,
    ),
    Table(
        f"Iterations of methods of second order to {REACHED:.0e}",
        f"Heaps at rest, up to three seeds; in brackets the residual where it is not reached in "
        f"{SHORT:g} s ({LONG:g} s\nwith more than {MANY} contacts) or the solver's own limit "
        "(300 for newton, 1000 for interior-point).",
        ("law", "rows", "spheres", "contacts", "newton", "interior-point"),
        growth_rows,
    ),
    Table(
        "A step of a settled heap to 1e-10",
        "Iterations (factorisations) of newton from the reactions of the step before, and cold, "
        "with the\nresidual they end with. Spheres as in the heap at rest; kinetic energy in J.",
        ("spheres", "contacts", "energy", "warm", "cold"),
        step_rows,
    ),
]
