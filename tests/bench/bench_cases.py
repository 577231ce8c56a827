"""Shared by the tests of races: small problems, results made by hand, a race without a process."""

from __future__ import annotations

from pathlib import Path

import rollcone as rc
from rollcone import bench
from rollcone.bench.measure import Measure
from rollcone.bench.results import Outcome, Result

LIMIT = 20.0  # s, that nothing here needs


def small(rows: int = 3, seed: int = 2, law: str = "exact") -> rc.ContactProblem:
    return rc.problems.random_problem(3, rows=rows, seed=seed, law=law).problem


def fill(folder: Path) -> Path:
    """Two problems, one of them below and of the associated law, and what is none."""
    (folder / "below" / ".hidden").mkdir(parents=True)
    rc.save_fclib(small(), folder / "a.hdf5")
    rc.save_problem(small(6, 3, "associated"), folder / "below" / "b.h5")
    (folder / "below" / "damaged.dat").write_text("nothing of the kind")
    (folder / "README.md").write_text("# Problems")
    (folder / "below" / ".hidden" / "c.h5").write_text("")
    return folder


NAMES = ["a.hdf5", "below/b.h5"]


def settings(*solvers: str, **more) -> bench.Settings:
    given = {"tolerances": (1e-4, 1e-8), "time_limit": LIMIT}
    return bench.Settings(solvers=solvers or ("gauss-seidel",), **given | more)


def race(folder: Path, *solvers: str, measure=None, progress=None, **more) -> bench.Race:
    """Solved here, not in a process of its own."""
    return bench.run(
        folder,
        settings=settings(*solvers, **more),
        measure=measure or Measure(),
        progress=progress or (lambda *_: None),
    )


class Recorder:
    """Stands in for solves: keeps the tasks, gives the outcome that `judge` says."""

    def __init__(self, judge=lambda task: Outcome("solved", 1.0, 1.0, 1, 0.0, 1)) -> None:
        self.tasks, self.judge = [], judge

    def __call__(self, task) -> Outcome:
        self.tasks.append(task)
        return self.judge(task)

    @property
    def asked(self) -> list[tuple[str, str, float]]:
        return [(Path(task.path).name, task.solver, task.tolerance) for task in self.tasks]


def result(problem: str, solver: str, status: str, cpu: float = 1.0, tolerance=1e-4, **more):
    given = {
        "problem": problem, "checksum": "0", "law": "exact", "solver": solver,
        "tolerance": tolerance, "time_limit": LIMIT, "version": "1", "contacts": 3, "rows": 3,
        "status": status, "cpu": cpu, "wall": cpu, "iterations": 5, "residual": 1e-9, "turns": 1,
        "note": "",
    }  # fmt: skip
    return Result(**given | more)
