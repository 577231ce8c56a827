"""Where joints are, of all of them at once: from the states of bodies, at any moment."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.mechanics.joints import WORLD
from rollcone.mechanics.kernels.joint_work import JointArrays
from rollcone.mechanics.kernels.rotation import multiply, rotate


class JointPlaces(NamedTuple):
    """Of every joint (j,), in world axes; NaN where one of its bodies is not there.

    The frames are quaternions; their third axis is the joint's. What the world carries has its
    center in the origin.
    """

    base_center: FloatArray  # (j, 3), m
    body_center: FloatArray
    base_point: FloatArray
    body_point: FloatArray
    base_frame: FloatArray  # (j, 4)
    body_frame: FloatArray


def joint_places(
    joints: JointArrays, position: FloatArray, orientation: FloatArray, period: FloatArray
) -> JointPlaces:
    """From positions (n, 3) and orientations (n, 4) of all bodies. `period` (3,): of a periodic
    world, 0 where it has none; the base is then the image that is nearest to the body."""
    base, body = (
        _side(number, point, frame, position, orientation)
        for number, point, frame in (
            (joints.base, joints.base_point, joints.base_frame),
            (joints.body, joints.body_point, joints.body_frame),
        )
    )
    turns = np.round((body[1] - base[1]) / np.where(period > 0, period, np.inf))
    away = period * turns
    return JointPlaces(base[0] + away, body[0], base[1] + away, body[1], base[2], body[2])


def _side(
    number: IntArray, point: FloatArray, frame: FloatArray, position: FloatArray,
    orientation: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:  # fmt: skip
    """Center, point and frame on one of the two bodies."""
    free = (number == WORLD)[:, None]
    if not len(position):
        position, orientation = np.zeros((1, 3)), np.zeros((1, 4))
    center = np.where(free, 0.0, position[number])
    turn = np.where(free, (1.0, 0.0, 0.0, 0.0), orientation[number])
    return center, center + turned(turn, point), composed(turn, frame)


def turned(quaternion: FloatArray, vector: FloatArray) -> FloatArray:
    """R(q) v of rows (k, 4) and (k, 3)."""
    return np.stack(rotate(*quaternion.T, *vector.T), axis=1)


def composed(second: FloatArray, first: FloatArray) -> FloatArray:
    """Quaternions (k, 4): first the one, then the other."""
    return np.stack(multiply(*second.T, *first.T), axis=1)
