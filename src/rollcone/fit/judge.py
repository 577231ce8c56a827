"""What is doubtful about a fit, in words; nothing of it passes in silence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rollcone._check import FloatArray
from rollcone._words import count
from rollcone.fit.estimate import Estimate
from rollcone.fit.evaluations import Evaluations
from rollcone.fit.failing import where_no_value
from rollcone.fit.problem import FitProblem
from rollcone.fit.uncertainty import Uncertainty

_UNLIKELY = 0.003
_FAR = 3.0  # standard deviations
_RELATIVE = 1e-3  # of a target's size, where no uncertainty is given
_ALIKE = 0.95  # a correlation


def doubts(evaluations: Evaluations, found: Estimate, sure: Uncertainty) -> list[str]:
    """One line each."""
    problem = evaluations.problem
    return [
        *_runs(evaluations, found),
        *_missed(problem, found, sure),
        *(() if found.held_up else _coefficients(problem, found, sure)),
        *(_scatter(problem, found) if evaluations.seeded else ()),
        *_unknown(problem, sure),
    ]


def _runs(evaluations: Evaluations, found: Estimate) -> Iterator[str]:
    where = where_no_value(evaluations)
    if found.held_up:
        yield (
            f"not converged ({found.message}): {where or 'the best that has one is told'}; let "
            "runs come to what is measured (simulate longer?), or look elsewhere"
        )
    elif not found.converged:
        yield f"not converged ({found.message}): give a larger budget, or begin nearer"
    if evaluations.failed:
        where = f" ({where})" if where and not found.held_up else ""
        first = f"; the first: {evaluations.errors[0]}" if evaluations.errors else ""
        yield f"{evaluations.failed} of {count(evaluations.runs, 'run')} failed{where}{first}"
    if evaluations.unconverged:
        yield (
            f"{evaluations.unconverged} of {count(evaluations.runs, 'run')} had steps that did not "
            "converge"
        )
    if found.near is None and not found.held_up and found.scatter.deviations.any():
        yield (
            "least squares of runs that scatter: differences of neighbours are mostly scatter, and "
            "it may end anywhere; method = 'derivative-free' averages it"
        )
    if evaluations.seeded and evaluations.repeats == 1:
        yield (
            "the scene has random parts and was run with one seed at each point: with repeats = 3 "
            "or more the scatter of the simulations is known"
        )


def met(problem: FitProblem, found: Estimate, sure: Uncertainty) -> bool:
    """Do the simulations match the measurement?"""
    return next(_missed(problem, found, sure), None) is None


def _missed(problem: FitProblem, found: Estimate, sure: Uncertainty) -> Iterator[str]:
    difference = found.values - problem.measured
    variance = found.share * found.scatter.variance
    if problem.absolute:
        off = np.abs(difference) / np.sqrt(problem.uncertainty**2 + variance)
    else:
        off = np.abs(difference) / (problem.uncertainty * _RELATIVE / _FAR + np.sqrt(variance))
    if problem.absolute and sure.degrees and not found.held_up:
        if sure.chance < _UNLIKELY:
            yield (
                f"the targets cannot be met: chi-square {sure.chi2:.3g} with "
                f"{count(sure.degrees, 'degree')} of freedom comes by chance {_chance(sure.chance)}"
                f"; {_worst(problem, off)} is farthest off. The scene lacks something, or "
                f"uncertainties are too small: errors {np.sqrt(sure.reduced_chi2):.2g} times as "
                "large would explain it"
            )
    elif (found.held_up or sure.degrees == 0 or sure.at_end.any()) and off.max() > _FAR:
        within = "where runs have values" if found.held_up else "within the ranges"
        yield (
            f"the targets cannot be met {within}: {_worst(problem, off)} is off by "
            f"{np.abs(difference)[np.argmax(off)]:.3g}"
        )


def _chance(chance: float) -> str:
    return f"once in {1 / chance:.0f} times" if chance > 1e-6 else "less than once in a million"


def _worst(problem: FitProblem, off: FloatArray) -> str:
    number = int(np.argmax(off))
    for target, part in zip(problem.targets, problem.slices(), strict=True):
        if number < part.stop:
            if target.time is not None:
                return f"{target.name} at t = {target.time[number - part.start]:g} s"
            return f"{target.name}[{number - part.start}]" if target.is_curve else target.name
    raise IndexError(number)


def _coefficients(problem: FitProblem, found: Estimate, sure: Uncertainty) -> Iterator[str]:
    unit = np.where(
        found.jacobian_error > 0, found.jacobian_error, 1e-9 * problem.uncertainty[:, None]
    )
    slopes = np.abs(found.jacobian) / unit
    noisy = np.any(found.jacobian_error > 0, axis=0)
    names = [parameter.name for parameter in problem.parameters]
    blurred = []
    for j, parameter in enumerate(problem.parameters):
        width = (sure.high[j] - sure.low[j]) / (parameter.high - parameter.low)
        m = problem.quantities
        if sure.at_end[j]:
            end = parameter.low if sure.at_end[j] < 0 else parameter.high
            yield (
                f"{parameter.name} is at the end of its range, {end:g}: the targets ask for "
                f"{'less' if sure.at_end[j] < 0 else 'more'}; widen the range if that is possible"
            )
        elif sure.parts.undetermined[j]:
            blurred.append(j)
            why = "the targets do not depend on it here"
            if noisy[j]:
                why = (
                    "how the targets depend on it cannot be told from scatter; more repeats, or a "
                )
                why += "wider range"
            if (slopes[:, j] ** 2).sum() > m + 3.0 * np.sqrt(2.0 * m):
                why = "the targets tell only what it and others are together"
            yield f"{parameter.name} is not determined: {why}"
        elif width > 0.9:
            blurred.append(j)
            yield (
                f"{parameter.name} is not determined: its interval is its range; the targets "
                "hardly depend on it"
            )
    for j in range(len(names)):
        for k in range(j):
            if abs(sure.correlation[j, k]) > _ALIKE and j not in blurred and k not in blurred:
                yield (
                    f"{names[k]} and {names[j]} are hardly told apart (correlation "
                    f"{sure.correlation[j, k]:.3f}): another target would help"
                )


def _scatter(problem: FitProblem, found: Estimate) -> Iterator[str]:
    if not problem.absolute:
        return
    noise = np.sqrt(found.share * found.scatter.variance)
    over = noise / problem.uncertainty
    if over.max() > 1.0:
        number = int(np.argmax(over))
        yield (
            f"simulations scatter more than the uncertainty given: the mean of "
            f"{_worst(problem, over)} is known to {noise[number]:.2g}, the measured value to "
            f"{problem.uncertainty[number]:.2g}; more repeats (about {over[number] ** 2:.1f} times "
            "as many) would make them equal"
        )


def _unknown(problem: FitProblem, sure: Uncertainty) -> Iterator[str]:
    if not sure.known:
        yield (
            "no uncertainty is given and none can be told from so few measured numbers: intervals "
            "hold the scatter of the simulations alone"
        )
    elif not problem.absolute:
        yield "no uncertainty is given: it is taken from the residuals"
