"""The arrays that Gauss-Seidel of a time step works in (_pair_kernels.py).

The order of the fields is part of the compiled code; _jit knows this file.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray


class PairWork(NamedTuple):
    """For up to c contacts with d rows and n bodies, the last row of bodies' arrays standing for
    the missing body. What it holds between calls does not matter, but for `order`, `state` and
    the empty arrays.
    """

    order: IntArray  # (c,): 0 to c - 1
    state: NDArray[np.uint64]  # (1,), of shuffles, which there are none of
    W: FloatArray  # (c, d, d): diagonal blocks
    square: FloatArray  # (d, d)
    line: FloatArray  # (d,)
    units: FloatArray  # (c, d), and lambdas (c,): as in scaling.py
    lambdas: FloatArray
    unit_radii: FloatArray  # (c, 5): friction coefficients by those units
    D: FloatArray  # (c, d), and radii (c, 5): as in scaled.py
    radii: FloatArray
    steps: FloatArray  # (c,)
    pairs: FloatArray  # (c, 2, 6, d), and from here on all scaled: blocks
    b: FloatArray  # (c, d)
    x: FloatArray  # (c, d): reactions
    z_free: FloatArray  # (n + 1, 6)
    z: FloatArray  # (n + 1, 6)
    p: FloatArray  # (c, d), and from here on not scaled: reactions at a check
    y: FloatArray  # (c, d)
    errors: FloatArray  # (c,)
    moved: FloatArray  # (n + 1, 6): bodies' velocities
    none: FloatArray  # (0,): there are no extra rows, nor compliance
    no_rows: FloatArray  # (0, d)
    no_blocks: FloatArray  # (0, 2, 6, 1)
    no_bodies: IntArray  # (0, 2)


def pair_work(contacts: int, bodies: int, rows: int) -> PairWork:
    """Room for that many."""
    c, n, d = contacts, bodies + 1, rows
    return PairWork(
        order=np.arange(c, dtype=np.int64),
        state=np.ones(1, dtype=np.uint64),
        W=np.zeros((c, d, d)),
        square=np.zeros((d, d)),
        line=np.zeros(d),
        units=np.zeros((c, d)),
        lambdas=np.zeros(c),
        unit_radii=np.zeros((c, 5)),
        D=np.zeros((c, d)),
        radii=np.zeros((c, 5)),
        steps=np.zeros(c),
        pairs=np.zeros((c, 2, 6, d)),
        b=np.zeros((c, d)),
        x=np.zeros((c, d)),
        z_free=np.zeros((n, 6)),
        z=np.zeros((n, 6)),
        p=np.zeros((c, d)),
        y=np.zeros((c, d)),
        errors=np.zeros(c),
        moved=np.zeros((n, 6)),
        none=np.zeros(0),
        no_rows=np.zeros((0, d)),
        no_blocks=np.zeros((0, 2, 6, 1)),
        no_bodies=np.zeros((0, 2), dtype=np.int64),
    )
