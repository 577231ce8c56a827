"""MuJoCo with elliptic cones and six rows per contact.

timestep    s, 5e-3 if not given; a part of 5e-3
solver      'CG' if not given, or 'Newton', 'PGS'
iterations  of the solver, 100 if not given, as in MuJoCo itself
solref      time constant and damping ratio of contacts; if not given, as stiff as the time step
            allows: two steps, 1

Bodies cannot enter later: those that have not yet entered wait without weight far above.
"""

from __future__ import annotations

import sys
from typing import Any

import mujoco
import numpy as np

from benchmarks.peers.measure import main
from benchmarks.peers.scene import DENSITY, FRAME, GRAVITY, RADIUS, SLIDING, TURNING, Scene

FAR = 100.0  # m


class MuJoCo:
    def __init__(self, scene: Scene, settings: dict[str, Any]) -> None:
        step = settings.get("timestep", FRAME)
        self.frame = round(FRAME / step)
        self.count, self.total = 0, len(scene.position)
        softness = settings.get("solref", f"{2 * step} 1")
        law = f'condim="6" friction="{SLIDING} {TURNING} {TURNING}" solref="{softness}"'
        planes = "".join(
            f'<geom type="plane" size="0 0 1" pos="{words(point)}" zaxis="{words(normal)}" {law}/>'
            for point, normal in scene.walls()
        )
        sphere = f'<freejoint/><geom type="sphere" size="{RADIUS}" density="{DENSITY}" {law}/>'
        bodies = "".join(
            f'<body pos="{3 * RADIUS * (k % 100)} {3 * RADIUS * (k // 100)} {FAR}" gravcomp="1">'
            f"{sphere}</body>"
            for k in range(self.total)
        )
        solver, most = settings.get("solver", "CG"), settings.get("iterations", 100)
        self.model = mujoco.MjModel.from_xml_string(
            f"""<mujoco><size memory="2G"/>
            <option timestep="{FRAME / self.frame}" cone="elliptic" gravity="0 0 {-GRAVITY}"
             solver="{solver}" iterations="{most}"/>
            <worldbody>{planes}{bodies}</worldbody></mujoco>"""
        )
        self.data = mujoco.MjData(self.model)

    def _views(self) -> tuple[np.ndarray, np.ndarray]:
        """Of generalized positions (with quaternions) and velocities, by body."""
        return self.data.qpos.reshape(-1, 7), self.data.qvel.reshape(-1, 6)

    def add(self, position: np.ndarray, velocity: np.ndarray) -> None:
        here = slice(self.count, self.count + len(position))
        place, speed = self._views()
        place[here, :3], speed[here, :3] = position, velocity
        self.model.body_gravcomp[here.start + 1 : here.stop + 1] = 0.0  # the world is body 0
        self.count = here.stop

    def advance(self, seconds: float) -> None:
        mujoco.mj_step(self.model, self.data, nstep=round(seconds / FRAME) * self.frame)

    def state(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        place, speed = (values[: self.count].copy() for values in self._views())
        return place[:, :3], speed[:, :3], speed[:, 3:]

    def overlap(self) -> float:
        return 0.0


def words(numbers: np.ndarray) -> str:
    return " ".join(f"{number:.17g}" for number in numbers)


if __name__ == "__main__":
    main(MuJoCo, sys.argv[1:])
