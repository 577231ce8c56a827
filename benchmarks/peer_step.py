"""One rolling sphere in MuJoCo or PyBullet: seconds per step, on standard output.

Run by cost.py with a Python that has them: `python peer_step.py mujoco`. The sphere is that of
cost.py: radius 0.5 m, 2500 kg/m3, 2.5 m/s on a plane, steps of 1 ms.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable

RADIUS, SPEED, STEP, SLIDING, ROLLING = 0.5, 2.5, 1e-3, 0.2, 4e-5
MASS = 2500 * 4 / 3 * math.pi * RADIUS**3
STEPS = 50_000


def mujoco() -> Callable[[int], object]:
    import mujoco as engine

    friction = f"{SLIDING} {ROLLING} {ROLLING}"
    model = engine.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{STEP}" cone="elliptic"/><worldbody>
        <geom type="plane" size="1e4 1e4 1" condim="6" friction="{friction}"/>
        <body pos="0 0 {RADIUS}"><freejoint/>
        <geom type="sphere" size="{RADIUS}" density="2500" condim="6" friction="{friction}"/>
        </body></worldbody></mujoco>"""
    )
    data = engine.MjData(model)
    data.qvel[0], data.qvel[4] = SPEED, SPEED / RADIUS
    return lambda steps: engine.mj_step(model, data, nstep=steps)


def pybullet() -> Callable[[int], object]:
    import pybullet as engine

    engine.connect(engine.DIRECT)
    engine.setGravity(0, 0, -9.81)
    engine.setTimeStep(STEP)
    plane = engine.createMultiBody(0, engine.createCollisionShape(engine.GEOM_PLANE))
    shape = engine.createCollisionShape(engine.GEOM_SPHERE, radius=RADIUS)
    ball = engine.createMultiBody(MASS, shape, basePosition=(0, 0, RADIUS))
    for body in (plane, ball):
        engine.changeDynamics(
            body, -1, lateralFriction=SLIDING, rollingFriction=ROLLING, linearDamping=0,
            angularDamping=0,
        )  # fmt: skip
    engine.resetBaseVelocity(ball, (SPEED, 0, 0), (0, SPEED / RADIUS, 0))

    def run(steps: int) -> None:
        for _ in range(steps):
            engine.stepSimulation()

    return run


if __name__ == "__main__":
    run = {"mujoco": mujoco, "pybullet": pybullet}[sys.argv[1]]()
    best = math.inf
    for _ in range(5):
        clock = time.perf_counter()
        run(STEPS // 5)
        best = min(best, (time.perf_counter() - clock) / (STEPS // 5))
    print(best)
