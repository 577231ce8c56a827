"""What a race tells: for each tolerance a line for every solver, and what nobody solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.bench.profiles import ratios
from rollcone.bench.results import FAILED, NOT_SUPPORTED, NOT_TRIED, SOLVED, TIMED_OUT, Result

TIE = 1.05  # times within this factor of the best win, too


@dataclass(frozen=True)
class Line:
    """One solver at one tolerance, in numbers of problems.

    timed_out      also those not tried after a time-out at a looser tolerance
    wins           within 5 % of the quickest
    median_ratio   of its CPU time to that of the quickest, over the problems that it solved; nan
                   if there are none
    """

    tolerance: float
    solver: str
    problems: int
    solved: int
    failed: int
    timed_out: int
    not_supported: int
    wins: int
    median_ratio: float


def times(results: Sequence[Result], solvers: Sequence[str], tolerance: float) -> FloatArray:
    """CPU seconds (problems, solvers), infinite where not solved; problems as they come."""
    rows = {name: k for k, name in enumerate(dict.fromkeys(each.problem for each in results))}
    columns = {name: k for k, name in enumerate(solvers)}
    out = np.full((len(rows), len(columns)), np.inf)
    for each in results:
        if each.tolerance == tolerance and each.solver in columns and each.status == SOLVED:
            out[rows[each.problem], columns[each.solver]] = each.cpu
    return out


def table(
    results: Sequence[Result], solvers: Sequence[str], tolerances: Sequence[float]
) -> list[Line]:
    """By tolerance, then by solver."""
    lines = []
    for tolerance in tolerances:
        ratio = ratios(times(results, solvers, tolerance))
        for solver, column in zip(solvers, ratio.T, strict=True):
            own = [r.status for r in results if (r.solver, r.tolerance) == (solver, tolerance)]
            solved = column[np.isfinite(column)]
            lines.append(
                Line(
                    tolerance,
                    solver,
                    len(ratio),
                    len(solved),
                    own.count(FAILED),
                    own.count(TIMED_OUT) + own.count(NOT_TRIED),
                    own.count(NOT_SUPPORTED),
                    int((solved <= TIE).sum()),
                    float(np.median(solved)) if len(solved) else float("nan"),
                )
            )
    return lines


def unsolved(
    results: Sequence[Result], solvers: Sequence[str], tolerances: Sequence[float]
) -> dict[float, list[str]]:
    """For each tolerance the problems that none of the solvers solved."""
    names = list(dict.fromkeys(result.problem for result in results))
    return {
        tolerance: [
            name
            for name, row in zip(names, times(results, solvers, tolerance), strict=True)
            if not np.isfinite(row).any()
        ]
        for tolerance in tolerances
    }
