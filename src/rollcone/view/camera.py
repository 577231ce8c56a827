"""Where to look from: directions by name, and how near so that all is seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, bounded_array, one_of
from rollcone.errors import InputError

ANGLE = 30.0  # degrees, from the lower to the upper edge of the picture
_DIRECTIONS = {  # from what is seen to the camera, and what is up
    "iso": ((1.0, -1.6, 0.9), (0.0, 0.0, 1.0)),
    "front": ((0.0, -1.0, 0.06), (0.0, 0.0, 1.0)),
    "side": ((1.0, 0.0, 0.06), (0.0, 0.0, 1.0)),
    "top": ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)),
}
VIEWS = tuple(_DIRECTIONS)
_MARGIN = 1.1  # around what is seen


@dataclass(frozen=True)
class Camera:
    """In world axes, metres."""

    position: FloatArray
    focus: FloatArray
    up: FloatArray


def fitted(centers: FloatArray, reach: FloatArray, view: str, aspect: float) -> Camera:
    """In the direction of the view, as near as balls about `centers` (n, 3) with the radii `reach`
    (n,) allow, and in their middle.

    aspect: width of the picture over its height. With a ball's place (a, b, c) to the right,
    upward and towards the camera, the camera at (a0, b0, d), and t the tangent of half the angle,
    it is in the picture if |a - a0| + r <= t (d - c): the least d is half the sum of
    max(c + (a + r) / t) and max(c + (r - a) / t), and a0 / t half their difference.
    """
    direction, up = _DIRECTIONS[one_of("view", view, VIEWS)]
    back = np.array(direction) / np.linalg.norm(direction)
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    towards = centers @ back
    away, focus = -np.inf, np.zeros(3)
    tangent = np.tan(np.radians(0.5 * ANGLE)) / _MARGIN
    for axis, t in ((right, aspect * tangent), (np.cross(back, right), tangent)):
        along = centers @ axis
        most, least = ((towards + (reach + s * along) / t).max() for s in (1.0, -1.0))
        away = max(away, float(most + least) / 2)
        focus += 0.5 * t * (most - least) * axis
    middle = float(towards.min() + towards.max()) / 2
    return Camera(focus + away * back, focus + middle * back, np.array(up))


def placed(values: Sequence[float], low: FloatArray, high: FloatArray) -> Camera:
    """From three numbers, the camera's position, looking at the middle of the box; from six, its
    position and what it looks at (m)."""
    given = bounded_array("camera", list(values))
    if given.shape not in ((3,), (6,)):
        raise InputError(
            f"camera = {given.tolist()}: must be x, y, z, or x, y, z and a point to see"
        )
    focus = given[3:] if len(given) == 6 else 0.5 * (low + high)
    back = given[:3] - focus
    length = np.linalg.norm(back)
    if length == 0:
        raise InputError(f"camera = {given.tolist()}: must not be the point that it looks at")
    steep = abs(back[2]) > 0.999 * length
    return Camera(given[:3], focus, np.array([0.0, 1.0, 0.0] if steep else [0.0, 0.0, 1.0]))
