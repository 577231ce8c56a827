"""Kernels that read and write groups of arrays by reference."""

from __future__ import annotations

from typing import NamedTuple

from rollcone._build.intrinsics import by_reference
from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Bool1, Float1, Float2, Float3, Int1, Int2


class Group(NamedTuple):
    """Arrays of every kind, n rows each, and numbers."""

    whole: Int1
    line: Float1
    table: Float2  # (n, 4)
    other: Int2  # (n, 2)
    solid: Float3  # (n, 2, 5)
    flags: Bool1
    number: float
    switch: bool
    steps: int


@entry
def sums(g: Group, out: Float1) -> tuple[float, bool, int]:
    """Write a sum of each array, and return the numbers."""
    for i in range(g.whole.shape[0]):
        out[0] += g.whole[i]
        out[1] += g.line[i]
        out[5] += g.flags[i]
        for j in range(g.table.shape[1]):
            out[2] += (j + 1) * g.table[i, j]
        for j in range(g.other.shape[1]):
            out[3] += (j + 1) * g.other[i, j]
        for j in range(g.solid.shape[1]):
            for k in range(g.solid.shape[2]):
                out[4] += (j + 1) * (k + 1) * g.solid[i, j, k]
    out[6] = g.solid.shape[0] + 10 * g.solid.shape[1] + 100 * g.solid.shape[2]
    return g.number, g.switch != 0, g.steps


@inlined
def add(a, i, x):
    """Add x to a[i]."""
    a[i] += x


@kernel
def inner(g, part, i):
    """Write to the group and to a part of one of its arrays."""
    g.whole[i] += 7
    add(part, 1, 0.5)
    g.solid[i, 1, 4] = g.line[i]


@kernel
def first_rows(g, k):
    """Return the first k rows of a group as a group."""
    return Group(
        g.whole[:k], g.line[:k], g.table[:k], g.other[:k], g.solid[:k], g.flags[:k], g.number,
        g.switch, g.steps,
    )  # fmt: skip


@kernel
def outer(g, i):
    """Write through a second kernel and through a slice."""
    inner(g, g.table[i], i)
    g.other[:i, 0] = 0


@entry
def change(g: Group, i: int) -> int:
    """Write through two kernels, and through a group of the first i rows."""
    outer(g, i)
    first = by_reference(first_rows(g, i))
    for k in range(first.line.shape[0]):
        first.line[k] = -1.0
    return first.table.shape[0] + g.table.shape[0]


@entry
def newest(g: Group, n: int) -> float:
    """Sum `line` over groups that are made anew in a loop, of ever fewer rows."""
    total = 0.0
    for k in range(n, 0, -1):
        part = by_reference(first_rows(g, k))
        for i in range(part.line.shape[0]):
            total += part.line[i]
    return total
