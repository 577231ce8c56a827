"""Quadratic polynomials through simulated quantities, one for each, by linear regression.

Scatter is averaged over all points, and what the polynomials do not follow is seen as the residual
of the regression: both are in the covariance of their values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize

from rollcone._check import FloatArray
from rollcone.fit.design import spread_points
from rollcone.fit.evaluations import Scatter
from rollcone.fit.objective import Objective


def terms(n: int) -> int:
    """Of a quadratic polynomial."""
    return (n + 1) * (n + 2) // 2


@dataclass(frozen=True)
class Surrogate:
    """Values within centre +- half.

    coefficients  (terms, m), in (units - centre) / half
    inverse       (terms, terms), of X^T X of the regression
    residual      of the regression, with its degrees of freedom
    """

    centre: FloatArray
    half: FloatArray
    coefficients: FloatArray
    inverse: FloatArray
    residual: Scatter

    @classmethod
    def through(
        cls, units: FloatArray, values: FloatArray, centre: FloatArray, half: FloatArray
    ) -> Surrogate:
        X = _powers((units - centre) / half)
        inverse = np.asarray(np.linalg.pinv(X.T @ X), dtype=np.float64)
        coefficients = inverse @ (X.T @ values)
        residual = Scatter(values - X @ coefficients, len(units) - X.shape[1])
        return cls(centre, half, coefficients, inverse, residual)

    def values(self, units: FloatArray) -> FloatArray:
        """(points, m)."""
        return np.asarray(_powers((np.atleast_2d(units) - self.centre) / self.half)) @ (
            self.coefficients
        )

    def leverage(self, units: FloatArray) -> float:
        """The variance of a value here, as part of that of one point."""
        x = _powers(np.atleast_2d((units - self.centre) / self.half))[0]
        return float(x @ self.inverse @ x)

    def jacobian(self, units: FloatArray) -> FloatArray:
        """(m, n), d values / d units."""
        return np.asarray((_slopes((units - self.centre) / self.half) @ self.coefficients).T) / (
            self.half
        )

    def jacobian_error(self, units: FloatArray, variance: FloatArray) -> FloatArray:
        """(m, n), standard errors if points have this variance (m,)."""
        D = _slopes((units - self.centre) / self.half)
        part = np.sqrt(np.einsum("ij,jk,ik->i", D, self.inverse, D))
        return np.asarray(np.sqrt(variance)[:, None] * part / self.half)

    def least(self, objective: Objective, low: FloatArray, high: FloatArray) -> FloatArray:
        """The point of the least chi-square from `low` to `high`; from several starts, since a sum
        of squares of quadratics may have several valleys."""

        def residuals(units: FloatArray) -> FloatArray:
            return objective.residuals(self.values(units)[0])

        def jacobian(units: FloatArray) -> FloatArray:
            return np.asarray(objective.factor[:, None] * self.jacobian(units))

        n = len(low)
        many = spread_points(50 * n, low, high, np.random.default_rng(0))
        order = np.argsort(objective.chi2(self.values(many)))
        found = [
            optimize.least_squares(residuals, start, jacobian, bounds=(low, high), xtol=1e-10)
            for start in many[order[:3]]
        ]
        best = min(found, key=lambda one: float(one.cost)).x
        ends = np.where(best - low < 1e-4 * (high - low), low, best)  # it stays inside its bounds
        ends = np.where(high - best < 1e-4 * (high - low), high, ends)
        here, there = objective.chi2(self.values(np.vstack([best, ends])))
        return np.asarray(ends if there <= here else best)


def _powers(x: FloatArray) -> FloatArray:
    """(points, terms): 1, x_j, x_j x_k."""
    n = x.shape[1]
    pairs = [x[:, j] * x[:, k] for j in range(n) for k in range(j, n)]
    return np.column_stack([np.ones(len(x)), x, *pairs])


def _slopes(x: FloatArray) -> FloatArray:
    """(n, terms): derivatives of `_powers` at one point."""
    n = len(x)
    D = np.zeros((n, terms(n)))
    D[:, 1 : n + 1] = np.eye(n)
    column = n + 1
    for j in range(n):
        for k in range(j, n):
            D[j, column] += x[k]
            D[k, column] += x[j]
            column += 1
    return D
