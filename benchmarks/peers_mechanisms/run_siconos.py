"""Siconos' Newton-Euler bodies and pivot joints, Moreau-Jean with theta = 1/2, Newton's loop to
1e-10 in each step, solved by its Gauss-Seidel over joints to 1e-10 (1,000 sweeps at most).

projection  true: positions are projected after each step (its direct projection)

The loop is closed by a ball joint: a fourth pivot would hold what others hold already. Motors,
stops and friction are left out.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import siconos.kernel as kernel
import siconos.mechanics.joints as joints

from benchmarks.peers_mechanisms.engine import State, main, substeps
from benchmarks.peers_mechanisms.scenes import AXIS, Mechanism

TOLERANCE, SWEEPS, ROUNDS = 1e-10, 1000, 20


class Siconos:
    def __init__(self, mechanism: Mechanism, settings: dict[str, Any]) -> None:
        self.frame, self.step = substeps(settings), settings["step"]
        self.system = kernel.NonSmoothDynamicalSystem(0.0, 2.0 * mechanism.duration)
        self.bodies: list[Any] = []
        self.kept: list[Any] = []  # what Siconos refers to must not be let go
        for k in range(len(mechanism.rods)):
            self._add_rod(mechanism, k)
        if mechanism.closed:
            last = self.bodies[-1]
            self._hold(3, joints.KneeJointR(mechanism.corners[-1].tolist(), True, last), last)
        self.simulation = self._simulation(bool(settings.get("projection")))

    def _add_rod(self, mechanism: Mechanism, k: int) -> None:
        rod = mechanism.rods[k]
        body = kernel.NewtonEulerDS(
            [*mechanism.centers[k], 1, 0, 0, 0], 6 * [0.0], rod.mass, rod.inertia * np.eye(3)
        )
        body.setFExtPtr([0.0, 0.0, -mechanism.gravity * rod.mass])
        self.system.insertDynamicalSystem(body)
        base = self.bodies[-1:]
        self.bodies.append(body)
        pivot = joints.PivotJointR(mechanism.corners[k].tolist(), list(AXIS), True, body, *base)
        self._hold(5, pivot, body, *base)

    def _hold(self, rows: int, joint: Any, *bodies: Any) -> None:
        law = kernel.EqualityConditionNSL(rows)
        interaction = kernel.Interaction(law, joint)
        self.system.link(interaction, *bodies)
        self.kept += [law, joint, interaction]

    def _simulation(self, projection: bool) -> Any:
        clock = kernel.TimeDiscretisation(0.0, self.step)
        problem = kernel.GenericMechanical()
        options = problem.numericsSolverOptions()
        options.iparam[0], options.dparam[0] = SWEEPS, TOLERANCE
        if projection:
            scheme = kernel.MoreauJeanDirectProjectionOSI(0.5)
            places = kernel.MLCPProjectOnConstraints()
            made = kernel.TimeSteppingDirectProjection(self.system, clock, scheme, problem, places)
            made.setProjectionMaxIteration(ROUNDS)
            made.setConstraintTol(TOLERANCE)
            self.kept.append(places)
        else:
            scheme = kernel.MoreauJeanOSI(0.5)
            made = kernel.TimeStepping(self.system, clock, scheme, problem)
        made.setNewtonTolerance(TOLERANCE)
        made.setNewtonMaxIteration(ROUNDS)
        self.kept += [clock, problem, scheme]
        return made

    def advance(self, frames: int) -> None:
        for _ in range(frames * self.frame):
            self.simulation.advanceToEvent()
            self.simulation.nextStep()

    def state(self) -> State:
        """Bodies turn about one axis alone: its part is the same in axes of the body."""
        place = np.array([body.q() for body in self.bodies])
        speed = np.array([body.twist() for body in self.bodies])
        return place[:, :3], place[:, 3:], speed[:, :3], speed[:, 3:]


if __name__ == "__main__":
    main(Siconos, sys.argv[1:])
