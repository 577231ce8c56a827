"""What a fit has found."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.fit.estimate import Estimate
from rollcone.fit.problem import FitProblem
from rollcone.fit.uncertainty import LEVEL, Uncertainty
from rollcone.sweep.results import plain
from rollcone.view.output import write_whole


@dataclass(frozen=True, repr=False)
class FitResult:
    """Coefficients that match what was measured.

    value        by name, the coefficients
    error        by name, their standard errors
    interval     by name, (low, high), 95 % intervals
    correlation  (n, n), of their errors
    warnings     what is doubtful, one line each
    converged    by the rule of the method
    trace        all points: coefficients (points, n), quantities (points, m) and chi-square
    """

    problem: FitProblem
    estimate: Estimate
    uncertainty: Uncertainty
    method: str
    runs: int
    failed: int
    seconds: float
    warnings: list[str]
    trace: tuple[FloatArray, FloatArray, FloatArray]
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", [p.name for p in self.problem.parameters])

    def __repr__(self) -> str:
        found = (f"{name}={value:.6g}" for name, value in self.value.items())
        return f"FitResult({', '.join(found)}; {self.runs} runs)"

    @property
    def value(self) -> dict[str, float]:
        values = self.problem.values(self.estimate.units)
        return dict(zip(self.names, map(float, values), strict=True))

    @property
    def error(self) -> dict[str, float]:
        return dict(zip(self.names, map(float, self.uncertainty.error), strict=True))

    @property
    def interval(self) -> dict[str, tuple[float, float]]:
        ends = zip(map(float, self.uncertainty.low), map(float, self.uncertainty.high), strict=True)
        return dict(zip(self.names, ends, strict=True))

    @property
    def correlation(self) -> FloatArray:
        return self.uncertainty.correlation

    @property
    def converged(self) -> bool:
        return self.estimate.converged

    @property
    def fitted(self) -> dict[str, FloatArray]:
        """By name of a target, the simulated numbers at the coefficients found."""
        return {
            target.name: self.estimate.values[part]
            for target, part in zip(self.problem.targets, self.problem.slices(), strict=True)
        }

    @property
    def fitted_error(self) -> dict[str, FloatArray]:
        """Their standard errors, from scatter."""
        error = np.sqrt(self.estimate.share * self.estimate.scatter.variance)
        return {
            target.name: error[part]
            for target, part in zip(self.problem.targets, self.problem.slices(), strict=True)
        }

    def save(self, folder: str | os.PathLike[str], title: str = "") -> list[Path]:
        """fit.json (`facts`), trace.csv (all points) and fit.png into a folder."""
        from rollcone.view.fits import figure

        paths = [Path(folder) / name for name in ("fit.json", "trace.csv", "fit.png")]
        document = json.dumps(plain(self.facts()), indent=2, allow_nan=False)
        write_whole("result", paths[0], partial(_write, document))
        write_whole("table", paths[1], self._write_trace)
        write_whole("picture", paths[2], figure(self, title).savefig)
        return paths

    def _write_trace(self, path: Path) -> None:
        """Coefficients, chi-square, and targets; a curve has a column for each of its numbers."""
        points, values, chi2 = self.trace
        columns = []
        for target in self.problem.targets:
            many = range(len(target)) if target.is_curve else ()
            columns += [f"{target.name}[{k}]" for k in many] or [target.name]
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*self.names, "chi2", *columns])
            writer.writerows(np.column_stack([points, chi2, values]).tolist())

    def facts(self) -> dict[str, Any]:
        """For a JSON document."""
        sure = self.uncertainty
        rows = enumerate(self.problem.parameters)
        return {
            "parameters": [
                {
                    "name": p.name,
                    "value": self.value[p.name],
                    "error": float(sure.error[j]),
                    "error_measured": float(sure.measured[j]),
                    "error_simulated": float(sure.simulated[j]),
                    "interval": list(self.interval[p.name]),
                    "level": LEVEL,
                    "range": [p.low, p.high],
                    "at_end": {-1: "lower", 0: None, 1: "upper"}[int(sure.at_end[j])],
                    "determined": bool(np.isfinite(sure.error[j]) or sure.at_end[j]),
                }
                for j, p in rows
            ],
            "correlation": sure.correlation.tolist(),
            "targets": [
                {
                    "name": target.name,
                    "time": None if target.time is None else target.time.tolist(),
                    "measured": target.measured.tolist(),
                    "uncertainty": None
                    if target.uncertainty is None
                    else target.uncertainty.tolist(),
                    "fitted": self.fitted[target.name].tolist(),
                    "fitted_error": self.fitted_error[target.name].tolist(),
                }
                for target in self.problem.targets
            ],
            "chi2": sure.chi2,
            "degrees_of_freedom": sure.degrees,
            "reduced_chi2": sure.reduced_chi2 if self.problem.absolute else float("nan"),
            "method": self.method,
            "converged": self.converged,
            "message": self.estimate.message,
            "runs": self.runs,
            "failed": self.failed,
            "seconds": self.seconds,
            "warnings": self.warnings,
        }


def _write(text: str, path: Path) -> None:
    path.write_text(text)
