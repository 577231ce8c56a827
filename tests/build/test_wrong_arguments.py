"""Arguments that an entry does not take: the error names kernel, argument and what is expected."""

from typing import NamedTuple

import numpy as np
import pytest

from own_kernels.group_kernels import Group, change, sums
from own_kernels.thread_kernels import count, relax
from rollcone.laws.kernels.sets import support_set_points

pytestmark = pytest.mark.usefixtures("own_kernels")
GATE = np.zeros(48, dtype=np.int64)
X = np.zeros(5)
GOOD = (0, 1, GATE, X, X, X, 3, 0.1)  # of `relax`


def with_one(place: int, value: object) -> tuple[object, ...]:
    """Return the arguments of `relax` with one of them replaced."""
    return (*GOOD[:place], value, *GOOD[place + 1 :])


class Other(NamedTuple):
    """A group with the same number of fields as `Group`."""

    a: object = None
    b: object = None
    c: object = None
    d: object = None
    e: object = None
    f: object = None
    g: object = None
    h: object = None
    i: object = None


def group(**changes: object) -> Group:
    """Return a group of two rows with some fields replaced."""
    whole, line = np.zeros(2, dtype=np.int64), np.zeros(2)
    table, other = np.zeros((2, 4)), np.zeros((2, 2), dtype=np.int64)
    solid, flags = np.zeros((2, 2, 5)), np.zeros(2, dtype=bool)
    return Group(whole, line, table, other, solid, flags, 0.5, True, 3)._replace(**changes)


def misaligned() -> np.ndarray:
    """Return an array of float64 (5,) that begins at an odd address."""
    return np.zeros(41, dtype=np.uint8)[1:].view(np.float64)


ARRAYS = {
    "float32": (X.astype(np.float32), "x is float32[:], expected float64[:]"),
    "int64": (X.astype(np.int64), "x is int64[:], expected float64[:]"),
    "two dimensions": (X[None], "x is float64[:, :], expected float64[:]"),
    "no dimension": (np.array(1.0), "x is float64[], expected float64[:]"),
    "steps": (np.zeros(10)[::2], "x is float64[:] not in C order, expected float64[:]"),
    "backwards": (X[::-1], "x is float64[:] not in C order, expected float64[:]"),
    "broadcast": (np.broadcast_to(1.0, 5), "x is float64[:] not in C order, expected float64[:]"),
    "byte order": (X.astype(X.dtype.newbyteorder()), "x is float64[:] in the other byte order"),
    "odd address": (misaligned(), "x is float64[:] not aligned, expected float64[:]"),
    "objects": (X.astype(object), "x is object[:], expected float64[:]"),
    "list": ([0.0] * 5, "x is list [0.0, 0.0, 0.0, 0.0, 0.0], expected float64[:]"),
    "None": (None, "x is NoneType None, expected float64[:]"),
    "number": (1.0, "x is float 1.0, expected float64[:]"),
    "subclass": (X.view(np.recarray), "x is recarray"),
}


@pytest.mark.parametrize("case", ARRAYS)
def test_arrays(case):
    value, message = ARRAYS[case]
    for call in (relax, relax.without_lock):
        with pytest.raises(TypeError) as caught:
            call(*with_one(3, value))
        assert str(caught.value).startswith(f"own_kernels.thread_kernels.relax: {message}")


NUMBERS = [
    (6, 2.5, "sweeps is float 2.5, expected int"),
    (6, "3", "sweeps is str '3', expected int"),
    (6, None, "sweeps is NoneType None, expected int"),
    (6, np.float64(3.0), "sweeps is float64 np.float64(3.0), expected int"),
    (6, X, "sweeps is float64[:], expected int"),
    (7, "0.1", "tolerance is str '0.1', expected float"),
    (7, None, "tolerance is NoneType None, expected float"),
    (7, X, "tolerance is float64[:], expected float"),
    (7, 1j, "tolerance is complex 1j, expected float"),
]


@pytest.mark.parametrize(("place", "value", "message"), NUMBERS)
def test_numbers(place, value, message):
    for call in (relax, relax.without_lock):
        with pytest.raises(TypeError) as caught:
            call(*with_one(place, value))
        assert str(caught.value) == f"own_kernels.thread_kernels.relax: {message}"


def test_numbers_that_are_too_large():
    for large in (2**63, -(2**63) - 1, 10**30):
        with pytest.raises(OverflowError):
            relax(*with_one(6, large))


def test_numbers_of_other_types_that_fit():
    assert relax(*with_one(6, np.int32(0))) == relax(*with_one(6, False)) == 0
    assert relax(*with_one(7, 1)) == relax(*with_one(7, np.float32(0.5))) == 1


@pytest.mark.parametrize("given", [(), GOOD[:-1], (*GOOD, 1)])
def test_number_of_arguments(given):
    for call in (relax, relax.without_lock):
        with pytest.raises(TypeError, match=rf"relax takes 8 arguments, not {len(given)}$"):
            call(*given)


def test_class_of_a_group():
    for value, found in ((Other(), "Other"), ((), "tuple"), (None, "NoneType"), (X, "float64")):
        with pytest.raises(TypeError, match=rf"sums: g is {found}.*, expected Group$"):
            sums(value, np.zeros(7))


FIELDS = {
    "line": (np.zeros(2, dtype=np.float32), "g.line is float32[:], expected float64[:]"),
    "table": (
        np.zeros((4, 2)).T,
        "g.table is float64[:, :] not in C order, expected float64[:, :]",
    ),
    "solid": (np.zeros((2, 10)), "g.solid is float64[:, :], expected float64[:, :, :]"),
    "flags": (np.zeros(2, dtype=np.int8), "g.flags is int8[:], expected bool[:]"),
    "number": ("half", "g.number is str 'half', expected float"),
    "switch": (None, "g.switch is NoneType None, expected bool"),
    "steps": (0.5, "g.steps is float 0.5, expected int"),
}


@pytest.mark.parametrize("field", FIELDS)
def test_fields_of_a_group(field):
    value, message = FIELDS[field]
    with pytest.raises(TypeError) as caught:
        sums(group(**{field: value}), np.zeros(7))
    assert str(caught.value) == f"own_kernels.group_kernels.sums: {message}"


def test_a_refused_call_leaves_all_as_it_was():
    seen, g = np.zeros(3, dtype=np.int64), group()
    with pytest.raises(TypeError):
        count(1, 3, GATE, seen, 5)
    with pytest.raises(TypeError):
        change(g, "1")
    assert not seen.any()
    assert not any(np.any(field) for field in g[:6])
    assert count(1, 3, GATE, seen) == 3
    assert change(g, 1) == 3


def test_an_entry_of_the_package():
    with pytest.raises(TypeError, match=r"^rollcone\.laws\.kernels\.sets\.support_set_points "):
        support_set_points()
