"""The arrays of bodies with convex parts and surfaces, by address, as _general_kernels.py takes
them."""

from __future__ import annotations

import numpy as np

from rollcone._address_kernels import ALONE, PAIR, address_of
from rollcone._check import FloatArray, IntArray
from rollcone.collision._general_kernels import general_contacts
from rollcone.collision._touch_kernels import answer_touch
from rollcone.collision.convex_work import PARTS, SCRATCH, SHAPES
from rollcone.collision.parts import PartArrays

_WHOLE = ("ia", "ib", "tree", "touch")


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

    def describe(
        self, parts: PartArrays, clumps: tuple[IntArray, FloatArray], treat: bool
    ) -> IntArray:
        """The list, for bodies of these parts and balls; `treat` if the kernel will be called."""
        first, balls = (np.ascontiguousarray(array) for array in clumps)
        self._kept = parts, first, balls
        numbers, places = parts.numbers, parts.places
        self.list[PARTS:SCRATCH] = (
            parts.first.ctypes.data, parts.rows.ctypes.data, parts.kinds.ctypes.data,
            len(parts.rows), numbers.ctypes.data, len(numbers), places.ctypes.data, len(places),
            first.ctypes.data, balls.ctypes.data, len(balls),
        )  # fmt: skip
        if treat and self.list[0] == 0:
            self.list[0] = address_of(general_contacts, PAIR)
            self._scratch[-1][:] = address_of(answer_touch, ALONE), self.list.ctypes.data
        return self.list
