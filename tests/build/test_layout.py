"""The layout of arguments in memory, against what NumPy and `struct` say of them."""

import ctypes
import struct

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rollcone._build.calls import layout
from rollcone._build.frames import FRAME, program_of
from rollcone._build.signatures import ArrayType, Signature

DTYPES = ("float64", "int64", "int32", "int8", "bool")
integers = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.sampled_from([-1, 0, 1, 2**63 - 1, -(2**63), True, False])
)
numbers = st.one_of(st.floats(), st.sampled_from([-1.0, -0.0, float("nan"), float("inf"), 5e-324]))
shapes = st.lists(st.integers(0, 3), min_size=1, max_size=4).map(tuple)
arrays = st.builds(np.zeros, shapes, st.sampled_from(DTYPES))
values = st.one_of(integers, numbers, arrays)


def words_of_double(value):
    return struct.unpack("q", struct.pack("d", value))[0]


def expected_words(value):
    """Return the words of one argument."""
    if isinstance(value, np.ndarray):
        steps = [value.itemsize]
        for length in value.shape[:0:-1]:
            steps.insert(0, steps[0] * length)
        head = [0, 0, value.size, value.itemsize, value.ctypes.data]
        return [*head, *value.shape, *steps]
    return [words_of_double(value) if isinstance(value, float) else int(value)]


def type_of(value):
    if isinstance(value, np.ndarray):
        return ArrayType(value.dtype.name, value.ndim)
    return type(value)


def laid_out(arguments, signature):
    """Return the status, and the words of a frame that begins as all ones."""
    program = np.array(program_of(signature), dtype=np.int64)
    frame = (ctypes.c_int64 * FRAME)(*[-1] * FRAME)
    given = program.ctypes.data, len(program), layout().python.ctypes.data
    status = layout().unpack(tuple(arguments), *given, ctypes.addressof(frame))
    return status, list(frame)


@given(st.lists(values, max_size=8))
def test_arguments(arguments):
    signature = Signature(tuple((f"a{k}", type_of(a)) for k, a in enumerate(arguments)), ())
    expected = [word for value in arguments for word in expected_words(value)]
    status, words = laid_out(arguments, signature)
    assert status == 0
    assert words[: len(expected)] == expected
    assert set(words[len(expected) :]) <= {-1}  # nothing is written behind


@given(shapes, st.sampled_from(DTYPES))
def test_strides_are_those_of_numpy(shape, dtype):
    """Where no dimension is empty; else NumPy does not define them."""
    array = np.zeros(shape, dtype)
    steps = expected_words(array)[5 + array.ndim :]
    if array.size:
        assert steps == list(np.ascontiguousarray(array).strides)


@given(st.lists(values, min_size=1, max_size=4), st.data())
def test_the_first_array_that_does_not_fit_is_reported(arguments, data):
    place = data.draw(st.integers(0, len(arguments) - 1))
    other = data.draw(st.sampled_from(DTYPES))
    kinds = [type_of(value) for value in arguments]
    found = kinds[place]
    dimensions = data.draw(st.integers(1, 4))
    kinds[place] = ArrayType(other, dimensions)
    signature = Signature(tuple((f"a{k}", kind) for k, kind in enumerate(kinds)), ())
    status, _ = laid_out(arguments, signature)
    assert status == (0 if found == kinds[place] else place + 1)
