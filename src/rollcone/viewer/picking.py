"""Which body or joint a click hits: the first one that a ray from the eye enters.

Planes and bowls are not picked: they lie behind everything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.collision.shapes import CONVEX, endless
from rollcone.view.rays import entries, first_entry


class Solids(NamedTuple):
    """All that can be picked: bodies by number, then markers of joints as if they were bodies."""

    joint: IntArray  # (m,), numbers of the joints
    shape: IntArray  # (n + m,)
    size: FloatArray  # (n + m, 3)
    position: FloatArray  # (n + m, 3), NaN where there is none
    orientation: FloatArray  # (n + m, 4)


_NONE = np.zeros(0, dtype=np.int64)
NOTHING = Solids(_NONE, _NONE, np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 4)))


def pick(
    shape: IntArray,
    size: FloatArray,
    position: FloatArray,
    orientation: FloatArray,
    origin: FloatArray,
    direction: FloatArray,
    corners: Callable[[int], FloatArray] | None = None,
) -> int | None:
    """The number of the body that the ray meets first; bodies with NaN are not there.

    corners: (t, 3, 3) in body axes of the triangles of a body that is made of parts; if
    not given, the boxes around them count
    """
    from scipy.spatial.transform import Rotation

    here = np.flatnonzero(np.isfinite(position[:, 0]) & ~endless(shape))
    if not len(here):
        return None
    to_body = Rotation.from_quat(np.roll(orientation[here], -1, axis=1)).inv()
    o = to_body.apply(origin - position[here])
    d = to_body.apply(direction / np.linalg.norm(direction))
    way = entries(shape[here], size[here], o, d)
    if corners is not None:
        made = shape[here] >= CONVEX
        near = np.isfinite(way) | (np.abs(o) <= size[here]).all(axis=1)  # its box
        way[made] = np.inf
        for k in np.flatnonzero(made & near):
            way[k] = first_entry(corners(int(here[k])), o[k], d[k])
    best = int(np.argmin(way))
    return int(here[best]) if np.isfinite(way[best]) else None
