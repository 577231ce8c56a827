"""Compiled code that reads the arguments which Python passes, from the objects themselves.

The layout is told in frames.py. The places of an object's fields are those of NumPy's C interface;
`calls.py` checks once in each process that this Python and this NumPy have them there.
"""

from __future__ import annotations

import sys

from rollcone._build.frames import (
    ARRAY,
    ARRAY_CLASS,
    ERROR,
    FIRST_ITEM,
    GROUP,
    HEAD,
    INTEGER,
    TO_DOUBLE,
    TO_INTEGER,
)
from rollcone._build.intrinsics import (
    call_without,
    read_int,
    read_word,
    to_double,
    to_int,
    write_double,
    write_word,
)
from rollcone._build.kernels import inlined, kernel

_SWAPPED = ord(">" if sys.byteorder == "little" else "<")  # of a dtype in the other byte order


@kernel
def unpack(arguments, program, python, frame):
    """Lay out the arguments in the frame; 0, or 1 + the number of the first that does not fit."""
    items, outer, inside = arguments + python[FIRST_ITEM], 0, 0
    k, number = 0, 0
    while k < program.shape[0]:
        if inside == 0:
            number += 1
        value = read_word(items)
        items += 8
        kind = program[k]
        if kind == GROUP:
            size = read_word(value + python[HEAD])
            if read_word(value + python[HEAD] - 8) != program[k + 2] or size != program[k + 1]:
                return number
            outer, items, inside = items, value + python[FIRST_ITEM], size + 1
            k += 3
        elif kind == ARRAY:
            if not unpack_array(value, program[k + 1 : k + 5], python, frame):
                return number
            frame += 8 * (5 + 2 * program[k + 2])
            k += 5
        else:
            if not unpack_number(kind, value, python, frame):
                return number
            frame += 8
            k += 1
        if inside > 0:
            inside -= 1
            if inside == 0:
                items = outer
    return 0


@inlined
def unpack_number(kind, value, python, frame):
    """Write one number; False if Python cannot convert the object, which is then its error."""
    if kind == INTEGER:
        whole = to_int(python[TO_INTEGER], value)
        write_word(frame, whole)
        failed = whole == -1 and call_without(python[ERROR]) != 0
    else:
        real = to_double(python[TO_DOUBLE], value)
        write_double(frame, real)
        failed = real == -1.0 and call_without(python[ERROR]) != 0
    return not failed


@inlined
def unpack_array(value, expected, python, frame):
    """Write one array; False if the object has not the expected dtype, dimensions and flags."""
    dtype, dimensions, item, needed = expected[0], expected[1], expected[2], expected[3]
    head = python[HEAD]
    if read_word(value + head - 8) != python[ARRAY_CLASS]:
        return False
    description, flags = read_word(value + head + 40), read_int(value + head + 48)
    if read_int(value + head + 8) != dimensions or flags & needed != needed:
        return False
    order = (read_int(description + head + 8) >> 16) & 0xFF
    if read_int(description + head + 12) != dtype or order == _SWAPPED:
        return False
    lengths, step, items = read_word(value + head + 16), item, 1
    for k in range(dimensions - 1, -1, -1):
        length = read_word(lengths + 8 * k)
        items *= length
        write_word(frame + 8 * (5 + k), length)
        write_word(frame + 8 * (5 + dimensions + k), step)
        step *= length
    write_word(frame, 0)
    write_word(frame + 8, 0)
    write_word(frame + 16, items)
    write_word(frame + 24, item)
    write_word(frame + 32, read_word(value + head))
    return True
