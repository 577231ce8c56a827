"""Method `derivative-free`: Gauss-Newton on a surrogate, for simulations that scatter.

    1. simulate points spread over a region, at first the whole range, as one batch;
    2. put quadratic polynomials through the quantities of all points in the region;
    3. find the coefficients where these match best, simulate there, and do both again;
    4. if the polynomials do not follow the points within their scatter, halve the region around the
       best; if the best is at its edge, move it; else add points to it, which averages scatter.

It ends when scatter makes less than half of the uncertainty that the measurement leaves, or
less than the tolerance. Where the polynomials do not follow the points, what they miss is not
averaged: a fifth of that is asked of each point. If the best lies where runs fail, the region is
halved around the best that has a value; if it still does in a small one, the search is held up.

Scatter is averaged over all points of a region, not spent on differences of neighbours; and
polynomials of the quantities, not of chi-square, need few points.
Trust-region methods of Powell's kind for sums of squares do the same.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import stats

from rollcone._check import FloatArray, IntArray
from rollcone.fit.covariance import estimate_errors
from rollcone.fit.design import spread_points
from rollcone.fit.estimate import Estimate
from rollcone.fit.evaluations import BudgetSpentError, Evaluations
from rollcone.fit.failing import HeldUpError, best_known, best_point, fails_at
from rollcone.fit.objective import Objective
from rollcone.fit.surrogate import Surrogate, terms

TOLERANCE, STEADY_TOLERANCE = 5e-3, 1e-4  # of coefficients, as part of ranges; without scatter
_SCATTER_SHARE = 0.5  # of the uncertainty that the measurement leaves
_MISFIT_SHARE = 0.2
_SHRINK = 0.5
_SMALL = 0.05  # a region in which polynomials follow all that can be followed
_EDGE = 0.005  # a region so small that leads to failure is the edge of where runs have values
_FALLING = 0.25  # variance of a misfit against that in the region before; a half of it gives 1/64
_WIDER = 3.0  # the region is at least so many standard errors of one point to either side


def derivative_free(evaluations: Evaluations, *, tolerance: float | None = None) -> Estimate:
    """`tolerance` of coefficients, as part of their ranges."""
    if tolerance is None:
        tolerance = TOLERANCE if evaluations.seeded else STEADY_TOLERANCE
    n = len(evaluations.problem.parameters)
    generator = np.random.default_rng(0)
    centre, half = np.full(n, 0.5), np.full(n, 0.5)
    start = evaluations.problem.start()
    found: Estimate | None = None
    before = np.inf  # residual of the last regression
    failures = 0  # one after the other, of what the polynomials take for the best
    cornered = False  # is the region small since they led to failure?
    try:
        if start is not None:
            evaluations.at(start)
        while True:
            _fill(evaluations, centre, half, generator)
            surrogate, found = _look(evaluations, centre, half)
            tried = found.units
            evaluations.at(tried)
            surrogate, found = _look(evaluations, centre, half)
            failures = failures + 1 if fails_at(evaluations, found.units) else 0
            if failures > 1 and (half <= _EDGE).all():
                raise HeldUpError
            if failures:
                centre, half, before = _best(evaluations), _SHRINK * half, np.inf
                cornered = True
                continue
            data, simulated = estimate_errors(evaluations.problem, found)
            misfit, before = _misfit(evaluations, surrogate, before)
            allowed = np.maximum(_SCATTER_SHARE * data, tolerance)
            one_point = simulated / np.sqrt(found.share)
            blurred = np.hypot(data, simulated) > 0.5  # the quantities hardly tell
            least = np.where(blurred, 0.0, _WIDER * np.hypot(data, one_point))
            misfit &= bool((half > least).any())  # what no smaller region shows counts as scatter
            narrow = one_point <= _MISFIT_SHARE * allowed if misfit else simulated <= allowed
            narrow &= np.isfinite(data)
            inside = np.abs(found.units - centre) <= 0.9 * half
            inside |= (found.units == 0.0) | (found.units == 1.0)
            settled = narrow | (blurred & (not misfit or half < _SMALL))
            if settled.all() and inside.all():
                if cornered and blurred.any() and _is_far(evaluations, found):
                    raise HeldUpError
                return _told(found, True, "derivative-free: scatter is below the uncertainty")
            centre = _centre(evaluations, found, tried)
            if not inside.all():
                before = np.inf
            elif misfit or evaluations.repeats == 1:
                half = np.minimum(half, np.maximum(_SHRINK * half, least))
    except HeldUpError as held_up:
        return best_known(evaluations, f"derivative-free: {held_up}", held_up=True)
    except BudgetSpentError as spent:
        message = f"derivative-free: {spent}"
        if not len(evaluations.units):
            evaluations.at(centre if start is None else start)
        if found is None or fails_at(evaluations, found.units):
            return best_known(evaluations, message)
        return _told(found, False, message)


def _inside(evaluations: Evaluations, centre: FloatArray, half: FloatArray) -> IntArray:
    """Points of the region that have values."""
    near = (np.abs(evaluations.units - centre) <= 1.001 * half).all(axis=1)
    return np.intersect1d(np.flatnonzero(near), evaluations.valid)


def _fill(
    evaluations: Evaluations, centre: FloatArray, half: FloatArray, generator: np.random.Generator
) -> None:
    """Simulate enough points in the region for a regression, and always some new ones."""
    many = 2 * terms(len(centre)) + 2
    low, high = np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
    for attempt in range(4):
        missing = many - len(_inside(evaluations, centre, half))
        if attempt and missing <= 0:
            return
        evaluations.at(spread_points(max(missing, many // 2), low, high, generator))
        evaluations.require(evaluations.valid)
    if many - len(_inside(evaluations, centre, half)) > 0:
        raise HeldUpError("most runs near the best fail or give no value")


def _look(
    evaluations: Evaluations, centre: FloatArray, half: FloatArray
) -> tuple[Surrogate, Estimate]:
    inside = _inside(evaluations, centre, half)
    surrogate = Surrogate.through(
        evaluations.units[inside], evaluations.values[inside], centre, half
    )
    low, high = np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
    scatter = surrogate.residual
    if not _misfit(evaluations, surrogate, 0.0)[0]:
        scatter = scatter.with_means_of(evaluations.scatter(inside), evaluations.repeats)
    variance = scatter.variance
    middle = surrogate.least(Objective.of(evaluations.problem, variance), low, high)
    share = surrogate.leverage(middle)
    units = surrogate.least(Objective.of(evaluations.problem, share * variance), low, high)
    return surrogate, Estimate(
        units,
        surrogate.values(units)[0],
        surrogate.jacobian(units),
        surrogate.jacobian_error(units, variance),
        scatter,
        surrogate.leverage(units),
        False,
        "",
        surrogate.values,
    )


def _centre(evaluations: Evaluations, found: Estimate, tried: FloatArray) -> FloatArray:
    """The surrogate's best, unless a point was simulated that is better than the one `tried` by
    more than scatter explains."""
    scatter = evaluations.scatter(evaluations.valid)
    noise = scatter.variance / evaluations.repeats
    objective = Objective.of(evaluations.problem, noise)
    best = best_point(evaluations, objective)
    here = objective.chi2(evaluations.at(tried)[0])
    part = noise / objective.deviation**2
    luck = 2.0 * np.sqrt(2.0 * (part**2).sum()) + 4.0 * np.sqrt(
        (part * objective.residuals(evaluations.values[best]) ** 2).sum()
    )
    if not here <= objective.chi2(evaluations.values[best]) + luck:
        return np.asarray(evaluations.units[best])
    return found.units


def _misfit(evaluations: Evaluations, surrogate: Surrogate, before: float) -> tuple[bool, float]:
    """Do the polynomials miss the points by more than these scatter? And the residual. Where there
    are no repeats, scatter is what does not become less in a smaller region."""
    inside = _inside(evaluations, surrogate.centre, surrogate.half)
    scatter = evaluations.scatter(inside)
    weight = 1.0 / evaluations.problem.uncertainty**2
    residual = float(weight @ surrogate.residual.variance)
    noise = float(weight @ scatter.variance) / evaluations.repeats
    if evaluations.seeded and scatter.degrees == 0:
        return residual < _FALLING * before, residual
    if noise == 0.0:
        return residual > 0.0, residual
    limit = stats.f.ppf(0.7, surrogate.residual.degrees, scatter.degrees)
    return bool(residual > limit * noise), residual


def _is_far(evaluations: Evaluations, found: Estimate) -> bool:
    """Is a target missed by more than three standard deviations?"""
    objective = Objective.of(evaluations.problem, found.share * found.scatter.variance)
    return bool((np.abs(objective.residuals(found.values)) > 3.0).any())


def _best(evaluations: Evaluations) -> FloatArray:
    """The best point that was simulated."""
    objective = Objective.of(evaluations.problem, np.zeros(evaluations.problem.quantities))
    return np.asarray(evaluations.units[best_point(evaluations, objective)])


def _told(found: Estimate, converged: bool, message: str) -> Estimate:
    return replace(found, converged=converged, message=message)
