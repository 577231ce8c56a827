"""A heap that has come to rest, and what it does in the minute after.

A loose block of spheres of 45 mm, 1.4 m high, falls on a plane and makes a heap; sliding 0.6,
rolling and spinning 5 mm, h = 5 ms, default tolerance, one thread. It is at rest when its kinetic
energy is below 1e-16 J, at most 30 s are waited for that; then 60 s more are simulated. Kinetic
energy when they begin and when they end, and the largest in between (of records every half
second); creep, the largest displacement of a sphere; the deepest overlap in that time and in the
fall before; lengths over the diameter D. HEAP_SIZE and HEAP_REST give other numbers of spheres
and seconds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import numpy as np

import rollcone as rc

HEADER = (
    "spheres", "contacts", "at rest after, s", "energy, J", "rested, s", "energy, J", "largest, J",
    "creep / D", "overlap / D", "in the fall", "steps not converged", "CPU ms per step",
)  # fmt: skip
SIZES = [int(n) for n in os.environ.get("HEAP_SIZE", "5000").split(",")]
REST = float(os.environ.get("HEAP_REST", "60"))
D, STEP, RECORD = 0.045, 5e-3, 100
STILL, FALL, LONGEST = 1e-16, 2.0, 30.0  # J; s before rest is looked for, and waited for at most


def loose(spheres: int) -> rc.World:
    """One part in seven of its box is filled."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.6, rolling=0.005, spinning=0.005))
    half = 0.0245 * (spheres / 10) ** 0.5
    world.add_packing(
        shape="sphere", radius=D / 2, density=2028, count=spheres, seed=1, low=(-half, -half, 0.03),
        high=(half, half, 1.436),
    )  # fmt: skip
    return world


def table() -> Iterator[tuple[str, ...]]:
    rc.set_threads(1)
    for spheres in SIZES:
        yield rested(spheres, REST)


def rested(spheres: int, seconds: float) -> tuple[str, ...]:
    world = loose(spheres)
    simulation = rc.Simulation(world, step=STEP, record_every=RECORD, contacts="none")
    run = simulation.advance(FALL)
    while run.energy.kinetic[-1] > STILL and simulation.time < LONGEST:
        run = simulation.advance(simulation.time + RECORD * STEP)
    begin, start, steps = len(run.time) - 1, simulation.time, run.steps
    before, clock = world.state.position.copy(), time.process_time()
    run = simulation.advance(start + seconds)
    taken = (time.process_time() - clock) / (run.steps - steps)
    energy, overlap, failed = run.energy.kinetic, run.overlap / D, run.unconverged
    creep = np.linalg.norm(world.state.position - before, axis=1).max() / D
    after = slice(begin + 1, None)
    return (
        f"{spheres:,}", f"{run.contact_count[-1]:,}",
        f"{start:g}" if energy[begin] <= STILL else f"not in {start:g}", f"{energy[begin]:.0e}",
        f"{seconds:g}", f"{energy[-1]:.0e}", f"{energy[after].max():.0e}", f"{creep:.0e}",
        f"{overlap[after].max():.0e}", f"{overlap[: begin + 1].max():.0e}",
        f"{failed.sum()} of {run.steps:,}", f"{1e3 * taken:.3g}",
    )  # fmt: skip
