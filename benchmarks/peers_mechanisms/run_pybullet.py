"""PyBullet's multibodies, in the coordinates of their joints, without damping; the loop is closed
by a point-to-point constraint. Motor and friction are its motors of joints: a speed, or zero, with
a largest torque."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pybullet as bullet

from benchmarks.peers_mechanisms.engine import State, main, substeps
from benchmarks.peers_mechanisms.scenes import AXIS, FRAME, Mechanism


class PyBullet:
    def __init__(self, mechanism: Mechanism, settings: dict[str, Any]) -> None:
        self.frame, self.count = substeps(settings), len(mechanism.rods)
        if bullet.isConnected():
            bullet.resetSimulation()
        else:
            bullet.connect(bullet.DIRECT)
        bullet.setGravity(0, 0, -mechanism.gravity)
        bullet.setPhysicsEngineParameter(fixedTimeStep=FRAME / self.frame)
        self.body = new_body(mechanism)
        for k, rod in enumerate(mechanism.rods):
            bullet.changeDynamics(
                self.body, k, localInertiaDiagonal=3 * (rod.inertia,), linearDamping=0,
                angularDamping=0, jointDamping=0,
            )  # fmt: skip
            self._drive(k, 0.0, 0.0)
        if mechanism.friction:
            self._drive(0, 0.0, mechanism.friction)
        if mechanism.motor is not None:
            self._drive(0, *mechanism.motor)
        if mechanism.stop is not None:
            bullet.changeDynamics(
                self.body, 0, jointLowerLimit=-10.0, jointUpperLimit=mechanism.stop
            )
        if mechanism.closed:
            bullet.createConstraint(
                self.body, self.count - 1, -1, -1, bullet.JOINT_POINT2POINT, (0, 0, 0),
                (0.5 * mechanism.ways[-1]).tolist(), mechanism.corners[-1].tolist(),
            )  # fmt: skip

    def _drive(self, joint: int, speed: float, torque: float) -> None:
        bullet.setJointMotorControl2(
            self.body, joint, bullet.VELOCITY_CONTROL, targetVelocity=speed, force=torque
        )

    def advance(self, frames: int) -> None:
        for _ in range(frames * self.frame):
            bullet.stepSimulation()

    def state(self) -> State:
        links = bullet.getLinkStates(
            self.body, list(range(self.count)), computeLinkVelocity=1, computeForwardKinematics=1
        )
        position, turn, velocity, spin = (np.array([s[k] for s in links]) for k in (0, 1, 6, 7))
        return position, np.roll(turn, 1, axis=1), velocity, spin


def new_body(mechanism: Mechanism) -> int:
    """The base is fixed at the origin; frames of links are at their hinges."""
    count, level = len(mechanism.rods), (0, 0, 0, 1)
    places = [np.zeros(3), *mechanism.ways[:-1]]
    made: int = bullet.createMultiBody(
        baseMass=0,
        linkMasses=[rod.mass for rod in mechanism.rods],
        linkCollisionShapeIndices=count * [-1],
        linkVisualShapeIndices=count * [-1],
        linkPositions=[place.tolist() for place in places],
        linkOrientations=count * [level],
        linkInertialFramePositions=[(0.5 * way).tolist() for way in mechanism.ways],
        linkInertialFrameOrientations=count * [level],
        linkParentIndices=list(range(count)),
        linkJointTypes=count * [bullet.JOINT_REVOLUTE],
        linkJointAxis=count * [AXIS],
    )
    return made


if __name__ == "__main__":
    main(PyBullet, sys.argv[1:])
