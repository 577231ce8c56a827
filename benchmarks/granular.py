"""Beds of spheres: solvers, scaling, threads, memory. The beds are those of beds.py."""

from __future__ import annotations

import math
import os
import resource
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import rollcone as rc
from benchmarks import beds
from benchmarks.beds import STEP, bed
from benchmarks.table import Table

LIMIT = float(os.environ.get("GRANULAR_LIMIT", "5"))  # s for a solve
SIZES = [int(n) for n in os.environ.get("GRANULAR_SIZES", "1000,10000,100000,1000000").split(",")]
BOUNDED, SWEEPS = 300_000, 30  # from so many spheres on, so many sweeps per solve
SPARE = 2_000_000  # bytes that a process may have left from before
SOLVERS: dict[str, tuple[str, dict[str, Any]]] = {
    "gauss-seidel": ("gauss-seidel", {}),
    "gauss-seidel, relaxation 1": ("gauss-seidel", {"relaxation": 1.0}),
    "gauss-seidel, symmetric": ("gauss-seidel", {"order": "symmetric"}),
    "apgd": ("apgd", {}),
    "spectral": ("spectral", {}),
    "jacobi": ("jacobi", {}),
}
TOLERANCES = (1e-3, 1e-5, 1e-8)
SOLVED = (1000, 10_000, 100_000)  # spheres of the problems for solvers


def scaling() -> Iterator[tuple[str, ...]]:
    """One process each, so that memory is its own."""
    for n in SIZES:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            yield pool.submit(of_size, n).result()


def of_size(n: int) -> tuple[str, ...]:
    rc.set_threads(1)
    for small in (200, 9000):  # compiles
        rc.Simulation(bed(small), step=STEP).take_step()
    before = resident()
    large = n >= BOUNDED
    settings: dict[str, Any] = {"solver": "gauss-seidel", "max_iterations": SWEEPS} if large else {}
    simulation = rc.Simulation(bed(n), step=STEP, record_every=10**6, **settings)
    cold = timed(simulation, 1)
    steps = 1 if large else 3 if n >= 50_000 else 20
    timed(simulation, steps)
    found = timed(simulation, steps)
    memory = resident() - before
    assert simulation.last is not None
    contacts, spheres = simulation.last.contacts, len(simulation.world.state) - 1
    return (
        f"{spheres:,}", f"{contacts:,}", f"{1e3 * found.seconds:.3g}",
        *(f"{1e3 * found.phases[name]:.3g}" for name in ("detection", "rows", "solve", "motion")),
        f"{found.sweeps:.0f}", f"{found.residual:.0e}", f"{cold.sweeps:.0f}",
        f"{cold.seconds:.3g}", f"{1e9 * cold.phases['solve'] / cold.sweeps / contacts:.0f}",
        *(f"{memory / k:.0f}" if memory > SPARE else "" for k in (contacts, spheres)),
    )  # fmt: skip


class Timed(NamedTuple):
    """Per step; seconds are of CPU time, shared among the phases as the clock has them."""

    seconds: float
    phases: dict[str, float]
    sweeps: float
    residual: float  # the worst


def timed(simulation: rc.Simulation, steps: int) -> Timed:
    begin, clock = simulation.run.timing, time.process_time()
    sweeps, residual = 0, 0.0
    for _ in range(steps):
        simulation.take_step()
        assert simulation.last is not None
        sweeps += simulation.last.iterations
        residual = max(residual, simulation.last.residual)
    seconds = (time.process_time() - clock) / steps
    wall = {name: t - begin[name] for name, t in simulation.run.timing.items()}
    phases = {name: seconds * t / sum(wall.values()) for name, t in wall.items()}
    return Timed(seconds, phases, sweeps / steps, residual)


