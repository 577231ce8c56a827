"""Ellipse (l_1 / a)^2 + (l_2 / b)^2 <= 1: friction that depends on the direction.

Anisotropic sliding or rolling (Tasora and Anitescu 2013, section 2.2; Le Saux, Leine and
Glocker 2005, section 5.5.2).
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from rollcone.laws.friction_set import FrictionSet
from rollcone.laws.kernels.ellipse import ELLIPSE


class Ellipse(FrictionSet):
    """Half-axes `first` along t1 and `second` along t2."""

    def __init__(self, first: ArrayLike, second: ArrayLike) -> None:
        super().__init__(ELLIPSE, first, second)
