"""Compile the kernels that the tests use, once, before several test processes start.

Two processes share the list; each compiled kernel goes to the cache folder, from where the
test processes load it. Nothing is wrong if one is missing here: a test would compile it.
"""

from __future__ import annotations

import itertools
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

import rollcone as rc

ROWS = (2, 3, 5, 6)
FORMS = ("body", "delassus")
LOCALS = ("projection", "exact")


def solve(rows: int, form: str, local: str, sets: str) -> None:
    """A sweep, the residuals and the modes of a small problem."""
    problem = rc.problems.random_problem(2, rows=rows, seed=1).problem
    if sets == "other":
        problem = rc.ContactProblem.from_delassus(
            problem.to_delassus().form.W, problem.q, rows=rows, sliding=rc.Box(0.3, 0.2)
        )
    elif form == "delassus":
        problem = problem.to_delassus()
    rc.solve(problem, max_iterations=1, local=local).modes()


def draw_heap() -> None:
    """The generator, and the friction sets one by one."""
    rc.problems.heap(5)
    for friction in (rc.Disc(0.3), rc.Polygon(0.3, 4)):
        friction.project(np.ones((1, 2)))
        friction.support(np.ones((1, 2)))
    rc.FrictionCone(0.3).project(np.ones(3))
    rc.FrictionCone(rc.Ellipse(0.3, 0.2)).project(np.ones(3))


def work() -> list[tuple[object, ...]]:
    discs = itertools.product(ROWS, FORMS, LOCALS, ("disc",))
    others = itertools.product((3, 6), ("delassus",), ("projection",), ("other",))
    return [(draw_heap,), *((solve, *choice) for choice in (*discs, *others))]


def run(job: tuple[object, ...]) -> None:
    job[0](*job[1:])  # type: ignore[operator]


if __name__ == "__main__":
    clock = time.perf_counter()
    print("Filling the kernel cache ...", end=" ", flush=True)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(run, work()))
    print(f"{time.perf_counter() - clock:.0f} s")
    sys.exit(0)
