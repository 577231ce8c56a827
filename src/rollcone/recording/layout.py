"""Run files: what is in them, written and read in one place.

format, format_version, version, id         attributes: "rollcone-run", of this layout, of
                                            Rollcone, and a name that no other file has
scene                                       the text of the scene file, or nothing
time                                        (moments,), s
energy/, statistics/                        (moments,) each, as in `Run`; J
states/position, orientation, velocity, angular_velocity    (moments, bodies, 3 or 4)
joints/values                               (moments, joints, ...), as joints.py has them
contacts/end                                (moments,): contacts up to and with each moment
contacts/bodies, gap, normal, ...           (contacts of all moments, ...), as in `Run.contacts`
contact_summary/                            (moments,) each, as in `Run.contact_summary`
checkpoint/                                 all that is needed to go on (checkpoint.py)
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from rollcone import __version__
from rollcone.errors import FileError
from rollcone.recording.checks import END, check_entries, check_part
from rollcone.recording.moments import JOINTS, MATRICES, widened
from rollcone.recording.texts import attribute, put_attribute, put_text

FORMAT, FORMAT_VERSION = "rollcone-run", 1
_CHUNK, _BODIES = 2**15, 1024  # values in a chunk, bodies in one
_AT_ONCE = 2**22  # values that are copied


def write_image(path: Path, write: Callable[[Any], None]) -> None:
    """A small file, whole or not at all: made in memory, written beside, renamed into place."""
    with h5py.File.in_memory() as image:
        write(image)
        image.flush()
        data = image.id.get_file_image()
    beside = path.with_name(path.name + ".new")
    try:
        with open(beside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        rename(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise cannot_write(path, error) from error


def rename(beside: Path, path: Path) -> None:
    """Into place, on the disk when this returns."""
    os.replace(beside, path)
    if hasattr(os, "O_DIRECTORY"):  # what Windows has not, it does not need
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def cannot_write(path: Path, error: OSError) -> FileError:
    """In words."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    why = "the disk is full" if full else (error.strerror or str(error))
    return FileError(f"cannot write {path}: {why}")


def write_head(file: Any, name: str, scene: str) -> None:
    """What tells that it is a run file, and which."""
    file.attrs["format_version"] = FORMAT_VERSION
    for key, text in (("format", FORMAT), ("version", __version__), ("id", name)):
        put_attribute(file, key, text)
    put_text(file, "scene", scene)


def write_moments(file: Any, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Those of `Moments.arrays`, as they are: columns of numbers side by side."""
    for name, values in arrays.items():
        file[name] = values


def put(group: Any, name: str, values: NDArray[Any]) -> None:
    """With a checksum, which only arrays that have chunks can have."""
    whole = values.size > 0 and values.ndim > 0
    group.create_dataset(name, data=values, chunks=whole or None, fletcher32=whole or None)


def is_run_file(path: str | Path) -> bool:
    """An HDF5 file that says so of itself?"""
    try:
        with h5py.File(path, "r") as file:
            return attribute(file, "format") == FORMAT
    except (OSError, LookupError, RuntimeError, ValueError):
        return False


class Joined:
    """The moments of several files one after the other, in a new run file. Each of them is a run
    file itself, or what `write_moments` wrote; there may be thousands, so that only one is open
    at a time."""

    def __init__(self, target: Any, files: Sequence[Path]) -> None:
        self._target, self._files = target, files
        self._rows: dict[str, int] = {}  # that have been written, of each dataset
        self._contacts = 0

    def write(self) -> None:
        for name, (shape, dtype) in self._shapes().items():
            self._create(name, shape, dtype)
        columns: dict[str, list[NDArray[Any]]] = {}
        for path in self._files:
            with h5py.File(path, "r") as source:
                for matrix, values in _matrices(source):
                    columns.setdefault(matrix, []).append(values)
                for name in self._rows:
                    if name in source:
                        self._append(name, source[name])
                    else:  # joints that came later
                        self._rows[name] += len(source["states/position"])
        for matrix, parts in columns.items():
            for name, values in zip(MATRICES[matrix], np.concatenate(parts).T, strict=True):
                put(self._target, name, values)

    def _shapes(self) -> dict[str, tuple[list[int], Any]]:
        """Of all arrays as they will be: rows are summed, bodies the most there are."""
        found: dict[str, tuple[list[int], Any]] = {}
        for path in self._files:
            with h5py.File(path, "r") as source:
                check_entries(source)
                check_part(source)
                for group in ("states", "joints", "contacts"):
                    for name, part in source.get(group, {}).items():
                        place = f"{group}/{name}"
                        shape, _ = found.setdefault(place, ([0, *part.shape[1:]], part.dtype))
                        shape[0] += part.shape[0]
                        shape[1:] = np.maximum(shape[1:], part.shape[1:]).tolist()
        if JOINTS in found:  # which may have come later
            found[JOINTS][0][0] = found["states/position"][0][0]
        return found

    def _create(self, name: str, shape: list[int], dtype: Any) -> None:
        self._rows[name] = 0
        if 0 in shape:  # no contacts in the whole run
            self._target.create_dataset(name, shape, dtype)
            return
        self._target.create_dataset(
            name, shape, dtype, chunks=_chunks(shape), fillvalue=_nothing(dtype), shuffle=True,
            compression="gzip", compression_opts=1, fletcher32=True,
        )  # fmt: skip

    def _append(self, name: str, part: Any) -> None:
        whole = self._target[name]
        at_once = max(1, _AT_ONCE // max(1, int(np.prod(part.shape[1:]))))
        for first in range(0, part.shape[0], at_once):
            values = part[first : first + at_once]
            row = self._rows[name]
            if name == END:
                values = values + self._contacts
            inner = (slice(size) for size in values.shape[1:])
            whole[(slice(row, row + len(values)), *inner)] = values
            self._rows[name] += len(values)
        if name == END:
            self._contacts = int(whole[self._rows[name] - 1])


def _matrices(source: Any) -> Iterator[tuple[str, NDArray[Any]]]:
    for matrix, places in MATRICES.items():
        if matrix in source:
            values = source[matrix][()]
            yield matrix, widened(values) if matrix == "numbers" else values
        elif places[0] in source:
            none = np.zeros(len(source["time"]))  # of columns that older files do not have
            columns = [source[name][()] if name in source else none for name in places]
            yield matrix, np.stack(columns, axis=1)


def _chunks(shape: list[int]) -> tuple[int, ...]:
    """Some moments of some bodies, so that both a moment and a track are read quickly."""
    inner = list(shape[1:])
    if len(inner) == 2:
        inner[0] = max(1, min(inner[0], _BODIES))
    rows = max(1, _CHUNK // max(1, int(np.prod(inner))))
    return (min(rows, max(1, shape[0])), *inner)


def _nothing(dtype: Any) -> Any:
    """Of bodies that were not there yet."""
    return np.nan if dtype.kind == "f" else 0
