"""What a study has found: a table with one row for each run, in CSV and HDF5 files."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np

from rollcone import __version__
from rollcone.errors import InputError, MissingPackageError
from rollcone.studies.campaign import mean_and_error
from rollcone.sweep.case import Case
from rollcone.sweep.columns import ERROR, FACTS
from rollcone.sweep.measures import Series
from rollcone.sweep.results import Outcome, place
from rollcone.view.output import write_whole

if TYPE_CHECKING:
    from rollcone.sweep.sweep import Sweep

FORMAT = "rollcone-sweep"


@dataclass(frozen=True, repr=False)
class SweepResult:
    """Cases and their outcomes, in the order of the study."""

    sweep: Sweep
    cases: list[Case]
    outcomes: list[Outcome]
    folder: Path

    def __repr__(self) -> str:
        return f"SweepResult({len(self.cases)} runs, {len(self.failed)} failed)"

    @property
    def failed(self) -> list[tuple[Case, str]]:
        """Runs that failed, and why."""
        pairs = zip(self.cases, self.outcomes, strict=True)
        return [(case, outcome.error) for case, outcome in pairs if outcome.failed]

    @property
    def unconverged(self) -> int:
        """Runs with steps that did not converge."""
        return sum(outcome.facts.get("unconverged", 0) > 0 for outcome in self.outcomes)

    @property
    def parameters(self) -> list[str]:
        return [parameter.name for parameter in self.sweep.parameters]

    @property
    def measures(self) -> list[str]:
        """Columns of what was measured; a curve has one for each of its numbers."""
        names: dict[str, None] = {}
        for measure in self.sweep.subject.measures:
            many = isinstance(measure, Series) and measure.times
            names |= dict.fromkeys(_flat({measure.column: [0.0] * len(many) if many else 0.0}))
        for outcome in self.outcomes:
            names |= dict.fromkeys(_flat(outcome.values))
        return list(names)

    @property
    def missing(self) -> dict[str, int]:
        """Runs that did not fail but have no value (NaN), by measure."""
        found = [_flat(outcome.values) for outcome in self.outcomes if not outcome.failed]
        blank = {name: [v.get(name, math.nan) for v in found] for name in self.measures}
        counts = {name: int(np.isnan(values).sum()) for name, values in blank.items()}
        return {name: count for name, count in counts.items() if count}

    @property
    def versions(self) -> list[str]:
        """Of the Rollcone that made the runs."""
        return sorted({str(o.facts["version"]) for o in self.outcomes if "version" in o.facts})

    def rows(self) -> list[dict[str, Any]]:
        """One for each run: its values, what was measured, and what is known of the run."""
        blank = dict.fromkeys(self.measures, math.nan)
        return [
            _row(number, case, outcome, self.folder, blank)
            for number, (case, outcome) in enumerate(zip(self.cases, self.outcomes, strict=True))
        ]

    def column(self, name: str) -> np.ndarray:
        """Of the rows; NaN where a run failed."""
        rows = self.rows()
        names = dict.fromkeys(key for row in rows for key in row)
        if name not in names:
            raise InputError(f"column = {name!r}: must be one of {', '.join(names)}")
        return np.array([row.get(name, math.nan) for row in rows])

    def points(self) -> list[dict[str, Any]]:
        """One for each point: the mean of each measure over its repeats, and as '<name>_error' its
        standard error; NaN does not count."""
        repeats = self.sweep.repeats
        found = []
        for first in range(0, len(self.cases), repeats):
            outcomes = [_flat(outcome.values) for outcome in self.outcomes[first : first + repeats]]
            row = dict(self.cases[first].point)
            row["runs"] = sum(bool(values) for values in outcomes)
            for name in self.measures:
                numbers = [values.get(name, math.nan) for values in outcomes]
                row[name], row[name + ERROR] = mean_and_error(numbers)
                if repeats > 1 and sum(not math.isnan(number) for number in numbers) < 2:
                    row[name + ERROR] = math.nan  # of one value nobody knows
            found.append(row)
        return found

    def frame(self) -> Any:
        """The rows as a pandas DataFrame; pandas must be installed."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingPackageError("result.frame needs pandas: pip install pandas") from None
        return pd.DataFrame(self.rows())

    def save(self) -> list[Path]:
        """results.csv, results.h5 and the figures into the folder of the study."""
        from rollcone.view.sweeps import figures

        paths = [self.folder / "results.csv", self.folder / "results.h5"]
        write_whole("table", paths[0], self._write_csv)
        write_whole("table", paths[1], self._write_hdf5)
        for name, figure in figures(self).items():
            paths.append(self.folder / f"{name}.png")
            write_whole("picture", paths[-1], figure.savefig)
        return paths

    def _write_csv(self, path: Path) -> None:
        rows = self.rows()
        names = dict.fromkeys(name for row in rows for name in row)
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, names, restval="")
            writer.writeheader()
            writer.writerows(rows)

    def _write_hdf5(self, path: Path) -> None:
        """A dataset for each column, and the study itself."""
        rows = self.rows()
        names = dict.fromkeys(name for row in rows for name in row)
        with h5py.File(path, "w") as file:
            file.attrs.update(format=FORMAT, version=__version__, study=self.sweep.text)
            for name in names:
                values = [row.get(name, math.nan) for row in rows]
                numbers = all(isinstance(value, bool | int | float) for value in values)
                texts = [str(value) if value == value else "" for value in values]
                file.create_dataset(name.replace("/", "_"), data=values if numbers else texts)


def _row(
    number: int, case: Case, outcome: Outcome, folder: Path, blank: dict[str, float]
) -> dict[str, Any]:
    facts = outcome.facts
    row = {"run": number, **case.point, "repeat": case.repeat, **blank, **_flat(outcome.values)}
    row |= {name: facts.get(name, math.nan) for name in FACTS}
    row["contacts"] = facts.get("contacts", {}).get("most", math.nan)
    row["warnings"] = len(facts.get("warnings", ()))
    row["seconds"] = outcome.seconds
    row["error"] = outcome.error
    return row | {"folder": str(place(folder, case).relative_to(folder))}


def _flat(values: dict[str, Any]) -> dict[str, float]:
    """Curves as one column for each number."""
    flat: dict[str, float] = {}
    for name, value in values.items():
        many = value if isinstance(value, list) else None
        flat |= {name: value} if many is None else {f"{name}[{k}]": x for k, x in enumerate(many)}
    return flat
