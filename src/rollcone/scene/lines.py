"""Where the tables and keys of a TOML text are: a scan of its lines, only to tell line numbers.

The text has been parsed before. What the scan takes for headers may lie in a text of several lines;
if so the count of tables differs, or a key is not found, and no line or that of the table is told.
"""

from __future__ import annotations

import re
from typing import Any

_HEADER = re.compile(r"^\s*(\[{1,2})\s*\"?([\w-]+)\"?\s*\]{1,2}\s*(#.*)?$")
_KEY = re.compile(r"^\s*\"?([\w-]+)\"?\s*[.=]")


class Lines:
    """Headers and keys of a text."""

    def __init__(self, text: str, document: dict[str, Any]) -> None:
        self._tables: dict[str, list[dict[str, int]]] = {}
        table = self._root = {"": 1}
        for number, line in enumerate(text.split("\n"), start=1):
            if header := _HEADER.match(line):
                table = {"": number}
                self._tables.setdefault(header[2], []).append(table)
            elif key := _KEY.match(line):
                table.setdefault(key[1], number)
        for name, tables in list(self._tables.items()):
            value = document.get(name)
            if len(tables) != (len(value) if isinstance(value, list) else 1):
                del self._tables[name]

    def line(self, place: tuple[str | int, ...]) -> int | None:
        """Of a key such as ('body', 3, 'radius'), or else of its table."""
        if not place:
            return None
        name, *rest = place
        tables = self._tables.get(str(name))
        if tables is None:
            return self._root.get(str(name))
        number = 0
        if rest and isinstance(rest[0], int):
            number, *rest = rest[0], *rest[1:]
        if number >= len(tables):
            return None
        table = tables[number]
        return table.get(str(rest[0]) if rest else "", table[""])
