"""Mechanisms that all programs are given: rods in a row, in the plane of x and z, hinged about y.

A rod turns by its angle from x towards z. Bodies begin unturned, whatever the direction of their
rod, and have the same inertia about all axes, so that programs need no more than points. Runs in
any Python with NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

GRAVITY = 9.81
FRAME = 5e-3  # s, between samples
AXIS = (0.0, -1.0, 0.0)  # of hinges: about it, angles rise from x towards z


@dataclass(frozen=True)
class Rod:
    """m, kg, and rad above the horizontal at the start."""

    length: float
    mass: float
    angle: float

    @property
    def inertia(self) -> float:
        return self.mass * self.length**2 / 12


@dataclass(frozen=True)
class Mechanism:
    """The first rod begins at the origin, each next one where the one before ends; at rest."""

    name: str
    rods: tuple[Rod, ...]
    duration: float = 10.0  # s
    compared: float = 2.0  # s: positions are compared until then
    closed: bool = False  # the last rod ends on a hinge, too
    gravity: float = GRAVITY
    friction: float = 0.0  # N m, in the first hinge
    motor: tuple[float, float] | None = None  # rad/s and N m, on the first hinge
    stop: float | None = None  # rad that the first rod turns at most

    @cached_property
    def angles(self) -> np.ndarray:
        return np.array([rod.angle for rod in self.rods])

    @cached_property
    def ways(self) -> np.ndarray:
        """(n, 3), from the beginning of each rod to its end."""
        return rod_ways(self, self.angles)

    @cached_property
    def corners(self) -> np.ndarray:
        """(n + 1, 3), where rods begin and end."""
        return np.vstack([np.zeros(3), np.cumsum(self.ways, axis=0)])

    @cached_property
    def centers(self) -> np.ndarray:
        return self.corners[:-1] + 0.5 * self.ways

    @property
    def frames(self) -> int:
        return round(self.duration / FRAME)


def rod_ways(mechanism: Mechanism, angles: np.ndarray) -> np.ndarray:
    """(..., n, 3) at the angles (..., n)."""
    lengths = np.array([rod.length for rod in mechanism.rods])
    parts = (np.cos(angles), np.zeros_like(angles), np.sin(angles))
    return lengths[:, None] * np.stack(parts, axis=-1)


def _between(*corners: tuple[float, float]) -> tuple[Rod, ...]:
    """Aluminium bars of 20 mm x 20 mm."""
    made = []
    for (x, z), (u, w) in pairwise(corners):
        length = float(np.hypot(u - x, w - z))
        made.append(Rod(length, 2700 * 0.02**2 * length, float(np.arctan2(w - z, u - x))))
    return tuple(made)


ONE = Rod(1.0, 1.0, 0.0)
LINK = Rod(0.1, 0.01, -np.pi / 4)
WEIGHT = Rod(0.1, 1e6 * LINK.mass, -np.pi / 4)

MECHANISMS = {
    made.name: made
    for made in (
        Mechanism("pendulum", (ONE,)),
        Mechanism("double pendulum", (ONE, ONE)),
        Mechanism(
            "four-bar linkage", _between((0, 0), (0, 0.2), (0.5, 0.4), (0.4, 0)), closed=True
        ),
        Mechanism("chain of 10, the last 10^6 times a link", (*9 * (LINK,), WEIGHT)),
        Mechanism(
            "motor against a stop", (ONE,), duration=2.0, gravity=0.0, motor=(2.0, 1.0), stop=1.0
        ),
        Mechanism(
            "dry friction in the hinge", (Rod(1.0, 1.0, -np.pi / 6),), compared=10.0, friction=1.0
        ),
    )
}
