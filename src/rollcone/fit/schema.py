"""What fit files may hold, as tables for people."""

from __future__ import annotations

from rollcone.fit.tables import CoefficientTable, FitOptionsTable, FitTable, TargetTable
from rollcone.scene.schema import fields_table


def markdown() -> str:
    """A table of fields for each table of a fit file; kinds of targets are those of measures."""
    return "\n".join(
        [
            fields_table("At the top", FitTable),
            fields_table("`[[parameter]]`", CoefficientTable),
            fields_table("`[[target]]`", TargetTable),
            fields_table("`[fit]`", FitOptionsTable),
        ]
    )
