"""Rays of Lemke's method, and proofs that a problem has no solution.

A solution has w_i >= 0 where z_i has only a lower bound, w_i <= 0 where only an upper one, w_i = 0
where it is free; where both are finite, w_i may have any sign. Let d_i >= 0, <= 0, be any number,
be 0 in these four cases. Then d.w >= 0 for a solution; but d.w = (M^T d).z + q.d, so

    q.d + sum_j sup { (M^T d)_j z_j : lower_j <= z_j <= upper_j } < 0

proves that there is none (Farkas' lemma). For a plain LCP that is d >= 0, M^T d <= 0, q.d < 0.

A secondary ray of Lemke's method gives such a d if M is copositive-plus, in particular if its
symmetric part is positive semidefinite; the proof is checked on the raw data and is one whatever
M is. In numbers (M^T d)_j is never quite zero where it has to be. With units in which all m_i are 1
(problem.py) a solution would need |z| of at least

    reach = -(q.d + sum over finite sups) / sum of violations (M^T d)_j;

where that is over 1e12 times the largest |q_i|, d counts as a proof.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.lcp.problem import MLCP

_BEYOND = 1e12  # times the largest |q|: no solution is that large
_ROUNDING = 1e-14  # of a sum, as a part of what it is the sum of
_CLOSE = 1e-9  # the same, for a ray


@dataclass(frozen=True, eq=False)
class Ray:
    """z(t) = z + t direction, t >= 0, with w(t) + (height + t climb) cover complementary to z(t).

    cover > 0 is Lemke's covering vector; w is that of the plain form. violation: by how much the
    ray misses z >= 0, w >= 0 and complementarity there, over the size of what is summed up.
    """

    z: FloatArray
    direction: FloatArray
    height: float
    climb: float
    violation: float

    @property
    def verified(self) -> bool:
        return self.violation <= _CLOSE


def kinds(problem: MLCP) -> FloatArray:
    """The sign that w_i must have: 1, -1; 0 for any; NaN for w_i = 0."""
    low, high = np.isfinite(problem.lower), np.isfinite(problem.upper)
    sign = np.where(low, 1.0, -1.0)
    sign[low & high] = 0.0
    sign[~low & ~high] = np.nan
    return sign


def as_certificate(problem: MLCP, direction: FloatArray) -> FloatArray | None:
    """d with the signs that a proof needs, its largest entry 1, if it is one; else None."""
    sign, scale = kinds(problem), np.sqrt(problem.sizes)
    d = np.where(np.isnan(sign), direction, sign * np.maximum(sign * direction, 0.0))
    largest = np.abs(d * scale).max(initial=0.0)  # w_i d_i are works: d has the units of z
    if not (np.isfinite(d).all() and largest > 0.0):
        return None
    d = d / largest
    return d if reach(problem, d) > _BEYOND * np.abs(problem.q / scale).max() else None


def reach(problem: MLCP, d: FloatArray) -> float:
    """How large a solution would have to be at least; see the head of this file."""
    scale = np.sqrt(problem.sizes)
    pull = problem.M.T @ d
    rounding = _ROUNDING * (abs(problem.M).T @ np.abs(d))
    pull = np.where(np.abs(pull) <= rounding, 0.0, pull)
    end = np.where(pull > 0.0, problem.upper, problem.lower)
    finite = np.isfinite(end)
    parts = np.append(problem.q * d, np.where(finite, end, 0.0) * pull)
    missed = float((np.abs(pull) / scale)[~finite].sum())
    gain = -float(parts.sum())
    if gain <= 1e-12 * np.abs(parts).sum():
        return 0.0
    return gain / missed if missed > 0.0 else np.inf


def violation(problem: MLCP, cover: FloatArray, ray: Ray) -> float:
    """How far the ray is from one, for a plain LCP: the worst of both ends, t = 0 and t -> inf."""
    worst = 0.0
    M, q = problem.M, problem.q
    for z, climb, constant in ((ray.z, ray.height, q), (ray.direction, ray.climb, 0.0 * q)):
        w = M @ z + constant + climb * cover
        size = abs(M) @ np.abs(z) + np.abs(constant) + abs(climb) * cover
        size = np.maximum(size, np.finfo(float).tiny)
        worst = max(worst, float(np.max(-w / size, initial=0.0)))
        worst = max(worst, float(np.max(np.where(z < 0.0, 1.0, 0.0), initial=0.0)))
        for other in (ray.z, ray.direction):  # all four products vanish on a ray
            busy = other > 1e-12 * np.abs(other).max(initial=0.0)
            worst = max(worst, float(np.max(np.abs(w / size), where=busy, initial=0.0)))
    return worst
