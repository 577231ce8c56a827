"""`rollcone schema`, and the reference in the documents: every field, with its meaning."""

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "cli"))

from cli_cases import run

from rollcone.errors import SceneError
from rollcone.mechanics.elements import ELEMENTS
from rollcone.scene.body_tables import BODIES
from rollcone.scene.joint_tables import CoordinateTable
from rollcone.scene.schema import json_schema, markdown
from rollcone.scene.tables import GENERATORS, SceneTable, table_at

DOCUMENT = Path(__file__).parents[2] / "docs" / "scenes.md"
TABLES = [
    SceneTable,
    *(
        table_at(name)
        for name in ("simulation", "output", "world", "contact", "pair", "container", "robot")
    ),
    table_at("joint"),
    table_at("analysis"),
    table_at("disturbance", table_at("analysis")),
    CoordinateTable,
    *(table_at(word, CoordinateTable) for word in ELEMENTS),
    *BODIES.values(),
    *GENERATORS.values(),
]


def objects(schema):
    """All object schemas with properties."""
    if isinstance(schema, dict):
        if "properties" in schema and isinstance(schema["properties"], dict):
            yield schema
        for value in schema.values():
            yield from objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from objects(value)


def test_schema_of_all_tables():
    schema = json.loads(run("schema").stdout)
    assert schema == json_schema()
    assert schema["required"] == ["simulation"]
    tables = {"": schema} | schema["$defs"]
    for table in TABLES:
        found = tables["" if table is SceneTable else table.__name__]
        assert set(found["properties"]) == set(table.model_fields)
        assert found["additionalProperties"] is False
        for name, field in table.model_fields.items():
            described = found["properties"][name]
            assert described.get("description") or "$ref" in described
            assert described.get("default", 0) is not None
            assert (name in found.get("required", [])) == field.is_required()
    radius = schema["$defs"]["SphereTable"]["properties"]["radius"]
    assert (radius["type"], radius["exclusiveMinimum"]) == ("number", 0)
    assert len(schema["properties"]["body"]["items"]["oneOf"]) == 14


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_units_are_told(table):
    lengths = {
        "radius",
        "length",
        "size",
        "position",
        "point",
        "rolling",
        "spinning",
        "low",
        "high",
    }
    units = {
        "mass": "kg",
        "compliance": "m/N",
        "density": "kg/m3",
        "step": "(s)",
        "velocity": "m/s",
        "gravity": "m/s2",
    }
    for name, field in table.model_fields.items():
        if name in lengths:
            assert re.search(r"\((rad or )?m\)|^m$", field.description), name
        assert units.get(name, "") in field.description


def test_every_field_has_its_place_in_the_tables():
    sections = dict(part.split("\n", 1) for part in markdown().split("### ")[1:])
    common = sections["All bodies"] + sections["All bodies but planes, bowls and height fields"]
    titles = {f'`[[body]]` with `shape = "{name}"`': table for name, table in BODIES.items()}
    titles |= {f"`[[{name}]]`": table for name, table in GENERATORS.items()}
    for title, table in titles.items():
        shown = title + common + sections[title]
        if table in GENERATORS.values():
            shown += sections["All generators"]
        for name, field in table.model_fields.items():
            assert f"`{name}`" in shown or name == "shape"
            assert name in ("shape", "ticks", "placed") or field.description in shown, name
    written = {"base_point", "body_point", "base_frame", "body_frame", "turns", "offset"}
    for name, field in table_at("joint").model_fields.items():
        row = f"| `{name}` |" in sections["`[[joint]]`"] and field.description in markdown()
        assert row == (name not in written)
        assert f"`{name}`" in sections["`[[joint]]`"]
    for word in ELEMENTS:
        for name in table_at(word, CoordinateTable).model_fields:
            assert f"| `{name}` |" in sections[f"`{word}` of a coordinate"]
    rows = [line for line in markdown().splitlines() if line.startswith("| `mass`")]
    assert len(rows) == 1


def test_the_document_has_the_tables():
    assert markdown() in DOCUMENT.read_text()
    assert run("schema", "--markdown").stdout.strip() == markdown().strip()


def test_help_fits():
    text = run("schema", "--help").stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "rollcone schema > rollcone.schema.json" in text
    assert text.count("Examples:") == 1


def test_a_line_for_each_problem(monkeypatch):
    def fail():
        raise SceneError(["heap.toml:3: one", "heap.toml:5: two"])

    monkeypatch.setattr("rollcone.scene.schema.json_schema", fail)
    result = run("schema", code=1)
    assert result.stderr == "error: heap.toml:3: one\nerror: heap.toml:5: two\n"
    assert result.stdout == ""
