"""The mass and inertia of links that move as one body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rollcone._check import FloatArray
from rollcone.urdf.model import MassModel
from rollcone.urdf.pose import Pose


def seen_from(mass: MassModel, pose: Pose) -> MassModel:
    """What is given in the axes at `pose`, in those that `pose` is given in."""
    center = pose.position + pose.turn @ mass.center
    return MassModel(mass.mass, center, pose.turn @ mass.inertia @ pose.turn.T)


def merged(masses: Sequence[MassModel]) -> MassModel | None:
    """All of them as one, given in the same axes: I = sum of I_k + m_k (d.d 1 - d d^T), with d
    from the common centre of mass to that of each."""
    if not masses:
        return None
    total = sum(one.mass for one in masses)
    center = sum((one.mass / total * one.center for one in masses), np.zeros(3))
    inertia = np.zeros((3, 3))
    for one in masses:
        inertia += one.inertia + one.mass * _about(one.center - center)
    return MassModel(total, center, 0.5 * (inertia + inertia.T))


def _about(d: FloatArray) -> FloatArray:
    return np.asarray(np.dot(d, d) * np.eye(3) - np.outer(d, d))
