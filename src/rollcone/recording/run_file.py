"""Reading runs: `rc.open_run("out.h5")`, finished or not."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.errors import FileError, RollconeError
from rollcone.mechanics.world import World
from rollcone.recording.checkpoint import read_notes, read_world
from rollcone.recording.checks import (
    END,
    check_column,
    check_entries,
    check_moments,
    check_notes,
    check_pairs,
    number,
)
from rollcone.recording.frames import CONTACT_FIELDS
from rollcone.recording.joints import JOINT
from rollcone.recording.layout import FORMAT, FORMAT_VERSION
from rollcone.recording.moments import JOINTS, LATER, SUMMARY, place
from rollcone.recording.part import folder_of, unfinished, write_whole
from rollcone.recording.run import Run
from rollcone.recording.texts import attribute, bytes_of

_CACHE = 2**26  # bytes of chunks that are kept, of each dataset


class RunFile:
    """A `Source`: an HDF5 file whose arrays are read when they are asked for."""

    def __init__(self, file: Path, path: Path) -> None:
        """`path` is the name that the user gave; the data may be in a file made from it."""
        self.path: Path | None = path
        self._columns: dict[str, FloatArray] = {}
        self.file = _open(file)
        with reading(path):
            self.notes: dict[str, Any] = read_notes(self.file)
            check_notes(self.notes)
            self.step = float(self.notes["settings"]["step"])
            self.steps = int(self.notes["recorder"]["steps"])
            self.wall_time = float(self.notes["recorder"]["wall_time"])
            self.timing: dict[str, float] = dict(self.notes["recorder"].get("timing", {}))
            self.words: dict[str, str] = dict(self.notes["words"])
            self.level = str(self.notes["level"])
            self.pairs = [(int(a), int(b)) for a, b in self.notes["recorder"]["pairs"]]
            self.scene = bytes_of(self.file["scene"]).decode()
            self.version, self.id = (str(attribute(self.file, name)) for name in ("version", "id"))
            check_moments(self.file, len(self.notes["world"]["names"]), self.level)

    @cached_property
    def world(self) -> World:
        with self._reading():
            return read_world(self.file, self.notes)

    @property
    def time(self) -> float:
        """Where it stands, which may be later than the last record (s)."""
        start = self.notes["settings"]["start_time"]
        return float(start + self.steps * self.step)

    def column(self, name: str) -> FloatArray:
        return self._column(name).copy()

    def _column(self, name: str) -> FloatArray:
        if name not in self._columns:
            with self._reading():
                there = place(name)
                # Older files do not have all columns.
                known = there in self.file or name not in LATER
                values = self.file[there][()] if known else np.zeros(len(self.file["time"]))
                self._columns[name] = check_column(name, np.asarray(values))
        return self._columns[name]

    def number(self, name: str, moment: int) -> float:
        return float(self._column(name)[moment])

    def __len__(self) -> int:
        return len(self._column("time"))

    def states(self, name: str) -> Any:
        with self._reading():
            return LazyArray(self.file[f"states/{name}"], self._reading)

    def track(self, name: str, number: int) -> FloatArray:
        return np.asarray(self.states(name)[:, number])

    def joint(self, number: int) -> FloatArray:
        with self._reading():
            if JOINTS not in self.file or number >= self.file[JOINTS].shape[1]:
                return np.full((len(self), JOINT), np.nan)  # added after the last moment
            return np.asarray(self.file[JOINTS][:, number])

    def joints_at(self, moment: int) -> FloatArray:
        with self._reading():
            if JOINTS not in self.file:
                return np.zeros((0, JOINT))
            return np.asarray(self.file[JOINTS][moment])

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        return np.asarray(self.file[END][()])

    def contact_ends(self) -> NDArray[np.int64]:
        with self._reading():
            return self._ends

    def contact_rows(self, first: int, last: int) -> dict[str, NDArray[Any]]:
        with self._reading():
            rows = {name: self.file[f"contacts/{name}"][first:last] for name in CONTACT_FIELDS}
            check_pairs(rows["bodies"], len(self.world.state))
            return rows

    def summaries(self) -> FloatArray:
        with self._reading():
            columns = [self.file[f"contact_summary/{name}"][()] for name in SUMMARY]
            return np.stack(columns, axis=1)

    def _reading(self) -> AbstractContextManager[None]:
        return reading(self.path)

    def close(self) -> None:
        self.file.close()


class LazyArray:
    """An array in a file: what is indexed is read, and `np.asarray` reads it all."""

    def __init__(self, data: Any, reading: Callable[[], AbstractContextManager[None]]) -> None:
        self._data, self._reading = data, reading
        self.shape: tuple[int, ...] = data.shape
        self.dtype = data.dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> NDArray[Any]:
        with self._reading():
            return np.asarray(self._data[index])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self[()], dtype=dtype)

    def __repr__(self) -> str:
        return f"LazyArray{self.shape}"


@contextmanager
def reading(path: Path | None) -> Iterator[None]:
    """What a damaged file does when it is read, in one line."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (OSError, LookupError, TypeError, ValueError, RuntimeError, ArithmeticError,
            AttributeError) as error:  # fmt: skip
        if isinstance(error, RollconeError) and str(path) in str(error):
            raise
        words = " ".join(str(error).split())
        raise FileError(f"{path}: is damaged ({words})") from error


