"""Tables next to other programs: the pour, settled beds and the contact problem of a bed."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from benchmarks.peers import bed_problem, scene
from benchmarks.peers.programs import Outcome, Variant, run, settler
from benchmarks.table import Table

RESULTS = Path(__file__).parents[2] / "out" / "peers.json"  # for plot.py
HEADER = (
    "program", "settings", "CPU s per s", "clock s per s", "worst overlap / D", "at rest",
    "kinetic energy, J", "creep / D", "height, m", "mean, m",
)  # fmt: skip


def sweeps(budget: int) -> Variant:
    settings = {"solver": "gauss-seidel", "max_iterations": budget, "tolerance": 1e-3}
    return Variant("rollcone", f"{budget} sweeps per solve", settings)


def rollcone(tolerance: float) -> Variant:
    return Variant("rollcone", f"tolerance {tolerance:g}", {"tolerance": tolerance})


LAMMPS = Variant("lammps", "Hertz, 7e7 Pa")
MUJOCO = Variant("mujoco", "h = 5 ms, CG", {"solver": "CG"})
PYBULLET = Variant("pybullet", "h = 5 ms, 50 iterations")
YADE = Variant("yade", "linear, 3e6 Pa, damping 0.4")
DEFAULT = Variant("rollcone", "as it comes")
POUR = (
    DEFAULT,
    rollcone(1e-2),
    rollcone(3e-3),
    *(sweeps(budget) for budget in (20, 50, 150)),
    LAMMPS,
    Variant("lammps", "Hertz, 1e7 Pa", {"young": 1e7}),
    Variant("lammps", "Hertz, 5e8 Pa", {"young": 5e8}),
    MUJOCO,
    Variant("mujoco", "h = 1 ms, CG", {"solver": "CG", "timestep": 1e-3}),
    PYBULLET,
    Variant("pybullet", "h = 1 ms, 50 iterations", {"timestep": 1e-3}),
    YADE,
)
BED = (DEFAULT, rollcone(1e-2), sweeps(20), LAMMPS, MUJOCO, PYBULLET, YADE)
TRAY = (rollcone(1e-2), LAMMPS)
BEDS = (1_000, 10_000)
# Measured elsewhere on such a machine: Chrono is not among the packages that install here.
CHRONO = {1_000: "15", 10_000: "150 to 190"}


def cells(variant: Variant, outcome: Outcome) -> tuple[str, ...]:
    if not outcome.figures:
        return (variant.program, variant.words, outcome.note, *[""] * (len(HEADER) - 3))
    f = outcome.figures
    return (
        variant.program, variant.words, f"{f['cpu']:.2f}", f"{f['wall']:.2f}",
        percent(f["moving"]), percent(f["resting"]), f"{f['energy']:.0e}", f"{f['creep']:.0e}",
        f"{f['height']:.3f}", f"{f['mean_height']:.4f}",
    )  # fmt: skip


def percent(share: float) -> str:
    return f"{100 * share:.2g} %"


def chosen(variant: Variant) -> bool:
    """PEERS names the programs to run, 'rollcone,lammps'; if not given, all are run."""
    return variant.program in os.environ.get("PEERS", variant.program).split(",")


def chrono(spheres: int) -> tuple[str, ...]:
    words = "h = 5 ms, 100 PSOR iterations; a heap, not in this run"
    return ("chrono", words, CHRONO[spheres], *[""] * (len(HEADER) - 3))


def pour_rows() -> Iterator[tuple[str, ...]]:
    """What was measured is also kept for the picture."""
    kept = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pour.npz"
        scene.pour(1_000).save(path)
        for variant in filter(chosen, POUR):
            outcome = run(variant, path)
            if outcome.figures:
                kept.append({"program": variant.program, "words": variant.words} | outcome.figures)
            yield cells(variant, outcome)
    yield chrono(1_000)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(kept, indent=1))


def tray_rows() -> Iterator[tuple[str, ...]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tray.npz"
        scene.tray(10_000, 15.0).save(path)
        for variant in filter(chosen, TRAY):
            yield cells(variant, run(variant, path))


@lru_cache
def settled_bed(spheres: int) -> scene.Scene:
    """Settled by the fastest program that is here."""
    loose = scene.loose_bed(spheres)
    with tempfile.TemporaryDirectory() as folder:
        path, final = Path(folder) / "loose.npz", Path(folder) / "final.npy"
        loose.save(path)
        program = settler()
        settings = {"tolerance": 1e-2} if program == "rollcone" else {}
        outcome = run(Variant(program, "", settings), path, final)
        if not outcome.figures:
            raise RuntimeError(f"the bed of {spheres} was not settled by {program}: {outcome.note}")
        overlap = outcome.figures["resting"] * scene.DIAMETER
        return scene.settled_bed(loose, np.load(final), overlap)


def bed_rows(spheres: int) -> Iterator[tuple[str, ...]]:
    bed = settled_bed(spheres)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bed.npz"
        bed.save(path)
        for variant in filter(chosen, BED):
            yield cells(variant, run(variant, path))
    yield chrono(spheres)


def problem_rows() -> Iterator[tuple[str, ...]]:
    return bed_problem.rows(settled_bed(BEDS[0]))


POUR_TEXT = """\
Spheres of 45 mm, 2028 kg/m3, sliding 0.6, rolling and spinning 0.01 m, enter 1 m above a plane,
800 per second, for 3 s in all. Each program runs in its own process, on one thread; PEERS_PYTHON
names a Python that has LAMMPS, MuJoCo and PyBullet, PEERS the programs to run if not all. Time is
that of the steps alone, per simulated second. Overlap, over the diameter D, is the deepest of
samples every 5 ms; at rest, that of the last half second. Creep is the largest displacement in that
half second (in a pour, also of spheres that still fall off the heap). Energy and height are those
of the end; "mean" is the mean height of the centres.

![CPU time against overlap](peers.png)"""
BED_TEXT = """\
The same spheres in an open box, settled and spread until nothing overlaps. Each program has 0.5 s
to come to a rest of its own, then 1 s is measured; samples every 50 ms."""
TRAY_TEXT = """\
The scene of heap-of-gravel with its largest rolling friction: the spheres of above, 10,000 of
them, fall from 1.5 m into a tray of 2 m x 2 m, 800 per second, 15 s in all; samples every 50 ms. A
run takes 15 times what is told here. MuJoCo, PyBullet and YADE are left out, for want of
time."""
GRAVEL = [Table("Next to others: 10,000 spheres into a tray", TRAY_TEXT, HEADER, tray_rows)]
TABLES = [
    Table("Next to others: 1,000 spheres poured", POUR_TEXT, HEADER, pour_rows),
    *(
        Table(
            f"Next to others: settled bed of {spheres:,} spheres",
            BED_TEXT,
            HEADER,
            partial(bed_rows, spheres),
        )
        for spheres in BEDS
    ),
    Table(
        "Next to others: the contact problem of the bed of 1,000 spheres",
        (bed_problem.__doc__ or "").strip(),
        bed_problem.HEADER,
        problem_rows,
    ),
]
