"""What a user waits for before anything happens: import and first solve, cold and from
the cache."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

HEADER = ("what", "seconds", "note")
SOLVE = "import rollcone as rc; rc.solve(rc.problems.heap(20, 1), tolerance=1e-3)"


def seconds(code: str, turns: int, **environment: str) -> float:
    """The best wall time of a new interpreter that runs `code`."""
    best = float("inf")
    for _ in range(turns):
        clock = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, **environment})
        best = min(best, time.perf_counter() - clock)
    return best


def table() -> Iterator[tuple[str, ...]]:
    bare = seconds("pass", 5)
    numba = seconds("import numba", 5) - bare
    yield "import numba", f"{numba:.2f}", "for comparison"
    own = seconds("import rollcone", 5) - bare
    yield "import rollcone", f"{own:.2f}", f"{own / numba:.2f} x import numba"
    used = seconds("import rollcone; rollcone.solve, rollcone.ContactProblem", 5) - bare
    yield "... and its solvers", f"{used:.2f}", f"{used / numba:.2f} x import numba"
    with tempfile.TemporaryDirectory() as folder:
        cold = seconds(SOLVE, 1, ROLLCONE_CACHE_DIR=folder) - bare
        yield "first solve of a heap, empty cache", f"{cold:.1f}", "compiles the kernels it uses"
        warm = seconds(SOLVE, 3, ROLLCONE_CACHE_DIR=folder) - bare
        yield "the same in a new process", f"{warm:.1f}", "kernels from the cache"
