"""Interval |l| <= a: spinning (a = sigma, a length), and each side of a box.

The one-dimensional disc: phi(y) = a max(0, |l| - a y). See disc.py for y = N / D.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rollcone._build.kernels import inlined
from rollcone._check import FloatArray, finite_array
from rollcone.laws.friction_set import FrictionSet, coefficient, span

INTERVAL = 3


@inlined
def interval_line(a, x, N, D):
    r = abs(x)
    if r * D > a * N:
        return a * r, a * a
    return 0.0, 0.0


@inlined
def interval_project(a, x, N, D):
    if abs(x) * D > a * N:
        return a * N / D if x > 0.0 else -(a * N / D)
    return x


@inlined
def interval_support(a, v):
    return a * abs(v)


@inlined
def interval_slope(a, x, y):
    """Of the nearest point of y C in x."""
    return 1.0 if a * y > 0.0 and abs(x) <= a * y else 0.0


class Interval(FrictionSet):
    """One direction: |l| <= half_width. Its points are numbers, or arrays of any shape."""

    def __init__(self, half_width: ArrayLike) -> None:
        super().__init__(INTERVAL, coefficient("half_width", half_width), 0.0)

    def __repr__(self) -> str:
        return f"Interval({span(self.first)})"

    def project(self, points: ArrayLike, scale: ArrayLike = 1.0) -> FloatArray:
        return super().project(_pairs(points), scale)[..., 0]

    def support(self, vectors: ArrayLike) -> FloatArray:
        return super().support(_pairs(vectors))


def _pairs(numbers: ArrayLike) -> FloatArray:
    x = finite_array("points", numbers)
    return np.stack([x, np.zeros_like(x)], axis=-1)
