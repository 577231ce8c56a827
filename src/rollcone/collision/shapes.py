"""The shapes that bodies can have: codes in an integer array, beside a `size` (n, 3) in metres.

- SPHERE: about its position; size is the radius, three times.
- PLANE: a half space; its surface runs through the position, and the body's z axis is the
  outward normal; size is not used.
- BOX: about its position; size holds the half edges along the body's axes.
- CAPSULE: the points no farther than the radius r from a segment about its position along the
  body's z axis; size is (r, r, half the segment's length + r).
- CLUMP: balls that move as one; size is (r, r, reach), the smallest radius, and that of the ball
  about its position that holds them all. The balls themselves are listed beside (clumps.py).
- DISK: about its position and the body's z axis, with radius R, thickness 2 H and rounded edges of
  radius e <= H; size is (R, R + H, R + e), so that its least is R, of which a share counts as
  touching. A cylinder is one with sharp edges, e = 0; a thin disk has H = e = 0. With
  planes and bowls see kernels/disk.py.
- BOWL: all outside a sphere of radius R through the position, whose centre is R along the body's
  z axis; size is (R, inf, inf). Like planes, bowls have no end (kernels/bowl.py).
- ELLIPSOID: about its position; size holds the semi-axes along the body's axes.
- CONE: about the body's z axis; its centre of mass, the position, is a quarter of its height above
  its base; size is (R, R, 3/4 of the height).
- CONVEX: the hull of some corners; COMPOUND: several convex shapes that move as one; MESH: a
  surface of triangles, solid behind it. Their parts are listed beside (parts.py); size holds the
  half edges of the box about the position, along the body's axes, that holds them (of a mesh none
  less than half the largest: a sheet has no thickness).

Of the last four, and of disks and ellipsoids with other bodies than planes, contacts are found as
those of convex parts (kernels/general.py); all others have functions of their own.

To add a convex one: a code in `kernels/shape.py` with its extents, its farthest point and faces
in `kernels/support.py`, and how it is loaded in `kernels/part_body.py`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone.collision.kernels.shape import (
    BOWL,
    BOX,
    CAPSULE,
    CLUMP,
    COMPOUND,
    CONE,
    CONVEX,
    DISK,
    ELLIPSOID,
    MESH,
    PLANE,
    SPHERE,
)

SHAPE_NAMES = (
    "sphere", "plane", "box", "capsule", "clump", "disk", "bowl", "ellipsoid", "cone", "convex",
    "compound", "mesh",
)  # fmt: skip
ENDLESS = (PLANE, BOWL)


def endless(shape: IntArray) -> NDArray[np.bool_]:
    """Which are planes or bowls?"""
    return np.isin(shape, ENDLESS)


def reach(shape: IntArray, size: FloatArray) -> FloatArray:
    """Radius of the ball about the position (n,) that holds each body; infinite for planes and
    bowls."""
    boxed = (shape == BOX) | (shape >= CONE)
    found = np.where(boxed, np.linalg.norm(size, axis=1), size[:, 2])
    with np.errstate(invalid="ignore"):  # of planes
        edge = size[:, 2] - size[:, 0]
        corner = np.hypot(size[:, 0] - edge, size[:, 1] - size[:, 2]) + edge
    found = np.where(shape == DISK, corner, found)
    found = np.where(shape == ELLIPSOID, size.max(axis=1), found)
    return np.where(endless(shape), np.inf, found)


__all__ = [
    "BOWL",
    "BOX",
    "CAPSULE",
    "CLUMP",
    "COMPOUND",
    "CONE",
    "CONVEX",
    "DISK",
    "ELLIPSOID",
    "ENDLESS",
    "MESH",
    "PLANE",
    "SHAPE_NAMES",
    "SPHERE",
    "endless",
    "reach",
]
