"""The balls of all clumps of a world, one after the other."""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.collision.kernels.clump import MOST_BALLS

__all__ = ["MOST_BALLS", "Clumps"]


class Clumps:
    """Which balls a body has: rows (x, y, z, r), centres in body axes about its centre of mass (m).

    Bodies are added in the order of their numbers. What is removed stays, as rows of bodies do.
    """

    def __init__(self) -> None:
        self._count = 0
        self._room_owner: IntArray = np.zeros(0, dtype=np.int64)  # ascending, one entry per ball
        self._room_balls: FloatArray = np.zeros((0, 4))
        self._first: IntArray = np.zeros(1, dtype=np.int64)

    def add(self, body: int, balls: FloatArray, count: int = 1) -> None:
        """So many bodies with the same balls, from the number `body` on."""
        start, self._count = self._count, self._count + count * len(balls)
        if self._count > len(self._room_owner):
            more = self._count + 16
            self._room_owner = np.concatenate([self._owner, np.zeros(more, dtype=np.int64)])
            self._room_balls = np.concatenate([self._balls, np.zeros((more, 4))])
        self._room_owner[start : self._count] = np.repeat(body + np.arange(count), len(balls))
        self._room_balls[start : self._count] = np.tile(balls, (count, 1))

    @property
    def _owner(self) -> IntArray:
        return self._room_owner[: self._count]

    @property
    def _balls(self) -> FloatArray:
        return self._room_balls[: self._count]

    def of(self, body: int) -> FloatArray:
        """The balls of one body, (k, 4); none if it is no clump."""
        start, end = np.searchsorted(self._owner, (body, body + 1))
        return self._balls[start:end].copy()

    def rows(self, bodies: int) -> tuple[IntArray, FloatArray]:
        """As kernels take them: of body i, rows first[i] to first[i + 1] of the balls."""
        if len(self._first) != bodies + 1:
            self._first = np.searchsorted(self._owner, np.arange(bodies + 1))
        return self._first, self._balls

    def table(self) -> FloatArray:
        """(m, 5): the body's number and the ball, as files have it."""
        return np.column_stack([self._owner, self._balls])

    @staticmethod
    def from_table(table: FloatArray) -> Clumps:
        found = Clumps()
        found._count = len(table)
        found._room_owner = table[:, 0].astype(np.int64)
        found._room_balls = np.ascontiguousarray(table[:, 1:])
        return found

    def copy(self) -> Clumps:
        return Clumps.from_table(self.table())
