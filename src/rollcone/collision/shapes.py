"""The shapes that bodies can have: codes in an integer array, beside a `size` (n, 3) in metres.

- SPHERE: about its position; size is the radius, three times.
- PLANE: a half space; its surface runs through the position, and the body's z axis is the
  outward normal; size is not used.
- BOX: about its position; size holds the half edges along the body's axes.
- CAPSULE: the points no farther than the radius r from a segment about its position along the
  body's z axis; size is (r, r, half the segment's length + r).
- CLUMP: balls that move as one; size is (r, r, reach), the smallest radius, and that of the ball
  about its position that holds them all. The balls themselves are listed beside (clumps.py).
- DISK: without thickness, about its position, at a right angle to the body's z axis; size is the
  radius, three times. It touches planes alone (_disk_kernels.py).

To add one: a code in `_shape_kernels.py` with its extents, a function for each pair with the shapes
that are there, which writes a manifold (`_manifold_kernels.py`), and a branch for each in
`_narrow_kernels.py`.
"""

from __future__ import annotations

from rollcone.collision._shape_kernels import BOX, CAPSULE, CLUMP, DISK, PLANE, SPHERE

SHAPE_NAMES = ("sphere", "plane", "box", "capsule", "clump", "disk")

__all__ = ["BOX", "CAPSULE", "CLUMP", "DISK", "PLANE", "SHAPE_NAMES", "SPHERE"]