def resident() -> int:
    """Bytes of memory that the process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def depth() -> Iterator[tuple[str, ...]]:
    """Cold, to 1e-3."""
    for layers in (5, 10, 20, 40):
        simulation = rc.Simulation(beds.lattice(layers), step=STEP, warm_start=False)
        simulation.take_step()
        last = simulation.last
        yield str(layers), f"{last.contacts:,}", str(last.iterations), f"{last.residual:.1e}"


def threads() -> Iterator[tuple[str, ...]]:
    """The same cold solve by one thread and by two, in turns; the best of a few."""
    for n, rounds in ((10_000, 5), (100_000, 2)):
        best, bits = {}, set()
        for _ in range(rounds):
            for count in (1, 2):
                rc.set_threads(count)
                simulation = rc.Simulation(bed(n), step=STEP, warm_start=False, tolerance=1e-2)
                simulation._stepper._crew.size = lambda contacts, least, count=count: count  # type: ignore[method-assign]
                simulation.take_step()
                taken = simulation.run.timing["solve"]
                best[count] = min(best.get(count, math.inf), taken)
                bits.add(simulation.world.state.velocity.tobytes())
        same = "yes" if len(bits) == 1 else "NO"
        yield (
            f"{n:,}", f"{1e3 * best[1]:.3g}", f"{1e3 * best[2]:.3g}",
            f"{best[1] / best[2]:.2f}", same,
        )  # fmt: skip


def solvers() -> Iterator[tuple[str, ...]]:
    """CPU time, setup included, to residuals of the whole problem."""
    for flows in (False, True):
        for size in SOLVED:
            simulation = rc.Simulation(bed(size, flows), step=STEP)
            simulation.take_step()
            before = simulation._stepper.reactions.ravel().copy()
            simulation.take_step()
            problem = simulation.problem
            assert problem is not None
            name = f"{'flowing' if flows else 'settled'}, {len(simulation.world.state) - 1:,}"
            same = before.size == problem.q.size
            starts = {"cold": None} | ({"warm": before} if same and not flows else {})
            for law in ("exact", "associated"):
                for solver in SOLVERS if size < 100_000 or law == "exact" else ():
                    for start, p in starts.items():
                        cells = to_residuals(problem.with_law(law), solver, p)
                        yield name, f"{problem.contacts:,}", law, solver, start, *cells


def to_residuals(problem: rc.ContactProblem, solver: str, start: Any) -> Iterator[str]:
    """What is not reached at one tolerance is not tried at the next."""
    name, options = SOLVERS[solver]
    rc.solve(problem, name, max_iterations=1, **options)
    reached = True
    for tolerance in TOLERANCES:
        if not reached:
            yield ""
            continue
        clock = time.process_time()
        found = rc.solve(
            problem, name, tolerance=tolerance, max_iterations=10**6, warm_start=start,
            time_limit=LIMIT, **options,
        )  # fmt: skip
        taken, reached = time.process_time() - clock, found.converged
        yield f"{found.iterations}, {taken:.2g} s" if reached else f"({found.residual:.0e})"


TEXT = (beds.__doc__ or "").strip().partition("\n\n")[2]
TABLES = [
    Table(
        "Granular beds: time and memory against size (one thread)",
        TEXT + "\n\nCPU ms per step at rest, of which detection, rows, solve and motion (shared as "
        "by the clock); effort in sweeps of all contacts, mean, and the worst residual; the first "
        "step, from a cold start: sweeps, CPU s, ns per contact and sweep; bytes of memory, all "
        "told, over the number of contacts and of spheres (none: not above what the process had "
        f"to spare). A step makes several solves, to 1e-3; from {BOUNDED:,} spheres on each ends "
        f"after {SWEEPS} sweeps, and one step is measured instead of three or twenty.",
        (
            "spheres", "contacts", "ms per step", "detection", "rows", "solve", "motion", "sweeps",
            "residual", "cold sweeps", "cold s", "ns", "bytes per contact", "bytes per sphere",
        ),
        scaling,
    ),
    Table(
        "Granular beds: sweeps against depth",
        "A lattice of 20 x 20 spheres to a layer, each on four others; cold start, to a residual "
        "of 1e-3. Effort in sweeps of all contacts.",
        ("layers", "contacts", "sweeps", "residual"),
        depth,
    ),
    Table(
        "Granular beds: two threads against one",
        "Wall ms of a cold solve to 1e-2, the two in turns; best of five, of two for 100,000.",
        ("spheres", "one", "two", "ratio", "same bits"),
        threads,
    ),
    Table(
        "Granular problems: solvers",
        f"Iterations and CPU s, at most {LIMIT:g} s, else (the residual by then). Cold: no "
        "reactions to begin with; warm: those of the step before.",
        ("problem", "contacts", "law", "solver", "start", "1e-3", "1e-5", "1e-8"),
        solvers,
    ),
]  # fmt: skip

if __name__ == "__main__":
    sys.exit("python -m benchmarks granular")
