"""Uncertainty of coefficients, linear around the optimum.

A small change e of the differences between simulated and measured numbers moves the optimum by
-A e, with A = (J^T W J)^+ J^T W. So

    covariance = A S A^T + share * A C A^T

with S the variances of the measured numbers and C the covariance of scattering runs, of which a
`share` is left in their mean. It holds for any weights W, and for the numbers of a curve that
scatter together. Coefficients at the end of their range are left out: they do not move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.fit.estimate import Estimate
from rollcone.fit.objective import Objective
from rollcone.fit.problem import FitProblem

_AT_END = 1e-3  # of a range
_SINGULAR = 1e-9  # value of columns of length one


@dataclass(frozen=True)
class Covariance:
    """In units, where each range goes from 0 to 1.

    measured     (n, n), from the uncertainty of the measured numbers
    simulated    (n, n), from the scatter of simulations
    at_end       (n,): -1 at the lower, 1 at the upper end of its range, else 0
    undetermined (n,): in a direction along which no quantity changes
    """

    measured: FloatArray
    simulated: FloatArray
    at_end: FloatArray
    undetermined: FloatArray

    @property
    def total(self) -> FloatArray:
        return self.measured + self.simulated


def covariance(problem: FitProblem, found: Estimate, measured_variance: FloatArray) -> Covariance:
    """`measured_variance` (m,) is S."""
    objective = Objective.of(problem, found.share * found.scatter.variance)
    at_end = _ends(found, objective)
    free = at_end == 0
    undetermined = np.zeros(len(at_end), dtype=bool)
    A = np.zeros((len(at_end), problem.quantities))
    if free.any():
        factor = objective.factor[:, None]
        inverse, undetermined[free] = _inverse(
            factor * found.jacobian[:, free], factor * found.jacobian_error[:, free]
        )
        A[free] = inverse * objective.factor
    scattered = found.scatter.deviations @ A.T
    degrees = max(found.scatter.degrees, 1)
    simulated = found.share * scattered.T @ scattered / degrees
    return Covariance((A * measured_variance) @ A.T, simulated, at_end, undetermined)


def _inverse(J: FloatArray, error: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The pseudo-inverse (n, m) of J (m, n), and which coefficients lie in directions that it does
    not tell: columns are nought, or depend on each other within their errors."""
    size = np.linalg.norm(J, axis=0)
    chance = np.sqrt(1.0 + 3.0 * np.sqrt(2.0 / len(J)))  # three deviations of chi-square
    blurred = size <= chance * np.linalg.norm(error, axis=0)
    inverse = np.zeros(J.T.shape)
    told = ~blurred
    if told.any():
        U, s, Vt = np.linalg.svd(J[:, told] / size[told], full_matrices=False)
        good = s > max(_SINGULAR, float(np.linalg.norm(error[:, told] / size[told])))
        inverse[told] = (Vt[good].T @ (U[:, good] / s[good]).T) / size[told, None]
        blurred[told] = np.any(np.abs(Vt[~good]) > 1e-6, axis=0)
    return inverse, blurred


def estimate_errors(problem: FitProblem, found: Estimate) -> tuple[FloatArray, FloatArray]:
    """Standard errors (n,) in units: from the measured numbers (zero if not known), and from
    scatter; infinite where nothing tells."""
    S = problem.uncertainty**2 if problem.absolute else np.zeros(problem.quantities)
    parts = covariance(problem, found, S)
    data, simulated = (np.sqrt(np.diag(part)).copy() for part in (parts.measured, parts.simulated))
    data[parts.undetermined] = np.inf
    return data, simulated


def _ends(found: Estimate, objective: Objective) -> FloatArray:
    """At which end of its range a coefficient is held: chi-square would still fall beyond it."""
    gradient = (objective.factor[:, None] * found.jacobian).T @ objective.residuals(found.values)
    low = (found.units < _AT_END) & (gradient > 0)
    high = (found.units > 1.0 - _AT_END) & (gradient < 0)
    return np.asarray(high.astype(int) - low.astype(int))
