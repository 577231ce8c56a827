"""What all tables of a scene file have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field


def field(words: str, default: Any = None, **more: Any) -> Any:
    """That may be left out."""
    return Field(default=default, description=words, **more)


def needed(words: str) -> Any:
    return Field(description=words)


class Table(BaseModel):
    """Any table: no keys but the known ones."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    # Of a whole file: the models of entries that differ, by the key that says which of them it is.
    unions: ClassVar[dict[str, tuple[str, Mapping[str, type[Table]]]]] = {}

    def given(self) -> dict[str, Any]:
        """The fields that the file has."""
        return {name: getattr(self, name) for name in sorted(self.model_fields_set)}
