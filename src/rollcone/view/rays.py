"""Where rays enter bodies.

In body axes a sphere or a capsule is all that lies within R of a segment along z, whose length is
zero for a sphere; a box is three slabs, a disk a part of one (its edges count as sharp), an
ellipsoid a stretched ball, and a cone what is within its double cone below the tip and above its
base. A clump counts as the ball around it; bodies that are made of parts are met triangle by
triangle (`first_entry`), or as the boxes around them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone.collision.shapes import BOX, CLUMP, CONE, DISK, ELLIPSOID


def entries(shape: IntArray, size: FloatArray, o: FloatArray, d: FloatArray) -> FloatArray:
    """How far along rays (k,) bodies (k,) are entered, inf if they are not.

    o, d: where rays begin, and their directions, of length 1, in body axes (k, 3). A ray that
    begins in a body does not enter it.
    """
    size = np.where(shape[:, None] == CLUMP, size[:, 2:], size)
    with np.errstate(divide="ignore", invalid="ignore"):
        boxed = (shape == BOX) | (shape > CONE)
        entry = np.where(boxed, _enter_box(o, d, size), _enter_round(o, d, size))
        entry = np.where(shape == DISK, _enter_disk(o, d, size), entry)
        entry = np.where(shape == CONE, _enter_cone(o, d, size), entry)
        a, b = o / size, d / size
        return np.where(
            shape == ELLIPSOID, _root(_dot(b, b), _dot(a, b), _dot(a, a), np.ones(len(o))), entry
        )


def _enter_box(o: FloatArray, d: FloatArray, half: FloatArray) -> FloatArray:
    """Where rays (k,) enter boxes, inf if they do not."""
    one, other = (-half - o) / d, (half - o) / d
    beside = (d == 0) & (np.abs(o) > half)  # along a slab, outside it
    enter = np.where(d == 0, -np.inf, np.minimum(one, other)).max(axis=1)
    leave = np.where(d == 0, np.inf, np.maximum(one, other)).min(axis=1)
    hit = (enter <= leave) & (enter >= 0) & ~beside.any(axis=1)
    return np.where(hit, enter, np.inf)


def _enter_round(o: FloatArray, d: FloatArray, size: FloatArray) -> FloatArray:
    """The same for capsules and spheres: the side, then the balls at both ends."""
    radius, core = size[:, 0], size[:, 2] - size[:, 0]
    side = _root(
        _dot(d[:, :2], d[:, :2]), _dot(o[:, :2], d[:, :2]), _dot(o[:, :2], o[:, :2]), radius
    )
    z = o[:, 2] + side * d[:, 2]
    best = np.where(np.abs(z) <= core, side, np.inf)
    for end in (-core, core):
        away = o.copy()
        away[:, 2] -= end
        ball = _root(np.ones(len(o)), _dot(away, d), _dot(away, away), radius)
        best = np.fmin(best, ball)
    return np.where(np.isfinite(best), best, np.inf)


def _enter_disk(o: FloatArray, d: FloatArray, size: FloatArray) -> FloatArray:
    """The same for disks: where both their slab and their cylinder have been entered."""
    radius, half = size[:, 0], size[:, 1] - size[:, 0]
    one, other = (-half - o[:, 2]) / d[:, 2], (half - o[:, 2]) / d[:, 2]
    level = d[:, 2] == 0
    enter = np.where(level, -np.inf, np.minimum(one, other))
    leave = np.where(level, np.inf, np.maximum(one, other))
    dd, od = _dot(d[:, :2], d[:, :2]), _dot(o[:, :2], d[:, :2])
    square = _dot(o[:, :2], o[:, :2]) - radius**2
    root = np.sqrt(np.maximum(od**2 - dd * square, 0.0))
    upright = dd == 0
    enter = np.maximum(enter, np.where(upright, -np.inf, (-od - root) / dd))
    leave = np.minimum(leave, np.where(upright, np.inf, (-od + root) / dd))
    beside = (upright & (square > 0)) | (od**2 < dd * square) | (level & (np.abs(o[:, 2]) >= half))
    return np.where((enter <= leave) & (enter >= 0) & ~beside, enter, np.inf)


def _enter_cone(o: FloatArray, d: FloatArray, size: FloatArray) -> FloatArray:
    """The same for cones: their base, then their side, x^2 + y^2 = (slope (tip - z))^2."""
    radius, tip, base = size[:, 0], size[:, 2], -size[:, 2] / 3.0
    slope = radius / (tip - base)
    down = (base - o[:, 2]) / d[:, 2]
    x = o[:, :2] + down[:, None] * d[:, :2]
    level = np.where((down >= 0) & (d[:, 2] > 0) & (_dot(x, x) <= radius**2), down, np.inf)
    below = tip - o[:, 2]
    aa = _dot(d[:, :2], d[:, :2]) - (slope * d[:, 2]) ** 2
    ab = _dot(o[:, :2], d[:, :2]) + slope**2 * below * d[:, 2]
    bb = _dot(o[:, :2], o[:, :2]) - (slope * below) ** 2
    root = np.sqrt(np.maximum(ab**2 - aa * bb, 0.0))
    both = -(ab + np.where(ab < 0, -root, root))  # without cancellation
    best = level
    for t in (both / aa, bb / both):
        z = o[:, 2] + t * d[:, 2]
        good = (t >= 0) & (z >= base) & (z <= tip) & (ab**2 >= aa * bb) & (aa * t + ab < 0)
        best = np.fmin(best, np.where(good, t, np.inf))
    return best


def first_entry(corners: FloatArray, o: FloatArray, d: FloatArray) -> float:
    """How far along a ray it meets the front of the first of triangles (t, 3, 3), inf if none."""
    a, b, c = np.moveaxis(corners, 1, 0)
    normal = np.cross(b - a, c - a)
    facing = -normal @ d  # > 0 from outside
    with np.errstate(divide="ignore", invalid="ignore"):
        way = np.einsum("ij,ij->i", o - a, normal) / facing
        q = np.cross(o - a, d)
        u, v = (np.einsum("ij,ij->i", edge, q) / facing for edge in (c - a, a - b))
        good = (facing > 0) & (way >= 0) & (u >= 0) & (v >= 0) & (u + v <= 1)
    return float(way[good].min(initial=np.inf))


def _root(dd: FloatArray, od: FloatArray, oo: FloatArray, radius: FloatArray) -> FloatArray:
    """The first t >= 0 with |o + t d| = radius, or inf."""
    inside = od**2 - dd * (oo - radius**2)
    t = (-od - np.sqrt(np.maximum(inside, 0.0))) / dd
    good: NDArray[np.bool_] = (inside >= 0) & (t >= 0) & np.isfinite(t)
    return np.where(good, t, np.inf)


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray((a * b).sum(axis=1))
