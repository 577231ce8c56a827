"""What the subcommands share: where they print, how they show that they work, numbers in words."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from rollcone._json import plain
from rollcone._words import count, three_digits

if TYPE_CHECKING:
    from rich.console import Console

# How commands end; 2 is Click's own, for wrong usage.
WRONG_INPUT, NOT_CONVERGED, NOT_TRUSTED, INTERRUPTED = 1, 3, 4, 130
SIGNALLED = 128  # and the number of the signal: 130 of Ctrl-C, 143 of SIGTERM


def console() -> Console:
    """For results, on stdout."""
    from rich.console import Console

    return Console(highlight=False, emoji=False)


def print_json(document: dict[str, Any]) -> None:
    """One document on stdout; numbers that are not finite become null."""
    typer.echo(json.dumps(plain(document), indent=2, allow_nan=False))


def say_written(path: Path, facts: dict[str, Any], *, quiet: bool, as_json: bool) -> None:
    """What was written: a line, or with --json a document with more facts."""
    size = path.stat().st_size
    if as_json:
        print_json({**facts, "output": str(path), "bytes": size})
    elif not quiet:
        typer.echo(f"wrote {path} ({bytes_words(size)})")


@contextmanager
def working(task: str, *, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """A spinner with the time it takes, on stderr and only if that is a terminal; what it yields
    changes the words."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    error_console = Console(stderr=True)
    progress = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        console=error_console,
        transient=True,
        disable=quiet or not error_console.is_terminal,
    )
    with progress:
        shown = progress.add_task(task, total=None)
        yield lambda words: progress.update(shown, description=words)


def problem_words(facts: dict[str, Any]) -> str:
    """'97 contacts x 5 rows + 2 extra rows, body form, exact law'; sets that couple rows, too."""
    extra = facts["extra_rows"]
    more = f" + {count(extra, 'extra row')}" if extra else ""
    size = f"{count(facts['contacts'], 'contact')} x {facts['rows']} rows{more}"
    coupled = f", {facts['coupled']}" if facts["coupled"] else ""
    return f"{size}, {facts['form']} form, {facts['law']} law{coupled}"


def bytes_words(size: int) -> str:
    """812 bytes, 12.3 kB, 4.56 MB."""
    if size < 1000:
        return count(size, "byte")
    power = min(int(math.log10(size * 1.0005)) // 3, 4)  # 999.5 kB are 1 MB
    return f"{three_digits(size / 1e3**power)} {' kMGT'[power]}B"
