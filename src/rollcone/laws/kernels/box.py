"""Kernels of the box |l_1| <= a, |l_2| <= b: resistance, projection, support, derivative.

The box is the product of two intervals (interval.py), so its resistance is the sum of theirs.
See disc.py for the resistance phi, its tangent line (alpha, beta) and y = N / D.
"""

from __future__ import annotations

from rollcone._build.kernels import kernel
from rollcone.laws.kernels.interval import (
    interval_line,
    interval_project,
    interval_slope,
    interval_support,
)

BOX = 2


@kernel
def box_line(a, b, l1, l2, N, D):
    """Return (alpha, beta), the tangent line of the resistance at y = N / D."""
    alpha1, beta1 = interval_line(a, l1, N, D)
    alpha2, beta2 = interval_line(b, l2, N, D)
    return alpha1 + alpha2, beta1 + beta2


@kernel
def box_project(a, b, l1, l2, N, D):
    """Return the nearest point of (N / D) C to l."""
    return interval_project(a, l1, N, D), interval_project(b, l2, N, D)


@kernel
def box_support(a, b, v1, v2):
    """Return max { c . v : c in C }."""
    return interval_support(a, v1) + interval_support(b, v2)


@kernel
def box_slope(a, b, l1, l2, y):
    """Return (d11, d12, d22), the derivative of the nearest point of y C in l."""
    return interval_slope(a, l1, y), 0.0, interval_slope(b, l2, y)
