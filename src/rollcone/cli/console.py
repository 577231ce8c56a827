"""What the subcommands share: where they print, how they show that they work, numbers in words."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

# How commands end; 2 is Click's own, for wrong usage.
WRONG_INPUT, NOT_CONVERGED, INTERRUPTED = 1, 3, 130

# Kernels that come from the cache load faster than this; slower means they are compiled.
_COMPILING_AFTER = 2.0


def console() -> Console:
    """For results, on stdout."""
    from rich.console import Console

    return Console(highlight=False, emoji=False)


def print_json(document: dict[str, Any]) -> None:
    """One document on stdout; numbers that are not finite become null."""
    typer.echo(json.dumps(_plain(document), indent=2, allow_nan=False))


@contextmanager
def working(task: str, *, may_compile: bool = False) -> Iterator[None]:
    """A spinner with the time it takes, on stderr and only if that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TimeElapsedColumn
    from rich.text import Text

    class Words(ProgressColumn):
        def render(self, task: Task) -> Text:
            slow = may_compile and (task.elapsed or 0.0) > _COMPILING_AFTER
            note = " (compiling kernels, once per version ...)" if slow else ""
            return Text(f"{task.description}{note}")

    error_console = Console(stderr=True)
    progress = Progress(
        SpinnerColumn(),
        Words(),
        TimeElapsedColumn(),
        console=error_console,
        transient=True,
        disable=not error_console.is_terminal,
    )
    with progress:
        progress.add_task(task, total=None)
        yield


def problem_words(facts: dict[str, Any]) -> str:
    """'97 contacts x 5 rows + 2 extra rows, body form, exact law'."""
    extra = facts["extra_rows"]
    more = f" + {count(extra, 'extra row')}" if extra else ""
    size = f"{count(facts['contacts'], 'contact')} x {facts['rows']} rows{more}"
    return f"{size}, {facts['form']} form, {facts['law']} law"


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def three_digits(value: float) -> str:
    """0.0974, 0.100, 8.00, 12.5, 210, 2340."""
    return f"{value:.0f}" if value >= 99.95 else f"{value:#.3g}"


def seconds(value: float) -> str:
    """A time in the unit that suits it."""
    scale, unit = (1.0, "s") if value >= 1 else (1e3, "ms") if value >= 1e-3 else (1e6, "us")
    return f"{three_digits(value * scale)} {unit}"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value
