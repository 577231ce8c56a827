"""Performance profiles: E. D. Dolan, J. J. More, Mathematical Programming 91, 2002.

With t_ps the time of solver s on problem p, infinite where it failed,

    rho_s(tau) = share of all problems p with t_ps <= tau min_s t_ps

is the share that s solves within a factor tau of the best. rho_s(1) is the share that it wins,
the end of its curve the share that it solves at all. It is a measure relative to the other
solvers: see docs/profiles.md on what may be read from it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, real_array
from rollcone.errors import InputError


def ratios(times: ArrayLike) -> FloatArray:
    """t_ps / min_s t_ps (problems, solvers); infinite where a solver failed.

    times   (problems, solvers), above zero; infinite or nan where a solver failed
    """
    t = real_array("times", times)
    if t.ndim != 2 or not t.size:
        raise InputError(f"times of shape {t.shape}: must be (problems, solvers), not empty")
    if (t <= 0).any():
        problem, solver = np.argwhere(t <= 0)[0]
        value = t[problem, solver]
        raise InputError(f"times[{problem}, {solver}] = {value}: must be > 0, or infinite")
    solved = np.isfinite(t)
    t = np.where(solved, t, np.inf)
    best = t.min(axis=1, keepdims=True)
    out = np.full(t.shape, np.inf)
    np.divide(t, best, out=out, where=solved)
    return out


def profile(times: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """tau (k,), which begins with 1, and rho (k, solvers), constant from each tau to the next.

    times   (problems, solvers), above zero; infinite or nan where a solver failed
    """
    r = ratios(times)
    tau = np.unique(np.append(r[np.isfinite(r)], 1.0))
    below = [np.searchsorted(np.sort(column), tau, side="right") for column in r.T]
    return tau, np.stack(below, axis=1) / len(r)
