"""Groups of arrays and numbers: kernels read and write the field that is named, at any depth."""

import numpy as np
import pytest

from own_kernels.group_kernels import Group, change, newest, sums

pytestmark = pytest.mark.usefixtures("own_kernels")


def group(n: int = 3) -> Group:
    """Return a group of n rows of random numbers."""
    rng = np.random.default_rng(0)
    return Group(
        rng.integers(-9, 9, n),
        rng.normal(size=n),
        rng.normal(size=(n, 4)),
        rng.integers(-9, 9, (n, 2)),
        rng.normal(size=(n, 2, 5)),
        rng.random(n) < 0.5,
        0.25,
        True,
        -7,
    )


@pytest.mark.parametrize("n", [0, 1, 3])
def test_fields_are_read(n):
    g, out = group(n), np.zeros(7)
    assert sums(g, out) == (0.25, True, -7)
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


@pytest.mark.parametrize(("number", "switch", "steps"), [(-1.0, False, -1), (np.inf, True, 2**62)])
def test_numbers_of_a_group(number, switch, steps):
    g = group()._replace(number=number, switch=switch, steps=steps)
    assert sums(g, np.zeros(7)) == (number, switch, steps)


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


def test_a_group_made_again_is_the_newest():
    g = group(3)
    assert newest(g, 3) == pytest.approx(sum(g.line[:k].sum() for k in (1, 2, 3)))
    many = Group(*(np.repeat(a, 40_000, axis=0) for a in g[:6]), *g[6:])
    expected = sum(many.line[:k].sum() for k in range(1, 3001))
    assert newest(many, 3000) == pytest.approx(expected)  # nothing piles up on the stack
