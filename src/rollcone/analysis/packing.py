"""Packing fraction: the share of a region that spheres fill.

The volume of each sphere within the region is exact (cut_volume.py), so spheres that stick out of
it count with their part, and the region may be smaller than a sphere. Where spheres overlap, the
overlap counts twice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, finite_array, positive_number
from rollcone.analysis.cut_volume import in_box, in_cylinder
from rollcone.analysis.heap import checked_spheres
from rollcone.errors import InputError


def packing_fraction(
    position: FloatArray, radius: FloatArray, low: ArrayLike, high: ArrayLike
) -> float:
    """In the box between two corners (3,), (3,) in m."""
    position, radius = checked_spheres(position, radius)
    corner, opposite = finite_array("low", low), finite_array("high", high)
    if corner.shape != (3,) or opposite.shape != (3,) or not (corner < opposite).all():
        raise InputError(f"low = {low!r}, high = {high!r}: must be two corners, low < high")
    volume = in_box(position, radius, corner, opposite)
    return float(volume.sum() / np.prod(opposite - corner))


def packing_fraction_cylinder(
    position: FloatArray,
    radius: FloatArray,
    *,
    axis: ArrayLike = (0.0, 0.0),
    reach: float,
    low: float,
    high: float,
) -> float:
    """In the cylinder of radius `reach` about the upright line through `axis` (x, y), between two
    heights; all in m."""
    position, radius = checked_spheres(position, radius)
    center = finite_array("axis", axis)
    if center.shape != (2,):
        raise InputError(f"axis = {axis!r}: must be two numbers, x and y")
    bottom, top = float(finite_array("low", low)), float(finite_array("high", high))
    if bottom >= top:
        raise InputError(f"low = {low!r}, high = {high!r}: must be two heights, low < high")
    size = positive_number("reach", reach)
    volume = in_cylinder(position, radius, center, size, bottom, top)
    return float(volume.sum() / (np.pi * size**2 * (top - bottom)))
