"""Arrays that are allocated once and grow between steps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_SPARE = 1.5


class Room:
    """Named arrays; `room("gap", (n,))` is the first n rows of one that is large enough.

    What was in it stays as long as it need not grow.
    """

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {}

    def __call__(self, name: str, shape: tuple[int, ...], dtype: type = np.float64) -> NDArray[Any]:
        array = self._arrays.get(name)
        if array is None or len(array) < shape[0] or array.shape[1:] != shape[1:]:
            array = np.zeros((int(_SPARE * shape[0]) + 8, *shape[1:]), dtype=dtype)
            self._arrays[name] = array
        return array[: shape[0]]
