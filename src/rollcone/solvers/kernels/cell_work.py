"""The arrays that a step's solver works in (kernels/cell_solver.py).

The order of the fields is part of the compiled code: a library with another order is refused.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rollcone._build.signatures import Float2, Float3, Float4, Int1, Short1, Short2
from rollcone._check import IntArray
from rollcone._shared_memory import Arrays, Shapes, of_kind, zeros
from rollcone.solvers.kernels.block import COLOURS, most_blocks
from rollcone.solvers.kernels.cell import BODY, CELL

MOST_THREADS = 64


class CellWork(NamedTuple):
    """For up to c contacts with d rows and n bodies."""

    cells: Float2  # (c, CELL)
    sets: Float2  # (c, 3): kinds, and a half-axis; no rows where all sets are discs
    scales: Float2  # (c, 4): lambda, units of rolling and spinning, speed
    pairs: Short2  # (c, 2): rows in `bodies`
    place: Short1  # (c,): of contacts
    block: Int1  # (c,)
    bodies: Float2  # (n + 1, BODY), along the curve
    turns: Float2  # (n + 1, 6): inverse inertias; no rows where all moments are equal
    stamp: Short1  # (n + 1,): the last sweep in which each changed
    rank: Short1  # (n,), and scratch of ranking
    order: Int1
    code: Int1
    counts: Int1
    starts: Int1  # (blocks + 2,) and colour likewise
    colour: Int1
    ends: Int1
    colours: Int1  # (COLOURS + 2,)
    past: Float2  # (c, d): reactions of the sweep before, in places
    before: Float2  # (n, 6): velocities likewise
    sums: Float2  # (blocks + 2, 3): error, largest share, largest speed of blocks
    flags: Int1  # (2,): colours in use, and those with the remainder
    W: Float4  # (threads, 1, d, d) and further scratch of one contact
    square: Float3
    units: Float3
    line: Float2
    D: Float3
    one: Float2


def cell_shapes(
    contacts: int, bodies: int, rows: int, unequal: bool, general: bool = False
) -> Shapes:
    """Of the arrays that grow with contacts and bodies; none has to last from solve to solve.
    `unequal`: some body has unequal moments; `general`: some set is no disc."""
    c, n, blocks = contacts, bodies, most_blocks(bodies)
    return {
        "cells": ((c, CELL), np.float64),
        "sets": ((c if general else 0, 3), np.float64),
        "scales": ((c, 4), np.float64),
        "pairs": ((c, 2), np.int32),
        "place": ((c,), np.int32),
        "bodies": ((n + 1, BODY), np.float64),
        "turns": ((n + 1 if unequal else 0, 6), np.float64),
        "stamp": ((n + 1,), np.int32),
        "past": ((c, rows), np.float64),
        "before": ((n, 6), np.float64),
        **of_kind(np.int64, "starts", "colour", "ends", shape=(blocks + 2,)),
        "sums": ((blocks + 2, 3), np.float64),
    }


def cell_work(
    contacts: int, bodies: int, rows: int, unequal: bool, lent: Arrays | None = None,
    general: bool = False,
) -> CellWork:  # fmt: skip
    """Room for that many; arrays of `cell_shapes` may be lent, with anything in them."""
    d, t = rows, MOST_THREADS
    arrays = zeros(cell_shapes(contacts, bodies, rows, unequal, general)) if lent is None else lent

    def whole(*shape: int) -> IntArray:
        return np.zeros(shape, dtype=np.int64)

    # Ranks and blocks are made before there is a past.
    past, before = (arrays[name].reshape(-1).view(np.int64) for name in ("past", "before"))
    return CellWork(
        **arrays,
        block=past[:contacts],
        order=before[:bodies],
        code=before[bodies : 2 * bodies],
        rank=np.zeros(bodies, dtype=np.int32),
        counts=whole(1024),
        colours=whole(COLOURS + 2),
        flags=whole(2),
        W=np.zeros((t, 1, d, d)),
        square=np.zeros((t, d, d)),
        units=np.zeros((t, 1, d)),
        line=np.zeros((t, d)),
        D=np.zeros((t, 1, d)),
        one=np.zeros((t, 1)),
    )
