"""The arrays that a step's solver works in (_cell_solver_kernels.py).

The order of the fields is part of the compiled code; _jit knows this file.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.solvers._block_kernels import COLOURS
from rollcone.solvers._cell_kernels import BODY, CELL

MOST_THREADS = 64


class CellWork(NamedTuple):
    """For up to c contacts with d rows and n bodies; `past` may be any array of that shape."""

    cells: FloatArray  # (c, CELL)
    scales: FloatArray  # (c, 4): lambda, units of rolling and spinning, speed
    pairs: IntArray  # (c, 2): rows in `bodies`
    place: IntArray  # (c,): of contacts
    block: IntArray  # (c,)
    bodies: FloatArray  # (n + 1, BODY), along the curve
    rank: IntArray  # (n,), and scratch of ranking
    order: IntArray
    code: IntArray
    counts: IntArray
    starts: IntArray  # (blocks + 2,) and colour likewise
    colour: IntArray
    ends: IntArray
    colours: IntArray  # (COLOURS + 2,)
    past: FloatArray  # (c, d): reactions of the sweep before, in places
    before: FloatArray  # (n, 6): velocities likewise
    sums: FloatArray  # (blocks + 2, 3): error, largest share, largest speed of blocks
    flags: IntArray  # (2,): colours in use, and those with the remainder
    W: FloatArray  # (threads, 1, d, d) and further scratch of one contact
    square: FloatArray
    units: FloatArray
    line: FloatArray
    D: FloatArray
    one: FloatArray


def cell_work(contacts: int, bodies: int, rows: int, past: FloatArray | None = None) -> CellWork:
    """Room for that many; `past` (c, d) may be lent."""
    c, n, d, t = contacts, bodies, rows, MOST_THREADS

    def whole(*shape: int) -> IntArray:
        return np.zeros(shape, dtype=np.int64)

    return CellWork(
        cells=np.zeros((c, CELL)),
        scales=np.zeros((c, 4)),
        pairs=whole(c, 2),
        place=whole(c),
        block=whole(c),
        bodies=np.zeros((n + 1, BODY)),
        rank=whole(n),
        order=whole(n),
        code=whole(n),
        counts=whole(1024),
        starts=whole(n + 3),
        colour=whole(n + 3),
        ends=whole(n + 3),
        colours=whole(COLOURS + 2),
        past=np.zeros((c, d)) if past is None else past,
        before=np.zeros((n, 6)),
        sums=np.zeros((n + 3, 3)),
        flags=whole(2),
        W=np.zeros((t, 1, d, d)),
        square=np.zeros((t, d, d)),
        units=np.zeros((t, 1, d)),
        line=np.zeros((t, d)),
        D=np.zeros((t, 1, d)),
        one=np.zeros((t, 1)),
    )
