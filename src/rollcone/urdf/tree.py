"""The elements of an XML file with their lines, and which of them have been read.

Whoever reads an element asks for its attributes and children by name. What nobody has asked for
is told in the end, so that nothing of a file is dropped in silence.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

from rollcone._words import count, few
from rollcone.errors import FileError, InputError

MOST_BYTES = 50_000_000
MOST_ELEMENTS = 500_000
DEEPEST = 50  # elements within elements


@dataclass(eq=False)
class Element:
    """One element; `owner` says in messages which link or joint it belongs to."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    owner: str = ""
    children: list[Element] = field(default_factory=list)
    text: str = ""
    read: set[str] = field(default_factory=set)  # names of attributes
    seen: bool = False

    def wrong(self, words: str) -> InputError:
        """An error that says where."""
        return InputError(f"{self.file}:{self.line}: {self.owner}{words}")

    def get(self, name: str) -> str | None:
        """An attribute; None if it is not there."""
        self.read.add(name)
        return self.attributes.get(name)

    def need(self, name: str) -> str:
        """An attribute that must be there and say something."""
        value = self.get(name)
        if value is None or not value.strip():
            given = "is missing" if value is None else f"= {value!r}"
            raise self.wrong(f"<{self.tag}> {name} {given}: must be given")
        return value.strip()

    def all(self, tag: str) -> list[Element]:
        """The children of that name."""
        found = [child for child in self.children if child.tag == tag]
        for child in found:
            child.seen = True
            child.owner = child.owner or self.owner
        return found

    def one(self, tag: str) -> Element | None:
        """The child of that name, if there is one; two are an error."""
        found = self.all(tag)
        if len(found) > 1:
            raise found[1].wrong(f"<{tag}> is there {len(found)} times: must be there once")
        return found[0] if found else None

    def needed(self, tag: str) -> Element:
        """The child of that name, which must be there."""
        found = self.one(tag)
        if found is None:
            raise self.wrong(f"<{self.tag}> has no <{tag}>: must have one")
        return found


def read_tree(path: str | os.PathLike[str]) -> Element:
    """The root element of a file."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path = {path!r}: must be the name of a file, a str or a Path")
    name = os.fsdecode(path)
    return parse(_bytes_of(name), name)


def _bytes_of(name: str) -> bytes:
    try:
        file = Path(name)
        if file.is_dir():
            raise FileError(f"{name}: is a directory, not a URDF file")
        if file.exists() and not file.is_file():
            raise FileError(f"{name}: is not a plain file")
        with file.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise FileError(f"{name}: cannot be read: {reason}") from error
    except ValueError as error:  # a name with a NUL
        raise FileError(f"{name!r}: cannot be read: {error}") from error
    if len(data) > MOST_BYTES:
        raise FileError(f"{name}: has more than {MOST_BYTES} bytes, too many for a URDF file")
    return data


def parse(data: bytes, name: str) -> Element:
    """The root element of an XML text; `name` is what messages begin with."""
    maker = _Maker(name)
    try:
        maker.parser.Parse(data, True)
    except expat.ExpatError as error:
        words = expat.ErrorString(error.code)
        raise FileError(f"{name}:{error.lineno}: is not XML: {words}") from None
    except (LookupError, ValueError) as error:  # an encoding that Python does not have
        if isinstance(error, FileError):
            raise
        raise FileError(f"{name}: is not XML: {error}") from None
    assert maker.root is not None
    return maker.root


class _Maker:
    """Puts elements together as the parser meets them."""

    def __init__(self, name: str) -> None:
        self.root: Element | None = None
        self._name = name
        self._open: list[Element] = []
        self._count = 0
        self.parser: Any = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._words
        self.parser.StartDoctypeDeclHandler = self._refuse

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        self._count += 1
        if len(self._open) >= DEEPEST:
            raise FileError(f"{self._name}:{line}: <{tag}> is nested deeper than {DEEPEST}")
        if self._count > MOST_ELEMENTS:
            raise FileError(f"{self._name}:{line}: there are more than {MOST_ELEMENTS} elements")
        element = Element(tag, dict(attributes), self._name, line)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _end(self, _: str) -> None:
        self._open.pop()

    def _words(self, text: str) -> None:
        if text.strip():
            self._open[-1].text += text.strip()

    def _refuse(self, *_: object) -> None:
        """Its entities may grow without end, or read other files."""
        line = self.parser.CurrentLineNumber
        raise FileError(f"{self._name}:{line}: <!DOCTYPE> is not taken; take it out of the file")


def unread(root: Element, reasons: Mapping[str, str]) -> list[str]:
    """A sentence for each kind of element and attribute that was not asked for, with its lines;
    `reasons` has more words by tag."""
    found: dict[str, list[int]] = {}
    for words, line in _unread(root):
        found.setdefault(words, []).append(line)
    return [
        f"{words} not used{reasons.get(_tag(words), '')} "
        f"({count(len(lines), 'place')}: line{'s' * (len(lines) > 1)} {few(lines)})"
        for words, lines in found.items()
    ]


def _tag(words: str) -> str:
    return words.split(">")[0].removeprefix("<") if words.startswith("<") else ""


def _unread(element: Element) -> Iterator[tuple[str, int]]:
    for name in element.attributes:
        if name not in element.read:
            yield f"attribute {name!r} of <{element.tag}> is", element.line
    if element.text:
        yield f"text in <{element.tag}> is", element.line
    for child in element.children:
        if child.seen:
            yield from _unread(child)
        else:
            yield f"<{child.tag}> in <{element.tag}> is", child.line
