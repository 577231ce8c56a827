"""Fits of simulations that are no scene files: any Python function of the coefficients."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, real_array, whole_number
from rollcone.errors import InputError, RollconeError
from rollcone.fit.calibrate import Options, calibrate
from rollcone.fit.evaluations import Answers
from rollcone.fit.problem import Coefficient, FitProblem, Target
from rollcone.fit.result import FitResult
from rollcone.fit.seeds import run_seed

Simulate = Callable[[dict[str, float], int], Mapping[str, ArrayLike]]


def fit_function(
    simulate: Simulate,
    parameters: Mapping[str, tuple[float, float]],
    targets: Mapping[str, tuple[ArrayLike, ArrayLike | None]],
    *,
    repeats: int = 1,
    **options: Any,
) -> FitResult:
    """Coefficients with which `simulate` gives what was measured.

    simulate    from coefficients by name and a seed, a whole number, to what is measured: numbers
                or arrays by the names of the targets. An error of Rollcone, or NaN, is a run that
                failed
    parameters  by name, (low, high)
    targets     by name, (measured, uncertainty): numbers or arrays; an uncertainty of None is not
                known
    repeats     runs at each point, for simulations that scatter: each has another seed, at other
                points too. Without repeats the seed is always 0, and scatter is not seen
    options     of the search: method, tolerance, budget, step

    One run after the other, in this process; nothing is kept. Fits of scene files are made on many
    workers: `rc.load_fit`.
    """
    ends = {name: _pair(name, ends, "(low, high)") for name, ends in parameters.items()}
    measured = {
        name: _pair(name, pair, "(measured, uncertainty)") for name, pair in targets.items()
    }
    problem = FitProblem(
        [Coefficient(name, (), low=low, high=high) for name, (low, high) in ends.items()],
        [Target(name, value, deviation) for name, (value, deviation) in measured.items()],
    )
    many = whole_number("repeats", repeats, least=1)
    unknown = set(options) - set(Options.__dataclass_fields__)
    if unknown:
        known = ", ".join(Options.__dataclass_fields__)
        raise InputError(f"{sorted(unknown)[0]}: unknown option; there are {known}")

    def evaluate(points: FloatArray) -> Answers:
        names = list(parameters)
        rows, errors = [], []
        for point in points:
            for repeat in range(many):
                values = dict(zip(names, point.tolist(), strict=True))
                seed = run_seed(point.tolist(), repeat) if many > 1 else 0
                row, error = _row(simulate, values, seed, problem)
                rows.append(row)
                errors += [error] if error else []
        return Answers(np.array(rows).reshape(len(points), many, problem.quantities), errors)

    return calibrate(problem, evaluate, Options(**options), repeats=many, seeded=many > 1)


def _pair(name: str, given: Any, words: str) -> tuple[Any, Any]:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise InputError(f"{name} = {given!r}: must be {words}")
    return given[0], given[1]


def _row(
    simulate: Simulate, values: dict[str, float], seed: int, problem: FitProblem
) -> tuple[FloatArray, str]:
    """What one run gives, and why it gives nothing."""
    words = ", ".join(f"{name} = {value:.6g}" for name, value in values.items())
    nothing = np.full(problem.quantities, np.nan)
    try:
        found = simulate(values, seed)
    except RollconeError as error:
        return nothing, f"{words}: {error}"
    parts = []
    for target in problem.targets:
        if not isinstance(found, Mapping) or target.name not in found:
            raise InputError(f"simulate: must return a dictionary with {target.name!r} in it")
        part = np.atleast_1d(real_array(target.name, found[target.name]))
        if part.shape != target.measured.shape:
            raise InputError(f"{target.name} has shape {part.shape}, not {target.measured.shape}")
        parts.append(part)
    row = np.concatenate(parts)
    return (row, "") if np.isfinite(row).all() else (nothing, f"{words}: gave NaN")
