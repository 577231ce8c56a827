"""Groups of arrays in one block: what lies beside each other, and what in the same place."""

import numpy as np
import pytest

from rollcone._shared_memory import SharedMemory, of_kind, zeros

SHAPES = {"a": ((3, 5), np.int8), "b": ((7,), np.float64), "none": ((0, 3), np.int32)}


def test_groups_behind_each_other_and_in_one_place():
    memory = SharedMemory()
    end = memory.put("first", SHAPES)
    memory.put("behind", SHAPES, end)
    memory.put("instead", {"c": ((4, 6), np.float64)})
    arrays = memory.arrays()
    for group in ("first", "behind"):
        for name, (shape, kind) in SHAPES.items():
            array = arrays[group][name]
            assert (array.shape, array.dtype) == (shape, kind)
            assert array.flags.c_contiguous
            assert array.flags.aligned
            array[...] = len(group)
    assert (arrays["first"]["a"] == 5).all()
    assert (arrays["first"]["b"] == 5).all()
    arrays["instead"]["c"][:] = np.nan
    assert np.isnan(arrays["first"]["b"]).any()
    assert (arrays["behind"]["b"] == 6).all()


@pytest.mark.parametrize("more", [False, True])
def test_the_block_stays_while_it_is_large_enough(more):
    memory = SharedMemory()
    memory.put("old", {"a": ((10,), np.float64)})
    old = memory.arrays()["old"]["a"]
    memory.put("new", {"a": ((100 if more else 5,), np.float64)})
    arrays = memory.arrays()
    assert list(arrays) == ["new"]
    assert np.shares_memory(arrays["new"]["a"], old) != more


def test_arrays_for_themselves():
    arrays = zeros({**of_kind(np.int32, "a", "b", shape=(2, 2)), "c": ((3,), np.float64)})
    assert {name: array.dtype.name for name, array in arrays.items()} == {
        "a": "int32", "b": "int32", "c": "float64",
    }  # fmt: skip
    assert not any(array.any() for array in arrays.values())
    assert not np.shares_memory(arrays["a"], arrays["b"])
