"""Interval |l| <= a: spinning (a = sigma, a length), and each side of a box."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, finite_array
from rollcone.laws.friction_set import FrictionSet, coefficient, span
from rollcone.laws.kernels.interval import INTERVAL


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
