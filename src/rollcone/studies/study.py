"""What all studies share: rows of a table, simulations with progress, the result.

A study simulates scenes whose answers are known, and holds every number against its reference:
it passes if its error is not above the tolerance. Both are in the same measure,

    absolute   |value - reference|, in the row's unit
    relative   |value / reference - 1|
    order      reference - value: an order of convergence that is too low
    least      reference - value, most  value - reference: a bound that is missed
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rollcone.errors import FileError
from rollcone.mechanics.world import World
from rollcone.recording.run import Run
from rollcone.simulation import Simulation, simulate, steps_between

Measure = Literal["absolute", "relative", "order", "least", "most"]
Verdict = Literal["pass", "fail", "differs"]
# Called after every step with what is simulated, and with the steps made and to make.
Progress = Callable[[str, int, int], object]


@dataclass(frozen=True)
class Row:
    """One number of a study and its reference."""

    study: str
    quantity: str
    reference: float
    source: str
    value: float
    error: float
    tolerance: float
    verdict: Verdict
    measure: Measure
    unit: str
    run: str  # scheme, law and step


class Table:
    """Collects the rows of one study; `source` and `run` hold for the rows that follow."""

    def __init__(self, study: str, source: str) -> None:
        self.study, self.source = study, source
        self.run = ""
        self.rows: list[Row] = []

    def relative(
        self, quantity: str, value: float, reference: float, tolerance: float, unit: str = ""
    ) -> None:
        error = abs(value / reference - 1.0)
        self._add(quantity, value, reference, error, tolerance, "relative", unit)

    def absolute(
        self, quantity: str, value: float, reference: float, tolerance: float, unit: str = ""
    ) -> None:
        self._add(quantity, value, reference, abs(value - reference), tolerance, "absolute", unit)

    def differs(
        self, quantity: str, value: float, published: float, tolerance: float, unit: str = ""
    ) -> None:
        """A published value that may be shown to be off: that is no failure, but told."""
        self.relative(quantity, value, published, tolerance, unit)
        if self.rows[-1].verdict == "fail":
            self.rows[-1] = replace(self.rows[-1], verdict="differs")

    def order(self, quantity: str, value: float, reference: float, tolerance: float) -> None:
        """Of convergence; a higher one is no error."""
        error = math.nan if math.isnan(value) else max(0.0, reference - value)
        self._add(quantity, value, reference, error, tolerance, "order", "")

    def least(self, quantity: str, value: float, bound: float, unit: str = "") -> None:
        """It must not be below the bound."""
        self._bound(quantity, value, bound, bound - value, "least", unit)

    def most(self, quantity: str, value: float, bound: float, unit: str = "") -> None:
        """It must not be above the bound."""
        self._bound(quantity, value, bound, value - bound, "most", unit)

    def _bound(
        self, quantity: str, value: float, bound: float, missing: float, measure: Measure, unit: str
    ) -> None:
        error = math.nan if math.isnan(value) else max(0.0, missing)
        self._add(quantity, value, bound, error, 0.0, measure, unit)

    def converged(self, runs: Iterable[Run]) -> None:
        """No number counts if a step of its run was not solved."""
        failed = sum(int(run.unconverged.sum()) for run in runs)
        words, self.run = self.run, "all"
        self.absolute("steps that did not converge", failed, 0, 0)
        self.run = words

    def _add(
        self,
        quantity: str,
        value: float,
        reference: float,
        error: float,
        tolerance: float,
        measure: Measure,
        unit: str,
    ) -> None:
        verdict: Verdict = "pass" if error <= tolerance else "fail"  # NaN fails
        numbers = float(reference), self.source, float(value), float(error), float(tolerance)
        self.rows.append(Row(self.study, quantity, *numbers, verdict, measure, unit, self.run))


@dataclass
class Study:
    """The rows, and one picture or more by name."""

    name: str
    rows: list[Row]
    figures: dict[str, Any] = field(default_factory=dict)  # of matplotlib
    seconds: float = math.nan
    points: list[dict[str, Any]] = field(default_factory=list)  # of a figure's curves

    @property
    def passed(self) -> bool:
        return all(row.verdict != "fail" for row in self.rows)

    def save(self, folder: str | Path = ".") -> list[Path]:
        """Write the pictures as PNG files into a folder, which is made if need be."""
        where = Path(folder)
        paths = [where / f"{name}.png" for name in self.figures]
        try:
            where.mkdir(parents=True, exist_ok=True)
            for path, figure in zip(paths, self.figures.values(), strict=True):
                figure.savefig(path, dpi=150)
        except OSError as error:
            raise FileError(f"folder {where}: {error.strerror or error}") from error
        return paths

    def report(self) -> dict[str, Any]:
        """For a JSON document."""
        rows = [asdict(row) for row in self.rows]
        document: dict[str, Any] = {"study": self.name, "rows": rows, "seconds": self.seconds}
        if self.points:
            document["points"] = [
                {name: None if number != number else number for name, number in point.items()}
                for point in self.points
            ]
        return document


@dataclass(frozen=True)
class Job:
    """One simulation of a study; the settings are those of `rollcone.simulate`."""

    world: World
    until: float
    step: float
    settings: dict[str, Any] = field(default_factory=dict)


def simulate_all(jobs: dict[str, Job], progress: Progress) -> dict[str, Run]:
    """The run of every job, by its name."""
    total = sum(steps_between(0.0, job.until, job.step) for job in jobs.values())
    done = 0
    runs = {}
    for name, job in jobs.items():

        def tell(simulation: Simulation, name: str = name, before: int = done) -> None:
            progress(name, before + simulation.steps, total)

        runs[name] = simulate(
            job.world, until=job.until, step=job.step, each_step=tell, **job.settings
        )
        done += runs[name].steps
    return runs


def first_moment(run: Run, condition: NDArray[np.bool_]) -> float:
    """The first recorded time at which a condition (moments,) holds; NaN if it never does."""
    return float(run.time[condition.argmax()]) if condition.any() else math.nan
