"""What a contact knows from the step before, found again by its key."""

from __future__ import annotations

from rollcone._check import FloatArray, IntArray
from rollcone.collision._order_kernels import carry_over

Known = tuple[IntArray, FloatArray, FloatArray]


def carry(old: Known, key: IntArray, first: FloatArray, second: FloatArray) -> None:
    """Write `first` (c, j) and `second` (c, k) for each `key` from those of `old`.

    old: keys and two arrays of the step before. New contacts get zeros. Keys ascend.
    """
    carry_over(*old, key, first, second)
