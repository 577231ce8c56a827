"""The arrays that detection works on: made once for a number of bodies, growing where needed."""

from __future__ import annotations

from typing import Any, Protocol

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
from rollcone.collision.clumps import Clumps
from rollcone.collision.shapes import BOX, CAPSULE, CLUMP


class BodyArrays(Protocol):
    """What collision reads of the bodies: C-ordered arrays, one row per body."""

    kind: IntArray
    shape: IntArray
    size: FloatArray
    position: FloatArray
    orientation: FloatArray
    clumps: Clumps
    period: FloatArray  # (3,), of a periodic box; 0 along axes where it has none


Switch = tuple[()] | None
Solids = tuple[Switch, Switch, tuple[IntArray, FloatArray] | None, FloatArray | None]


def outlines(bodies: BodyArrays) -> Outlines:
    """As kernels take them."""
    return Outlines(bodies.kind, bodies.shape, bodies.size, bodies.position, bodies.orientation)


def solids(bodies: BodyArrays) -> Solids:
    """What kernels are compiled for besides spheres and planes: boxes, capsules, clumps (with their
    balls), a periodic box (with its lengths); None for what there is not."""
    shape = bodies.shape
    return (
        () if np.any(shape == BOX) else None,
        () if np.any(shape == CAPSULE) else None,
        bodies.clumps.rows(len(shape)) if np.any(shape == CLUMP) else None,
        bodies.period if bodies.period.any() else None,
    )


class Grid:
    """`work` for n bodies; `pairs` of bodies that may meet."""

    def __init__(self, bodies: int) -> None:
        self._of_bodies, self._starts = _of_bodies(bodies), _starts(bodies)
        cells, entered = np.zeros((2, roomy(0)), dtype=np.int64)
        self.work = GridWork(
            **self._of_bodies,
            **_of_pairs(roomy(0)),
            frame=np.zeros(3),
            edges=np.zeros(3),
            around=np.zeros(3, dtype=np.int64),
            sample=np.zeros(kernels.SAMPLES),
            kept=np.full(1, -1, dtype=np.int64),
            kept_period=np.zeros(3),
            starts=self._starts,
            bins=np.zeros(kernels.EDGE_BINS, dtype=np.int64),
            cells=cells,
            entered=entered,
            manifold=np.zeros(MANIFOLD_SHAPE),
            needs=np.zeros(3, dtype=np.int64),
        )

    def fit(self, bodies: int) -> None:
        """For another number of bodies; the pairs that were kept are forgotten."""
        if bodies > len(self._of_bodies["big"]):
            self._of_bodies = _of_bodies(roomy(bodies))
        if _buckets(bodies) + 2 > len(self._starts):
            self._starts = _starts(bodies)
        rows = {name: array[:bodies] for name, array in self._of_bodies.items()}
        self.work = self.work._replace(starts=self._starts[: _buckets(bodies) + 2], **rows)
        self.work.kept[0] = -1

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
        shown, period = outlines(bodies), bodies.period
        while True:
            count = find_pairs(
                period, shown, velocity, angular_velocity, horizon, -1.0, margin, touch, self.work
            )
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
            work.kept[0] = -1
            self.work = self.work._replace(**_of_pairs(roomy(pairs)))
        return contacts


def _of_bodies(room: int) -> dict[str, Any]:
    """The arrays with a row for each body."""
    sides = ("lower", "upper", "kept_lower", "kept_upper")
    whole: dict[str, tuple[int, ...]] = {"first": (room, 3), "last": (room, 3)}
    whole |= dict.fromkeys(("kept_kind", "big", "ends", "again_ends"), (room,))
    counts = {name: np.zeros(shape, dtype=np.int64) for name, shape in whole.items()}
    return {name: np.zeros((room, 3)) for name in sides} | counts


def _of_pairs(room: int) -> dict[str, Any]:
    """Once pairs are grouped by their bodies, the list serves to group those of known contacts."""
    pairs = np.zeros((room, 2), dtype=np.int64)
    partners = np.zeros(room, dtype=np.int64)
    return {"pairs": pairs, "partners": partners, "again_partners": pairs.reshape(-1)[:room]}


def _buckets(bodies: int) -> int:
    """A power of two, at least twice their number."""
    return 1 << (2 * bodies).bit_length()


def _starts(bodies: int) -> IntArray:
    return np.zeros(_buckets(bodies) + 2, dtype=np.int64)


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
