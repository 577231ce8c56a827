"""What is wrong with a scene, in words: one line per problem, with the key, its value and what is
allowed. Pydantic finds what is wrong in each table; what concerns several is looked for here."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from rollcone._check import did_you_mean, one_of
from rollcone.errors import InputError
from rollcone.scene.fields import suggestion
from rollcone.scene.table import Table
from rollcone.scene.tables import MAKERS, table_at

Root = TypeVar("Root", bound=Table)
Place = tuple[str | int, ...]
Problem = tuple[Place, str]  # where, and what to say
_TABLES = ("simulation", "output", "world", "contact", "analysis", "sampling", "set", "fit")
_KEYED = re.compile(r"([A-Za-z_][\w-]*)(?:\[[\d, ]+\](?:\.\w+)?)* ?(?:\(.*\))?[:=]")
_VALUE = 60  # characters of a value that are shown


def check_tables(
    document: dict[str, Any], folder: Path, root: type[Root]
) -> tuple[Root | None, list[Problem]]:
    """What the file says, if every table is right by itself; else all that is wrong."""
    try:
        return root.model_validate(document, context={"folder": folder}), []
    except ValidationError as error:
        return None, [_problem(dict(e), root) for e in error.errors(include_url=False)]


def at(place: Place, text: str) -> str:
    """`text`, which may begin with a key of the table at `place`, with the whole path."""
    where = key_place(place, text)
    if where == place and not (place and text.startswith(str(place[-1]))):
        return f"{_path(place)}: {text}"
    path = _path(where[:-1])
    return f"{path}.{text}" if path else text


def key_place(place: Place, text: str) -> Place:
    """Of the key that `text` begins with: that at `place`, or one within it."""
    key = _KEYED.match(text)
    if key is None or (place and text.startswith(str(place[-1]))):
        return place
    return (*place, key[1])


def check_names(document: dict[str, Any]) -> Iterator[Problem]:
    """No two bodies may have one name."""
    seen: dict[str, Place] = {}
    for place, table in _makers(document):
        name = table.get("name")
        if isinstance(name, str) and name in seen:
            yield (
                (*place, "name"),
                f"name = {name!r}: {_path(seen[name])} has that name already",
            )
        elif isinstance(name, str):
            seen[name] = place


def check_pairs(document: dict[str, Any]) -> Iterator[Problem]:
    """No two laws for one pair."""
    seen: dict[tuple[str, ...], int] = {}
    for number, names in _pairs(document):
        pair = tuple(sorted(names))
        if pair in seen:
            words = f"materials = {names!r}: pair[{seen[pair]}] is their law already"
            yield ("pair", number, "materials"), words
        seen.setdefault(pair, number)


def check_materials(document: dict[str, Any]) -> Iterator[Problem]:
    """A mistyped material would be taken for another one.

    If [world] has a list of materials, all must be in it. If not, they are known from the pairs:
    without a default law a body must be made of one of them; with one its material may be any, but
    not nearly the name of one of them.
    """
    world = document.get("world")
    listed = world.get("materials") if isinstance(world, dict) else None
    used = list(_used_materials(document))
    if isinstance(listed, list):
        for number, names in _pairs(document):
            used += [(("pair", number, "materials"), name) for name in names]
        for place, name in used:
            if name not in [*listed, "default"]:
                yield place, f"{_wrong(place, name, listed)}: must be one of world.materials"
        return
    known = sorted({name for _, names in _pairs(document) for name in names})
    for place, name in used if known else ():
        if name in known:
            continue
        if "contact" not in document:
            words = "has no law with anything; add a [contact] for all, or a [[pair]]"
            yield place, f"{_wrong(place, name, known)}: {words}"
        elif any(_nearly(name, other) for other in known):
            words = "is nearly a material of a [[pair]]; if both are meant, list them in "
            yield place, f"{_wrong(place, name, known)}: {words}world.materials"


def _wrong(place: Place, name: str, known: list[str]) -> str:
    return f"{place[-1]} = {name!r}{did_you_mean(name, map(str, known))}"


def _nearly(one: str, other: str) -> bool:
    """But for digits: steel1 and steel2 are two."""
    if one.casefold() == other.casefold():
        return True
    a, b = (re.sub(r"\d+", "", name).casefold() for name in (one, other))
    return a != b and difflib.SequenceMatcher(None, a, b).ratio() >= 0.8


def _makers(document: dict[str, Any]) -> Iterator[tuple[Place, dict[str, Any]]]:
    """The tables that make bodies; what is no table is told by `check_tables`."""
    for name in MAKERS:
        tables = document.get(name)
        for number, table in enumerate(tables if isinstance(tables, list) else ()):
            if isinstance(table, dict):
                yield (name, number), table


def _used_materials(document: dict[str, Any]) -> Iterator[tuple[Place, str]]:
    for place, table in _makers(document):
        name = table.get("material", "default")
        if isinstance(name, str):
            yield (*place, "material"), name


def _pairs(document: dict[str, Any]) -> Iterator[tuple[int, list[str]]]:
    tables = document.get("pair")
    for number, table in enumerate(tables if isinstance(tables, list) else ()):
        names = table.get("materials") if isinstance(table, dict) else None
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            yield number, names


def _problem(error: dict[str, Any], root: type[Table]) -> Problem:
    kind, place, value = error["type"], tuple(error["loc"]), error["input"]
    table = _table_of(place, root)
    tag, kinds = root.unions.get(str(place[0]), ("", {})) if place else ("", {})
    if kinds and len(place) > 2:
        place = (*place[:2], *place[3:])  # the shape, which says which table it is
    last = str(place[-1]) if place else ""
    if kind == "value_error":
        return place, str(error["ctx"]["error"])
    if kind == "extra_forbidden":
        names = (field.alias or name for name, field in table.model_fields.items())
        return place, f"{last}: {suggestion(last, names)}"
    if kind == "missing":
        return place, f"{last}: is missing: {table.model_fields[last].description}"
    if kind.startswith("union_tag"):
        return (*place, tag), _tag(value, str(place[0]), tag, kinds)
    if kind == "list_type":
        return (
            place,
            f"{last} = {_short(value)}: must be tables that begin with [[{_header(place)}]]",
        )
    if kind in ("model_type", "model_attributes_type", "dict_type"):
        if place[:1] == ("joint",) and len(place) > 2:
            keys = table_at(last, table).model_fields
            return place, f"{last} = {_short(value)}: must be a table with {', '.join(keys)}"
        if last in _TABLES:
            return place, f"{last} = {_short(value)}: must be a table that begins with [{last}]"
        return place, f"is {_short(value)}: must be a table that begins with [[{_header(place)}]]"
    return place, f"{last} = {_short(value)}: {error['msg']}"


def _table_of(place: Place, table: type[Table]) -> type[Table]:
    """The model whose field is at `place` of a document of the model `table`."""
    if len(place) > 2 and place[0] in table.unions:
        return table.unions[str(place[0])][1][str(place[2])]
    for part in place[:-1]:
        if isinstance(part, str):
            table = table_at(part, table)
    return table


def _tag(value: Any, name: str, tag: str, kinds: Iterable[str]) -> str:
    """What is wrong with the key that says which of several tables it is, such as `shape`."""
    if not isinstance(value, dict):
        return f"{tag}: must be a table that begins with [[{name}]], is {_short(value)}"
    if tag not in value:
        return f"{tag}: is missing: must be one of {', '.join(kinds)}"
    try:
        return one_of(tag, value[tag], kinds)
    except InputError as error:
        return str(error)


def _path(place: Place) -> str:
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _header(place: Place) -> str:
    """Of tables, as a file writes it: analysis.disturbance."""
    return ".".join(part for part in place if isinstance(part, str))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _VALUE else f"{text[:_VALUE]} ..."
