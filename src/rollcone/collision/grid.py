"""The arrays that detection works on: made once for a number of bodies, growing where needed."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone._shared_memory import Arrays, Shapes, of_kind, zeros
from rollcone.collision.clumps import Clumps
from rollcone.collision.general import Context
from rollcone.collision.kernels import grid as kernels
from rollcone.collision.kernels.detect import (
    CONTACTS,
    ENTRIES,
    PAIRS,
    REFUSED,
    Found,
    GridWork,
    Outlines,
    Solids,
    find_pairs,
)
from rollcone.collision.kernels.manifold import MANIFOLD_SHAPE
from rollcone.collision.parts import Parts
from rollcone.errors import SimulationError


class BodyArrays(Protocol):
    """What collision reads of the bodies: C-ordered arrays, one row per body."""

    kind: IntArray
    shape: IntArray
    size: FloatArray
    position: FloatArray
    orientation: FloatArray
    clumps: Clumps
    parts: Parts
    context: Context
    period: FloatArray  # (3,), of a periodic box; 0 along axes where it has none
    apart: IntArray  # keys of pairs that do not touch, in order


class UntreatedPairError(SimulationError):
    """Two bodies, by number, have come near each other whose shapes cannot touch yet."""

    def __init__(self, a: int, b: int) -> None:
        super().__init__(f"bodies {a} and {b}: their shapes cannot touch yet")
        self.bodies = a, b


def outlines(bodies: BodyArrays) -> Outlines:
    """As kernels take them."""
    return Outlines(bodies.kind, bodies.shape, bodies.size, bodies.position, bodies.orientation)


def solids(bodies: BodyArrays) -> Solids:
    """Return what kernels read besides the outlines."""
    first, balls = bodies.clumps.rows(len(bodies.shape))
    return Solids(first, balls, bodies.period, bodies.apart, described(bodies))


def described(bodies: BodyArrays) -> IntArray:
    """Return what kernels/general.py reads of the bodies."""
    count = len(bodies.shape)
    return bodies.context.describe(bodies.parts.arrays(count), bodies.clumps.rows(count))


class Grid:
    """`work` for n bodies; `pairs` of bodies that may meet.

    `scratch` are the shapes of what is needed during a look only. With `own` its arrays are made
    here; else they are lent before the first look, and anew after `fit` and `grow`. They are for
    `room` bodies.
    """

    work: GridWork

    def __init__(self, bodies: int, own: bool = True) -> None:
        self._own, self._count, self.room = own, bodies, bodies
        self._entries = self._pairs = roomy(0)
        self._kept = np.full(1, -1, dtype=np.int64)
        self._once: Arrays = {
            "frame": np.zeros(3),
            "edges": np.zeros(3),
            "around": np.zeros(3, dtype=np.int64),
            "sample": np.zeros(kernels.SAMPLES),
            "kept_period": np.zeros(3),
            "bins": np.zeros(kernels.EDGE_BINS, dtype=np.int64),
            "manifold": np.zeros(MANIFOLD_SHAPE),
            "needs": np.zeros(4, dtype=np.int64),
        }
        self._of_bodies, self._partners = zeros(_lasting(bodies)), _partners(self._pairs)
        self._make_own()

    @property
    def scratch(self) -> Shapes:
        return _passing(self.room, self._entries, self._pairs)

    def lend(self, scratch: Arrays) -> None:
        """Arrays of these shapes, with anything in them."""
        n = self._count
        shown = {name: scratch[name][:n] for name in _OF_BODIES}
        shown |= {name: array[:n] for name, array in self._of_bodies.items()}
        self.work = GridWork(
            **self._once,
            **shown,
            starts=scratch["starts"][: _buckets(n) + 2],
            cells=scratch["cells"],
            entered=scratch["entered"],
            pairs=scratch["pairs"],
            # Once pairs are grouped by their bodies, the list serves to group known contacts.
            again_partners=scratch["pairs"].reshape(-1)[: self._pairs],
            partners=self._partners,
            kept=self._kept,
        )

    def fit(self, bodies: int) -> None:
        """For another number of bodies; the pairs that were kept are forgotten."""
        self._count, self._kept[0] = bodies, -1
        if bodies > self.room:
            self.room = roomy(bodies)
            self._of_bodies = zeros(_lasting(self.room))
        self._make_own()

    def _make_own(self) -> None:
        if self._own:
            self.lend(zeros(self.scratch))

    def pairs(
        self,
        bodies: BodyArrays,
        velocity: FloatArray,
        angular_velocity: FloatArray,
        horizon: float,
        margin: FloatArray,
        touch: float,
    ) -> NDArray[np.int32]:
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
        """Room for what a call that returned -1 needs; the number of contacts, if it is that. An
        `UntreatedPairError` if no room would help."""
        work, needs = self.work, self.work.needs
        entries, pairs, contacts = int(needs[ENTRIES]), int(needs[PAIRS]), int(needs[CONTACTS])
        refused = int(needs[REFUSED]) - 1
        needs[:] = 0
        if refused >= 0:
            raise UntreatedPairError(refused >> 32, refused & (2**32 - 1))
        if entries > len(work.cells):
            self._entries = roomy(entries)
        if pairs > len(work.pairs):
            self._kept[0] = -1
            self._pairs = roomy(pairs)
            self._partners = _partners(self._pairs)
        self._make_own()
        return contacts


_OF_BODIES = ("lower", "upper", "first", "last", "big", "again_ends")


def _lasting(bodies: int) -> Shapes:
    """What pairs that are kept need from look to look."""
    n = bodies
    return {
        **of_kind(np.float64, "kept_lower", "kept_upper", shape=(n, 3)),
        "kept_kind": ((n,), np.int8),
        "ends": ((n,), np.int64),
    }


def _passing(bodies: int, entries: int, pairs: int) -> Shapes:
    """What is needed during a look only."""
    n = bodies
    return {
        **of_kind(np.float64, "lower", "upper", shape=(n, 3)),
        **of_kind(np.int64, "first", "last", shape=(n, 3)),
        **of_kind(np.int64, "big", "again_ends", shape=(n,)),
        "starts": ((_buckets(n) + 2,), np.int64),
        "cells": ((entries,), np.int64),
        "entered": ((entries,), np.int32),
        "pairs": ((pairs, 2), np.int32),
    }


def _partners(room: int) -> NDArray[Any]:
    return np.zeros(room, dtype=np.int32)


def _buckets(bodies: int) -> int:
    """A power of two, at least twice their number."""
    return 1 << (2 * bodies).bit_length()


def found_shapes(contacts: int) -> Shapes:
    c = contacts
    return {
        "bodies": ((c, 2), np.int32),
        "key": ((c,), np.int64),
        "gap": ((c,), np.float64),
        "normal": ((c, 3), np.float64),
        "arms": ((c, 6), np.float64),
    }


def make_found(contacts: int) -> Found:
    """Room for so many contacts."""
    return Found(**zeros(found_shapes(contacts)))


def roomy(needed: int) -> int:
    """A capacity with room to grow: a quarter where that is little, since a step begins anew when
    there is none; a sixteenth of what is large."""
    return int(needed) + min(int(needed) // 4, int(needed) // 16 + 1024) + 16
