"""What a fit makes small: chi-square, the weighted sum of squared residuals.

    chi2 = sum_i w_i (y_i - d_i)^2 / (s_i^2 + v_i)

with y the simulated and d the measured numbers, s the uncertainties given, v the variances of the
simulated means (scatter of repeats) and w the weights of the targets. Where no uncertainties are
given, s is the size of a target and v is left out: all targets weigh alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.fit.problem import FitProblem


@dataclass(frozen=True)
class Objective:
    """deviation: (quantities,), the root of s^2 + v."""

    measured: FloatArray
    deviation: FloatArray
    weight: FloatArray

    @classmethod
    def of(cls, problem: FitProblem, variance: FloatArray) -> Objective:
        """`variance` (quantities,) of the simulated means."""
        noise = variance if problem.absolute else np.zeros_like(variance)
        deviation = np.sqrt(problem.uncertainty**2 + noise)
        return cls(problem.measured, deviation, problem.weight)

    @property
    def factor(self) -> FloatArray:
        """From a difference to its residual."""
        return np.asarray(np.sqrt(self.weight) / self.deviation)

    def residuals(self, values: FloatArray) -> FloatArray:
        """(..., quantities)."""
        return np.asarray(self.factor * (values - self.measured))

    def chi2(self, values: FloatArray) -> FloatArray:
        """(...); NaN where a value is."""
        return np.asarray((self.residuals(values) ** 2).sum(axis=-1))
