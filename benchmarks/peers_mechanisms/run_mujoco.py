"""MuJoCo, in the coordinates of its joints; the loop is closed by an equality constraint.

integrator  'Euler' if not given, as in MuJoCo itself; 'RK4', 'implicitfast'
stiff       constraints (loop, stop, friction) as hard as the step allows: time constant of two
            steps, impedance 0.9999. Else MuJoCo's own, 20 ms and 0.9 to 0.95

The motor is a velocity actuator with the gain 1000 N m s/rad and its range of torques.
"""

from __future__ import annotations

import sys
from typing import Any

import mujoco
import numpy as np

from benchmarks.peers_mechanisms.engine import State, main, substeps
from benchmarks.peers_mechanisms.scenes import AXIS, Mechanism

GAIN = 1000.0


class MuJoCo:
    def __init__(self, mechanism: Mechanism, settings: dict[str, Any]) -> None:
        self.frame = substeps(settings)
        self.model = mujoco.MjModel.from_xml_string(scene(mechanism, settings))
        self.data = mujoco.MjData(self.model)
        if mechanism.motor is not None:
            self.data.ctrl[0] = mechanism.motor[0]
        mujoco.mj_forward(self.model, self.data)

    def advance(self, frames: int) -> None:
        mujoco.mj_step(self.model, self.data, nstep=frames * self.frame)

    def state(self) -> State:
        """A step leaves the poses of its beginning; a copy is brought up to date."""
        data = mujoco.MjData(self.model)
        data.qpos[:], data.qvel[:] = self.data.qpos, self.data.qvel
        mujoco.mj_fwdPosition(self.model, data)
        mujoco.mj_fwdVelocity(self.model, data)
        both = np.zeros((self.model.nbody, 6))  # turning, then moving
        for body, found in enumerate(both):
            mujoco.mj_objectVelocity(self.model, data, mujoco.mjtObj.mjOBJ_BODY, body, found, 0)
        return data.xipos[1:], data.xquat[1:], both[1:, 3:], both[1:, :3]


def scene(mechanism: Mechanism, settings: dict[str, Any]) -> str:
    step = settings["step"]
    soft = ("solref", "solimp"), (f"{2 * step} 1", "0.9999 0.9999 0.001 0.5 2")

    def hard(kind: str) -> str:
        pairs = zip(*soft, strict=True) if settings.get("stiff") else ()
        return " ".join(f'{name}{kind}="{value}"' for name, value in pairs)

    bodies = ""
    for k in reversed(range(len(mechanism.rods))):
        rod, way = mechanism.rods[k], mechanism.ways[k]
        place = mechanism.ways[k - 1] if k else np.zeros(3)
        joint = f'<joint name="hinge {k}" type="hinge" axis="{words(AXIS)}" '
        if k == 0 and mechanism.friction:
            joint += f'frictionloss="{mechanism.friction}" {hard("friction")} '
        if k == 0 and mechanism.stop is not None:
            joint += f'limited="true" range="-10 {mechanism.stop}" {hard("limit")} '
        bodies = (
            f'<body name="rod {k}" pos="{words(place)}">{joint}/><inertial pos="{words(way / 2)}" '
            f'mass="{rod.mass}" diaginertia="{words(3 * (rod.inertia,))}"/>{bodies}</body>'
        )
    more = ""
    if mechanism.closed:
        end = f'body1="rod {len(mechanism.rods) - 1}" anchor="{words(mechanism.ways[-1])}"'
        more += f"<equality><connect {end} {hard('')}/></equality>"
    if mechanism.motor is not None:
        torque = mechanism.motor[1]
        more += f'<actuator><velocity joint="hinge 0" kv="{GAIN}" '
        more += f'forcelimited="true" forcerange="{-torque} {torque}"/></actuator>'
    return f"""<mujoco><compiler angle="radian" boundmass="0" boundinertia="0"/>
        <option timestep="{step}" gravity="0 0 {-mechanism.gravity}"
         integrator="{settings.get("integrator", "Euler")}"><flag autoreset="disable"/></option>
        <worldbody>{bodies}</worldbody>{more}</mujoco>"""


def words(numbers: Any) -> str:
    return " ".join(f"{number:.17g}" for number in numbers)


if __name__ == "__main__":
    main(MuJoCo, sys.argv[1:])
