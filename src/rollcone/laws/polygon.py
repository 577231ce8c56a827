"""Regular polygon with n facets inside the disc of radius a, a vertex on t1.

The linearised friction cone of pivoting methods (n = 4: the pyramid). Its kind is its number of
facets.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import finite_array
from rollcone.errors import InputError
from rollcone.laws.friction_set import FrictionSet, coefficient, span

FEWEST_FACETS = 4
MOST_FACETS = 2**31  # from there on, the angles of facets are lost in rounding


class Polygon(FrictionSet):
    """Convex hull of radius * (cos 2 pi j / facets, sin 2 pi j / facets)."""

    def __init__(self, radius: ArrayLike, facets: ArrayLike) -> None:
        count = finite_array("facets", facets)
        if np.any((count < FEWEST_FACETS) | (count > MOST_FACETS) | (count % 2 != 0)):
            raise InputError(
                f"facets = {facets!r}: must be even, so that friction is the same forwards "
                f"and backwards, from {FEWEST_FACETS} to {MOST_FACETS}"
            )
        a = coefficient("radius", radius)
        super().__init__(count, a, a)

    def __repr__(self) -> str:
        return f"Polygon({span(self.first)}, facets={span(self.kind.astype(float))})"
