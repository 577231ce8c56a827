"""The arrays that detection works on: made once for a number of bodies, growing where needed."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.collision import _grid_kernels as kernels
from rollcone.collision._detect_kernels import (
    CONTACTS,
    ENTRIES,
    PAIRS,
    Found,
    GridWork,
    Outlines,
    find_pairs,
)
from rollcone.collision._manifold_kernels import MANIFOLD_SHAPE
from rollcone.collision.shapes import BOX, CAPSULE


class BodyArrays(Protocol):
    """What collision reads of the bodies: C-ordered arrays, one row per body."""

    kind: IntArray
    shape: IntArray
    size: FloatArray
    position: FloatArray
    orientation: FloatArray


def outlines(bodies: BodyArrays) -> Outlines:
    """As kernels take them."""
    return Outlines(bodies.kind, bodies.shape, bodies.size, bodies.position, bodies.orientation)


def solids(shape: IntArray) -> tuple[tuple[()] | None, tuple[()] | None]:
    """Which shapes besides spheres and planes kernels are compiled for: boxes, capsules."""
    return () if np.any(shape == BOX) else None, () if np.any(shape == CAPSULE) else None


class Grid:
    """`work` for n bodies; `pairs` of bodies that may meet."""

    def __init__(self, bodies: int) -> None:
        cells, entered = np.zeros((2, roomy(0)), dtype=np.int64)
        self.work = GridWork(
            frame=np.zeros(3),
            sample=np.zeros(kernels.SAMPLES),
            lower=np.zeros((bodies, 3)),
            upper=np.zeros((bodies, 3)),
            first=np.zeros((bodies, 3), dtype=np.int64),
            last=np.zeros((bodies, 3), dtype=np.int64),
            big=np.zeros(bodies, dtype=np.int64),
            ends=np.zeros(bodies, dtype=np.int64),
            starts=np.zeros((1 << (2 * bodies).bit_length()) + 2, dtype=np.int64),
            bins=np.zeros(kernels.EDGE_BINS, dtype=np.int64),
            cells=cells,
            entered=entered,
            pairs=np.zeros((roomy(0), 2), dtype=np.int64),
            partners=np.zeros(roomy(0), dtype=np.int64),
            manifold=np.zeros(MANIFOLD_SHAPE),
            needs=np.zeros(3, dtype=np.int64),
        )

    def pairs(
        self,
        bodies: BodyArrays,
        velocity: FloatArray,
        angular_velocity: FloatArray,
        horizon: float,
        margin: FloatArray,
        touch: float,
    ) -> IntArray:
        """(p, 2), lower number first, in no order: each pair with a dynamic body once."""
        shown = outlines(bodies)
        while True:
            count = find_pairs(shown, velocity, angular_velocity, horizon, margin, touch, self.work)
            if count >= 0:
                return self.work.pairs[:count]
            self.grow()

    def grow(self) -> int:
        """Room for what a call that returned -1 needs; the number of contacts, if it is that."""
        work, needs = self.work, self.work.needs
        entries, pairs, contacts = int(needs[ENTRIES]), int(needs[PAIRS]), int(needs[CONTACTS])
        needs[:] = 0
        if entries > len(work.cells):
            cells, entered = np.zeros((2, roomy(entries)), dtype=np.int64)
            self.work = self.work._replace(cells=cells, entered=entered)
        if pairs > len(work.pairs):
            self.work = self.work._replace(
                pairs=np.zeros((roomy(pairs), 2), dtype=np.int64),
                partners=np.zeros(roomy(pairs), dtype=np.int64),
            )
        return contacts


def make_found(contacts: int) -> Found:
    """Room for so many contacts."""
    return Found(
        bodies=np.zeros((contacts, 2), dtype=np.int64),
        key=np.zeros(contacts, dtype=np.int64),
        gap=np.zeros(contacts),
        normal=np.zeros((contacts, 3)),
        arms=np.zeros((contacts, 6)),
    )


def roomy(needed: int) -> int:
    """A capacity with room to grow."""
    return int(needed) + int(needed) // 4 + 16
