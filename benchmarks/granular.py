"""Beds and pours of spheres: solvers, scaling, threads, memory.

A bed is ten layers of spheres of 45 mm, each on four of the layer below, on a floor, periodic
along x and y; mu = 0.6, rho = sigma = 5 mm, h = 5 ms. It is at rest, and solved from a cold start
(no reactions) or a warm one (those of the step before). "Landing" is a step of a pour, 2,500
spheres per second, in which some land on a heap of the others.
"""

from __future__ import annotations

import math
import os
import resource
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import rollcone as rc
from benchmarks.table import Table

D, STEP = 0.045, 5e-3
LIMIT = float(os.environ.get("GRANULAR_LIMIT", "3"))  # s for a solve
SIZES = [int(n) for n in os.environ.get("GRANULAR_SIZES", "1000,10000,100000,1000000").split(",")]
SOLVERS = ("gauss-seidel", "apgd", "spectral", "jacobi")


def bed(spheres: int, layers: int = 10) -> rc.World:
    """About so many."""
    edge = max(2, round(math.sqrt(spheres / layers)))
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.6, rolling=0.005, spinning=0.005))
    apart = 1.002 * D  # so that neighbours of one layer do not touch
    world.set_periodic(x=(0.0, edge * apart), y=(0.0, edge * apart))
    rise = math.sqrt(D * D - apart * apart / 2)
    for layer in range(layers):
        first = (0.25 + 0.5 * (layer % 2)) * apart
        world.add_grid(
            shape="sphere", radius=D / 2, density=2028, counts=(edge, edge, 1), spacing=apart,
            origin=(first, first, D / 2 + layer * rise),
        )  # fmt: skip
    return world


def scaling() -> Iterator[tuple[str, ...]]:
    """One process each, so that memory is its own."""
    for n in SIZES:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            yield pool.submit(of_size, n).result()


def of_size(n: int) -> tuple[str, ...]:
    rc.set_threads(1)
    small = rc.Simulation(bed(200), step=STEP)
    small.take_step()  # compiles
    together = rc.Simulation(bed(9000), step=STEP)
    together.take_step()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    simulation = rc.Simulation(bed(n), step=STEP, record_every=10**6)
    simulation.take_step()
    steps = 3 if n >= 300_000 else 10
    begin = dict(simulation.run.timing)
    clock = time.process_time()
    for _ in range(steps):
        simulation.take_step()
    taken = (time.process_time() - clock) / steps
    timing = {name: (t - begin[name]) / steps for name, t in simulation.run.timing.items()}
    sweeps = simulation.last.iterations
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    contacts, bodies = simulation.last.contacts, len(simulation.world.state)
    return (
        f"{bodies - 1:,}", f"{contacts:,}", f"{1e3 * taken:.3g}",
        *(f"{1e3 * timing[name]:.3g}" for name in ("detection", "rows", "solve", "motion")),
        str(sweeps), f"{1e9 * timing['solve'] / contacts / max(sweeps, 1):.0f}",
        f"{memory / contacts:.0f}", f"{memory / bodies:.0f}",
    )  # fmt: skip


def depth() -> Iterator[tuple[str, ...]]:
    """Cold, to 1e-3."""
    for layers in (5, 10, 20, 40):
        simulation = rc.Simulation(bed(20 * 20 * layers, layers), step=STEP, warm_start=False)
        simulation.take_step()
        last = simulation.last
        yield str(layers), f"{last.contacts:,}", str(last.iterations), f"{last.residual:.1e}"


def threads() -> Iterator[tuple[str, ...]]:
    """The same cold solve by one thread and by two, in turns; the best of five."""
    for n in (10_000, 100_000):
        best, bits = {}, set()
        for _ in range(5):
            for count in (1, 2):
                rc.set_threads(count)
                simulation = rc.Simulation(bed(n), step=STEP, warm_start=False)
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


def landing() -> rc.Simulation:
    """A pour of 600, with the last of them in the air."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.6, rolling=0.005, spinning=0.005))
    world.add_emitter(
        shape="sphere", radius=D / 2, density=2028, rate=2500, count=1000, seed=3,
        low=(-0.15, -0.15, 0.4), high=(0.15, 0.15, 0.8), velocity=(0, 0, -2),
    )  # fmt: skip
    simulation = rc.Simulation(world, step=STEP, tolerance=1e-2)
    simulation.advance(0.6)
    return simulation


def solvers() -> Iterator[tuple[str, ...]]:
    """CPU time, setup included, to residuals of the whole problem."""
    scenes = {"landing": landing(), "bed, 1,000": None, "bed, 10,000": None}
    for name in scenes:
        simulation = scenes[name]
        if simulation is None:
            size = int(name.split()[-1].replace(",", ""))
            simulation = rc.Simulation(bed(size), step=STEP)
            simulation.take_step()
        problem = simulation.problem
        assert problem is not None
        for law in ("exact", "associated"):
            given = problem.with_law(law)
            for solver in SOLVERS:
                cells = [to_residual(given, solver, tolerance) for tolerance in (1e-3, 1e-5, 1e-8)]
                yield name, f"{problem.contacts:,}", law, solver, *cells


def to_residual(problem: rc.ContactProblem, solver: str, tolerance: float) -> str:
    rc.solve(problem, solver, max_iterations=1)
    clock = time.process_time()
    found = rc.solve(problem, solver, tolerance=tolerance, max_iterations=10**6, time_limit=LIMIT)
    taken = time.process_time() - clock
    if found.converged:
        return f"{found.iterations}, {taken:.3g} s"
    return f"not in {LIMIT:g} s ({found.residual:.0e})"


TEXT = (__doc__ or "").strip()
TABLES = [
    Table(
        "Granular beds: time and memory against size (one thread)",
        TEXT + "\n\nCPU ms per step at rest, of which detection, rows, solve and motion; sweeps of "
        "the last step, ns per contact and sweep of the solve with its setup; bytes of memory, all "
        "told, over the number of contacts and of spheres.",
        (
            "spheres", "contacts", "ms per step", "detection", "rows", "solve", "motion", "sweeps",
            "ns", "bytes per contact", "bytes per sphere",
        ),
        scaling,
    ),
    Table(
        "Granular beds: sweeps against depth",
        "20 x 20 spheres to a layer, cold start, to a residual of 1e-3.",
        ("layers", "contacts", "sweeps", "residual"),
        depth,
    ),
    Table(
        "Granular beds: two threads against one",
        "Wall ms of a cold solve to 1e-3, the two in turns, best of five.",
        ("spheres", "one", "two", "ratio", "same bits"),
        threads,
    ),
    Table(
        "Granular problems: solvers",
        f"Iterations and CPU s from a cold start, at most {LIMIT:g} s.",
        ("problem", "contacts", "law", "solver", "1e-3", "1e-5", "1e-8"),
        solvers,
    ),
]  # fmt: skip

if __name__ == "__main__":
    sys.exit("python -m benchmarks granular")
