"""Where contacts and bodies are, and what they are called: for reports and pictures."""

from __future__ import annotations

from dataclasses import dataclass

from rollcone._check import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Places:
    """bodies       (c, 2): the numbers of A and B in the world
    names        of all bodies, by number
    point        (c, 3), m
    frames       (c, 3, 3): normal from A to B, and tangents
    movers       numbers of the bodies that accelerations are of, six for each in this order
    held         of each given row, what it belongs to: "joint 'elbow'"
    """

    bodies: IntArray
    names: tuple[str, ...]
    point: FloatArray
    frames: FloatArray
    movers: IntArray
    held: tuple[str, ...] = ()

    def pair(self, contact: int) -> str:
        """'ladder' on 'floor'."""
        a, b = (self.names[k] for k in self.bodies[contact])
        return f"{b!r} on {a!r}"
