"""The arrays of bodies with convex parts and surfaces, by address, as kernels/general.py takes
them."""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.collision.kernels.convex_work import PARTS, SCRATCH, SHAPES
from rollcone.collision.parts import PartArrays

_WHOLE = ("ia", "ib", "tree")


class Context:
    """`list` is what kernels get. It keeps alive what it lists."""

    def __init__(self) -> None:
        self.list: IntArray = np.zeros(SCRATCH + len(SHAPES), dtype=np.int64)
        self._scratch = [
            np.zeros(shape, dtype=np.int64 if name in _WHOLE else np.float64)
            for name, shape in SHAPES.items()
        ]
        self.list[SCRATCH:] = [array.ctypes.data for array in self._scratch]
        self._kept: tuple[object, ...] = ()

    def __reduce__(self) -> tuple[type[Context], tuple[()]]:
        """Addresses are of no use elsewhere: a copy begins anew."""
        return Context, ()

    def describe(self, parts: PartArrays, clumps: tuple[IntArray, FloatArray]) -> IntArray:
        """Return the list, for bodies of these parts and balls."""
        first, balls = (np.ascontiguousarray(array) for array in clumps)
        self._kept = parts, first, balls
        numbers, places = parts.numbers, parts.places
        self.list[PARTS:SCRATCH] = (
            parts.first.ctypes.data, parts.rows.ctypes.data, parts.kinds.ctypes.data,
            len(parts.rows), numbers.ctypes.data, len(numbers), places.ctypes.data, len(places),
            first.ctypes.data, balls.ctypes.data, len(balls),
        )  # fmt: skip
        return self.list
