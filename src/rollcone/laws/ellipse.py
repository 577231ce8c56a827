"""Ellipse (l_1 / a)^2 + (l_2 / b)^2 <= 1: friction that depends on the direction.

Anisotropic sliding or rolling (seed papers 000 section 2.2, 004 section 5.5.2).
The nearest point of y C to l is p_i = a_i^2 l_i / (tau + a_i^2), where tau >= 0
solves the secular equation

    sum_i (a_i l_i / (tau + a_i^2))^2 = y^2,

and the resistance is phi(y) = tau y, with slope -beta,
beta = y^2 / sum_i (a_i l_i)^2 / (tau + a_i^2)^3 - tau. Newton's method on
1 / sqrt(left side), which is concave and almost straight, climbs to tau from
below without overshooting. See disc.py for phi, alpha, beta and y = N / D.
"""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from rollcone._jit import kernel
from rollcone.laws.friction_set import FrictionSet

ELLIPSE = 1
_MAX_STEPS = 100


@kernel
def _secular(a, b, l1, l2, tau):
    """Y = sum_i (a_i l_i / (tau + a_i^2))^2 and -Y' / 2; an axis of no width adds nothing."""
    square, slope = 0.0, 0.0
    if a > 0.0:
        w = a * l1 / (tau + a * a)
        square += w * w
        slope += w * w / (tau + a * a)
    if b > 0.0:
        w = b * l2 / (tau + b * b)
        square += w * w
        slope += w * w / (tau + b * b)
    return square, slope


@kernel
def _multiplier(a, b, l1, l2, y):
    """tau of the secular equation; 0 if l is inside y C."""
    tau = 0.0
    for _ in range(_MAX_STEPS):
        square, slope = _secular(a, b, l1, l2, tau)
        if square <= y * y:
            break
        new = tau + (math.sqrt(square) / y - 1.0) * square / slope
        if new <= tau:
            break
        tau = new
    return tau


@kernel
def ellipse_line(a, b, l1, l2, N, D):
    if N <= 0.0:  # the limit y -> 0, where tau grows without bound
        s1 = a * l1 * a * l1
        s2 = b * l2 * b * l2
        if s1 + s2 == 0.0:
            return 0.0, 0.0
        return math.sqrt(s1 + s2), (a * a * s1 + b * b * s2) / (s1 + s2)
    y = N / D
    tau = _multiplier(a, b, l1, l2, y)
    if tau == 0.0:
        return 0.0, 0.0
    square, slope = _secular(a, b, l1, l2, tau)
    beta = square / slope - tau
    return (tau + beta) * y, beta


@kernel
def ellipse_project(a, b, l1, l2, N, D):
    if N <= 0.0:
        return 0.0, 0.0
    tau = _multiplier(a, b, l1, l2, N / D)
    p1 = a * a * l1 / (tau + a * a) if a > 0.0 else 0.0
    p2 = b * b * l2 / (tau + b * b) if b > 0.0 else 0.0
    return p1, p2


@kernel
def ellipse_support(a, b, v1, v2):
    return math.sqrt(a * v1 * a * v1 + b * v2 * b * v2)


class Ellipse(FrictionSet):
    """Half-axes `first` along t1 and `second` along t2."""

    def __init__(self, first: ArrayLike, second: ArrayLike) -> None:
        super().__init__(ELLIPSE, first, second)
