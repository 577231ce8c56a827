"""What to do about a text that is no TOML, where the parser's words alone do not help."""

from __future__ import annotations

import re

from rollcone.scene.tables import GENERATORS

_MANY = ("body", "pair", *GENERATORS)  # tables of which there may be many
_HEADER = re.compile(r"^\s*\[{1,2}\s*\"?([\w-]+)\"?\s*\]")
_WORD = re.compile(r"[A-Za-z]\w*")


def toml_hint(words: str, text: str, line: int, column: int) -> str:
    """To be put after the parser's `words` about this place; or nothing."""
    lines = text.split("\n")
    here = lines[line - 1] if line <= len(lines) else ""
    header = _HEADER.match(here)
    if words.startswith("Cannot") and header:
        name = header[1]
        if name in _MANY:
            return f"; write [[{name}]], with two brackets, each time"
        return f"; write [{name}] once"
    word = _WORD.match(here[column - 1 :])
    if words == "Invalid value" and word:
        if word[0].lower() in ("true", "false"):
            return f" {word[0]}; write {word[0].lower()}"
        return f" {word[0]}; a text is written in quotes"
    return ""
