"""How much momentum sweeps of Gauss-Seidel's method take along.

A sweep starts from p + beta (p - p_old), beta = min(k / (k + 3), top), as Nesterov's method does.
The top that is best depends on the problem: it is tried up and down a ladder, a rung every few
sweeps, turning round where the errors fall more slowly than before. Where changes grow, momentum
begins anew, a rung lower.
"""

from __future__ import annotations

import math

import numpy as np

from rollcone._build.kernels import inlined

LADDER = (0.7, 0.8, 0.85, 0.9, 0.94, 0.97, 0.985)
_START = 2  # rung to begin with
_GROWTH = 16.0  # times the least sum of squared changes
_RUNG, _LAST = 40, 5  # sweeps on a rung, and those at its end that tell how far it came
_TINY = 1e-300


@inlined
def first_pace():
    """k, rung, way, least change; on this rung: sweeps, sum of logarithms; level, rate before."""
    zero = np.int64(0)  # a bare 0 would be a type of its own
    return zero, np.int64(_START), np.int64(1), math.inf, zero, 0.0, math.inf, math.inf


@inlined
def momentum(pace):
    """beta of the next sweep."""
    k, rung = pace[0], pace[1]
    return min(k / (k + 3.0), LADDER[rung])


@inlined
def next_pace(pace, change):
    """After a sweep with this sum of squared changes."""
    k, rung, way, least, sweeps, total, level, rate = pace
    if change > _GROWTH * least:
        return 0, max(rung - 1, 0), -1, change, 0, 0.0, math.inf, math.inf
    k, sweeps, least = k + 1, sweeps + 1, min(least, change)
    if sweeps > _RUNG - _LAST:
        total += 0.5 * math.log(max(change, _TINY)) / _LAST
    if sweeps < _RUNG:
        return k, rung, way, least, sweeps, total, level, rate
    new_rate = (total - level) / _RUNG if level < math.inf else math.inf
    if new_rate < math.inf:
        way = -way if new_rate > rate else way
        rung = min(max(rung + way, 0), len(LADDER) - 1)
    return k, rung, way, least, 0, 0.0, total, new_rate
