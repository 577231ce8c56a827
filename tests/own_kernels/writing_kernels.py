"""Kernels that write to some of their arrays in ways that are hard to follow."""

from __future__ import annotations

from typing import NamedTuple

from rollcone._build.intrinsics import add_atomic, address_to_read, by_reference
from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Float2, Int1


class Pair(NamedTuple):
    """Two tables of n rows."""

    first: Float2
    second: Float2


@inlined
def put(row, value):
    """Write to an array."""
    row[0] = value


@kernel
def larger(a, b):
    """Return one of two arrays."""
    if a[0] > b[0]:
        return a
    return b


@kernel
def both(a, b):
    """Return two arrays, the second first."""
    return b, a


@entry
def read(a: Float1, b: Float1) -> float:
    """Read all."""
    return larger(a, b)[0] + both(a, b)[1][0] + address_to_read(a) % 1


@entry
def write_first(a: Float1, b: Float1) -> None:
    """Write to a."""
    a[0] = b[0]


@entry
def by_entry(a: Float1, b: Float1, pair: Pair) -> None:
    """Write to pair.second by another entry, which reads b."""
    write_first(pair.second[0], b)


@entry
def by_result(a: Float1, b: Float1, c: Float1) -> None:
    """Write to a or b, which a kernel returns."""
    put(larger(a, b), c[0])


@entry
def by_tuple(a: Float1, b: Float1) -> None:
    """Write to b, the first item of a tuple."""
    second, first = both(a, b)
    put(second, first[0])


@entry
def by_stars(a: Float1, b: Float1) -> None:
    """Write to a, given as an item of a tuple."""
    given = (a, b[0])
    put(*given)


@entry
def by_exchange(a: Float1, b: Float1, c: Float1, n: int) -> None:
    """Write to a and b, which change places in a loop."""
    now, other = a, b
    for _ in range(n):
        now[0] += c[0]
        now, other = other, now


@entry
def by_group(a: Float2, b: Float2, pair: Pair) -> None:
    """Write to b and pair.first, fields of groups made of other arrays."""
    made = by_reference(Pair(pair.second, b))
    again = by_reference(Pair(made.second, pair.first))
    for table in (again.first, again.second):
        put(table[0], a[0, 0])


@entry
def by_array(a: Float1, b: Float1) -> None:
    """Write to a as a whole."""
    a += b


@entry
def by_slice(a: Float1, b: Float1) -> None:
    """Write to b by a slice of a slice."""
    b[1:][:1] = a[0]


@entry
def by_atomic(a: Int1, b: Int1) -> int:
    """Write to b by an atomic operation."""
    return add_atomic(b, 0, a[0])


@entry
def by_address(a: Float1, b: Float1) -> int:
    """Take the address of b, to which something else may write, and of a to read there."""
    return b.ctypes.data + address_to_read(a)
