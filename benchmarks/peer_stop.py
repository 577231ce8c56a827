"""A sphere that rolls to a stop in MuJoCo or PyBullet: where it is, as JSON on standard output.

Run by one_body.py with a Python that has them: `python peer_stop.py mujoco "as it comes" 0.01`.
Prints distances of the three cases of Acary and Bourrier 2021, section 6.1, and the speed at which
a sphere at rest moves on an incline of 0.9 times the slope that rolling friction holds.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable

RADIUS, DENSITY, GRAVITY, UNTIL = 0.5, 2500.0, 9.81, 8.0
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3
# Speed (m/s), rate of turning (rad/s), mu, mu_r (m).
CASES = {"a": (2.5, 5.0, 0.2, 0.04), "b": (2.5, 2.5, 0.2, 0.04), "c": (2.5, 5.0, 0.05, 0.04)}
INCLINE = math.atan(0.9 * 0.04 / RADIUS)
SETTINGS = {
    "mujoco": ("as it comes", "elliptic cone", "elliptic cone, stiff"),
    "pybullet": ("as it comes", "without damping"),
}
Case = tuple[float, float, float, float]
# A function of a number of steps that returns the place along x.
Simulated = Callable[[int], float]


def mujoco(setting: str, step: float, case: Case, slope: float) -> Simulated:
    """Coefficients are those of the pair, the larger of two: both get them."""
    import mujoco as engine

    speed, rate, sliding, rolling = case
    cone = "pyramidal" if setting == "as it comes" else "elliptic"
    stiff = f'solref="{2 * step} 1" solimp="0.9999 0.9999 0.001"' if "stiff" in setting else ""
    same = f'condim="6" friction="{sliding} {rolling} {rolling}" {stiff}'
    gravity = f"{GRAVITY * math.sin(slope)} 0 {-GRAVITY * math.cos(slope)}"
    model = engine.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{step}" cone="{cone}" gravity="{gravity}"/><worldbody>
        <geom type="plane" size="1e3 1e3 1" {same}/><body pos="0 0 {RADIUS}"><freejoint/>
        <geom type="sphere" size="{RADIUS}" density="{DENSITY}" {same}/></body>
        </worldbody></mujoco>"""
    )
    data = engine.MjData(model)
    data.qvel[0], data.qvel[4] = speed, rate

    def run(steps: int) -> float:
        engine.mj_step(model, data, nstep=steps)
        return float(data.qpos[0])

    return run


def pybullet(setting: str, step: float, case: Case, slope: float) -> Simulated:
    """Coefficients of a pair are products with the other's sliding: that of the plane is one."""
    import pybullet as engine

    speed, rate, sliding, rolling = case
    engine.resetSimulation()
    engine.setGravity(GRAVITY * math.sin(slope), 0, -GRAVITY * math.cos(slope))
    engine.setTimeStep(step)
    plane = engine.createMultiBody(0, engine.createCollisionShape(engine.GEOM_PLANE))
    shape = engine.createCollisionShape(engine.GEOM_SPHERE, radius=RADIUS)
    ball = engine.createMultiBody(MASS, shape, basePosition=(0, 0, RADIUS))
    engine.changeDynamics(plane, -1, lateralFriction=1.0)
    engine.changeDynamics(ball, -1, lateralFriction=sliding, rollingFriction=rolling)
    if setting == "without damping":
        engine.changeDynamics(ball, -1, linearDamping=0, angularDamping=0)
    engine.changeDynamics(ball, -1, activationState=engine.ACTIVATION_STATE_DISABLE_SLEEPING)
    engine.resetBaseVelocity(ball, (speed, 0, 0), (0, rate, 0))

    def run(steps: int) -> float:
        for _ in range(steps):
            engine.stepSimulation()
        return float(engine.getBasePositionAndOrientation(ball)[0][0])

    return run


def main(program: str, setting: str, step: float) -> dict[str, float]:
    make = {"mujoco": mujoco, "pybullet": pybullet}[program]
    if program == "pybullet":
        import pybullet as engine

        engine.connect(engine.DIRECT)
    found = {
        name: make(setting, step, case, 0.0)(round(UNTIL / step)) for name, case in CASES.items()
    }
    held = make(setting, step, (0.0, 0.0, 0.2, 0.04), INCLINE)
    second = round(1.0 / step)
    before = held(3 * second)
    return found | {"creep": held(second) - before}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], float(sys.argv[3]))))
