"""Arrays that scenes take from files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rollcone._check import FloatArray
from rollcone.errors import InputError

_MOST = 2_000_000  # numbers


def read_array(path: str, name: str) -> FloatArray:
    """Numbers in a .npy file; `name` is what errors begin with."""
    try:
        # Not read before it is known how many there are; objects, which run code, are refused.
        found = np.load(Path(path), mmap_mode="r", allow_pickle=False)
    except Exception as error:  # a damaged header makes NumPy raise what has no common type
        raise InputError(f"{name} = {path!r}: cannot be read as .npy ({error})") from error
    if isinstance(found, np.lib.npyio.NpzFile):
        found.close()
    if not isinstance(found, np.ndarray) or not np.issubdtype(found.dtype, np.number):
        raise InputError(f"{name} = {path!r}: must hold an array of numbers")
    if found.size > _MOST or np.iscomplexobj(found):
        raise InputError(f"{name} = {path!r}: must hold at most {_MOST} real numbers")
    return np.array(found, dtype=np.float64)
