"""A measured curve from a text file: columns time (s), value and, if there is one, uncertainty."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from rollcone._check import FloatArray
from rollcone.errors import FileError, InputError
from rollcone.scene.document import read_text

COLUMNS = ("time", "value", "uncertainty")
MOST = 10_000  # points
_ROLES = {"t": "time"} | {name: name for name in COLUMNS}  # names that say what a column is
_UNIT = re.compile(r"\s*[(\[].*[)\]]$")
_LIKE_A_NUMBER = re.compile(r"[-+.,]*\d")


def read_curve(path: Path) -> dict[str, FloatArray]:
    """Columns by name, in the order of time. A first line that is no numbers names them (`_named`);
    without one they are time, value, uncertainty. Lines after # are left out."""
    try:
        lines = read_text(path, "curve").split("\n")
    except FileError as error:
        raise InputError(f"file = {str(path)!r}: {error}") from error
    rows: list[list[float]] = []
    names: list[str] | None = None
    for number, line in enumerate(lines, start=1):
        cells = _cells(line.partition("#")[0])
        if not cells:
            continue
        if not rows and names is None and not any(map(_is_like_a_number, cells)):
            names = _named(cells, path)
            continue
        numbers = _numbers(cells)
        if numbers is None or len(numbers) not in ((2, 3) if names is None else (len(names),)):
            wanted = ", ".join(names or ("time", "value and, if known, uncertainty"))
            raise InputError(
                f"file = {str(path)!r}: line {number} is {line[:40]!r}: must be the numbers "
                f"{wanted}; between numbers with decimal commas there must be semicolons or tabs"
            )
        rows.append(numbers)
        if len(rows) > MOST:
            raise InputError(f"file = {str(path)!r}: has more than {MOST:,} points; take fewer")
    if not rows or len({len(row) for row in rows}) > 1:
        words = "has no numbers" if not rows else "has lines of two and of three numbers"
        raise InputError(f"file = {str(path)!r}: {words}")
    table = np.array(rows)
    columns = dict(zip(names or COLUMNS, table.T, strict=False))
    order = np.argsort(columns["time"], kind="stable")
    return {name: column[order] for name, column in columns.items()}


def _cells(line: str) -> list[str]:
    """Between semicolons, else tabs, else commas, else spaces: what comes later in this list may be
    part of a cell, so that a comma beside semicolons or tabs is a decimal one."""
    line = line.strip(" ").rstrip(" \t,;\r").lstrip("\t")
    if not line:
        return []
    for mark in ";\t,":
        if mark in line:
            return [cell.strip(" \t\"'").rstrip(",") for cell in line.split(mark)]
    return [cell.strip("\"'") for cell in line.split()]


def _numbers(cells: list[str]) -> list[float] | None:
    try:
        numbers = [float(cell.replace(",", ".")) for cell in cells]
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _is_like_a_number(cell: str) -> bool:
    """A mistyped first line of numbers is no line of names."""
    return _LIKE_A_NUMBER.match(cell) is not None or cell.lower() in ("", "nan", "inf", "-inf")


def _named(cells: list[str], path: Path) -> list[str]:
    """What the columns are: those called time (or t), value and uncertainty are that, wherever they
    stand; others, of any name, are what is left, in this order. Units in brackets may follow."""
    given = [_ROLES.get(_UNIT.sub("", cell).lower(), "") for cell in cells]
    left = iter([name for name in COLUMNS if name not in given])
    names = [name or next(left, "") for name in given]
    if not {"time", "value"} <= set(names) <= set(COLUMNS) or len(set(names)) < len(names):
        raise InputError(
            f"file = {str(path)!r}: has columns {', '.join(cells)[:60]}: must be two or three: "
            "time, value and, if known, uncertainty"
        )
    return names
