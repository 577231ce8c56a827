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


def json_schema(root: type[Table] = SceneTable) -> dict[str, Any]:
    """The JSON Schema of a file, a scene if not told."""
    schema: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema |= _without_null(root.model_json_schema())
    return schema


def markdown() -> str:
    """A table of fields for each table of a scene file."""
    parts = [fields_table("At the top", SceneTable)]
    single = ("simulation", "output", "world", "contact")
    parts += [fields_table(f"`[{name}]`", table_at(name)) for name in single]
    parts.append(fields_table("`[[pair]]`", table_at("pair"), table_at("contact")))
    parts.append(fields_table("All bodies", MovingTable))
    parts.append(
        fields_table("All bodies but planes, bowls and height fields", MassTable, MovingTable)
    )
    bodies = BODIES.items()
    parts += [
        fields_table(f'`[[body]]` with `shape = "{name}"`', t, MassTable) for name, t in bodies
    ]
    parts.append(fields_table("`[[container]]`", table_at("container")))
    parts.append(fields_table("`[[robot]]`", table_at("robot")))
    parts.append(fields_table("All generators", MadeTable, MassTable))
    parts += [fields_table(f"`[[{name}]]`", table, MadeTable) for name, table in GENERATORS.items()]
    parts.append(_POURED)
    parts += [fields_table("`[[joint]]`", table_at("joint")), _MOVED]
    parts.append(fields_table("Coordinates of joints", CoordinateTable))
    parts += [
        fields_table(f"`{word}` of a coordinate", table_at(word, CoordinateTable))
        for word in CoordinateTable.model_fields
    ]
    parts.append(fields_table("`[analysis]`", AnalysisTable))
    parts.append(fields_table("`[[analysis.disturbance]]`", table_at("disturbance", AnalysisTable)))
    return "\n".join(parts)


def fields_table(title: str, table: type[Table], known: type[Table] = Table) -> str:
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
        lines.append(f"| `{field.alias or name}` | {default} | {field.description} |")
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
