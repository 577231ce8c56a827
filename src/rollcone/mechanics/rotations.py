"""Orientations as users give them: unit quaternions (w, x, y, z), matrices, axis and angle.

The quaternion q = (cos(s / 2), sin(s / 2) axis) turns vectors by the angle s (radians) about the
axis, counter-clockwise when the axis points at the viewer; R(q) takes body axes to world axes,
and q and -q are the same rotation.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, bounded_array, finite_array
from rollcone.errors import InputError

_ROUNDED = 1e-3  # so far off unit length, or off a rotation, still counts as typed with few digits
_UNIT = 1e-15  # likewise, what rounding leaves of unit length
_ORTHOGONAL = 1e-12  # so far off a rotation, a matrix is used as it is
_SMALL = 1e-3  # rad
_OPPOSITE = 1e-15  # length of the sum of two unit vectors that only rounding keeps from zero


def unit_quaternion(name: str, value: ArrayLike) -> FloatArray:
    """`value` (w, x, y, z) brought to unit length, left alone if only rounding keeps it from that;
    it must have that length to a thousandth. Any other is more likely a mistake than a rotation.
    """
    q = finite_array(name, value)
    if q.shape != (4,):
        raise InputError(
            f"{name} = {q.tolist()}: must be four numbers (w, x, y, z), a unit quaternion"
        )
    length = float(np.hypot.reduce(q))
    if abs(length - 1.0) > _ROUNDED:
        raise InputError(
            f"{name} = {q.tolist()} has length {length:.6g}: must be 1, a unit quaternion "
            "(w, x, y, z); (1, 0, 0, 0) is no rotation"
        )
    return q.copy() if abs(length - 1.0) <= _UNIT else np.asarray(q / length)


def quaternion_from(axis: ArrayLike, angle: float) -> FloatArray:
    """The rotation by `angle` (radians) about `axis`, a vector of any length but zero."""
    turn = finite_array("angle", angle)
    if turn.ndim:
        raise InputError(f"angle = {angle!r}: must be one number, in radians")
    x, y, z = (float(turn) * _direction("axis", axis)).tolist()
    size = math.sqrt(x * x + y * y + z * z)
    square = size * size
    # sin(size / 2) / size, by its series where the angle is small
    if size > _SMALL:
        scale = math.sin(size / 2.0) / size
    else:
        scale = 0.5 - square / 48.0 + square * square / 3840.0
    return np.array([math.cos(size / 2.0), scale * x, scale * y, scale * z])


def rotation(axis: ArrayLike, degrees: float) -> FloatArray:
    """The orientation (w, x, y, z) of a body that has been turned by `degrees` about `axis`.

    add_box(size=(1, 1, 1), density=1000, orientation=rc.rotation((0, 0, 1), 30))
    """
    turn = finite_array("degrees", degrees)
    if turn.ndim:
        raise InputError(f"degrees = {degrees!r}: must be one number")
    return quaternion_from(axis, float(np.radians(turn)))


def quaternion_of_matrix(matrix: ArrayLike) -> FloatArray:
    """The rotation whose matrix has the body axes as its columns, in world axes.

    The largest of the four components is computed first, and the others from it (Markley, 2008).
    """
    columns = finite_array("matrix", matrix)
    if columns.shape != (3, 3):
        raise InputError(f"matrix of shape {columns.shape}: must be (3, 3)")
    if np.abs(columns.T @ columns - np.eye(3)).max() > _ROUNDED:
        raise InputError(
            f"matrix = {columns.tolist()}: must be a rotation, with columns of length 1 "
            "at right angles"
        )
    if np.linalg.det(columns) < 0:
        raise InputError(
            f"matrix = {columns.tolist()}: must be a rotation; this one is also a mirror "
            "(left-handed axes: change the sign of one column)"
        )
    if not np.allclose(columns @ columns.T, np.eye(3), atol=_ORTHOGONAL):
        left, _, right = np.linalg.svd(columns)
        columns = left @ right
    R, q = columns.tolist(), [0.0] * 4
    trace = R[0][0] + R[1][1] + R[2][2]
    diagonal = (R[0][0], R[1][1], R[2][2], trace)
    i = diagonal.index(max(diagonal))
    if i == 3:
        x, y, z = R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]
        q = [1.0 + trace, x, y, z]
    else:
        j, k = (i + 1) % 3, (i + 2) % 3
        q[0] = R[k][j] - R[j][k]
        q[1 + i] = 1.0 - trace + 2.0 * R[i][i]
        q[1 + j], q[1 + k] = R[j][i] + R[i][j], R[k][i] + R[i][k]
    w, x, y, z = q
    length = math.sqrt(x * x + y * y + z * z + w * w)
    return np.array([w / length, x / length, y / length, z / length])


def rotation_matrix(quaternion: ArrayLike) -> FloatArray:
    """R(q) (3, 3): its columns are the body axes in world axes."""
    w, x, y, z = unit_quaternion("quaternion", quaternion).tolist()
    length = math.sqrt(x * x + y * y + z * z + w * w)
    w, x, y, z = w / length, x / length, y / length, z / length
    ww, xx, yy, zz = w * w, x * x, y * y, z * z
    return np.array(
        [
            [xx - yy - zz + ww, 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
            [2.0 * (x * y + z * w), -xx + yy - zz + ww, 2.0 * (y * z - x * w)],
            [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), -xx - yy + zz + ww],
        ]
    )


def quaternion_between(start: ArrayLike, end: ArrayLike) -> FloatArray:
    """The shortest rotation that takes the direction `start` to the direction `end`.

    For unit vectors a and b at the angle s: |a + b| = 2 cos(s / 2), |a - b| = 2 sin(s / 2), and
    the axis is along (a - b) x (a + b) = 2 a x b, which keeps its digits near 0 and near 180
    degrees. For opposite vectors it is some axis at right angles.
    """
    a, b = _direction("start", start), _direction("end", end)
    total, difference = a + b, a - b
    if not difference.any():
        return np.array([1.0, 0.0, 0.0, 0.0])
    cosine, sine = float(np.hypot.reduce(total)), float(np.hypot.reduce(difference))
    if cosine < _OPPOSITE:
        cosine, total = 0.0, np.eye(3)[np.argmin(np.abs(a))]
    axis = np.cross(difference, total)
    q = np.array([cosine, *(axis * (sine / np.hypot.reduce(axis)))])
    return np.asarray(q / np.linalg.norm(q))


def _direction(name: str, value: ArrayLike) -> FloatArray:
    vector = bounded_array(name, value)
    length = np.hypot.reduce(vector) if vector.shape == (3,) else 0.0
    if length == 0.0:
        raise InputError(f"{name} = {vector.tolist()}: must be three numbers, not all zero")
    return np.asarray(vector / length)
