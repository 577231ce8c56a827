"""Wall time per step of whole runs, the least of three (but one pour).

`in kernels` is the share of that time inside the compiled loop `run_steps`. The sphere has a radius
of 0.5 m, 2500 kg/m3, sliding 0.2, rolling 4e-5 m and at first 2.5 m/s, so that it rolls to the
end; boxes have edges of 0.1 m. Spheres make 1,000,000 steps, recorded every 1,000.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import rollcone as rc
from benchmarks import peer_step as peer
from benchmarks.stepping import pour
from benchmarks.table import Table
from rollcone.stepping import step as stepper

STEPS = 1_000_000
CHILD = Path(peer.__file__)
COST_HEADER = ("scene", "h", "contacts", "us per step", "us per contact", "in kernels", "note")
EDGE = 0.1  # of a box, m
DIAMETER, BALLS = 0.045, 10


class KernelClock:
    """While it is open: seconds inside `run_steps`, by standing in its place, and CPU seconds."""

    def __enter__(self) -> KernelClock:
        self.kernels, self._run = 0.0, stepper.run_steps
        stepper.run_steps = self
        self.cpu = -time.process_time()
        return self

    def __exit__(self, *error: object) -> None:
        self.cpu += time.process_time()
        stepper.run_steps = self._run

    def __call__(self, *arguments: Any) -> int:
        begin = time.perf_counter()
        code = self._run(*arguments)
        self.kernels += time.perf_counter() - begin
        return code


@dataclass(frozen=True)
class Cost:
    """A run, and what it took: seconds by the clock, the share of kernels in them, CPU seconds."""

    run: rc.Run
    wall: float
    share: float
    cpu: float

    def cells(self, name: str) -> tuple[str, ...]:
        """All of a row but the note."""
        run, contacts = self.run, float(self.run.contact_count[1:].mean())
        each = 1e6 * self.wall / run.steps
        per_contact = f"{each / contacts:.2f}" if contacts else ""
        step = f"{1e3 * run.step:g} ms"
        return name, step, f"{contacts:.0f}", f"{each:.1f}", per_contact, f"{self.share:.1%}"


def measured(world: rc.World, step: float, steps: int, turns: int = 1, **settings: Any) -> Cost:
    """The fastest of some runs, after a first one for the kernels."""
    rc.simulate(world, until=2 * step, step=step, **settings)
    costs = []
    for _ in range(turns):
        with KernelClock() as clock:
            run = rc.simulate(world, until=steps * step, step=step, **settings)
        costs.append(Cost(run, run.wall_time, clock.kernels / run.wall_time, clock.cpu))
    return min(costs, key=lambda cost: cost.wall)


@lru_cache(maxsize=1)
def poured() -> Cost:
    """3 s of 1,000 spheres, for two tables."""
    return measured(pour(1000, 0.01), 5e-3, 600, tolerance=1e-3)


def ball(law: rc.ContactLaw, speed: float, floor: bool = True) -> rc.World:
    world = rc.World(gravity=(0, 0, -9.81 if floor else 0.0))
    if floor:
        world.add_plane()
    world.set_contact_law(law)
    world.add_sphere(
        radius=peer.RADIUS, density=2500, position=(0, 0, peer.RADIUS), velocity=(speed, 0, 0),
        angular_velocity=(0, speed / peer.RADIUS, 0),
    )  # fmt: skip
    return world


def stack(boxes: int) -> rc.World:
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    for k in range(boxes):
        world.add_box(size=(EDGE,) * 3, density=1000, position=(0, 0, (k + 0.5) * EDGE))
    return world


def cost_rows() -> Iterator[tuple[str, ...]]:
    rolling = rc.ContactLaw(sliding=peer.SLIDING, rolling=peer.ROLLING)
    for name, world in {
        "free sphere": ball(rolling, peer.SPEED, floor=False),
        "sphere at rest": ball(rolling, 0.0),
        "rolling sphere": ball(rolling, peer.SPEED),
    }.items():
        cost = measured(world, peer.STEP, STEPS, turns=3, record_every=1000)
        speed = cost.run.states("velocity")[-1, -1, 0]
        yield *cost.cells(name), f"{speed:.6f} m/s at the end"
    for name, count, steps in (("two boxes", 2, 100_000), ("stack of ten boxes", 10, 10_000)):
        cost = measured(stack(count), 5e-3, steps, turns=3, record_every=1000)
        position = cost.run.states("position")
        creep = np.abs(position[-1] - position[0]).max() / EDGE
        yield *cost.cells(name), f"crept {creep:.0e} of an edge"
    cost = poured()
    note = f"{cost.run.unconverged.sum()} of {cost.run.steps} steps not converged"
    yield *cost.cells("1,000 spheres poured"), note


def peer_rows() -> Iterator[tuple[str, ...]]:
    """Ours first; each of the others in a process of its own."""
    law = rc.ContactLaw(sliding=peer.SLIDING, rolling=peer.ROLLING)
    for every in (1000, 1):
        world = ball(law, peer.SPEED)
        cost = measured(world, peer.STEP, peer.STEPS, turns=3, record_every=every)
        note = f"recorded every {every} steps" if every > 1 else "every step recorded"
        yield "Rollcone", cost.cells("")[3], note
    for name, note in (("mujoco", "steps in one call"), ("pybullet", "a call per step")):
        each = peer_seconds(name)
        words = f"{note}, nothing recorded" if each else "not here"
        yield name, f"{1e6 * each:.1f}" if each else "", words


def peer_seconds(name: str) -> float:
    """Per step; 0 if it is not installed, or fails."""
    python = os.environ.get("PEERS_PYTHON", sys.executable)
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            [python, str(CHILD), name], capture_output=True, text=True, timeout=120, check=True
        )
        return float(done.stdout.split()[-1])
    return 0.0


def column(restitution: float) -> rc.World:
    """Ten balls 20 mm apart, the lowest 1 m above the floor."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(restitution=restitution))
    for k in range(BALLS):
        z = 1.0 + 0.5 * DIAMETER + k * (DIAMETER + 0.02)
        world.add_sphere(radius=0.5 * DIAMETER, density=2500, position=(0, 0, z))
    return world


