"""Box |l_1| <= a, |l_2| <= b: friction bounded along two fixed axes, each by itself."""

from __future__ import annotations

from numpy.typing import ArrayLike

from rollcone.laws.friction_set import FrictionSet
from rollcone.laws.kernels.box import BOX


class Box(FrictionSet):
    """Rectangle with half-widths `first` along t1 and `second` along t2."""

    def __init__(self, first: ArrayLike, second: ArrayLike) -> None:
        super().__init__(BOX, first, second)
