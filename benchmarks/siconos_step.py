"""The ball of one_contact.py in Siconos; run by a Python that has it, prints JSON.

    python3 siconos_step.py rolling steps turns

Seconds per step by the clock, the best of `turns`, those of its solver (from its answer) and of
its collisions called alone after the last step, and the speed at the end (m/s). Collisions by
Bullet, as in Siconos' own runner. The floor is a box: its plane is one of 1 km, on which contact
points are off by 0.1 mm to 1 mm, and the ball swerves. One contact point is asked for (no
perturbations), W is dense, the step is told to be linear: of what was tried, the quickest.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import siconos.kernel as kernel
import siconos.mechanics.collision as collision
import siconos.mechanics.collision.bullet as bullet

RADIUS, MASS, SPEED, GRAVITY, SLIDING = 0.5, 2.0, 2.5, 9.81, 0.3
STEP, TOLERANCE = 1e-4, 1e-8
FLOOR, MARGIN = (20.0, 20.0, 1.0), 0.1  # m


class Ball:
    """A ball that rolls along x; everything is kept, since Siconos holds no references."""

    def __init__(self, rolling: float) -> None:
        self.system = kernel.NonSmoothDynamicalSystem(0.0, 1e9)
        inertia = 0.4 * MASS * RADIUS**2 * np.eye(3)
        place, motion = [0, 0, RADIUS, 1, 0, 0, 0], [SPEED, 0, 0, 0, SPEED / RADIUS, 0]
        self.body = collision.RigidBodyDS(place, motion, MASS, inertia)
        self.shapes = collision.SiconosSphere(RADIUS), collision.SiconosBox(*FLOOR)
        sets = [collision.SiconosContactorSet() for _ in self.shapes]
        for shape, contactors in zip(self.shapes, sets, strict=True):
            shape.setInsideMargin(MARGIN)
            contactors.append(collision.SiconosContactor(shape))
        self.body.setContactors(sets[0])
        self.body.setFExtPtr([0.0, 0.0, -GRAVITY * MASS])
        self.system.insertDynamicalSystem(self.body)
        self.manager = self._manager()
        self.manager.insertStaticContactorSet(sets[1], [0, 0, -0.5 * FLOOR[2], 1, 0, 0, 0])
        if rolling:
            law = kernel.NewtonImpactRollingFrictionNSL(0.0, 0.0, SLIDING, rolling, 5)
            self.problem = kernel.RollingFrictionContact(5)
        else:
            law = kernel.NewtonImpactFrictionNSL(0.0, 0.0, SLIDING, 3)
            self.problem = kernel.FrictionContact(3)
        self.manager.insertNonSmoothLaw(law, 0, 0)
        self.problem.numericsSolverOptions().dparam[0] = TOLERANCE
        self.problem.setMStorageType(0)
        self.simulation = self._simulation()
        self.kept = law, sets

    def _manager(self) -> Any:
        options = bullet.SiconosBulletOptions()
        options.worldScale = 1.0
        options.perturbationIterations = options.minimumPointsPerturbationThreshold = 0
        return bullet.SiconosBulletCollisionManager(options)

    def _simulation(self) -> Any:
        self.parts = kernel.TimeDiscretisation(0.0, STEP), kernel.MoreauJeanOSI(0.5)
        made = kernel.TimeStepping(self.system, self.parts[0])
        made.insertIntegrator(self.parts[1])
        made.insertNonSmoothProblem(self.problem)
        made.insertInteractionManager(self.manager)
        made.setNewtonOptions(kernel.SICONOS_TS_LINEAR)
        return made

    def advance(self) -> None:
        self.simulation.computeOneStep()
        self.simulation.nextStep()

    def detect(self) -> None:
        self.manager.updateInteractions(self.simulation)


def each(run: Callable[[], object], steps: int) -> float:
    """Seconds of one of so many calls."""
    clock = time.perf_counter()
    for _ in range(steps):
        run()
    return (time.perf_counter() - clock) / steps


def main(rolling: float, steps: int, turns: int) -> None:
    """From the start each time, or the ball would leave the floor."""
    found: list[dict[str, float]] = []
    for _ in range(turns):
        ball = Ball(rolling)
        ball.advance()  # sets all up
        seconds = {"seconds": each(ball.advance, steps - 1)}
        speed = float(ball.body.twist()[0])
        assert ball.problem.getSizeOutput() == (5 if rolling else 3), "not one contact"
        seconds["solver"] = each(ball.problem.solve, steps)
        seconds["collisions"] = each(ball.detect, steps)
        found.append(seconds)
    best = {name: min(seconds[name] for seconds in found) for name in found[0]}
    print(json.dumps({**best, "speed": speed}))


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
