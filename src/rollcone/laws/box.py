"""Box |l_1| <= a, |l_2| <= b: friction bounded along two fixed axes, each by itself.

The product of two intervals, so its resistance is the sum of theirs.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from rollcone._build.kernels import kernel
from rollcone.laws.friction_set import FrictionSet
from rollcone.laws.interval import (
    interval_line,
    interval_project,
    interval_slope,
    interval_support,
)

BOX = 2


@kernel
def box_line(a, b, l1, l2, N, D):
    alpha1, beta1 = interval_line(a, l1, N, D)
    alpha2, beta2 = interval_line(b, l2, N, D)
    return alpha1 + alpha2, beta1 + beta2


@kernel
def box_project(a, b, l1, l2, N, D):
    return interval_project(a, l1, N, D), interval_project(b, l2, N, D)


@kernel
def box_support(a, b, v1, v2):
    return interval_support(a, v1) + interval_support(b, v2)


@kernel
def box_slope(a, b, l1, l2, y):
    return interval_slope(a, l1, y), 0.0, interval_slope(b, l2, y)


class Box(FrictionSet):
    """Rectangle with half-widths `first` along t1 and `second` along t2."""

    def __init__(self, first: ArrayLike, second: ArrayLike) -> None:
        super().__init__(BOX, first, second)
