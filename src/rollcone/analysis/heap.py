"""Measures of a heap of spheres: height, radius of its base, angle of repose.

Positions (n, 3) are in a frame whose z axis points up and whose floor is at z = 0; lengths in m.

**Angle of repose.** The surface is what is seen from above: at a point (x, y) its height is that
of the highest sphere there, or zero (floor), on square pixels of an eighth of a diameter (the
median). Around the axis, the centroid of all spheres above the first layer, the pixels are put
into azimuth sectors and rings of half a diameter; h(r) is their mean height, so that roughness and
holes add the same at every r. The foot is the ring where h falls below one diameter, or the last
one that can be seen. A line is fitted to h(r) from a fifth to four fifths of the foot's radius: the
rounded top and the tail at the foot have no say. The angle of a sector is that of the line.
Reported are the mean over the sectors and its standard error.

Near a wall the surface is not that of a free heap: pixels closer to one than `border` are left
out. Where the surface is nowhere higher than one and a half diameters, or fewer than three sectors
have a flank of three rings, there is no heap, and the angle is nan. A flat layer that is thicker
has an angle near zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollcone._check import FloatArray, finite_array, positive_number, whole_number
from rollcone.errors import InputError

_PIXELS = 8  # per diameter
_RINGS = 2  # per diameter
_FLANK = (0.2, 0.8)  # of the foot's radius
_LEAST_HEIGHT = 1.5  # diameters
_LEAST_RINGS, _LEAST_SECTORS = 3, 3
_FAR = 1.5  # of the radius within which nineteen of twenty spheres are: no farther out
_MOST_PIXELS = 4000  # along an edge of the picture of the surface
_CHUNK = 20_000  # spheres drawn at once


@dataclass(frozen=True)
class Repose:
    """The angle of repose in degrees, nan where there is no heap.

    angle    mean over the sectors
    error    its standard error
    sectors  (s,), the angle of each; nan where a sector has no flank
    rings    (k,), radii (m)
    profile  (s, k), mean heights of the surface (m), nan where nothing can be seen
    """

    angle: float
    error: float
    sectors: FloatArray
    rings: FloatArray
    profile: FloatArray


def heap_height(position: FloatArray, radius: FloatArray) -> float:
    """Top of the highest sphere above the floor (m)."""
    position, radius = checked_spheres(position, radius)
    return float((position[:, 2] + radius).max())


def mean_radius(position: FloatArray, base: NDArray[np.bool_]) -> float:
    """Mean horizontal distance (m) of the spheres on the floor, `base` (n,), to their centroid
    (Acary and Bourrier 2021, section 6.2); nan if there are none."""
    bottom = np.asarray(position)[np.asarray(base, dtype=bool), :2]
    if not len(bottom):
        return float("nan")
    return float(np.linalg.norm(bottom - bottom.mean(axis=0), axis=1).mean())


def angle_of_repose(
    position: FloatArray,
    radius: FloatArray,
    *,
    axis: ArrayLike | None = None,
    sectors: int = 12,
    within: float = np.inf,
    walls: ArrayLike = (),
    border: float | None = None,
) -> Repose:
    """By a fit of the surface in azimuth sectors; see the module's text.

    axis     x, y (m); the centroid of the spheres above the first layer if not given
    sectors  how many, at least 3
    within   m: the surface farther from the axis does not count
    walls    (k, 3): a wall has a horizontal unit normal (a, b), into the heap, and an offset c;
             points of the wall are at a x + b y = c
    border   m: nor does the surface nearer to a wall; three diameters if not given
    """
    position, radius = checked_spheres(position, radius)
    diameter = 2.0 * float(np.median(radius))
    whole_number("sectors", sectors, least=_LEAST_SECTORS)
    center = _axis(position, diameter) if axis is None else finite_array("axis", axis)
    if center.shape != (2,):
        raise InputError(f"axis = {axis!r}: must be two numbers, x and y")
    fence = _fence(walls)
    edge = 3.0 * diameter if border is None else positive_number("border", border, zero=True)
    far = np.linalg.norm(position[:, :2] - center, axis=1)
    reach = min(float(within), _FAR * float(np.quantile(far, 0.95)) + 2.0 * diameter)
    if not reach > 0:
        raise InputError(f"within = {within!r}: must be > 0")

    points, height = _surface(position - [*center, 0.0], radius, reach, diameter / _PIXELS)
    pixel = (2.0 * reach) ** 2 / len(points)
    free = np.linalg.norm(points, axis=1) < reach
    free &= ((points + center) @ fence[:, :2].T - fence[:, 2] >= edge).all(axis=1)
    rings, profile = _profile(points[free], height[free], sectors, diameter / _RINGS, pixel)
    angles = np.full(sectors, np.nan)
    if height.max(initial=0.0) > _LEAST_HEIGHT * diameter:
        angles = np.array([_flank_angle(rings, heights, diameter) for heights in profile])
    found = angles[~np.isnan(angles)]
    if len(found) < _LEAST_SECTORS:
        return Repose(np.nan, np.nan, angles, rings, profile)
    error = float(found.std(ddof=1) / np.sqrt(len(found)))
    return Repose(float(found.mean()), error, angles, rings, profile)


def checked_spheres(position: FloatArray, radius: FloatArray) -> tuple[FloatArray, FloatArray]:
    position, radius = finite_array("position", position), finite_array("radius", radius)
    if position.ndim != 2 or position.shape[1] != 3 or not len(position):
        raise InputError(f"position has shape {position.shape}: must be (n, 3), of n >= 1 spheres")
    if radius.shape != (len(position),) or radius.min() <= 0:
        raise InputError(f"radius: must be ({len(position)},), one number > 0 for each sphere")
    return position, radius


def _fence(walls: ArrayLike) -> FloatArray:
    array = finite_array("walls", walls)
    if array.size and (array.ndim != 2 or array.shape[1] != 3):
        raise InputError(f"walls has shape {array.shape}: must be (k, 3)")
    return array.reshape(-1, 3)


def _axis(position: FloatArray, diameter: float) -> FloatArray:
    """Strays on the floor do not count."""
    above = position[:, 2] > diameter
    return np.asarray(position[above if above.any() else slice(None), :2].mean(axis=0))


def _surface(
    position: FloatArray, radius: FloatArray, reach: float, pixel: float
) -> tuple[FloatArray, FloatArray]:
    """Pixels (k, 2) of the square of half edge `reach` about the axis, and their heights (k,)."""
    count = min(int(np.ceil(2.0 * reach / pixel)), _MOST_PIXELS)
    pixel = 2.0 * reach / count
    heights = np.zeros(count * count)
    width = int(np.ceil(2.0 * radius.max() / pixel)) + 1
    shift = np.arange(width)
    for begin in range(0, len(position), _CHUNK):
        x, r = position[begin : begin + _CHUNK], radius[begin : begin + _CHUNK, None, None]
        first = np.floor((x[:, :2] - r[:, 0] + reach) / pixel).astype(np.int64)
        column = (first[:, 0, None] + shift)[:, :, None]
        row = (first[:, 1, None] + shift)[:, None, :]
        dx = (column + 0.5) * pixel - reach - x[:, 0, None, None]
        dy = (row + 0.5) * pixel - reach - x[:, 1, None, None]
        rise = r * r - dx * dx - dy * dy
        seen = (rise > 0) & (column >= 0) & (column < count) & (row >= 0) & (row < count)
        top = x[:, 2, None, None] + np.sqrt(np.maximum(rise, 0.0))
        np.maximum.at(heights, (column * count + row)[seen], top[seen])
    middle = (np.arange(count) + 0.5) * pixel - reach
    grid = np.stack(np.meshgrid(middle, middle, indexing="ij"), axis=-1)
    return grid.reshape(-1, 2), heights


def _profile(
    points: FloatArray, height: FloatArray, sectors: int, ring: float, pixel: float
) -> tuple[FloatArray, FloatArray]:
    """Radii (k,) of the rings, and the mean height in each, by sector (s, k); nan where less than
    half of the ring can be seen. A pixel has the area `pixel`."""
    r = np.linalg.norm(points, axis=1)
    azimuth = np.arctan2(points[:, 1], points[:, 0]) / (2.0 * np.pi) + 0.5
    sector = np.minimum((azimuth * sectors).astype(np.int64), sectors - 1)
    number = (r / ring).astype(np.int64)
    count = int(number.max(initial=0)) + 1
    cell = sector * count + number
    filled = np.bincount(cell, minlength=sectors * count)
    total = np.bincount(cell, height, minlength=sectors * count)
    mean: FloatArray = np.full(sectors * count, np.nan)
    whole = np.pi * (2 * np.arange(count) + 1) * ring**2 / (sectors * pixel)
    np.divide(total, filled, out=mean, where=filled > 0.5 * np.tile(whole, sectors))
    return np.asarray((np.arange(count) + 0.5) * ring), np.asarray(mean.reshape(sectors, count))


def _flank_angle(rings: FloatArray, height: FloatArray, diameter: float) -> float:
    """Degrees, of one sector; nan if it has no flank."""
    seen = np.flatnonzero(~np.isnan(height))
    inner = seen[0] if len(seen) else 0  # rings at the axis may be smaller than a pixel
    ends = inner + np.flatnonzero(~(height[inner:] >= diameter))  # nan, too
    foot = rings[ends[0]] if len(ends) else rings[-1]
    flank = (rings >= _FLANK[0] * foot) & (rings <= _FLANK[1] * foot) & ~np.isnan(height)
    if flank.sum() < _LEAST_RINGS:
        return float("nan")
    slope = np.polyfit(rings[flank], height[flank], 1)[0]
    return float(np.degrees(np.arctan(-slope)))