def impact_rows() -> Iterator[tuple[str, ...]]:
    for restitution in (0.0, 0.5):
        for step in (5e-3, 1e-3):
            cost = measured(column(restitution), step, round(1.5 / step))
            z = cost.run.states("position")[:, 1:, 2]
            gaps = np.column_stack([z[:, 0] - 0.5 * DIAMETER, np.diff(z) - DIAMETER])
            yield impact_cells(f"column of {BALLS}, e = {restitution:g}", cost, -gaps.min())
    cost = poured()
    yield impact_cells("1,000 spheres poured", cost, cost.run.overlap.max())


def impact_cells(name: str, cost: Cost, overlap: float) -> tuple[str, ...]:
    run, audit = cost.run, cost.run.energy
    up = run.states("velocity")[:, 1:, 2].max()
    rise = np.diff(audit.kinetic + audit.potential).max() / audit.scale
    passes = run.passes[1:]
    return (
        name, f"{1e3 * run.step:g} ms", f"{max(overlap, 0.0) / DIAMETER:.1e}", f"{up:.1e}",
        f"{max(rise, 0.0):.0e}", f"{passes.mean():.1f}, {passes.max()}", str(run.tempered.sum()),
        str(run.unfinished.sum()), f"{cost.cpu / run.time[-1]:.2f}",
    )  # fmt: skip


TABLES = [
    Table("Cost of a step, long runs", (__doc__ or "").strip(), COST_HEADER, cost_rows),
    Table(
        "Cost of a step, next to others",
        f"The rolling sphere of above at h = 1 ms for {peer.STEPS:,} steps, others with their own "
        "settings;\nPEERS_PYTHON names a Python that has them.",
        ("program", "us per step", "note"),
        peer_rows,
    ),
    Table(
        "Impacts",
        "Ten balls of 45 mm, 20 mm apart, fall 1 m in a column; 1,000 such balls are poured\n"
        "(sliding 0.6, rolling and spinning 0.01 m). The worst overlap over the diameter, the\n"
        "fastest upward speed (m/s), the largest rise of energy in a step over all of it,\n"
        "passes per step (mean, most), rebounds tempered, steps unfinished, CPU seconds per "
        "simulated\nsecond.",
        (
            "scene",
            "h",
            "overlap",
            "upward",
            "energy",
            "passes",
            "tempered",
            "unfinished",
            "CPU s per s",
        ),
        impact_rows,
    ),
]
