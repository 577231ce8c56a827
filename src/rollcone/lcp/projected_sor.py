"""Projected successive over-relaxation (Cryer 1971), row by row:

    z_i <- mid(lower_i, z_i - omega w_i / M_ii, upper_i).

It converges for 0 < omega < 2 if M is symmetric and positive definite, and for omega <= 1 if M is
strictly diagonally dominant. A diagonal that is not positive is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import positive_number
from rollcone.errors import InputError
from rollcone.lcp.kernels import matrices as kernels
from rollcone.lcp.problem import MLCP
from rollcone.lcp.registry import Start
from rollcone.lcp.scaled import scaled
from rollcone.lcp.solution import LcpStatus, Outcome

_BETWEEN_CHECKS = 10  # sweeps; then a tenth of those done


@dataclass(frozen=True)
class SorOptions:
    """omega: how far to go, 0 < omega < 2."""

    omega: float = 1.0

    def __post_init__(self) -> None:
        if not positive_number("omega", self.omega) < 2.0:
            raise InputError(f"omega = {self.omega!r}: must be below 2")


def run(problem: MLCP, options: SorOptions, start: Start, tolerance: float, limit: int) -> Outcome:
    bad = np.flatnonzero(~(problem.M.diagonal() > 0.0))
    if bad.size:
        i = bad[0]
        value = problem.M.diagonal()[i]
        raise InputError(f"M[{i}, {i}] = {value}: solver 'sor' needs a positive diagonal")
    data = scaled(problem)
    matrix, diagonal = data.rows(problem), data.M.diagonal().copy()
    begin = np.zeros(problem.size) if start[0] is None else start[0]
    z = np.clip(begin / data.s, data.lower, data.upper)
    done = 0
    while True:
        answer = np.clip(data.s * z, problem.lower, problem.upper)
        if not np.isfinite(answer).all():
            note = "the iterates are no longer finite"
            return Outcome(answer, LcpStatus.STALLED, done, note=note)
        if problem.residual(answer) <= tolerance:
            return Outcome(answer, LcpStatus.SOLVED, done)
        if done >= limit:
            return Outcome(answer, LcpStatus.MAX_ITERATIONS, done)
        count = min(max(_BETWEEN_CHECKS, done // 10), limit - done)
        kernels.sweep(
            *matrix, data.q, data.lower, data.upper, diagonal, float(options.omega), count, z
        )
        done += count
