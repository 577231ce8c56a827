"""Regular polygon with n facets inside the disc of radius a, a vertex on t1.

The linearised friction cone of pivoting methods (n = 4: the pyramid). Its kind
is its number of facets. A point lies in the sector of one facet; in that
facet's axes, c along its outward normal and s along it, with apothem
d = a cos(pi/n) and half-length e = a sin(pi/n), the nearest point of y C is the
point itself (c <= d y), a point of the facet (|s| <= e y) or a vertex. Each gives
a straight piece of the resistance; see disc.py for phi, alpha, beta and y = N / D.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from rollcone._build.kernels import kernel
from rollcone._check import finite_array
from rollcone.errors import InputError
from rollcone.laws.friction_set import FrictionSet, coefficient, span

FEWEST_FACETS = 4
MOST_FACETS = 2**31  # from there on, the angles of facets are lost in rounding


@kernel
def _facet(facets, l1, l2):
    """Cosine and sine of the outward normal of the facet whose sector holds l."""
    width = 2.0 * math.pi / facets
    angle = (math.floor(math.atan2(l2, l1) / width) + 0.5) * width
    return math.cos(angle), math.sin(angle)


@kernel
def polygon_line(facets, a, l1, l2, N, D):
    nx, ny = _facet(facets, l1, l2)
    c = nx * l1 + ny * l2
    s = abs(nx * l2 - ny * l1)
    d = a * math.cos(math.pi / facets)
    e = a * math.sin(math.pi / facets)
    if c * D <= d * N:
        return 0.0, 0.0
    if s * D <= e * N:
        return d * c, d * d
    return d * c + e * s, a * a


@kernel
def polygon_project(facets, a, l1, l2, N, D):
    nx, ny = _facet(facets, l1, l2)
    c = nx * l1 + ny * l2
    s = nx * l2 - ny * l1
    d = a * math.cos(math.pi / facets)
    e = a * math.sin(math.pi / facets)
    if c * D <= d * N:
        return l1, l2
    y = N / D
    c = d * y
    s = min(max(s, -e * y), e * y)
    return nx * c - ny * s, ny * c + nx * s


@kernel
def polygon_support(facets, a, v1, v2):
    nx, ny = _facet(facets, v1, v2)
    d = a * math.cos(math.pi / facets)
    e = a * math.sin(math.pi / facets)
    return d * (nx * v1 + ny * v2) + e * abs(nx * v2 - ny * v1)


@kernel
def polygon_slope(facets, a, l1, l2, y):
    """Of a point of the set, of a facet, of a vertex."""
    nx, ny = _facet(facets, l1, l2)
    c = nx * l1 + ny * l2
    s = nx * l2 - ny * l1
    if a * y == 0.0:
        return 0.0, 0.0, 0.0
    if c <= a * math.cos(math.pi / facets) * y:
        return 1.0, 0.0, 1.0
    if abs(s) > a * math.sin(math.pi / facets) * y:
        return 0.0, 0.0, 0.0
    return ny * ny, -nx * ny, nx * nx


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
