"""What joints hold their bodies with: the given rows of a joint, E^T q, as a force and a torque."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.motion import Motion


@dataclass(frozen=True, eq=False)
class JointForce:
    """On `body`, by `against`, in world axes; drives, springs and friction are not part of it.

    point   (3,), m: of the joint
    force   (3,), N
    torque  (3,), N m, about the point
    """

    name: str
    body: str
    against: str
    point: FloatArray
    force: FloatArray
    torque: FloatArray


def joint_forces(motion: Motion) -> list[JointForce]:
    """Of the joints of a world. Where they hold more than is needed, the least ones."""
    problem, places = motion.problem, motion.problem.places
    if places is None:
        return []
    found = []
    for joint in places.joints:
        own = [i for i, row in enumerate(places.held) if row.joint == joint.number]
        wrench = problem.held[own].T @ motion.held_forces[own]
        k = int(np.flatnonzero(places.movers == joint.body)[0])
        force, torque = wrench[6 * k : 6 * k + 3], wrench[6 * k + 3 : 6 * k + 6]
        torque = torque - np.cross(joint.arm, force)
        names = (places.name_of(joint.body), places.name_of(joint.against))
        found.append(JointForce(joint.name, *names, joint.point, force, torque))
    return found
