"""One run of a study: a scene with its values, and what is measured of it.

A case is plain data. Its key is a hash of all that the run depends on: the scene's document with
the values in it, and the files that it names. So what is finished is found again whatever else of
the study changes, and what is measured may change without simulating again, if runs are kept.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rollcone.errors import InputError
from rollcone.scene.toml_text import table
from rollcone.sweep.keys import changed, is_random, shifted_seeds
from rollcone.sweep.measures import Measure
from rollcone.sweep.samples import Parameter

# Of a robot, without the name of its package.
_MESHES = re.compile(rb"""filename\s*=\s*["'](?:package://[^/"']*/|file://)?([^"']+)["']""")


@dataclass(frozen=True)
class Case:
    """point      values of the parameters by name
    repeat     which draw of the seeds, from 0
    text       the scene, as a file would have it
    source     the scene file that it came from: files that it names are found from its folder
    key        of the run, a name for its folder
    steps      about as many are made
    measures   tables of measures
    functions  measures that are functions of a run: name, 'package.module:function', hash of it
    keep       is the run file kept when it has been measured?
    """

    point: dict[str, Any]
    repeat: int
    text: str
    source: str
    key: str
    steps: int
    measures: tuple[dict[str, Any], ...] = ()
    functions: tuple[tuple[str, str, str], ...] = ()
    keep: bool = True

    @property
    def words(self) -> str:
        """For messages: 'rolling = 0.002, repeat 1'."""
        values = [f"{name} = {_short(value)}" for name, value in self.point.items()]
        return ", ".join([*values, f"repeat {self.repeat}"])

    @property
    def asked(self) -> dict[str, Any]:
        """What is measured, as a document."""
        return {"measures": list(self.measures), "functions": [list(one) for one in self.functions]}


@dataclass(frozen=True)
class Subject:
    """What all cases of a study share.

    document   of the scene
    source     its file
    fixed      keys of the scene with other values, in all cases
    """

    document: dict[str, Any]
    source: str
    fixed: dict[str, Any]
    measures: tuple[Measure, ...] = ()
    functions: tuple[tuple[str, str, str], ...] = ()
    keep: bool = True

    def case(
        self,
        parameters: Sequence[Parameter],
        point: dict[str, Any],
        repeat: int,
        shift: int | None = None,
    ) -> Case:
        """`shift` of all seeds; the number of the repeat if not given."""
        values = dict(self.fixed)
        for parameter in parameters:
            values |= dict.fromkeys(parameter.keys, point[parameter.name])
        document = changed(self.document, values)
        if drawn := repeat if shift is None else shift:
            shifted_seeds(document, drawn)
        text = scene_text(document)
        tables = tuple(measure.model_dump(exclude_unset=True) for measure in self.measures)
        return Case(
            point, repeat, text, self.source, _key(document, text, self.source), _steps(document),
            tables, self.functions, self.keep,
        )  # fmt: skip

    def check_repeats(self, repeats: int) -> None:
        if repeats > 1 and not is_random(self.document):
            raise InputError(
                f"repeats = {repeats}: nothing in the scene is random; it has no [[emitter]], "
                "[[packing]] or [[grid]]"
            )


def scene_text(document: Mapping[str, Any]) -> str:
    """A scene file that says what the document says."""
    plain = {k: v for k, v in document.items() if not isinstance(v, dict) and not _tables(v)}
    parts = [table("", plain)] if plain else []
    for name, value in document.items():
        if isinstance(value, dict):
            parts.append(table(f"[{name}]", value))
        elif _tables(value):
            parts += [table(f"[[{name}]]", entry) for entry in value]
    return "\n".join(parts)


def _tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


def _key(document: Mapping[str, Any], text: str, source: str) -> str:
    digest = hashlib.sha256(text.encode())
    folder = Path(source).parent
    for name in sorted(set(_texts(document))):
        try:
            content = (folder / name).read_bytes() if (folder / name).is_file() else b""
        except (OSError, ValueError):  # no name of a file, or none that can be read: told later
            continue
        if content:
            digest.update(name.encode() + b"\0" + content)
        for inner in _MESHES.findall(content) if name.endswith(".urdf") else ():
            mesh = (folder / name).parent / inner.decode(errors="replace")
            with suppress(OSError, ValueError):
                digest.update(inner + b"\0" + mesh.read_bytes())
    return digest.hexdigest()[:16]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _texts(entry)


def _steps(document: Mapping[str, Any]) -> int:
    """For progress alone: 1 where the document does not say."""
    settings = document.get("simulation")
    try:
        span = settings["until"] - settings.get("start_time", 0.0)  # type: ignore[index, union-attr]
        return max(1, int(span / settings["step"]))  # type: ignore[index]
    except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError):
        return 1


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
