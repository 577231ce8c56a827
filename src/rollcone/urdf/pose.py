"""Places and directions: where one frame is in another."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray
from rollcone.mechanics.rotations import quaternion_of_matrix


@dataclass(frozen=True, eq=False)
class Pose:
    """position (3,) in metres; turn (3, 3), its columns are the axes."""

    position: FloatArray = field(default_factory=lambda: np.zeros(3))
    turn: FloatArray = field(default_factory=lambda: np.eye(3))

    def __matmul__(self, other: Pose) -> Pose:
        """`other`, given in this frame, as seen from where this one is given."""
        return Pose(self.position + self.turn @ other.position, self.turn @ other.turn)

    def inverse(self) -> Pose:
        return Pose(-self.turn.T @ self.position, self.turn.T)

    @property
    def quaternion(self) -> FloatArray:
        return quaternion_of_matrix(self.turn)


def from_rpy(xyz: ArrayLike, rpy: ArrayLike) -> Pose:
    """A URDF origin: turned about the fixed axes x, y and z, in this order (rad)."""
    (a, b, c), (d, e, f) = np.cos(rpy), np.sin(rpy)
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, a, -d], [0.0, d, a]])
    about_y = np.array([[b, 0.0, e], [0.0, 1.0, 0.0], [-e, 0.0, b]])
    about_z = np.array([[c, -f, 0.0], [f, c, 0.0], [0.0, 0.0, 1.0]])
    return Pose(np.asarray(xyz, dtype=float), about_z @ about_y @ about_x)


def about(axis: FloatArray, angle: float) -> Pose:
    """Turned by an angle (rad) about a unit vector."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turn = np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)
    return Pose(np.zeros(3), turn)
