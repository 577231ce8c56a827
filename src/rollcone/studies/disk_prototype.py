"""The scheme of Le Saux, Leine and Glocker 2005, section 3, as it is printed, for a thin disk.

Nothing of the library is used. Seven coordinates q = (centre, Euler parameters), six velocities
u = (world, body axes), three points of the rim; midpoint rule (3.1) to (3.4) with the gyroscopic
terms of the start of the step, modified Newton (3.7), then the nearest point of the constraints in
the norm of q, (3.9) to (3.14). Where the paper is silent: the step of modified Newton is 0.7 over
the diagonal of W^T M^-1 W, the set is the exact one of the Hertzian pressure in place of the
truncated (2.31), and the points are kept in the body within 1e-9 of flat.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.studies.kernels.disk_prototype import Work, run_prototype

_DISK = (0.0375, 0.3048, 1.0716e-4, 2.1433e-4, 9.81)  # r, m, A, C, g: section 4
_TURNING, _LEAN = 10.0, 0.035  # rad/s, rad: (4.1), (4.2)


@dataclass(frozen=True)
class Prototype:
    """By time (n,); the worst number of iterations, and when three points touch (s; NaN)."""

    time: FloatArray
    position: FloatArray  # (n, 3)
    orientation: FloatArray  # (n, 4) e0, e1, e2, e3
    velocity: FloatArray  # (n, 3)
    turning: FloatArray  # (n, 3) in body axes
    slip: FloatArray  # m/s, of the step, at its middle
    iterations: int
    stop: float

    def first_slide(self, least: float) -> float:
        """Slip above `least` (s); NaN if there is none."""
        found = np.flatnonzero(self.slip > least)
        return float(self.time[found[0]]) if len(found) else math.nan

    @property
    def lost(self) -> float:
        """Energy lost over that of the start (%)."""
        _, m, A, C, g = _DISK
        inertia = np.array([A, A, C])
        kinetic = m * (self.velocity**2).sum(axis=1) + (inertia * self.turning**2).sum(axis=1)
        energy = kinetic / 2 + m * g * self.position[:, 2]
        return 100.0 * float(1.0 - energy[-1] / energy[0])


def prototype(
    step: float,
    until: float,
    *,
    contour: float = 0.0,
    contact_radius: float = 0.0,
    sliding: float = 0.3,
    every: int = 100,
) -> Prototype:
    """The paper's disk and start (section 4)."""
    r, half = _DISK[0], math.sqrt(0.5)
    q = np.array([0.0, 0.0, r, half, half, 0.0, 0.0])
    c, s = math.cos(_LEAN), math.sin(_LEAN)
    u = _TURNING * np.array([-r * c, -r * s, 0.0, s, 0.0, c])
    steps = round(until / step)
    out = np.zeros((steps // every + 1, 15))
    law = np.array([sliding, contour, contact_radius])
    recorded, iterations, stop = run_prototype(
        q, u, np.array(_DISK), law, step, steps, every, out, _work()
    )
    columns = np.split(out[:recorded], [1, 4, 8, 11, 14], axis=1)
    time, position, orientation, velocity, turning, slip = columns
    return Prototype(
        time[:, 0], position, orientation, velocity, turning, slip[:, 0], int(iterations), stop
    )


def _work() -> Work:
    m, A, C = _DISK[1:4]
    zeros = {
        "R": (3, 3), "arm": (3, 3), "gap": 3, "W": (3, 5, 6), "P": (3, 5), "rho": (3, 5),
        "middle": 7, "free": 6, "new": 6, "B": (4, 7), "S": (4, 5), "value": 4, "multiplier": 4,
        "shift": 7, "before": 7,
    }  # fmt: skip
    return Work(
        **{name: np.zeros(shape) for name, shape in zeros.items()},
        active=np.zeros(3, dtype=np.bool_),
        mass=np.array([m, m, m, A, A, C]),
        which=np.zeros(3, dtype=np.int64),
    )
