"""Checks of user input, with messages that name the field, the value and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollcone.errors import InputError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
LARGEST = 1e150
LARGEST_INTEGER = 2**63 - 1  # of kernels


def finite_array(name: str, value: ArrayLike) -> FloatArray:
    """`value` as a C-ordered float64 array; every entry must be finite."""
    array = real_array(name, value)
    bad = ~np.isfinite(array)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        at = f"{name}{list(where)}" if where else name
        raise InputError(f"{at} = {array[where]}: must be finite")
    return array


def bounded_array(name: str, value: ArrayLike) -> FloatArray:
    """As `finite_array`, and small enough to be squared: at most 1e150."""
    array = finite_array(name, value)
    if np.abs(array).max(initial=0.0) > LARGEST:
        worst = array.flat[np.argmax(np.abs(array))]
        raise InputError(f"{name} has an entry {worst}: must be at most {LARGEST:g} in size")
    return array


def real_array(name: str, value: ArrayLike) -> FloatArray:
    """`value` as a C-ordered float64 array; NaN and infinities are left for the caller."""
    try:
        source = np.asarray(value)
        if source.dtype.kind not in "fiub" or (source.dtype == bool and source.size):
            raise TypeError
        return np.require(source, dtype=np.float64, requirements="C")
    except (TypeError, ValueError):
        raise InputError(f"{name} = {value!r}: must be a number or an array of numbers") from None


def positive_number(name: str, value: float, *, zero: bool = False) -> float:
    """`value` as a finite float above zero (or zero, if allowed)."""
    words = f"{name} = {value!r}: must be one number {'>= 0' if zero else '> 0'}"
    if value is None or isinstance(value, bool | str):
        raise InputError(words)
    array = finite_array(name, value)
    if array.ndim or array < 0 or (array == 0 and not zero):
        raise InputError(words)
    if array > LARGEST:
        raise InputError(f"{name} = {value!r}: must be at most {LARGEST:g}")
    return float(array)


def one_number(name: str, value: float) -> float:
    """`value` as a finite float of either sign."""
    array = finite_array(name, value)
    if array.ndim:
        raise InputError(f"{name} = {value!r}: must be one number")
    return float(array)


def true_or_false(name: str, value: bool) -> bool:
    """`value` as a bool; nothing else is taken for one."""
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name} = {value!r}: must be True or False")
    return bool(value)


def whole_number(name: str, value: int, *, least: int = 0) -> int:
    """`value` as an int that is not too small."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InputError(f"{name} = {value!r}: must be a whole number >= {least}")
    if value > LARGEST_INTEGER:
        raise InputError(f"{name} = {value!r}: must be at most 2^63 - 1")
    return int(value)


def one_of(name: str, value: object, allowed: Iterable[str]) -> str:
    """`value` if it is one of the allowed words; close misspellings get a suggestion."""
    words = list(allowed)
    if isinstance(value, str) and value in words:
        return value
    hint = did_you_mean(str(value), words)
    raise InputError(f"{name} = {value!r}: must be one of {', '.join(words)}{hint}")


def did_you_mean(given: str, words: Iterable[str]) -> str:
    """What an unknown word may have been meant to be, for the end of a message; or nothing."""
    from difflib import get_close_matches

    known = list(words)
    begin = [word for word in known if given and word.startswith(given)]
    close = get_close_matches(given, known, n=1) or begin
    return f" (did you mean {close[0]!r}?)" if close else ""
