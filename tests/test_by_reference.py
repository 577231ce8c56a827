"""Groups of arrays by reference: the field that is named is read and written, at any depth."""

from typing import NamedTuple

import numba
import numpy as np
import pytest
from rollcone._jit import _OPTIONS, inlined, stage
from rollcone._references import by_reference

# Not `kernel`: what stands in a test is not to be kept.
compiled = numba.njit(**_OPTIONS)


class Group(NamedTuple):
    whole: np.ndarray
    line: np.ndarray
    table: np.ndarray
    other: np.ndarray
    solid: np.ndarray
    flags: np.ndarray


def group(n=3) -> Group:
    rng = np.random.default_rng(0)
    return Group(
        rng.integers(-9, 9, n),
        rng.normal(size=n),
        rng.normal(size=(n, 4)),
        rng.integers(-9, 9, (n, 2)),
        rng.normal(size=(n, 2, 5)),
        rng.random(n) < 0.5,
    )


@compiled
def sums(g, out):
    """Every field, each in its own way."""
    g = by_reference(g)
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


@pytest.mark.parametrize("n", [0, 1, 3])
def test_fields_are_read(n):
    g, out = group(n), np.zeros(7)
    sums(g, out)
    expected = [
        g.whole.sum(),
        g.line.sum(),
        (g.table * [1, 2, 3, 4]).sum(),
        (g.other * [1, 2]).sum(),
        (g.solid * np.outer([1, 2], [1, 2, 3, 4, 5])).sum(),
        g.flags.sum(),
        n + 20 + 500,
    ]
    np.testing.assert_allclose(out, expected, rtol=1e-14)


@inlined
def add(a, i, x):
    a[i] += x


@stage
def inner(g, part, i):
    """Works on the group and on a part of one of its arrays."""
    g.whole[i] += 7
    add(part, 1, 0.5)
    g.solid[i, 1, 4] = g.line[i]


@stage
def outer(g, i):
    inner(g, g.table[i], i)
    g.other[:i, 0] = 0
    return by_reference(
        Group(g.whole[:i], g.line[:i], g.table[:i], g.other[:i], g.solid[:i], g.flags[:i])
    )


@compiled
def change(g, i):
    """Through two stages; the first i rows come back as a group of their own."""
    g = by_reference(g)
    first = outer(g, i)
    for k in range(first.line.shape[0]):
        first.line[k] = -1.0
    return first.table.shape[0] + g.table.shape[0]


def test_changes_are_seen_outside():
    before, now = group(), group()
    assert change(now, 2) == 2 + 3
    before.whole[2] += 7
    before.table[2, 1] += 0.5
    before.solid[2, 1, 4] = before.line[2]
    before.other[:2, 0] = 0
    before.line[:2] = -1.0
    for name, expected, found in zip(Group._fields, before, now, strict=True):
        np.testing.assert_array_equal(found, expected, name)


@compiled
def newest(g, n):
    """A reference that is made anew in a loop, for ever fewer rows."""
    total = 0.0
    for k in range(n, 0, -1):
        part = by_reference(
            Group(g.whole[:k], g.line[:k], g.table[:k], g.other[:k], g.solid[:k], g.flags[:k])
        )
        for i in range(part.line.shape[0]):
            total += part.line[i]
    return total


def test_a_reference_made_again_is_the_newest():
    g = group(3)
    assert newest(g, 3) == pytest.approx(sum(g.line[:k].sum() for k in (1, 2, 3)))
    many = Group(*(np.repeat(a, 40_000, axis=0) for a in g))
    expected = sum(many.line[:k].sum() for k in range(1, 3001))
    assert newest(many, 3000) == pytest.approx(expected)  # nothing piles up


def test_a_field_that_is_not_there():
    @compiled
    def wrong(g):
        return by_reference(g).lines[0]

    with pytest.raises(numba.TypingError, match="lines"):
        wrong(group())
