"""Where runs fail or give no value, and whether that is what holds a search up.

A search that is held up has not converged: what it would find lies among points without values, of
which polynomials and differences know nothing.
"""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray
from rollcone.fit.estimate import Estimate
from rollcone.fit.evaluations import Evaluations
from rollcone.fit.objective import Objective


class HeldUpError(Exception):
    """Ends a method, which tells the words of it."""

    def __init__(self, words: str = "the targets lead to where runs fail or give no value") -> None:
        super().__init__(words)


def fails_at(evaluations: Evaluations, units: FloatArray) -> bool:
    """Has the simulated point that is nearest to this one no value?"""
    nearest = np.argmin(np.linalg.norm(evaluations.units - units, axis=1))
    return not bool(np.isfinite(evaluations.values[nearest]).all())


def fails_on_the_way(
    evaluations: Evaluations, units: FloatArray, step: FloatArray, reach: float
) -> bool:
    """Is there a point without value within `reach` of this one, and before the end of the `step`
    that would be made from here?"""
    failed = evaluations.units[~np.isfinite(evaluations.values).all(axis=1)]
    away = failed - units
    near = np.abs(away).max(axis=1) <= reach
    return bool((near & (away @ step >= (away**2).sum(axis=1))).any())


def best_point(evaluations: Evaluations, objective: Objective) -> int:
    """Of all that were simulated and have values."""
    valid = evaluations.valid
    evaluations.require(valid)
    return int(valid[np.argmin(objective.chi2(evaluations.values[valid]))])


def best_known(evaluations: Evaluations, message: str, *, held_up: bool = False) -> Estimate:
    """The best point, with nothing said of how the quantities depend on the coefficients: what is
    left of a search that ends before it can tell."""
    problem = evaluations.problem
    best = best_point(evaluations, Objective.of(problem, np.zeros(problem.quantities)))
    flat = np.zeros((problem.quantities, len(problem.parameters)))
    return Estimate(
        evaluations.units[best], evaluations.values[best], flat, flat,
        evaluations.scatter(evaluations.valid), 1.0 / evaluations.repeats, False, message,
        held_up=held_up,
    )  # fmt: skip


def where_no_value(evaluations: Evaluations) -> str:
    """In words: up to where along a coefficient points have values; empty if that is no matter of
    one coefficient."""
    there = np.isfinite(evaluations.values).all(axis=1)
    points = evaluations.problem.values(evaluations.units)
    good, bad = points[there], points[~there]
    if not len(good) or not len(bad):
        return ""
    words = []
    for j, parameter in enumerate(evaluations.problem.parameters):
        if bad[:, j].max() < good[:, j].min():
            end, begin = bad[:, j].max(), good[:, j].min()
            words.append(f"no value up to {parameter.name} = {end:.6g}, values from {begin:.6g} on")
        elif bad[:, j].min() > good[:, j].max():
            end, begin = good[:, j].max(), bad[:, j].min()
            words.append(f"values up to {parameter.name} = {end:.6g}, none from {begin:.6g} on")
    return "; ".join(words)
