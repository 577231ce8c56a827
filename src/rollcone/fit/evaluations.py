"""The simulations of a fit: asked for in batches, counted, and never asked for twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.errors import SimulationError
from rollcone.fit.problem import FitProblem


@dataclass(frozen=True)
class Answers:
    """Of a batch of points.

    values       (points, repeats, quantities); NaN in all of a run that failed
    errors       what those said, one line each
    unconverged  runs with steps that did not converge
    """

    values: FloatArray
    errors: Sequence[str] = ()
    unconverged: int = 0


# Coefficients (points, parameters) to measured quantities.
Evaluate = Callable[[FloatArray], Answers]


class BudgetSpentError(Exception):
    """More runs were asked for than are allowed: ends a method, which tells the words of it."""


@dataclass(frozen=True)
class Scatter:
    """How runs that differ in their seeds alone differ.

    deviations  (rows, quantities), from the means of their points
    degrees     of freedom: covariance = deviations^T deviations / degrees
    """

    deviations: FloatArray
    degrees: int

    def with_means_of(self, runs: Scatter, repeats: int) -> Scatter:
        """Together with what `runs` tell of the means of `repeats` of them."""
        means = runs.deviations / math.sqrt(repeats)
        return Scatter(np.vstack([self.deviations, means]), self.degrees + runs.degrees)

    @property
    def variance(self) -> FloatArray:
        """(quantities,), of one run."""
        return np.asarray((self.deviations**2).sum(axis=0) / max(self.degrees, 1))


class Evaluations:
    """All points so far, in the order in which they were asked for.

    units     (points, parameters), from 0 to 1
    values    (points, quantities), means over repeats; NaN where all of them failed
    seeded    do runs depend on a seed, so that they scatter?
    """

    def __init__(
        self, problem: FitProblem, evaluate: Evaluate, repeats: int, budget: int, seeded: bool
    ) -> None:
        self.problem, self.repeats, self.budget = problem, repeats, budget
        self.seeded = seeded
        self.units = np.empty((0, len(problem.parameters)))
        self.values = np.empty((0, problem.quantities))
        self.errors: list[str] = []
        self.failed = self.unconverged = 0
        self._evaluate = evaluate
        self._known: dict[bytes, int] = {}
        self._runs: list[FloatArray] = []  # by point: (repeats that did not fail, quantities)

    @property
    def runs(self) -> int:
        return len(self.units) * self.repeats

    @property
    def valid(self) -> IntArray:
        """Numbers of the points that have values."""
        return np.flatnonzero(np.isfinite(self.values).all(axis=1))

    def at(self, units: FloatArray) -> FloatArray:
        """Means (points, quantities) at these points; the new ones are simulated as one batch."""
        points = np.clip(np.atleast_2d(units), 0.0, 1.0) + 0.0  # -0.0 is 0.0
        keys = [point.tobytes() for point in points]
        new = list(dict.fromkeys(key for key in keys if key not in self._known))
        if self.runs + len(new) * self.repeats > self.budget:
            raise BudgetSpentError(f"stopped by the budget of {self.budget} runs")
        if new:
            self._add(np.array([np.frombuffer(key) for key in new]))
        return self.values[[self._known[key] for key in keys]]

    def _add(self, points: FloatArray) -> None:
        answers = self._evaluate(self.problem.values(points))
        wanted = (len(points), self.repeats, self.problem.quantities)
        values = np.asarray(answers.values, dtype=float)
        if values.shape != wanted:
            raise ValueError(f"evaluate returned shape {values.shape}, not {wanted}")
        for point, runs in zip(points, values, strict=True):
            there = runs[np.isfinite(runs).all(axis=1)]
            self.failed += len(runs) - len(there)
            self._known[point.tobytes()] = len(self._known)
            self._runs.append(there)
            mean = there.mean(axis=0) if len(there) else np.full(runs.shape[1], np.nan)
            self.values = np.vstack([self.values, mean])
        self.units = np.vstack([self.units, points])
        self.errors += answers.errors
        self.unconverged += answers.unconverged

    def require(self, points: IntArray) -> None:
        """That some of them have values."""
        if not len(points):
            first = f"; the first: {self.errors[0]}" if self.errors else ""
            raise SimulationError(f"none of {self.runs} runs gave what is measured{first}")

    def scatter(self, points: IntArray) -> Scatter:
        """Pooled over these points."""
        rows = [self._runs[k] - self.values[k] for k in points if len(self._runs[k]) > 1]
        if not rows:
            return Scatter(np.zeros((0, self.values.shape[1])), 0)
        return Scatter(np.vstack(rows), sum(len(row) - 1 for row in rows))
