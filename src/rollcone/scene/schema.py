"""What scene files may hold, for editors (JSON Schema) and for people (Markdown tables)."""

from __future__ import annotations

import inspect
import json
from typing import Any, Literal, get_origin

from rollcone.scene.analysis_tables import AnalysisTable
from rollcone.scene.body_tables import BODIES, MassTable, MovingTable
from rollcone.scene.joint_tables import CoordinateTable
from rollcone.scene.table import Table
from rollcone.scene.tables import (
    GENERATORS,
    MadeTable,
    SceneTable,
    table_at,
)

_NOT_SHOWN = (
    "ticks", "placed", "base_point", "body_point", "base_frame", "body_frame", "turns", "offset",
)  # fmt: skip
_POURED = (
    "`ticks` and `placed`, the bodies that were due and those that were poured before the scene\n"
    "begins, are written by `world.to_scene` for emitters at work.\n"
)
_MOVED = (
    "`base_point`, `body_point`, `base_frame` and `body_frame`, points (m) and unit quaternions\n"
    "in the axes of the two bodies, are written by `world.to_scene` in place of points and axes;\n"
    "so are `turns`, angle and angle2 at the start (rad), and of a gear its `offset`, the first\n"
    "coordinate - ratio * the second.\n"
)


def scene_schema() -> dict[str, Any]:
    """The JSON Schema of a scene file."""
    schema: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema |= _without_null(SceneTable.model_json_schema())
    return schema


def markdown() -> str:
    """A table of fields for each table of a scene file."""
    parts = [_fields("At the top", SceneTable)]
    single = ("simulation", "output", "world", "contact")
    parts += [_fields(f"`[{name}]`", table_at(name)) for name in single]
    parts.append(_fields("`[[pair]]`", table_at("pair"), table_at("contact")))
    parts.append(_fields("All bodies", MovingTable))
    parts.append(_fields("All bodies but planes, bowls and height fields", MassTable, MovingTable))
    bodies = BODIES.items()
    parts += [_fields(f'`[[body]]` with `shape = "{name}"`', t, MassTable) for name, t in bodies]
    parts.append(_fields("`[[container]]`", table_at("container")))
    parts.append(_fields("`[[robot]]`", table_at("robot")))
    parts.append(_fields("All generators", MadeTable, MassTable))
    parts += [_fields(f"`[[{name}]]`", table, MadeTable) for name, table in GENERATORS.items()]
    parts.append(_POURED)
    parts += [_fields("`[[joint]]`", table_at("joint")), _MOVED]
    parts.append(_fields("Coordinates of joints", CoordinateTable))
    parts += [
        _fields(f"`{word}` of a coordinate", table_at(word, CoordinateTable))
        for word in CoordinateTable.model_fields
    ]
    parts.append(_fields("`[analysis]`", AnalysisTable))
    parts.append(_fields("`[[analysis.disturbance]]`", table_at("disturbance", AnalysisTable)))
    return "\n".join(parts)


def _fields(title: str, table: type[Table], known: type[Table] = Table) -> str:
    """Those that the table `known` does not have, or not with the same meaning."""
    lines = [
        f"### {title}",
        "",
        inspect.cleandoc(table.__doc__ or ""),
        "",
        "| field | default | meaning |",
    ]
    lines.append("|---|---|---|")
    fields, others = table.model_fields, known.model_fields
    for name in sorted(fields, key=lambda name: (name != "shape", not fields[name].is_required())):
        field = fields[name]
        said = name in others and field.description == others[name].description
        if said or name in _NOT_SHOWN or get_origin(field.annotation) is Literal:
            continue  # the shape of a body is in the title
        default = "needed" if field.is_required() else ""
        if not default and field.default_factory is None and field.default not in (None, [], {}):
            default = f"`{json.dumps(field.default)}`"
        lines.append(f"| `{name}` | {default} | {field.description} |")
    return "\n".join(lines) + "\n"


def _without_null(schema: Any) -> Any:
    """No value is not null, which TOML does not have; titles that repeat the key are left out."""
    if isinstance(schema, list):
        return [_without_null(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _without_null(value)
        for key, value in schema.items()
        if (key, value) != ("default", None) and not (key == "title" and isinstance(value, str))
    }
