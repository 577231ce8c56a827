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
    position: FloatArray,
    radius: FloatArray,
    low: ArrayLike,
    high: ArrayLike,
    periods: ArrayLike = (),
) -> float:
    """In the box between two corners (3,), (3,) in m; `periods` (k, 3), at right angles, lead from
    each sphere to its images."""
    position, radius = checked_spheres(position, radius)
    corner, opposite = finite_array("low", low), finite_array("high", high)
    if corner.shape != (3,) or opposite.shape != (3,) or not (corner < opposite).all():
        raise InputError(f"low = {low!r}, high = {high!r}: must be two corners, low < high")
    for period in finite_array("periods", periods).reshape(-1, 3):
        position, radius = _images(position, radius, corner, opposite, period)
    volume = in_box(position, radius, corner, opposite)
    return float(volume.sum() / np.prod(opposite - corner))


def _images(
    position: FloatArray, radius: FloatArray, low: FloatArray, high: FloatArray, period: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Those along one period whose spheres reach the box."""
    length = float(np.linalg.norm(period))
    axis = period / length
    begin = np.minimum(axis * low, axis * high).sum()
    end = np.maximum(axis * low, axis * high).sum()
    place = position @ axis
    first = np.ceil((begin - radius - place) / length).astype(np.int64)
    last = np.floor((end + radius - place) / length).astype(np.int64)
    count = np.maximum(last - first + 1, 0)
    which = np.repeat(np.arange(len(count)), count)
    image = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + first[which]
    return position[which] + image[:, None] * period, radius[which]


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
