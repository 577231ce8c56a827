"""Arrays by their shapes: each for itself, or in one block of memory that groups use in turn.

What is alive at one stage of a step only need not lie beside what is alive at another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Shapes = Mapping[str, tuple[tuple[int, ...], type]]
Arrays = dict[str, NDArray[Any]]
_LINE = 64  # bytes that a processor reads at once: arrays begin where it does


def zeros(shapes: Shapes) -> Arrays:
    """Arrays of these names, each for itself."""
    return {name: np.zeros(shape, dtype=kind) for name, (shape, kind) in shapes.items()}


def of_kind(kind: type, *names: str, shape: tuple[int, ...]) -> dict[str, Any]:
    """Several of one shape."""
    return dict.fromkeys(names, (shape, kind))


class SharedMemory:
    """Groups are put where they begin, one behind another or in the same place; `arrays` are then
    theirs, with anything in them. The block stays as long as it is large enough."""

    def __init__(self) -> None:
        self._block: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
        self._begin()

    def _begin(self) -> None:
        self._groups: dict[str, dict[str, tuple[int, int, tuple[int, ...], type]]] = {}
        self._size = 0

    def put(self, group: str, shapes: Shapes, start: int = 0) -> int:
        """From this byte on; returns where the next one may begin."""
        places = self._groups[group] = {}
        for name, (shape, kind) in shapes.items():
            end = start + math.prod(shape) * np.dtype(kind).itemsize
            places[name] = (start, end, shape, kind)
            start = -(-end // _LINE) * _LINE
        self._size = max(self._size, start)
        return start

    def arrays(self) -> dict[str, Arrays]:
        """Of all groups that were put since the last call."""
        if len(self._block) < self._size + _LINE:
            self._block = np.zeros(self._size + _LINE, dtype=np.uint8)
        block = self._block[-self._block.ctypes.data % _LINE :]
        found: dict[str, Arrays] = {
            group: {
                name: block[start:end].view(kind).reshape(shape)
                for name, (start, end, shape, kind) in places.items()
            }
            for group, places in self._groups.items()
        }
        self._begin()
        return found
