"""Time of one contact update of Gauss-Seidel, next to what memory alone would cost.

A bare kernel streams the same arrays in the same order (reads the blocks, velocities,
offsets, coefficients; reads and writes reactions and velocities) and computes nothing
else. The two take turns, so that both see the same machine; the best of each counts.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

import rollcone as rc
from benchmarks import bare_kernels
from rollcone.solvers.gauss_seidel import GaussSeidel, GaussSeidelOptions

HEADER = ("contacts", "rows", "state", "ns per update", "ns streaming", "ratio")


def contact_update(problem: rc.ContactProblem, turns: int = 15) -> tuple[float, float]:
    """Seconds per contact update: of a sweep, and of streaming alone."""
    method = GaussSeidel(problem, GaussSeidelOptions())
    method.start(np.zeros(problem.size))
    blocks, bodies, b, _, _, radii, _, steps, p, *_, z = method._sweeps._arguments
    copies, stream = (p.copy(), z.copy()), bare_kernels.opened().stream
    sizes = method._sweeps._sizes
    sweeps = min(max(1, 100_000 // problem.contacts), 400)
    method.advance(sweeps, 0.0)
    stream(*sizes, sweeps, blocks, bodies, b, radii, steps, *copies)
    best = [np.inf, np.inf]
    for _ in range(turns):
        clock = time.perf_counter()
        done = method.advance(sweeps, 0.0)
        best[0] = min(best[0], (time.perf_counter() - clock) / done)
        clock = time.perf_counter()
        stream(*sizes, sweeps, blocks, bodies, b, radii, steps, *copies)
        best[1] = min(best[1], (time.perf_counter() - clock) / sweeps)
    return best[0] / problem.contacts, best[1] / problem.contacts


def table() -> Iterator[tuple[str, ...]]:
    """Rows: contacts, rows, state, ns per update, ns of streaming, ratio."""
    for spheres in (400, 19_500):
        for rows in (3, 5, 6):
            for state in ("rest", "shake"):
                problem = rc.problems.heap(spheres, 1, rows=rows, state=state)
                update, bare = contact_update(problem)
                figures = (f"{update * 1e9:.0f}", f"{bare * 1e9:.0f}", f"{update / bare:.1f}")
                yield f"{problem.contacts}", f"{rows}", state, *figures
