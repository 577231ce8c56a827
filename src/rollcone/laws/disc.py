"""Disc |l| <= a: isotropic sliding (a = mu) and rolling (a = rho, a length).

Tasora and Anitescu 2013, (31).
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from rollcone.laws.friction_set import FrictionSet, coefficient, span
from rollcone.laws.kernels.disc import DISC


class Disc(FrictionSet):
    """All directions alike: |l| <= radius."""

    def __init__(self, radius: ArrayLike) -> None:
        a = coefficient("radius", radius)
        super().__init__(DISC, a, a)

    def __repr__(self) -> str:
        return f"Disc({span(self.first)})"
