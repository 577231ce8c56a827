"""PyBullet without its default damping.

timestep    s, 5e-3 if not given; a part of 5e-3
iterations  of the solver, 50 if not given, as in PyBullet itself

The friction of a pair is the product of two coefficients, its rolling and spinning friction the sum
of each body's times the other's friction: coefficients are such that pairs have those of the scene.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pybullet as bullet

from benchmarks.peers.measure import main
from benchmarks.peers.scene import FRAME, GRAVITY, MASS, RADIUS, SLIDING, TURNING, Scene

FRICTION = math.sqrt(SLIDING)
LAW = {
    "lateralFriction": FRICTION,
    "rollingFriction": TURNING / (2 * FRICTION),
    "spinningFriction": TURNING / (2 * FRICTION),
    "restitution": 0.0,
    "linearDamping": 0.0,
    "angularDamping": 0.0,
}


class PyBullet:
    def __init__(self, scene: Scene, settings: dict[str, Any]) -> None:
        self.frame = round(FRAME / settings.get("timestep", FRAME))
        bullet.connect(bullet.DIRECT)
        bullet.setGravity(0, 0, -GRAVITY)
        bullet.setPhysicsEngineParameter(
            fixedTimeStep=FRAME / self.frame,
            numSolverIterations=settings.get("iterations", 50),
            deterministicOverlappingPairs=1,
        )
        for point, normal in scene.walls():
            plane = bullet.createCollisionShape(bullet.GEOM_PLANE, planeNormal=normal.tolist())
            body = bullet.createMultiBody(0, plane, basePosition=point.tolist())
            bullet.changeDynamics(body, -1, **LAW)
        self.sphere = bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=RADIUS)
        self.bodies: list[int] = []

    def add(self, position: np.ndarray, velocity: np.ndarray) -> None:
        for place, speed in zip(position.tolist(), velocity.tolist(), strict=True):
            body = bullet.createMultiBody(MASS, self.sphere, basePosition=place)
            bullet.changeDynamics(body, -1, **LAW)
            bullet.resetBaseVelocity(body, speed, (0, 0, 0))
            self.bodies.append(body)

    def advance(self, seconds: float) -> None:
        for _ in range(round(seconds / FRAME) * self.frame):
            bullet.stepSimulation()

    def state(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        place = np.array([bullet.getBasePositionAndOrientation(b)[0] for b in self.bodies])
        speed = np.array([bullet.getBaseVelocity(b) for b in self.bodies])
        return place, speed[:, 0], speed[:, 1]

    def overlap(self) -> float:
        return 0.0


if __name__ == "__main__":
    main(PyBullet, sys.argv[1:])
