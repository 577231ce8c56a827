"""`rollcone reproduce`: studies whose answers are known, as a table and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rollcone.studies.study import Row, Study

_COLOURS = {"pass": "green", "fail": "red", "differs": "yellow"}
_EVERY = 50  # steps between looks at the bar
_ERROR = "_error"  # ends the name of a number's standard error
_WIDE = 110  # columns, for a table that says what was run in every row


def reproduce(
    study: Annotated[
        str | None, typer.Argument(metavar="STUDY", help="Its name; without one, a list.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Finer steps; takes minutes.")] = False,
    all_of_them: Annotated[
        bool,
        typer.Option("--all", help="All studies; those that are finished in the folder are kept."),
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Where pictures go; with --all, results too [reproduced]."
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Campaigns: keep each run here, and go on from it."),
    ] = None,
    only: Annotated[
        str, typer.Option(metavar="WORDS", help="Campaigns: only runs like 'mu=0.3 seed=1'.")
    ] = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
) -> None:
    """Run one study or all and compare with what is known.

    Exit code 3 if one of them fails.
    """
    from rollcone import studies
    from rollcone.cli.console import NOT_CONVERGED, print_json
    from rollcone.cli.reproduce_all import reproduce_all

    if all_of_them:
        _check_alone({"STUDY": study, "--keep": keep, "--only": only})
        passed = reproduce_all(folder or Path("reproduced"), full=full, as_json=as_json)
        raise typer.Exit(0 if passed else NOT_CONVERGED)
    if study is None:
        names = {name: info.summary for name, info in studies.STUDIES.items()}
        if as_json:
            print_json({"studies": [{"study": n, "summary": text} for n, text in names.items()]})
        else:
            _show_list(names)
        return
    folder = folder or Path()
    check_folder(folder)
    with _bar() as progress:
        result = studies.run(study, full=full, progress=progress, keep=keep, only=only)
    paths = result.save(folder)
    if as_json:
        pictures = {"figure": str(paths[0]), "figures": [str(path) for path in paths]}
        print_json(result.report() | pictures)
    else:
        _show(result, paths)
    if not result.passed:
        raise typer.Exit(NOT_CONVERGED)


def _check_alone(others: dict[str, Any]) -> None:
    """All studies have all runs, and keep them."""
    from rollcone.errors import InputError

    for name, value in others.items():
        if value:
            raise InputError(f"{name} = {value}: does not go with --all")


def check_folder(folder: Path) -> None:
    """Before any work is done."""
    from rollcone.errors import FileError

    if folder.exists() and not folder.is_dir():
        raise FileError(f"folder {folder}: is a file")


@contextmanager
def _bar() -> Iterator[Callable[[str, int, int], None]]:
    """A bar over all steps of all runs, on stderr and only if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    error_console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f} steps"),
        TimeRemainingColumn(),
        console=error_console,
        transient=True,
        disable=not error_console.is_terminal,
    )
    task = bar.add_task("preparing", total=1)

    def progress(name: str, done: int, total: int) -> None:
        if done % _EVERY == 0 or done == total:
            bar.update(task, description=name, completed=done, total=total)

    with bar:
        yield progress


def _show_list(names: dict[str, str]) -> None:
    from rich.table import Table

    from rollcone.cli.console import console

    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    for name, summary in names.items():
        grid.add_row(name, summary)
    out = console()
    out.print(grid)
    out.print("\nrollcone reproduce NAME runs one", style="dim")


def _show(study: Study, paths: list[Path]) -> None:
    """The table for people, and where the pictures are."""
    from rich.markup import escape

    from rollcone._words import seconds
    from rollcone.cli.console import console

    out = console()
    out.print(f"[bold]{study.name}[/]")
    if study.points:
        out.print(_points(study.points), "")
    out.print(_table(study.rows, wide=out.width >= _WIDE), "")
    for source in dict.fromkeys(row.source for row in study.rows):
        out.print(f"reference: {escape(source)}", style="dim")
    out.print(
        "error and tolerance: rel. is relative, ord. what an order lacks, else in the row's unit; "
        "min. and max. are bounds",
        style="dim",
    )
    for path in paths:
        out.print(f"picture: {escape(str(path))}", soft_wrap=True)
    failed = sum(row.verdict == "fail" for row in study.rows)
    differ = sum(row.verdict == "differs" for row in study.rows)
    passed = f"{len(study.rows) - differ} pass" if differ else "all pass"
    words = f"[red]{failed} of {len(study.rows)} fail[/]" if failed else f"[green]{passed}[/]"
    if differ:
        words += f", [yellow]{differ} differ[/] from what is published"
    out.print(f"{words} ({seconds(study.seconds)})")


def _table(rows: list[Row], *, wide: bool) -> Any:
    """Where there is no room for a column of runs, each run is a heading."""
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0),
        header_style="bold",
    )  # fmt: skip
    if wide:
        table.add_column("run", style="dim")
    table.add_column("quantity", min_width=16)
    for header in ("reference", "value", "error", "toler-\nance"):
        table.add_column(header, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    last = ""
    for row in rows:
        if not wide and row.run != last:
            table.add_row(f"[dim]{row.run}[/]")
        table.add_row(*([row.run if row.run != last else ""] if wide else []), *_cells(row))
        last = row.run
    return table


def _points(points: list[dict[str, Any]]) -> Any:
    """What the figure shows; errors stand behind their numbers."""
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0, header_style="bold",
    )  # fmt: skip
    names = [name for name in points[0] if not name.endswith(_ERROR)]
    for name in names:
        words = isinstance(points[0][name], str)
        table.add_column(_heading(name), justify="left" if words else "right", no_wrap=not words)
    for point in points:
        table.add_row(*(_with_error(point, name) for name in names))
    return table


def _heading(name: str) -> str:
    """In short lines."""
    words = name.split("_")
    short = (word if len(word) < 10 else f"{word[:6]}-\n{word[6:]}" for word in words)
    return "\n".join(short)


def _with_error(point: dict[str, Any], name: str) -> str:
    if isinstance(point[name], str):
        return str(point[name])
    number = f"{point[name]:.3g}"
    error = point.get(name + _ERROR, 0.0)
    return f"{number}±{error:.1g}" if error > 0.0 else number


def _cells(row: Row) -> tuple[str, ...]:
    from rich.markup import escape

    from rollcone.studies.results_page import MARKS, number, quantity, small

    colour = _COLOURS[row.verdict]
    return (
        escape(quantity(asdict(row))),
        number(row.reference),
        number(row.value),
        small(row.error),
        small(row.tolerance) + MARKS.get(row.measure, ""),
        f"[{colour}]{row.verdict}[/]",
    )