def open_run(path: str | Path) -> Run:
    """A run from its file, `out.h5`, also while it is being written or after it was killed.

    Arrays are read when they are asked for. Of a run that is not finished one sees what has
    been written so far.
    """
    return Run(open_source(path))


def open_source(path: str | Path) -> RunFile:
    file = run_path(path)
    for attempt in (1, 2):
        try:
            with reading(file):
                if not unfinished(file):
                    break
                return _open_part(file)
        except FileNotFoundError as error:  # its writer has just finished it
            if attempt == 2:
                raise missing(file, error) from error
    return RunFile(file, file)


def run_path(path: str | Path) -> Path:
    """The file, also if its folder `out.h5.part` was named."""
    given = Path(path)
    file = given.with_suffix("") if given.suffix == ".part" else given
    if file.is_dir():
        raise FileError(f"{file}: is a folder, not a run file")
    return file


def missing(path: Path, error: FileNotFoundError) -> FileError:
    return FileError(f"{path}: a part of the run is missing ({' '.join(str(error).split())})")


def _open_part(path: Path) -> RunFile:
    """Of a run in progress: a file made of what there is, which goes when it is closed."""
    place = Path(tempfile.mkdtemp(prefix="rollcone-"))
    try:
        whole = place / "run.h5"
        write_whole(path, folder_of(path), whole)
        source = RunFile(whole, path)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    weakref.finalize(source, shutil.rmtree, place, ignore_errors=True)
    return source


def _open(path: Path) -> Any:
    if not path.exists():
        raise FileError(f"{path}: there is no such file")
    try:
        file = h5py.File(path, "r", rdcc_nbytes=_CACHE)
    except OSError as error:
        raise FileError(f"{path}: is not a run file, or is damaged ({error})") from None
    try:
        with reading(path):
            _check_head(path, file)
    except BaseException:
        file.close()
        raise
    return file


def _check_head(path: Path, file: Any) -> None:
    if "format" not in file.attrs or attribute(file, "format") != FORMAT:
        raise FileError(f"{path}: is an HDF5 file, but not a run of Rollcone")
    version = number("format_version", attribute(file, "format_version"), 0)
    if version > FORMAT_VERSION:
        raise FileError(
            f"{path}: has format {version}, and this Rollcone reads up to {FORMAT_VERSION}; "
            "a newer Rollcone is needed"
        )
    if "time" not in file or "checkpoint/notes" not in file:
        raise FileError(f"{path}: has no moments, or no checkpoint; is it damaged?")
    check_entries(file)
