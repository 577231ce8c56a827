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
_BETWEEN = re.compile(r"[,;\t ]+")


def read_curve(path: Path) -> dict[str, FloatArray]:
    """Columns by name, in the order of time. A first line that is no numbers names them; without
    one they are time, value, uncertainty. Lines after # are left out."""
    try:
        lines = read_text(path, "curve").split("\n")
    except FileError as error:
        raise InputError(f"file = {str(path)!r}: {error}") from error
    rows: list[list[float]] = []
    names = list(COLUMNS)
    for number, line in enumerate(lines, start=1):
        cells = _BETWEEN.split(line.partition("#")[0].strip(" \t,;"))
        if cells == [""]:
            continue
        numbers = _numbers(cells)
        if numbers is None and not rows and names == list(COLUMNS):
            names = _named(cells, path)
            continue
        if numbers is None or not 2 <= len(numbers) <= len(names):
            raise InputError(
                f"file = {str(path)!r}: line {number} is {line[:40]!r}: must be the numbers "
                f"{', '.join(names)}"
            )
        rows.append(numbers)
        if len(rows) > MOST:
            raise InputError(f"file = {str(path)!r}: has more than {MOST:,} points; take fewer")
    if not rows or len({len(row) for row in rows}) > 1:
        words = "has no numbers" if not rows else "has lines of two and of three numbers"
        raise InputError(f"file = {str(path)!r}: {words}")
    table = np.array(rows)
    columns = {name: table[:, k] for k, name in enumerate(names[: table.shape[1]])}
    order = np.argsort(columns["time"], kind="stable")
    return {name: column[order] for name, column in columns.items()}


def _numbers(cells: list[str]) -> list[float] | None:
    try:
        numbers = [float(cell) for cell in cells]
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _named(cells: list[str], path: Path) -> list[str]:
    names = [cell.strip("\"'").lower() for cell in cells]
    if not {"time", "value"} <= set(names) <= set(COLUMNS) or len(set(names)) < len(names):
        raise InputError(
            f"file = {str(path)!r}: has columns {', '.join(names)[:60]}: must be time, value and, "
            "if known, uncertainty"
        )
    return names
