"""Keys of a scene, as a study names them: where in the document a value goes.

contact.rolling            a key of a table
body.ball.radius           of the [[body]] whose name is "ball"; emitter, joint, ... likewise
body.0.radius              of the first [[body]], for those without a name
body.ball.velocity.2       an entry of a list
body."my ball".radius      names with spaces or dots stand in quotes
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import Any

from rollcone._check import did_you_mean
from rollcone.errors import InputError
from rollcone.scene.tables import GENERATORS, SceneTable

_PART = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^."'\s]+(?:[ ][^."'\s]+)*))\s*(\.|$)""")


def split_key(key: str) -> list[str]:
    """The parts of a key; InputError if it is none."""
    parts, position = [], 0
    while True:
        found = _PART.match(key, position)
        if found is None:
            raise InputError(f'key = {key!r}: must be names with dots, such as "contact.rolling"')
        parts.append(next(text for text in found.groups()[:3] if text is not None))
        position = found.end()
        if not found[4]:
            return parts


def changed(document: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a scene's document with other values, by their keys. Tables that are not there,
    such as [contact], are made; entries of lists of tables are not."""
    result = copy.deepcopy(dict(document))
    for key, value in values.items():
        _set(result, key, value)
    return result


def shifted_seeds(document: dict[str, Any], shift: int) -> None:
    """Another draw of all that is random: every `seed` plus `shift`."""
    for table in _random(document):
        table["seed"] = table.get("seed", 0) + shift


def is_random(document: Mapping[str, Any]) -> bool:
    """Has the scene anything that a seed changes?"""
    return bool(_random(document))


def _random(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [table for name in GENERATORS for table in document.get(name, ())]


def _set(document: dict[str, Any], key: str, value: Any) -> None:
    parts = split_key(key)
    known = SceneTable.model_fields
    if len(parts) == 1 or parts[0] not in known:
        raise InputError(
            f"key = {key!r}: must begin with a table of the scene{did_you_mean(parts[0], known)}: "
            "contact, simulation, body, ..."
        )
    place: Any = document
    for depth, part in enumerate(parts[:-1]):
        place = _within(place, part, key, ".".join(parts[: depth + 1]))
    _put(place, parts[-1], value, key)


def _within(place: Any, part: str, key: str, path: str) -> Any:
    """The table or list that a part of a key names."""
    if isinstance(place, dict):
        kept = place.setdefault(part, {})
    elif isinstance(place, list):
        kept = place[_entry(place, part, key)]
    else:
        kept = None
    if not isinstance(kept, dict | list):
        raise InputError(f"key = {key!r}: {path} is no table of the scene")
    return kept


def _put(place: Any, last: str, value: Any, key: str) -> None:
    if isinstance(place, dict):
        place[last] = value
    else:
        place[_entry(place, last, key)] = value


def _entry(entries: list[Any], part: str, key: str) -> int:
    """By name, or by number."""
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in entries]
    if part in names:
        return names.index(part)
    if part.isdecimal() and int(part) < len(entries):
        return int(part)
    known = [name for name in names if isinstance(name, str)]
    there = f"; there are {', '.join(known)}" if known else ""
    words = f"{did_you_mean(part, known) or there}, or 0 to {len(names) - 1}"
    raise InputError(f"key = {key!r}: the scene has no {part!r} there{words}")
