"""Lists in the order of their keys: pairs grouped by body, and reactions carried along.

Pairs come out of the grid in the order of its buckets. They are counted into one group for
each lower number; groups are short, or nearly in order (big bodies meet the others in turn).
"""

from __future__ import annotations

import numpy as np

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float2, Int1, Short1

_SHORT = 24


@kernel
def group_pairs(pairs, ends, partners):
    """partners[ends[i - 1] : ends[i]] are the higher numbers of body i's pairs, ascending."""
    ends[:] = 0
    for p in range(pairs.shape[0]):
        ends[pairs[p, 0]] += 1
    total = 0
    for i in range(ends.shape[0]):
        total, ends[i] = total + ends[i], total
    for p in range(pairs.shape[0]):
        i = pairs[p, 0]
        partners[ends[i]] = pairs[p, 1]
        ends[i] += 1
    start = np.int64(0)  # a plain 0 would compile the sort for constants, too
    for i in range(ends.shape[0]):
        sort_group(partners, start, ends[i])
        start = ends[i]


@inlined
def insert_sorted(values, count):
    """The first few values in ascending order, by insertion."""
    for p in range(1, count):
        value, q = values[p], p
        while q > 0 and values[q - 1] > value:
            values[q] = values[q - 1]
            q -= 1
        values[q] = value


@entry
def sort_group(values: Short1, start: int, end: int) -> None:
    """Ascending order: by insertion while little is to move, else by a heap."""
    moves = _SHORT * (end - start)
    for p in range(start + 1, end):
        value, q = values[p], p
        while q > start and values[q - 1] > value:
            values[q] = values[q - 1]
            q -= 1
        values[q] = value
        moves -= p - q
        if moves < 0:
            sort_by_heap(values, start, end)
            return


@entry
def sort_by_heap(values: Short1, start: int, end: int) -> None:
    """Ascending order in n log n steps, whatever the order was."""
    count = end - start
    for top in range(count // 2 - 1, -1, -1):
        _sink(values, start, top, count)
    for left in range(count - 1, 0, -1):
        values[start], values[start + left] = values[start + left], values[start]
        _sink(values, start, 0, left)


@kernel
def _sink(values, start, top, count):
    """Put the value at `top` of a heap where it belongs."""
    value = values[start + top]
    while 2 * top + 1 < count:
        child = 2 * top + 1
        if child + 1 < count and values[start + child + 1] > values[start + child]:
            child += 1
        if values[start + child] <= value:
            break
        values[start + top] = values[start + child]
        top = child
    values[start + top] = value


@entry
def carry_over(
    old_key: Int1, old_first: Float2, old_second: Float2, key: Int1, first: Float2, second: Float2
) -> None:
    """Rows of the old keys that are there again; zero elsewhere. Both lists ascend."""
    p = 0
    for c in range(key.shape[0]):
        while p < old_key.shape[0] and old_key[p] < key[c]:
            p += 1
        same = p < old_key.shape[0] and old_key[p] == key[c]
        for k in range(first.shape[1]):
            first[c, k] = old_first[p, k] if same else 0.0
        for k in range(second.shape[1]):
            second[c, k] = old_second[p, k] if same else 0.0
