"""The shapes that bodies can have: codes in an integer array, beside a `size` (n, 3) in metres.

- SPHERE: about its position; size is the radius, three times.
- PLANE: a half space; its surface runs through the position, and the body's z axis is the
  outward normal; size is not used.
- BOX: about its position; size holds the half edges along the body's axes.

To add one: a code in `_shape_kernels.py` with its extents, a file for each pair with the shapes
that are there, and a branch for each in `_narrow_kernels.py`.
"""

from __future__ import annotations

from rollcone.collision._shape_kernels import BOX, PLANE, SPHERE

SHAPE_NAMES = ("sphere", "plane", "box")

__all__ = ["BOX", "PLANE", "SHAPE_NAMES", "SPHERE"]
