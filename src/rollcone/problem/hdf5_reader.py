"""Reads HDF5 files that nobody vouches for.

Nothing is read whose shape and size were not compared with what is wanted and with the
size of the file, so no header decides how much memory is taken; and nothing is read
from any other file, whatever the links say. Text of variable length is refused: HDF5 takes
memory for the length that it claims before it looks whether so much is there.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.errors import FileError

NOT_READ = "(text of variable length, not read)"
MOST_DEFLATE = 1032  # what a compressed byte can at most grow to


class Hdf5Reader:
    """An open file; names of entries are paths, and None in a shape means any length."""

    def __init__(self, path: Path) -> None:
        import h5py

        self._size = path.stat().st_size  # in bytes
        self._file = h5py.File(path, "r")

    def __enter__(self) -> Hdf5Reader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def names(self, group: str = "") -> list[str]:
        """What is in a group, sorted; nothing if there is no such group."""
        import h5py

        try:
            entry = self._entry(group)
        except FileError:
            return []
        return sorted(entry) if isinstance(entry, h5py.Group) else []

    def floats(self, name: str, *shape: int | None) -> FloatArray:
        return self._array(name, shape, "fiu").astype(np.float64, copy=False)

    def floats_or_zeros(self, name: str, length: int) -> FloatArray:
        """An array that may have been declared and never written: HDF5 then means zeros."""
        entry = self._entry(name)
        if getattr(entry, "shape", None) == (length,) and not entry.id.get_storage_size():
            return np.zeros(length)
        return self.floats(name, length)

    def integers(self, name: str, *shape: int | None) -> NDArray[Any]:
        return self._array(name, shape, "iu")

    def number(self, name: str) -> int:
        """One whole number, kept as an array of one entry or of none."""
        shape = (1,) if getattr(self._entry(name), "shape", None) == (1,) else ()
        return int(self.integers(name, *shape).reshape(()))

    def text(self, name: str) -> str:
        """A string in whatever encoding: bytes that are not UTF-8 become U+FFFD.

        One of variable length is not read: HDF5 takes memory for the length that it claims.
        """
        import h5py

        dataset = self._entry(name)
        if not isinstance(dataset, h5py.Dataset) or not h5py.check_string_dtype(dataset.dtype):
            raise FileError(f"{name}: must be text")
        if dataset.dtype.kind == "O":
            return NOT_READ
        return bytes(self._checked(name, dataset, ())[()]).decode("utf-8", errors="replace")

    def has_attribute(self, name: str) -> bool:
        """Of the file as a whole."""
        return name in self._file.attrs

    def attribute(self, owner: str, name: str, *shape: int) -> Any:
        attributes = self._entry(owner).attrs
        if name not in attributes or attributes.get_id(name).shape != shape:
            raise FileError(f"attribute {name} is missing or not of shape {shape}")
        if attributes.get_id(name).dtype.kind not in "fiuS":
            raise FileError(f"attribute {name}: must be a number or text of fixed length")
        return attributes[name]

    def _entry(self, name: str) -> Any:
        import h5py

        group: Any = self._file
        for part in filter(None, name.split("/")):
            link = group.get(part, getlink=True) if isinstance(group, h5py.Group) else None
            if not isinstance(link, h5py.HardLink):
                raise FileError(f"{name} is missing")
            group = group[part]
        return group

    def _array(self, name: str, shape: tuple[int | None, ...], types: str) -> NDArray[Any]:
        import h5py

        dataset = self._entry(name)
        if not isinstance(dataset, h5py.Dataset) or dataset.dtype.kind not in types:
            whole = "" if "f" in types else "whole "
            raise FileError(f"{name}: must be an array of {whole}numbers")
        return np.asarray(self._checked(name, dataset, shape)[()])

    def _checked(self, name: str, dataset: Any, shape: tuple[int | None, ...]) -> Any:
        if not fits(dataset.shape, shape):
            raise FileError(f"{name} of shape {dataset.shape}: must be {shape_words(shape)}")
        stored = min(dataset.id.get_storage_size(), self._size)
        growth = MOST_DEFLATE if dataset.compression else 1
        if dataset.is_virtual or dataset.external or dataset.nbytes > growth * stored:
            raise FileError(f"{name} of shape {dataset.shape}: not all of it is in the file")
        return dataset


def fits(shape: tuple[int, ...] | None, wanted: tuple[int | None, ...]) -> bool:
    if shape is None or len(shape) != len(wanted):
        return False
    return all(want in (None, have) for have, want in zip(shape, wanted, strict=True))


def shape_words(shape: tuple[int | None, ...]) -> str:
    return f"({', '.join('any' if n is None else str(n) for n in shape)})"
