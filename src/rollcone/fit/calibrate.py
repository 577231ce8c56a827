"""The whole of a fit, given a function that simulates."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, one_of, positive_number, whole_number
from rollcone.errors import InputError
from rollcone.fit import derivative_free as free
from rollcone.fit import least_squares as squares
from rollcone.fit.estimate import Estimate
from rollcone.fit.evaluations import BudgetSpentError, Evaluate, Evaluations
from rollcone.fit.judge import doubts, met
from rollcone.fit.objective import Objective
from rollcone.fit.problem import FitProblem
from rollcone.fit.result import FitResult
from rollcone.fit.uncertainty import Uncertainty, uncertainty

METHODS = ("auto", "least-squares", "derivative-free")
BUDGET = 300  # runs


@dataclass(frozen=True)
class Options:
    """How to look.

    method     'least-squares', 'derivative-free', or 'auto': the latter where runs scatter
    tolerance  of coefficients, as part of their ranges; None: what suits the method
    budget     the most runs, repeats counted
    step       of differences, as part of a range (least-squares)
    """

    method: str = "auto"
    tolerance: float | None = None
    budget: int = BUDGET
    step: float = squares.STEP

    def __post_init__(self) -> None:
        one_of("method", self.method, METHODS)
        whole_number("budget", self.budget, least=1)
        for name in ("tolerance", "step"):
            if (value := getattr(self, name)) is not None and positive_number(name, value) > 0.5:
                raise InputError(f"{name} = {value!r}: is a part of a range, at most 0.5")


def calibrate(
    problem: FitProblem,
    evaluate: Evaluate,
    options: Options | None = None,
    *,
    repeats: int = 1,
    seeded: bool = False,
) -> FitResult:
    """Coefficients that match what was measured, with their uncertainty.

    evaluate  simulates: from coefficients (points, n) to `Answers`
    repeats   runs at each point, which differ in their seeds
    seeded    do runs depend on a seed at all?
    """
    chosen = Options() if options is None else options
    if chosen.budget < repeats:
        raise InputError(f"budget = {chosen.budget}: must be at least repeats = {repeats}")
    begin = time.perf_counter()
    evaluations = Evaluations(problem, evaluate, repeats, chosen.budget, seeded)
    method, found = _search(evaluations, chosen)
    sure = _uncertainty(evaluations, found)
    astray = found.held_up or (found.converged and not met(problem, found, sure))
    if chosen.method == "auto" and method == "least-squares" and astray:
        method, found, sure = _second_look(evaluations, chosen, found, sure)
    objective = Objective.of(problem, found.share * found.scatter.variance)
    return FitResult(
        problem=problem,
        estimate=found,
        uncertainty=sure,
        method=method,
        runs=evaluations.runs,
        failed=evaluations.failed,
        seconds=time.perf_counter() - begin,
        warnings=doubts(evaluations, found, sure),
        trace=(
            problem.values(evaluations.units),
            evaluations.values,
            objective.chi2(evaluations.values),
        ),
    )


def _search(evaluations: Evaluations, chosen: Options) -> tuple[str, Estimate]:
    method = chosen.method
    if method == "auto" and evaluations.repeats == 1:
        method = "derivative-free" if evaluations.seeded else "least-squares"
    if method == "auto":
        squares.first_point(evaluations)
        scatter = evaluations.scatter(evaluations.valid)
        method = "derivative-free" if scatter.deviations.any() else "least-squares"
    if method == "derivative-free":
        return method, free.derivative_free(evaluations, tolerance=chosen.tolerance)
    return method, squares.least_squares(
        evaluations, step=chosen.step, tolerance=chosen.tolerance or squares.TOLERANCE
    )


def _second_look(
    evaluations: Evaluations, chosen: Options, found: Estimate, sure: Uncertainty
) -> tuple[str, Estimate, Uncertainty]:
    """Least squares follows one valley; the other method looks at the whole ranges."""
    other = free.derivative_free(evaluations, tolerance=chosen.tolerance)
    problem = evaluations.problem
    objective = Objective.of(problem, np.zeros(problem.quantities))
    both = found.held_up and other.held_up  # then the other is the best of all points
    if both or objective.chi2(other.values) < 0.99 * objective.chi2(found.values):
        return "derivative-free", other, _uncertainty(evaluations, other)
    return "least-squares", found, sure


def _uncertainty(evaluations: Evaluations, found: Estimate) -> Uncertainty:
    """Intervals follow the surrogate, or runs where these do not scatter."""
    near = found.near

    def of_surrogate(units: FloatArray, objective: Objective) -> FloatArray:
        assert near is not None
        return objective.chi2(near(units))

    def of_runs(units: FloatArray, objective: Objective) -> FloatArray:
        try:
            return objective.chi2(evaluations.at(units))
        except BudgetSpentError:
            return np.full(len(units), np.nan)

    if near is not None:
        return uncertainty(evaluations.problem, found, of_surrogate)
    smooth = not found.scatter.deviations.any()
    return uncertainty(evaluations.problem, found, of_runs if smooth else None)
