"""Which body or joint a click hits: the first one that a ray from the eye enters.

Planes and bowls are not picked: they lie behind everything.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.collision.shapes import endless
from rollcone.view.rays import entries


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
) -> int | None:
    """The number of the body that the ray meets first; bodies with NaN are not there."""
    from scipy.spatial.transform import Rotation

    here = np.flatnonzero(np.isfinite(position[:, 0]) & ~endless(shape))
    if not len(here):
        return None
    to_body = Rotation.from_quat(np.roll(orientation[here], -1, axis=1)).inv()
    o = to_body.apply(origin - position[here])
    d = to_body.apply(direction / np.linalg.norm(direction))
    way = entries(shape[here], size[here], o, d)
    best = int(np.argmin(way))
    return int(here[best]) if np.isfinite(way[best]) else None
