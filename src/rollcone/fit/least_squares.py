"""Method `least-squares`: SciPy's trust-region reflective Gauss-Newton method, within bounds.

The derivatives are central differences of our own: all their points are simulated as one batch,
side by side. Their step is a hundredth of a range by default, since what a simulation gives is not
smooth: contacts open within steps, bodies stop at their ends. A step of the usual 1e-8 would
differentiate rounding. The optimum of residuals that vanish does not depend on the step, that of
others by its square.

The method follows one valley. Without a start, a few points spread over the ranges say which.
"""

from __future__ import annotations

import numpy as np
from scipy import optimize

from rollcone._check import FloatArray
from rollcone.fit.design import spread_points
from rollcone.fit.estimate import Estimate
from rollcone.fit.evaluations import BudgetSpentError, Evaluations
from rollcone.fit.failing import HeldUpError, best_known, best_point, fails_on_the_way
from rollcone.fit.objective import Objective

STEP = 0.01  # of differences, as part of a range
TOLERANCE = 1e-6  # of coefficients, as part of their ranges
_FLAT = 1e-8  # a relative change of chi-square that is none
_NEAR_BOUND = 0.02
_SETTLED = 1e-8  # of chi-square: a ten thousandth of a standard error
_NEAR_FAILURE = 1e-3  # of a range: a run that fails so near is the edge of where runs have values


def least_squares(
    evaluations: Evaluations, *, step: float = STEP, tolerance: float = TOLERANCE
) -> Estimate:
    """Scatter counts as in the first batch; the uncertainty later takes that at the optimum."""
    begin = first_point(evaluations)
    noise = evaluations.scatter(evaluations.valid).variance / evaluations.repeats
    objective = Objective.of(evaluations.problem, noise)
    reach = max(_NEAR_FAILURE, 5.0 * tolerance)  # steps into failure are quartered
    here = onward = np.zeros(len(begin))  # the last point of the search, and the step from there

    def residuals(units: FloatArray) -> FloatArray:
        found = objective.residuals(evaluations.at(units)[0])
        if not np.isfinite(found).all() and fails_on_the_way(evaluations, here, onward, reach):
            raise HeldUpError
        return found

    def jacobian(units: FloatArray) -> FloatArray:
        nonlocal here, onward
        slopes, apart = differences(evaluations, units, step)
        J = objective.factor[:, None] * slopes
        here, onward = units.copy(), _step(J, residuals(units))
        if (apart == 0.0).any() or fails_on_the_way(evaluations, units, onward, reach):
            raise HeldUpError
        if _settled(J, onward, residuals(units), evaluations.problem.absolute):
            raise _SettledError(units)
        return np.asarray(J)

    try:
        found = optimize.least_squares(
            residuals, begin, jacobian, bounds=(0.0, 1.0), method="trf",
            xtol=tolerance, ftol=_FLAT, gtol=1e-12, max_nfev=evaluations.budget,
        )  # fmt: skip
        units = _at_bound(evaluations, objective, found.x)
        message, converged = f"least squares: {found.message}", found.status > 0
    except _SettledError as settled:
        units, converged = _at_bound(evaluations, objective, settled.units), True
        message = "least squares: chi-square would fall by less than 1e-8"
    except HeldUpError as held_up:
        return best_known(evaluations, f"least squares: {held_up}", held_up=True)
    except BudgetSpentError as spent:
        units = evaluations.units[best_point(evaluations, objective)]
        message, converged = f"least squares: {spent}", False
    return _estimate(evaluations, units, step, converged, message)


class _SettledError(Exception):
    """The next step would be far within the uncertainty: it is not made."""

    def __init__(self, units: FloatArray) -> None:
        self.units = units.copy()


def _step(J: FloatArray, residuals: FloatArray) -> FloatArray:
    """The next one, if all were linear and without bounds."""
    return np.asarray(-np.linalg.pinv(J, rcond=1e-12) @ residuals)


def _settled(J: FloatArray, step: FloatArray, residuals: FloatArray, absolute: bool) -> bool:
    """Would chi-square hardly fall with the next step, if all were linear?"""
    fall = float(((J @ step) ** 2).sum())
    unit = 1.0 if absolute else float(residuals @ residuals) / len(residuals)
    return fall < _SETTLED * unit


def first_point(evaluations: Evaluations) -> FloatArray:
    """The start that is given if runs succeed there, or the best of points over the ranges."""
    problem = evaluations.problem
    start = problem.start()
    if start is not None and np.isfinite(evaluations.at(start)).all():
        return start
    n = len(problem.parameters)
    spread = spread_points(4 * n, np.zeros(n), np.ones(n), np.random.default_rng(0))
    try:
        evaluations.at(np.vstack([np.full(n, 0.5), spread]))
    except BudgetSpentError:
        evaluations.at(np.full(n, 0.5))
    objective = Objective.of(problem, np.zeros(problem.quantities))
    return np.asarray(evaluations.units[best_point(evaluations, objective)])


def differences(
    evaluations: Evaluations, units: FloatArray, step: float
) -> tuple[FloatArray, FloatArray]:
    """d values / d units (m, n), and how far the two points of each were apart (n,): central where
    both are within the range and their runs succeed, else one-sided; zero where both fail."""
    n = len(units)
    ends = np.clip(units + step * np.vstack([np.eye(n), -np.eye(n)]), 0.0, 1.0)
    values = evaluations.at(np.vstack([units, ends]))
    middle, up, down = values[0], values[1 : n + 1], values[n + 1 :]
    above = np.where(np.isfinite(up).all(axis=1), np.diag(ends[:n]), units)
    below = np.where(np.isfinite(down).all(axis=1), np.diag(ends[n:]), units)
    up = np.where(np.isfinite(up), up, middle)
    down = np.where(np.isfinite(down), down, middle)
    apart = above - below
    slopes = (up - down) / np.where(apart > 0, apart, 1.0)[:, None]
    return slopes.T, apart


def _at_bound(evaluations: Evaluations, objective: Objective, units: FloatArray) -> FloatArray:
    """The method stays inside its bounds and only comes near one; there it is tried."""
    snapped = units.copy()
    snapped[units < _NEAR_BOUND] = 0.0
    snapped[units > 1.0 - _NEAR_BOUND] = 1.0
    try:
        here, there = objective.chi2(evaluations.at(np.vstack([units, snapped])))
    except BudgetSpentError:
        return units
    return snapped if there < here else units


def _estimate(
    evaluations: Evaluations, units: FloatArray, step: float, converged: bool, message: str
) -> Estimate:
    evaluations.budget += (2 * len(units) + 1) * evaluations.repeats  # the uncertainty is worth it
    slopes, apart = differences(evaluations, units, step)
    near = np.abs(evaluations.units - units).max(axis=1) <= 1.001 * step
    scatter = evaluations.scatter(np.flatnonzero(near))
    share = 1.0 / evaluations.repeats
    wide = np.where(apart > 0, apart, np.inf)
    error = np.sqrt(2.0 * share * scatter.variance)[:, None] / wide
    values = evaluations.at(units)[0]
    return Estimate(units, values, slopes, error, scatter, share, converged, message)
