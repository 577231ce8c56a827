"""Texts in run files: of fixed length.

HDF5 keeps texts of variable length in heaps, and never comes back from some damaged ones (seen in
HDF5 2.0). Files of earlier versions have such texts; their heaps are looked at before HDF5 does.
"""

from __future__ import annotations

import mmap
import struct
from typing import Any

import h5py
import numpy as np

_HEAP = b"GCOL\x01\0\0\0"
_HEAD, _OBJECT = 16, 16  # bytes of a heap's header, and of each object's
_LONGEST = 2**30  # bytes


def put_text(group: Any, name: str, text: str) -> None:
    """As an entry of a group."""
    group[name] = _fixed(text)


def put_attribute(owner: Any, name: str, text: str) -> None:
    owner.attrs[name] = _fixed(text)


def _fixed(text: str) -> Any:
    data = text.encode()
    return np.array(data, dtype=h5py.string_dtype("utf-8", max(len(data), 1)))


def bytes_of(entry: Any) -> bytes:
    """A text of either kind; a ValueError if it is none."""
    kind = h5py.check_string_dtype(entry.dtype)
    if kind is None or entry.shape != ():
        raise ValueError(f"{entry.name}: must be a text")
    if kind.length is None:
        _check_heaps(entry.file.filename)
    elif kind.length > min(entry.file.id.get_filesize(), _LONGEST):
        raise ValueError(f"{entry.name}: claims {kind.length} bytes")
    return bytes(entry[()])


def attribute(owner: Any, name: str) -> str | int:
    """One text or whole number, or a KeyError or ValueError."""
    if name not in owner.attrs:
        raise KeyError(f"attribute {name} is missing")
    about = owner.attrs.get_id(name)
    kind = h5py.check_string_dtype(about.dtype)
    if about.shape != () or (kind is None and about.dtype.kind not in "iu"):
        raise ValueError(f"attribute {name}: must be a text or a whole number")
    if kind is not None and kind.length is None:
        _check_heaps(owner.file.filename)
    value = owner.attrs[name]
    if kind is None:
        return int(value)
    return value.decode() if isinstance(value, bytes) else str(value)


def _check_heaps(path: str) -> None:
    """Every heap in the file, object by object: does each have a size, and an end within it?"""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        place = data.find(_HEAP)
        while place >= 0:
            (size,) = struct.unpack_from("<Q", data, place + 8)
            end = place + size
            if size < _HEAD or end > len(data):
                raise ValueError("a heap of texts is cut off")
            _check_objects(data, place + _HEAD, end)
            place = data.find(_HEAP, place + 1)


def _check_objects(data: mmap.mmap, at: int, end: int) -> None:
    while at + _OBJECT <= end:
        index, _, _, size = struct.unpack_from("<HHIQ", data, at)
        # The object 0 is free room, and its size is that of all that is left, with its header.
        step = size if index == 0 else _OBJECT + (size + 7) // 8 * 8
        if step < _OBJECT or at + step > end:
            raise ValueError("a heap of texts is damaged")
        at += step
