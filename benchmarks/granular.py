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
from benchmarks import beds, granular_solvers
from benchmarks.beds import STEP, bed
from benchmarks.table import Table, of_module

SIZES = [int(n) for n in os.environ.get("GRANULAR_SIZES", "1000,10000,100000,1000000").split(",")]
BOUNDED = 300_000  # from so many spheres on, solves are rough and there is but one step
ROUGH: dict[str, Any] = {"solver": "gauss-seidel", "max_iterations": 30, "tolerance": 1e-2}
PHASES = ("detection", "rows", "solve", "motion")
SPARE = 2_000_000  # bytes that a process may have left from before


def scaling() -> Iterator[tuple[str, ...]]:
    """One process each, so that memory is its own."""
    for n in SIZES:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            yield pool.submit(of_size, n).result()


def of_size(n: int) -> tuple[str, ...]:
    rc.set_threads(1)
    for small in (200, 9000):  # loads what it needs
        rc.Simulation(bed(small), step=STEP).take_step()
    before = resident()
    simulation = rc.Simulation(
        bed(n), step=STEP, record_every=10**6, **(ROUGH if n >= BOUNDED else {})
    )
    found = cold = timed(simulation, 1)
    at_rest = [""] * 6
    if n < BOUNDED:
        steps = 3 if n >= 50_000 else 20
        timed(simulation, steps)
        found = timed(simulation, steps)
        taken = [found.seconds, *(found.phases[name] for name in PHASES)]
        at_rest = [*(f"{1e3 * t:.3g}" for t in taken), f"{found.sweeps:.0f}"]
    memory, each = resident() - before, cold.phases["solve"] / cold.sweeps
    assert simulation.last is not None
    contacts, spheres = simulation.last.contacts, len(simulation.world.state) - 1
    return (
        f"{spheres:,}", f"{contacts:,}", *at_rest, f"{found.residual:.0e}",
        f"{cold.sweeps:.0f}", f"{cold.seconds:.3g}", f"{1e9 * each / contacts:.0f}",
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
                simulation._stepper._solver._crew.size = lambda contacts, least, count=count: count  # type: ignore[method-assign]
                simulation.take_step()
                taken = simulation.run.timing["solve"]
                best[count] = min(best.get(count, math.inf), taken)
                bits.add(simulation.world.state.velocity.tobytes())
        same = "yes" if len(bits) == 1 else "NO"
        yield (
            f"{n:,}", f"{1e3 * best[1]:.3g}", f"{1e3 * best[2]:.3g}",
            f"{best[1] / best[2]:.2f}", same,
        )  # fmt: skip


TEXT = (beds.__doc__ or "").strip().partition("\n\n")[2]
TABLES = [
    Table(
        "Granular beds: time and memory against size (one thread)",
        TEXT + "\n\nCPU ms per step, of which detection, rows, solve and motion (shared as "
        "by the clock); effort in sweeps of all contacts, mean, and the worst residual; the first "
        "step, from a cold start: sweeps, CPU s, ns per contact and sweep; bytes of memory, all "
        "told, over the number of contacts and of spheres (none: not above what the process had "
        "to spare). A step makes several solves, to 1e-3; the first one stirs the bed, and in the "
        "steps that are measured (3 after 4 for 100,000 spheres, else 20 after 21) spheres still "
        "move, by up to some millimetres per second. "
        f"From {BOUNDED:,} spheres on there is but the first step, and a solve ends at "
        f"{ROUGH['tolerance']:g} or after {ROUGH['max_iterations']} sweeps, since to 1e-3 it took "
        "more than ten minutes; the residual is that of this step.",
        (
            "spheres", "contacts", "ms per step", *PHASES, "sweeps",
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
    of_module(granular_solvers, "Granular problems: solvers"),
]  # fmt: skip

if __name__ == "__main__":
    sys.exit("python -m benchmarks granular")
