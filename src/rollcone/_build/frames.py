"""How the arguments of an entry are laid out for compiled code.

`program_of` says what to expect of a tuple of arguments, as a list of int64:

    ARRAY, number of the dtype, dimensions, bytes per item, bits of NumPy's flags that it must have
    INTEGER
    DOUBLE
    GROUP, fields, address of the class      (its fields follow)

`unpack` (unpack.py) lays them out in a frame of words: a number is a word; an array is two null
pointers, its number of items, bytes per item, address of its data, lengths and steps of its
dimensions (Numba's layout); a group is its fields.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from rollcone._build.signatures import ArgumentType, ArrayType, GroupType, Signature

ARRAY, INTEGER, DOUBLE, GROUP = range(4)
# What unpack.py is told of this Python, as int64: size of an object's head, place of a tuple's
# first item, addresses of `PyLong_AsLongLong`, `PyFloat_AsDouble`, `PyErr_Occurred` and of the
# class of arrays.
HEAD, FIRST_ITEM, TO_INTEGER, TO_DOUBLE, ERROR, ARRAY_CLASS, PYTHON_WORDS = range(7)
FRAME = 2048  # words of a frame, at most
_READY, _WRITEABLE = 0x101, 0x400  # bits of an array's flags: in C order and aligned; writeable


def program_of(signature: Signature, written: Collection[str] = ()) -> list[int]:
    """Return what `unpack` expects of the arguments. `written`: arrays that must be writeable, by
    the name of the argument or as `group.field`."""
    found: list[int] = []
    for argument, kind in signature.arguments:
        if isinstance(kind, GroupType):
            found += [GROUP, len(kind.fields), id(kind.made_by)]
            for name, field in kind.fields:
                if isinstance(field, GroupType):
                    raise TypeError(f"{kind.made_by.__name__}.{name}: a group within a group")
                found += _one(field, f"{argument}.{name}" in written)
        else:
            found += _one(kind, argument in written)
    return found


def _one(kind: ArgumentType, written: bool) -> list[int]:
    if isinstance(kind, ArrayType):
        dtype, flags = np.dtype(kind.numbers), _READY | (_WRITEABLE if written else 0)
        return [ARRAY, dtype.num, kind.dimensions, dtype.itemsize, flags]
    return [DOUBLE if kind is float else INTEGER]
