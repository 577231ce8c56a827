"""Files of TOML: their text, what it says, and what is wrong with it in words, with the line."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rollcone.errors import FileError, InputError, SceneError
from rollcone.scene.lines import Lines
from rollcone.scene.problems import Problem, at, key_place
from rollcone.scene.toml_hint import toml_hint

_MOST_BYTES = 50_000_000
# tomllib takes time and memory by the square of the parts of a key; quoted ones count, too.
_ENDLESS_KEY = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){50}"""
)
_SHOWN = 30  # problems
_WIDTH = 300  # characters of a problem
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_text(path: str | os.PathLike[str], what: str = "scene") -> str:
    """What is in a text file; `what` it is, for messages."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path = {path!r}: must be the name of a file, a str or a Path")
    name, file = os.fspath(path), Path(path)
    if file.is_dir():
        raise FileError(f"{name}: is a directory, not a {what} file")
    try:
        if file.exists() and not file.is_file():
            raise FileError(f"{name}: is not a plain file")
        if file.stat().st_size > _MOST_BYTES:
            raise FileError(
                f"{name}: is larger than {_MOST_BYTES} bytes: large arrays and meshes are files of "
                "their own"
            )
        return file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise FileError(
            f"{name}: byte {error.start} is not UTF-8: a {what} file is TOML text"
        ) from None
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise FileError(f"{name}: cannot be read: {reason}") from error
    except ValueError as error:  # a name with a NUL
        raise FileError(f"{name!r}: cannot be read: {error}") from error


def parse(text: str, source: str) -> dict[str, Any]:
    """The document; `source` is the name that messages begin with."""
    endless = _ENDLESS_KEY.search(text)
    if endless:
        line = str(text.count("\n", 0, endless.start()) + 1)
        raise SceneError([f"{source}:{line}: a key of more than 50 parts"])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        words = str(error)
        where = _PLACE.search(words)
        line, column = str(text.count("\n") + 1), "1"
        if where:
            words = words[: where.start()]
            line, column = where[1] or line, where[2] or str(len(text.rpartition("\n")[2]) + 1)
        words += toml_hint(words, text, int(line), int(column))
        raise SceneError([f"{source}:{line}:{column}: {words}"]) from None
    except RecursionError:
        raise SceneError([f"{source}: is nested too deeply"]) from None
    except ValueError as error:  # an integer of thousands of digits, a date that does not exist
        raise SceneError([f"{source}: {error}"]) from None


def worded(
    problems: Sequence[Problem], text: str, document: dict[str, Any], source: str
) -> list[str]:
    """In the order of the file, each with its line where that is known."""
    lines = Lines(text, document)
    found = []
    for place, text in problems:
        number = lines.line(key_place(place, text))
        where = source if number is None else f"{source}:{number}"
        words = _printable(f"{where}: {at(place, text)}")
        found.append((number or 0, words if len(words) <= _WIDTH else f"{words[:_WIDTH]} ..."))
    told = [words for _, words in sorted(found, key=lambda one: one[0])]
    if len(told) > _SHOWN:
        told[_SHOWN:] = [f"{source}: and {len(told) - _SHOWN} more problems"]
    return told


def _printable(text: str) -> str:
    """One line, whatever keys and values hold."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
