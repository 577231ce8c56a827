"""A table of the benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType


@dataclass(frozen=True)
class Table:
    """Rows are computed when asked for."""

    title: str
    text: str
    header: tuple[str, ...]
    rows: Callable[[], Iterable[tuple[str, ...]]]


def of_module(module: ModuleType, title: str) -> Table:
    """The one table of a module: its docstring, HEADER and table()."""
    return Table(title, (module.__doc__ or "").strip(), module.HEADER, module.table)
