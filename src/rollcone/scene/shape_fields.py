"""Types of the fields of cones, hulls, compounds, meshes and height fields; see fields.py."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from pydantic import PlainValidator, ValidationInfo, WithJsonSchema

from rollcone.errors import InputError
from rollcone.mechanics.made_of_parts import (
    PART_SIZES,
    PLACE,
    height_grid,
    scale_factor,
    two_lengths,
)
from rollcone.mechanics.mesh_file import FORMATS
from rollcone.mechanics.part_forms import point_rows
from rollcone.scene.fields import (
    ABOVE_ZERO,
    NUMBER,
    TEXT,
    VECTOR,
    Schema,
    checked,
    floats,
    list_of,
    numbers,
    rotation_of,
    suggestion,
    text_of,
)


def _file(endings: Iterable[str]) -> Any:
    """A path, from the folder of the scene file."""
    allowed = [f".{ending}" for ending in endings]

    def validate(value: Any, info: ValidationInfo) -> str:
        name = str(info.field_name)
        place = Path((info.context or {}).get("folder", ".")) / text_of(name, value)
        if place.suffix.lower() not in allowed:
            raise InputError(f"{name} = {value!r}: must end in one of {', '.join(allowed)}")
        if "\0" in value or not place.is_file():
            raise InputError(f"{name} = {value!r}: there is no such file in the scene's folder")
        return str(place)

    return Annotated[Any, PlainValidator(validate), WithJsonSchema(TEXT)]


def _triangles(name: str, value: Any) -> list[list[int]]:
    rows: list[Any] = value if isinstance(value, list) and value else [None]
    for row in rows:
        if (
            not isinstance(row, list)
            or len(row) != 3
            or not all(isinstance(k, int) and not isinstance(k, bool) and k >= 0 for k in row)
        ):
            raise InputError(f"{name}: {row!r} must be three numbers of vertices, from 0")
    return rows


def _parts(name: str, value: Any) -> list[dict[str, Any]]:
    """Checked with their body; here, keys, and rotations become orientations."""
    if not isinstance(value, list) or not all(isinstance(part, dict) for part in value):
        raise InputError(f'{name} = {value!r}: must be like [{{ shape = "sphere", radius = 1 }}]')
    found = []
    for k, part in enumerate(value):
        known = (*PLACE, "rotation", *PART_SIZES.get(str(part.get("shape")), part))
        for key in part:
            if key not in known:
                raise InputError(f"{name}[{k}].{key}: {suggestion(key, known)}")
        given = {key: floats(f"{name}[{k}].{key}", entry) for key, entry in part.items()}
        if "rotation" in given:
            if "orientation" in given:
                raise InputError(f"{name}[{k}].rotation: there is also orientation; give one")
            given["orientation"] = rotation_of(f"{name}[{k}].rotation", given.pop("rotation"))
        found.append(given)
    return found


_ROWS: Schema = {"type": "array", "items": VECTOR, "minItems": 3}
_PART: Schema = {
    "type": "object",
    "properties": {"shape": {"enum": list(PART_SIZES)}},
    "required": ["shape"],
}
Points = numbers(point_rows, _ROWS | {"minItems": 4})
Vertices = numbers(lambda name, value: point_rows(name, value, 3), _ROWS)
Triangles = checked(
    _triangles,
    {"type": "array", "items": list_of({"type": "integer", "minimum": 0}, 3), "minItems": 1},
)
Parts = checked(_parts, {"type": "array", "items": _PART, "minItems": 1})
Scale = numbers(scale_factor, {"anyOf": [ABOVE_ZERO, list_of(ABOVE_ZERO, 3)]})
TwoLengths = numbers(two_lengths, list_of(ABOVE_ZERO, 2))
Heights = numbers(
    height_grid, {"type": "array", "items": {"type": "array", "items": NUMBER, "minItems": 2}}
)
File = _file(FORMATS)
ArrayFile = _file(["npy"])
