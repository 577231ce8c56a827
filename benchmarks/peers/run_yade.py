"""YADE: linear springs with moments of rolling and twisting, and its customary damping.

young    Pa; 3e6 makes a spring of 7e4 N/m between two spheres
damping  of accelerations, 0.4 if not given
part     of the critical time step, 0.3 if not given

Moments are limited to eta times the radius times the normal force. Started by `yade -x -n -j1`.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from yade import (
    Bo1_Box_Aabb,
    Bo1_Sphere_Aabb,
    CohFrictMat,
    ForceResetter,
    Ig2_Box_Sphere_ScGeom6D,
    Ig2_Sphere_Sphere_ScGeom6D,
    InsertionSortCollider,
    InteractionLoop,
    Ip2_CohFrictMat_CohFrictMat_CohFrictPhys,
    Law2_ScGeom6D_CohFrictPhys_CohesionMoment,
    NewtonIntegrator,
    utils,
)
from yade import Omega as Yade

from benchmarks.peers.measure import main
from benchmarks.peers.scene import DENSITY, FRAME, GRAVITY, RADIUS, SLIDING, TURNING, Scene

# Walls are boxes (those without thickness have no moments); half edges, m.
THICK, LARGE = 0.1, 5.0


class YadeEngine:
    def __init__(self, scene: Scene, settings: dict[str, Any]) -> None:
        young = settings.get("young", 3e6)
        self.yade, self.spheres = Yade(), []
        self.yade.materials.append(
            CohFrictMat(
                young=young, poisson=0.3, density=DENSITY, frictionAngle=math.atan(SLIDING),
                isCohesive=False, normalCohesion=0, shearCohesion=0, momentRotationLaw=True,
                etaRoll=TURNING / RADIUS, etaTwist=TURNING / RADIUS, label="stone",
            )
        )  # fmt: skip
        for point, normal in scene.walls():
            size = np.where(normal != 0, THICK, LARGE)
            centre = point - THICK * normal
            slab = utils.box(centre.tolist(), size.tolist(), fixed=True, material="stone")
            self.yade.bodies.append(slab)
        self.yade.engines = [
            ForceResetter(),
            InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Box_Aabb()]),
            InteractionLoop(
                [Ig2_Sphere_Sphere_ScGeom6D(), Ig2_Box_Sphere_ScGeom6D()],
                [Ip2_CohFrictMat_CohFrictMat_CohFrictPhys()],
                [
                    Law2_ScGeom6D_CohFrictPhys_CohesionMoment(
                        always_use_moment_law=True, useIncrementalForm=True
                    )
                ],
            ),
            NewtonIntegrator(gravity=(0, 0, -GRAVITY), damping=settings.get("damping", 0.4)),
        ]
        critical = RADIUS * math.sqrt(DENSITY / young)
        self.frame = math.ceil(FRAME / (settings.get("part", 0.3) * critical))
        self.yade.dt = FRAME / self.frame

    def add(self, position: np.ndarray, velocity: np.ndarray) -> None:
        for place, speed in zip(position.tolist(), velocity.tolist(), strict=True):
            body = utils.sphere(place, RADIUS, material="stone")
            body.state.vel = speed
            self.yade.bodies.append(body)
            self.spheres.append(body)

    def advance(self, seconds: float) -> None:
        for _ in range(round(seconds / FRAME) * self.frame):  # `run` would wait for a thread
            self.yade.step()

    def state(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        states = [body.state for body in self.spheres]
        x, v, w = (
            np.array([getattr(s, name) for s in states]) for name in ("pos", "vel", "angVel")
        )
        return x, v, w

    def overlap(self) -> float:
        return 0.0


if __name__ == "__main__":
    main(YadeEngine, sys.argv[1:])
