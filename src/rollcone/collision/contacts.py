"""The contacts of one instant, as arrays in the order of their keys."""

from __future__ import annotations

from dataclasses import dataclass

from rollcone._check import FloatArray, IntArray


@dataclass(frozen=True)
class Contacts:
    """Views of a detector's arrays, good until it looks again; `copy()` keeps them.

    bodies  (c, 2): A and B, A < B
    key     (c,) = A 2^38 + B 2^14 + feature, ascending, each once; the same from step to step
    gap     (c,), metres; below zero if they overlap
    normal  (c, 3), unit, from A to B
    arms    (c, 6): from the centres of A and of B to the points of their surfaces that touch or
            will touch, in world axes
    point   (c, 3), halfway between those two points, where they are now
    """

    bodies: IntArray
    key: IntArray
    gap: FloatArray
    normal: FloatArray
    arms: FloatArray
    point: FloatArray

    def __len__(self) -> int:
        return len(self.key)

    def copy(self) -> Contacts:
        return Contacts(
            self.bodies.copy(),
            self.key.copy(),
            self.gap.copy(),
            self.normal.copy(),
            self.arms.copy(),
            self.point.copy(),
        )
