"""One contact update of 5 rows, and the time to a residual, next to Siconos' rolling NSGS.

Siconos runs in its own Python (`SICONOS_PYTHON`, else the system's) on the same numbers;
both sides count CPU time, cold start, and stop by the residual that Siconos prints (in SI
units it is met long before the answer is good: see residual.py). Heaps from
../shared/problems are used where present, besides three made by the library. "Not reached":
in 1,000 sweeps of Siconos, 20,000 of ours.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import rollcone as rc
from benchmarks.gauss_seidel_speed import contact_update
from rollcone.bench.siconos_answers import CHILD, run_python, write_problem
from rollcone.problem.residual import residuals

HERE = Path(__file__).parent
HEAPS = HERE.parent.parent / "shared" / "problems" / "heaps"
HEADER = (
    "problem",
    "contacts",
    "Siconos us",
    "Rollcone us",
    "ratio per update",
    "Siconos s",
    "Rollcone s",
    "ratio to 1e-4",
)
TOLERANCE = 1e-4
NAMES = (
    "heap97_shake",
    "heap97_shake_SI",
    "heap97_rest",
    "pile78",
    "heap1k_shake",
    "heap1k_shake_SI",
)


def siconos(
    problem: rc.ContactProblem, sweeps: int, tolerance: float, turns: int
) -> dict[str, float] | None:
    """What siconos_rolling.py prints; None where Siconos is not installed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problem.npz"
        write_problem(problem, path)
        numbers = (str(sweeps), str(tolerance), str(turns))
        arguments = [str(HERE / "siconos_rolling.py"), str(path), *numbers]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        try:
            process = run_python(arguments, env={"PYTHONPATH": str(CHILD.parent)}, **pipes)
        except OSError:
            return None
        out, _ = process.communicate()
    return None if process.returncode else dict(json.loads(out.splitlines()[-1]))


def time_to(problem: rc.ContactProblem, tolerance: float) -> float | None:
    """CPU seconds until the residual that Siconos uses is below `tolerance`."""
    best = np.inf
    own = tolerance
    for _ in range(5):  # our own tolerance that gives the other residual
        found = rc.solve(problem, tolerance=own, max_iterations=20_000)
        if residuals(problem, found.all_reactions()).residual_fclib <= tolerance:
            break
        own *= 0.3
    else:
        return None
    for _ in range(3):
        clock = time.process_time()
        rc.solve(problem, tolerance=own, max_iterations=20_000)
        best = min(best, time.process_time() - clock)
    return best


def problems() -> list[tuple[str, rc.ContactProblem]]:
    stored = [(name, HEAPS / f"{name}.npz") for name in NAMES]
    found = [(name, rc.load_problem(path)) for name, path in stored if path.exists()]
    made = [
        (f"made {state} {units}", rc.problems.heap(400, 1, rows=5, state=state, units=units))
        for state, units in (("rest", "scaled"), ("shake", "scaled"), ("shake", "SI"))
    ]
    return found + made


def table() -> Iterator[tuple[str, ...]]:
    for name, problem in problems():
        size = str(problem.contacts)
        peer = siconos(problem, 30, 1e-16, turns=3)
        update, _ = contact_update(problem)
        if peer is None:
            yield name, size, "absent", f"{update * 1e6:.3f}", "", "", "", ""
            continue
        theirs = peer["seconds"] / peer["sweeps"] / problem.contacts
        there = siconos(problem, 1_000, TOLERANCE, turns=1)
        reached = there is not None and there["residual"] <= TOLERANCE
        here = time_to(problem, TOLERANCE)
        yield (
            name,
            size,
            f"{theirs * 1e6:.2f}",
            f"{update * 1e6:.3f}",
            f"{theirs / update:.0f}",
            f"{there['seconds']:.4f}" if there and reached else "not reached",
            f"{here:.4f}" if here else "not reached",
            f"{there['seconds'] / here:.0f}" if there and reached and here else "",
        )
