"""Results of a race, one line of a CSV file for each problem, solver and tolerance.

Lines are added as results come. A process that is killed while it writes leaves a line without
an end: it is dropped by who opens the file next. A line counts for what it was measured with: the
problem (its name, a checksum of its file and the law), solver, tolerance, time limit and version of
Rollcone are its key.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TextIO

from rollcone import __version__
from rollcone.errors import FileError

SOLVED, FAILED, TIMED_OUT = "solved", "failed", "timed out"
NOT_SUPPORTED, NOT_TRIED = "not supported", "not tried"
STATES = (SOLVED, FAILED, TIMED_OUT, NOT_SUPPORTED, NOT_TRIED)
NAN = float("nan")


@dataclass(frozen=True)
class Outcome:
    """How one solver did.

    cpu, wall   seconds; of the quickest of `turns`
    residual    recomputed from the raw data, no unit; nan if there is no answer
    """

    status: str
    cpu: float = NAN
    wall: float = NAN
    iterations: int = 0
    residual: float = NAN
    turns: int = 0
    note: str = ""


@dataclass(frozen=True)
class Result:
    """One line: its key, the size of the problem, the outcome."""

    problem: str
    checksum: str
    law: str
    solver: str
    tolerance: float
    time_limit: float
    version: str
    contacts: int
    rows: int
    status: str
    cpu: float
    wall: float
    iterations: int
    residual: float
    turns: int
    note: str

    @property
    def key(self) -> tuple[str | float, ...]:
        return (*self.state, self.solver, self.tolerance, self.time_limit)

    @property
    def state(self) -> tuple[str, ...]:
        """Of the problem, and of what solved it."""
        return self.problem, self.checksum, self.law, self.version


COLUMNS = tuple(field.name for field in fields(Result))
_TYPES = {field.name: field.type for field in fields(Result)}
_READ: dict[str, Any] = {"str": str, "int": int, "float": float}


class ResultFile:
    """The file, open for more; `results` has the last line of every key."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results: dict[tuple[str | float, ...], Result] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            whole = _drop_unended(path)
            for result in read(path) if whole else ():
                self.results[result.key] = result
            self._file: TextIO = path.open("a", newline="", encoding="utf-8")
            if not whole:
                self._write(COLUMNS)
        except OSError as error:
            raise _unwritable(path, error) from error

    def add(self, result: Result) -> None:
        try:
            self._write(asdict(result).values())
        except OSError as error:
            raise _unwritable(self.path, error) from error
        self.results[result.key] = result

    def _write(self, cells: Any) -> None:
        """One line at once, so that a kill leaves a part of a line at most."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(cells)
        self._file.write(text.getvalue())
        self._file.flush()

    def __enter__(self) -> ResultFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def read(path: Path) -> Iterator[Result]:
    """The results in a file, line by line; a last line without an end is passed over."""
    try:
        lines = path.read_bytes().decode().splitlines(keepends=True)
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: is no table of results ({error})") from error
    lines = [line for line in lines if line.endswith("\n")]
    if not lines or next(csv.reader(lines[:1])) != list(COLUMNS):
        raise FileError(f"{path}: is no table of results; its first line must name {COLUMNS}")
    for number, line in enumerate(lines[1:], 2):
        try:
            yield _result(next(csv.reader([line])))
        except (ValueError, StopIteration) as error:
            raise FileError(f"{path}, line {number}: damaged ({error}); remove it") from error


def _result(cells: list[str]) -> Result:
    if len(cells) != len(COLUMNS):
        raise ValueError(f"{len(cells)} of {len(COLUMNS)} columns")
    values = {
        name: _READ[str(_TYPES[name])](cell) for name, cell in zip(COLUMNS, cells, strict=True)
    }
    if values["status"] not in STATES:
        raise ValueError(f"status {values['status']!r}")
    return Result(**values)


def make_result(problem: Any, solver: str, tolerance: float, limit: float, made: Outcome) -> Result:
    """A line from the problem's file (problem_files.py), what was asked, and what came of it."""
    return Result(
        problem=problem.name,
        checksum=problem.checksum,
        law=problem.law,
        solver=solver,
        tolerance=tolerance,
        time_limit=limit,
        version=__version__,
        contacts=problem.contacts,
        rows=problem.rows,
        **asdict(made) | {"note": " ".join(made.note.split())},  # a line stays one
    )


def _drop_unended(path: Path) -> bool:
    """Cut off what follows the last end of a line; whether anything is left."""
    if not path.exists():
        return False
    with path.open("r+b") as file:
        end = file.read().rfind(b"\n") + 1
        file.truncate(end)
    return end > 0


def _unwritable(path: Path, error: OSError) -> FileError:
    reason = os.strerror(error.errno) if error.errno else str(error)
    return FileError(f"{path}: cannot be written: {reason}; --output names another folder")
