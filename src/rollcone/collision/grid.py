"""Broad phase: the pairs of bodies that may meet within the horizon, on arrays made once."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.collision import _grid_kernels as kernels


class BodyArrays(Protocol):
    """What collision reads of the bodies: C-ordered arrays, one row per body."""

    kind: IntArray
    shape: IntArray
    size: FloatArray
    position: FloatArray
    orientation: FloatArray


class Grid:
    """`lower`, `upper` (n, 3): boxes swept relative to the velocity `frame`; `pairs` of them."""

    def __init__(self, bodies: int) -> None:
        self.frame = np.zeros(3)
        self._sample = np.zeros(kernels.SAMPLES)
        self.lower, self.upper = np.zeros((bodies, 3)), np.zeros((bodies, 3))
        self._first = np.zeros((bodies, 3), dtype=np.int64)
        self._last = np.zeros((bodies, 3), dtype=np.int64)
        self._big = np.zeros(bodies, dtype=np.int64)
        buckets = 1 << (2 * bodies).bit_length()
        self._starts = np.zeros(buckets + 2, dtype=np.int64)
        self._bins = np.zeros(kernels.EDGE_BINS, dtype=np.int64)
        self._cells, self._entered = np.zeros((2, 0), dtype=np.int64)
        self._pairs = np.zeros((0, 2), dtype=np.int64)

    def sweep(
        self,
        bodies: BodyArrays,
        velocity: FloatArray,
        angular_velocity: FloatArray,
        horizon: float,
        margin: FloatArray,
        touch: float,
    ) -> None:
        """Boxes that hold each body while it goes on with these velocities."""
        kernels.common_velocity(bodies.kind, bodies.shape, velocity, self._sample, self.frame)
        kernels.sweep_boxes(
            bodies.shape, bodies.size, bodies.position, bodies.orientation, velocity,
            angular_velocity, self.frame, horizon, margin, touch, self.lower, self.upper,
        )  # fmt: skip

    def pairs(self, bodies: BodyArrays) -> IntArray:
        """(p, 2), lower number first, in no order: each pair with a dynamic body once."""
        kind, shape, lower, upper = bodies.kind, bodies.shape, self.lower, self.upper
        first, last, starts = self._first, self._last, self._starts
        edge = kernels.choose_edge(kind, shape, lower, upper, self._bins)
        entries, large = kernels.count_cells(
            kind, shape, lower, upper, edge, first, last, self._big, starts
        )
        if entries > len(self._cells):
            self._cells, self._entered = np.zeros((2, roomy(entries)), dtype=np.int64)
        kernels.enter_bodies(first, last, starts, self._cells, self._entered)
        big = self._big[:large]
        while True:
            found = kernels.pairs_in_cells(
                kind, lower, upper, first, starts, self._cells, self._entered, self._pairs
            )
            found = kernels.pairs_with_big(
                kind, shape, lower, upper, first, last, big, self._pairs, found
            )
            if found <= len(self._pairs):
                return self._pairs[:found]
            self._pairs = np.zeros((roomy(found), 2), dtype=np.int64)


def roomy(needed: int) -> int:
    """A capacity with room to grow."""
    return int(needed) + int(needed) // 4 + 16
