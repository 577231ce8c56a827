"""Where contacts and bodies are, and what they are called: for reports and pictures."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rollcone._check import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Places:
    """bodies       (c, 2): the numbers of A and B in the world
    names        of all bodies, by number
    point        (c, 3), m
    frames       (c, 3, 3): normal from A to B, and tangents
    movers       numbers of the bodies that accelerations are of, six for each in this order
    held         of each given row, what it belongs to: "joint 'elbow'"
    held_limit   (m,), the force or torque that it has at most
    opening      (k, 2): pairs of bodies that touch and part, and are not contacts here
    sharp        contacts that were taken as points of B on a face of A (world_contacts.py)
    """

    bodies: IntArray
    names: tuple[str, ...]
    point: FloatArray
    frames: FloatArray
    movers: IntArray
    held: tuple[str, ...] = ()
    held_limit: FloatArray = field(default_factory=lambda: np.zeros(0))
    opening: IntArray = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))
    sharp: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def pair(self, contact: int) -> str:
        """'ladder' on 'floor'."""
        a, b = ("world" if k < 0 else self.names[k] for k in self.bodies[contact])
        return f"{b!r} on {a!r}"
