"""What study files may hold, as tables for people."""

from __future__ import annotations

from rollcone.scene.schema import fields_table
from rollcone.sweep.measures import MEASURES, Measure, Series
from rollcone.sweep.tables import ParameterTable, SamplingTable, SweepTable


def markdown() -> str:
    """A table of fields for each table of a study file."""
    parts = [
        fields_table("At the top", SweepTable),
        fields_table("`[[parameter]]`", ParameterTable),
        fields_table("`[sampling]`", SamplingTable),
        fields_table("All of `[[measure]]`", Measure),
        fields_table("Measures that change over time (body, energy, joint)", Series, Measure),
    ]
    for name, table in MEASURES.items():
        known = Series if issubclass(table, Series) else Measure
        parts.append(fields_table(f'`[[measure]]` with `kind = "{name}"`', table, known))
    return "\n".join(parts)
