"""A semismooth Newton method on the Fischer-Burmeister function of the bounds (Billups 1995).

With phi(a, b) = a + b - sqrt(a^2 + b^2), zero if and only if a, b >= 0 and a b = 0, the problem is

    Phi_i = phi(z_i - lower_i, w_i)                           lower bound alone
    Phi_i = -phi(upper_i - z_i, -w_i)                         upper bound alone
    Phi_i = phi(z_i - lower_i, -phi(upper_i - z_i, -w_i))     both
    Phi_i = w_i                                               free
    Phi_i = z_i - lower_i                                     fixed

A step solves H d = -Phi, H = diag(a) + diag(b) M an element of the generalised Jacobian. Where H
is singular, or d no descent of |Phi|^2 / 2, d is that of Levenberg and Marquardt, and at last the
gradient. The length is by Armijo's rule (De Luca, Facchinei and Kanzow 1996).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import lapack
from scipy.sparse.linalg import splu

from rollcone._check import FloatArray
from rollcone.lcp.problem import MLCP
from rollcone.lcp.registry import Start
from rollcone.lcp.scaled import ScaledProblem, scaled
from rollcone.lcp.solution import LcpStatus, Outcome

_ARMIJO = 1e-4
_SHORTEST = 1e-12
_DESCENT = 1e-10  # of the slope along the gradient
_AT_A_KINK = 1e-14


@dataclass(frozen=True)
class NewtonOptions:
    """Nothing to choose."""


def run(
    problem: MLCP, options: NewtonOptions, start: Start, tolerance: float, limit: int
) -> Outcome:
    data = scaled(problem)
    z = np.clip(0.0, data.lower, data.upper) if start[0] is None else start[0] / data.s
    best, least, factorisations = z, np.inf, 0
    for done in range(limit + 1):
        answer = np.clip(data.s * z, problem.lower, problem.upper)
        residual = problem.residual(answer)
        if residual < least:
            best, least = answer, residual
        if residual <= tolerance:
            return Outcome(best, LcpStatus.SOLVED, done, factorisations)
        if done == limit:
            break
        w = data.M @ z + data.q
        phi, along_z, along_w = fischer_burmeister(data, z, w)
        if sparse.issparse(data.M):
            H = sparse.diags_array(along_z) + sparse.diags_array(along_w) @ data.M
        else:
            H = np.diag(along_z) + along_w[:, None] * data.M
        step, tried = _step(data, H, z, phi)
        factorisations += tried
        if step is None:
            return Outcome(best, LcpStatus.STALLED, done, factorisations)
        z = z + step
    return Outcome(best, LcpStatus.MAX_ITERATIONS, limit, factorisations)


def fischer_burmeister(
    data: ScaledProblem, z: FloatArray, w: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Phi and its derivatives by z_i and w_i; one of them where there are many."""
    low, high = np.isfinite(data.lower), np.isfinite(data.upper)
    below = np.where(low, z - np.where(low, data.lower, 0.0), 0.0)
    above = np.where(high, np.where(high, data.upper, 0.0) - z, 0.0)
    # -phi(upper - z, -w), or w where there is no upper bound
    inner, inner_a, inner_b = _phi(above, -w)
    value = np.where(high, -inner, w)
    by_z, by_w = np.where(high, inner_a, 0.0), np.where(high, inner_b, 1.0)
    outer, outer_a, outer_b = _phi(below, value)
    phi = np.where(low, outer, value)
    along_z = np.where(low, outer_a + outer_b * by_z, by_z)
    along_w = np.where(low, outer_b * by_w, by_w)
    fixed = data.lower == data.upper
    return (
        np.where(fixed, below, phi),
        np.where(fixed, 1.0, along_z),
        np.where(fixed, 0.0, along_w),
    )


def _phi(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """phi and its derivatives by a and b; at the kink those along (1, 1)."""
    radius = np.hypot(a, b)
    kink = radius <= _AT_A_KINK
    inverse = 1.0 / np.where(kink, 1.0, radius)
    root = np.sqrt(0.5)
    by_a = 1.0 - np.where(kink, root, a * inverse)
    by_b = 1.0 - np.where(kink, root, b * inverse)
    sum_ = a + b
    # a + b - r = 2 a b / (a + b + r): no digits are lost where a and b are positive
    safe = np.where(sum_ > 0.0, sum_ + radius, 1.0)
    value = np.where(sum_ > 0.0, 2.0 * a * b / safe, sum_ - radius)
    return value, by_a, by_b


def _step(
    data: ScaledProblem, H: Any, z: FloatArray, phi: FloatArray
) -> tuple[FloatArray | None, int]:
    """The first direction that Armijo's rule takes, times its length; how many were factored."""
    gradient = H.T @ phi
    merit, slope = 0.5 * phi @ phi, gradient @ gradient
    if slope == 0.0:
        return None, 0
    for tried, direction in enumerate(_directions(H, phi, gradient)):
        if direction is None or not np.isfinite(direction).all():
            continue
        descent = gradient @ direction
        if descent > -_DESCENT * slope and not -descent > _DESCENT * merit:
            continue
        length = 1.0
        while length > _SHORTEST:
            moved = z + length * direction
            new = fischer_burmeister(data, moved, data.M @ moved + data.q)[0]
            if 0.5 * new @ new <= merit + _ARMIJO * length * descent:
                return length * direction, tried + 1
            length *= 0.5
    return None, 3


def _directions(H: Any, phi: FloatArray, gradient: FloatArray) -> Any:
    """Newton's, Levenberg and Marquardt's, the steepest."""
    yield _linear_solve(H, -phi)
    size = min(1e-2, float(np.linalg.norm(phi))) + 1e-12
    square = H.T @ H
    shift = sparse.eye_array(phi.size) if sparse.issparse(H) else np.eye(phi.size)
    yield _linear_solve(square + size * shift, -gradient)
    yield -gradient


def _linear_solve(A: Any, b: FloatArray) -> FloatArray | None:
    if sparse.issparse(A):
        try:
            answer: FloatArray = splu(sparse.csc_array(A)).solve(b)
        except RuntimeError:  # exactly singular
            return None
        return answer
    answer, info = lapack.dgesv(A, b)[2:]
    return answer if info == 0 else None
