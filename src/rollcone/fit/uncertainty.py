"""How far the coefficients can be trusted: standard errors, intervals, correlation, chi-square."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from rollcone._check import FloatArray
from rollcone.fit.covariance import Covariance, covariance
from rollcone.fit.estimate import Estimate
from rollcone.fit.objective import Objective
from rollcone.fit.problem import FitProblem

LEVEL = 0.95  # of intervals
_CLOSE = 0.02  # of the rise of chi-square at the ends of an interval
_ATTEMPTS = 8  # to find such an end; where chi-square is smooth two to four do


@dataclass(frozen=True)
class Uncertainty:
    """Arrays over parameters, in their own units.

    error        standard errors; infinite if the quantities do not tell, NaN at the end of a range
    measured     their parts from the uncertainty of the measured numbers ...
    simulated    ... and from the scatter of simulations
    low, high    95 % intervals
    correlation  (n, n)
    at_end       -1 or 1 at the lower or upper end of a range, else 0
    chi2         sum of squared residuals, each by its standard deviation
    degrees      of freedom: measured numbers less coefficients that could move
    known        are the uncertainties of the measured numbers known, given or from residuals?
    """

    error: FloatArray
    measured: FloatArray
    simulated: FloatArray
    low: FloatArray
    high: FloatArray
    correlation: FloatArray
    at_end: FloatArray
    chi2: float
    degrees: int
    known: bool
    parts: Covariance

    @property
    def reduced_chi2(self) -> float:
        return self.chi2 / self.degrees if self.degrees else math.nan

    @property
    def chance(self) -> float:
        """That chi-square is so large if all is right."""
        return float(stats.chi2.sf(self.chi2, self.degrees)) if self.degrees else math.nan


def uncertainty(
    problem: FitProblem,
    found: Estimate,
    chi2_at: Callable[[FloatArray, Objective], FloatArray] | None = None,
) -> Uncertainty:
    """`chi2_at` (points, n in units) follows chi-square to the ends of intervals; None: they are
    as wide as the linear theory says."""
    variance = found.share * found.scatter.variance
    objective = Objective.of(problem, variance)
    plain = Objective(objective.measured, objective.deviation, np.ones_like(variance))
    chi2 = float(plain.chi2(found.values))
    free = covariance(problem, found, variance).at_end == 0
    degrees = problem.quantities - int(free.sum())
    S, known = problem.uncertainty**2, problem.absolute
    if not problem.absolute:
        known = degrees > 0
        factor = chi2 / degrees if known else 0.0
        S = np.maximum(factor * S - variance, 0.0)
    parts = covariance(problem, found, S)
    error = np.sqrt(np.diag(parts.total))
    error[parts.undetermined] = np.inf
    quantile = _quantile(parts, math.inf if problem.absolute else degrees, found.scatter.degrees)
    likely = np.ptp(problem.weight) == 0.0 and (problem.absolute or (known and chi2 > 0))
    follow = chi2_at if likely else None  # weights make it no likelihood
    scale = 1.0 if problem.absolute or not degrees else chi2 / degrees
    ends = _Ends(problem, found, parts, error, quantile)
    reach = ends.linear() if follow is None else ends.followed(plain, scale, follow)
    ends.one_sided(reach, objective, scale)
    slope = np.array([p.slope(u) for p, u in zip(problem.parameters, found.units, strict=True)])
    return Uncertainty(
        error=np.where(parts.at_end != 0, np.nan, error) * slope,
        measured=np.sqrt(np.diag(parts.measured)) * slope,
        simulated=np.sqrt(np.diag(parts.simulated)) * slope,
        low=problem.values(np.clip(found.units - reach[0], 0.0, 1.0)),
        high=problem.values(np.clip(found.units + reach[1], 0.0, 1.0)),
        correlation=_correlation(parts),
        at_end=parts.at_end,
        chi2=chi2 if problem.absolute else math.nan,
        degrees=degrees,
        known=known,
        parts=parts,
    )


def _quantile(parts: Covariance, measured: float, simulated: int) -> FloatArray:
    """(n,), of Student's distribution, with the degrees of freedom of a sum of two variances
    (Welch and Satterthwaite): few repeats tell scatter badly."""
    a, b = np.diag(parts.measured), np.diag(parts.simulated)
    with np.errstate(divide="ignore", invalid="ignore"):
        fewer = a**2 / max(measured, 1.0) + b**2 / max(simulated, 1)
        degrees = np.where(fewer > 0, (a + b) ** 2 / fewer, np.inf)
    return np.asarray(stats.t.ppf(0.5 + LEVEL / 2, np.minimum(degrees, 1e6)))


def _correlation(parts: Covariance) -> FloatArray:
    error = np.sqrt(np.diag(parts.total))
    safe = np.where(error > 0, error, 1.0)
    return np.asarray(parts.total / np.outer(safe, safe))


@dataclass(frozen=True)
class _Ends:
    """Distances (2, n) in units from the optimum to the ends of intervals."""

    problem: FitProblem
    found: Estimate
    parts: Covariance
    error: FloatArray
    quantile: FloatArray

    def linear(self) -> FloatArray:
        return np.tile(np.where(self.parts.at_end != 0, 0.0, self.quantile * self.error), (2, 1))

    def followed(
        self,
        objective: Objective,
        scale: float,
        chi2_at: Callable[[FloatArray, Objective], FloatArray],
    ) -> FloatArray:
        """Until chi-square rises by the square of the quantile: the profile likelihood for one
        coefficient. With more of them the others follow linearly; where the valley is bent
        chi-square rises too fast on that line, so that intervals are at least the linear ones."""
        linear = self.linear()
        least = linear if np.sum(self.parts.at_end == 0) > 1 else np.zeros_like(linear)
        reach = linear.copy()
        within, beyond = np.zeros_like(reach), np.full_like(reach, np.inf)
        sides = [
            (side, j) for j in range(len(self.error)) for side in (0, 1)
            if 0 < self.error[j] < 1 and self.parts.at_end[j] == 0
        ]  # fmt: skip
        lowest = float(objective.chi2(self.found.values))
        for _ in range(_ATTEMPTS):
            if not sides:
                break
            points = np.array([self._point(side, j, reach[side, j]) for side, j in sides])
            rise = (chi2_at(points, objective) - lowest) / scale
            left = []
            for (side, j), point, up in zip(sides, points, rise, strict=True):
                ratio = math.sqrt(max(up, 0.0)) / self.quantile[j]
                at = side, j
                if not math.isfinite(up) or abs(ratio - 1.0) < _CLOSE:
                    continue
                if ratio < 1.0 and (point[j] <= 0.0 or point[j] >= 1.0):
                    continue  # the range ends before
                (within if ratio < 1.0 else beyond)[at] = reach[at]
                if beyond[at] <= max(least[at], (1.0 + _CLOSE) * within[at]):
                    reach[at] = beyond[at]
                    continue
                reach[at] /= min(max(ratio, 0.25), 4.0)
                if not within[at] < reach[at] < beyond[at]:  # a step, or a plateau
                    reach[at] = 0.5 * (within[at] + beyond[at])
                left.append(at)
            sides = left
        for at in sides:  # not found as closely: rather too wide
            reach[at] = beyond[at] if math.isfinite(beyond[at]) else 1.0
        return np.maximum(reach, least)

    def _point(self, side: int, j: int, reach: float) -> FloatArray:
        """At this distance, the others on the line on which they follow linearly."""
        total = self.parts.total
        direction = total[:, j] / total[j, j] * (1.0 if side else -1.0)
        return np.asarray(np.clip(self.found.units + reach * direction, 0.0, 1.0))

    def one_sided(self, reach: FloatArray, objective: Objective, scale: float) -> None:
        """At the end of a range chi-square rises inward at once: as far as the same rise."""
        J = objective.factor[:, None] * self.found.jacobian
        slope = np.abs(J.T @ objective.residuals(self.found.values)) / scale
        bend = (J**2).sum(axis=0) / scale
        limit = stats.norm.ppf(LEVEL) ** 2
        for j in np.flatnonzero(self.parts.at_end):
            root = math.sqrt(slope[j] ** 2 + limit * bend[j])
            inner = limit / (root + slope[j]) if root + slope[j] > 0 else 1.0
            reach[0 if self.parts.at_end[j] > 0 else 1, j] = inner
