"""Where the tables and keys of a TOML text are: a scan of its lines, only to tell line numbers.

The text has been parsed before. What the scan takes for headers may lie in a text of several lines;
if so the count of tables differs, or a key is not found, and no line or that of the table is told.
"""

from __future__ import annotations

import re
from typing import Any

_NAME = r"\"?[\w-]+\"?"
_NAMES = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_HEADER = re.compile(rf"^\s*(\[{{1,2}})\s*({_NAMES})\s*\]{{1,2}}\s*(#.*)?$")
_KEY = re.compile(rf"^\s*({_NAMES})\s*[.=]")
_Keys = dict[tuple[str, ...], int]  # the line of each


class Lines:
    """Headers and keys of a text; those within tables by their path, such as ('angle', 'motor')."""

    def __init__(self, text: str, document: dict[str, Any]) -> None:
        self._tables: dict[str, list[_Keys]] = {}
        table: _Keys = {(): 1}
        self._root = table
        inner: list[str] = []  # the path of the present header within its table
        for number, line in enumerate(text.split("\n"), start=1):
            if header := _HEADER.match(line):
                name, *inner = _split(header[2])
                tables = self._tables.setdefault(name, [])
                if not inner or not tables:
                    tables.append({(): number})
                table = tables[-1]
                if inner and header[1] == "[[":
                    inner.append(_count(table, tuple(inner)))
                _note(table, inner, number)
            elif key := _KEY.match(line):
                _note(table, inner + _split(key[1]), number)
        for name, tables in list(self._tables.items()):
            value = document.get(name)
            if len(tables) != (len(value) if isinstance(value, list) else 1):
                del self._tables[name]

    def line(self, place: tuple[str | int, ...]) -> int | None:
        """Of a key such as ('body', 3, 'radius'), or else of the table that it is in."""
        if not place:
            return None
        name, *rest = place
        tables = self._tables.get(str(name))
        if tables is None:
            return self._root.get((str(name),))
        number = 0
        if rest and isinstance(rest[0], int):
            number, *rest = rest[0], *rest[1:]
        if number >= len(tables):
            return None
        path = tuple(map(str, rest))
        while path not in tables[number]:
            path = path[:-1]
        return tables[number][path]


def _split(names: str) -> list[str]:
    return [name.strip().strip('"') for name in names.split(".")]


def _count(table: _Keys, path: tuple[str, ...]) -> str:
    """Of tables at a path within another, so far: [[analysis.disturbance]]."""
    return str(sum(known[:-1] == path and known[-1].isdecimal() for known in table if known))


def _note(table: _Keys, path: list[str], line: int) -> None:
    """With the tables that it is in, if they are new."""
    for depth in range(1, len(path) + 1):
        table.setdefault(tuple(path[:depth]), line)
