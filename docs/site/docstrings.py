"""Docstrings are plain text, for `help()`; here they become reStructuredText.

Words in single quotes of code become code; tables of names and meanings become definition lists;
whatever else is set out in columns, or indented, stays as it is written.
"""

from __future__ import annotations

import ast
import re
from typing import Any

_COLUMNS = re.compile(r"\S {2,}\S")
_ENTRY = re.compile(r"(\S[^\n]*?) {2,}(\S.*)")


def to_rst(lines: list[str]) -> list[str]:
    """One paragraph after the other."""
    out: list[str] = []
    for paragraph in _paragraphs(lines):
        out += [*_converted(paragraph), ""]
    return out


def _paragraphs(lines: list[str]) -> list[list[str]]:
    text = "\n".join(lines).strip("\n")
    return [part.split("\n") for part in re.split(r"\n\s*\n", text)] if text else []


def _converted(lines: list[str]) -> list[str]:
    if lines[0].startswith((">>>", ".. ", ":")):
        return lines
    if all(line.startswith("    ") for line in lines):
        return _literal(lines)
    if _is_code(lines):
        return _literal(lines)
    if any(_COLUMNS.search(line) for line in lines):
        return _definitions(lines) or _literal(lines)
    return _inline(lines)


def _is_code(lines: list[str]) -> bool:
    """Statements of Python, which prose is not."""
    try:
        statements = ast.parse("\n".join(lines)).body
    except SyntaxError:
        return False
    return all(
        isinstance(one, ast.Assign | ast.Import | ast.ImportFrom) or "(" in ast.unparse(one)
        for one in statements
    )


def _literal(lines: list[str]) -> list[str]:
    return ["::", "", *(f"    {line}" for line in lines)]


def _definitions(lines: list[str]) -> list[str]:
    """Of 'name   meaning', which may go on in lines that are indented; else nothing."""
    entries: list[tuple[str, list[str]]] = []
    for line in lines:
        found = _ENTRY.fullmatch(line)
        if found and not line.startswith(" "):
            entries.append((found[1], [found[2]]))
        elif entries and line.startswith("  "):
            entries[-1][1].append(line.strip())
        else:  # a long name, whose meaning is in the next lines
            entries.append((line, []))
    if not all(meaning for _, meaning in entries) or any(
        _COLUMNS.search(line) for _, meaning in entries for line in meaning
    ):
        return []  # more than two columns
    out = []
    for name, meaning in entries:
        out += [f"``{name}``", *(f"    {line}" for line in _inline(meaning))]
    return out


def _inline(lines: list[str]) -> list[str]:
    """Code in backticks; all else is text, with no marks of its own."""
    parts = re.split(r"(`+[^`]+`+)", "\n".join(lines))
    escaped = [
        f"``{part.strip('`')}``" if place % 2 else re.sub(r"([\\*_|])", r"\\\1", part)
        for place, part in enumerate(parts)
    ]
    text = "".join(
        # Code that letters follow at once, as in `x`s, needs a mark between them.
        part + "\\ " if place % 2 and re.match(r"[\w(]", escaped[place + 1]) else part
        for place, part in enumerate(escaped)
    )
    return text.split("\n")


def _process(_app: Any, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    lines[:] = to_rst(lines)


def setup(app: Any) -> dict[str, Any]:
    from sphinx.util.inspect import TypeAliasForwardRef

    app.connect("autodoc-process-docstring", _process)
    # Within other types, Sphinx shows a name of a type by its repr.
    TypeAliasForwardRef.__repr__ = lambda self: self.name
    return {"parallel_read_safe": True, "parallel_write_safe": True}
