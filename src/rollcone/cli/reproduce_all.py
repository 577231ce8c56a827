"""`rollcone reproduce --all`: every study, a line for each as it ends, and one page of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rollcone.studies.all_studies import AllProgress, Outcome

_EVERY = 50  # steps between looks at the bar


def reproduce_all(folder: Path, *, full: bool, as_json: bool) -> bool:
    """Whether all is as it should be."""
    from rollcone import studies
    from rollcone.cli.console import console, print_json
    from rollcone.cli.reproduce import check_folder
    from rollcone.studies.all_studies import document
    from rollcone.studies.results_page import summary

    check_folder(folder)
    with _bars(len(studies.STUDIES), quiet=as_json) as (progress, finished):
        outcomes = studies.reproduce_all(folder, full=full, progress=progress, finished=finished)
    reports = [one.report for one in outcomes]
    where = folder / "full" if full else folder
    if as_json:
        print_json(document(reports, full=full) | {"folder": str(where)})
    else:
        out = console()
        out.print(f"results: {where / 'results.md'}, and results.json", soft_wrap=True)
        out.print(summary(reports), soft_wrap=True)
    return all(one.passed for one in outcomes)


@contextmanager
def _bars(studies: int, *, quiet: bool) -> Iterator[tuple[AllProgress, Callable[[Outcome], None]]]:
    """One bar over the studies and one over the steps of that at hand, on stderr and only if that
    is a terminal; lines of finished studies on stdout."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    error_console = Console(stderr=True)
    bars = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f} {task.fields[noun]}"),
        TimeElapsedColumn(),
        console=error_console,
        transient=True,
        disable=quiet or not error_console.is_terminal,
    )
    over_all = bars.add_task("all studies", total=studies, noun="studies")
    at_hand = bars.add_task("preparing", total=1, noun="steps")

    def progress(name: str, words: str, done: int, total: int) -> None:
        if done % _EVERY == 0 or done == total:
            words = f"{name}: {words}"
            bars.update(at_hand, description=words, completed=done, total=total)

    def finished(outcome: Outcome) -> None:
        bars.advance(over_all)
        bars.reset(at_hand, description="preparing", total=1)
        if not quiet:
            typer.echo(_line(outcome))

    with bars:
        yield progress, finished


def _line(outcome: Outcome) -> str:
    """'guideway          16 pass, 1 differs (7.52 s)'."""
    from rollcone._words import seconds
    from rollcone.studies.results_page import verdicts

    name = f"{outcome.name:<17}"
    if "error" in outcome.report:
        return f"{name} error: {' '.join(outcome.report['error'].split())}"
    counts = verdicts(outcome.report)
    words = ", ".join(f"{counts[one]} {one}" for one in ("pass", "differs", "fail") if counts[one])
    time = "kept" if outcome.kept else seconds(outcome.report["seconds"])
    return f"{name} {words} ({time})"
