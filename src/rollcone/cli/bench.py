"""`rollcone bench`: a race of solvers on a folder of problems, and problems to race on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

if TYPE_CHECKING:
    from rollcone.bench import Line, Race
    from rollcone.problem.contact_problem import Law

TOLERANCES, TIME_LIMIT = "1e-4, 1e-8, 1e-12", 10.0
_NOTE = (
    "timed out: also not tried after a time-out at a looser tolerance; wins: within 5 % of the "
    "quickest; ratio: median of CPU times over the quickest's, where solved"
)


def solvers(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Problem files, also in folders below.")
    ],
    solver: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Name of a solver; may be repeated (default: all but those for comparison).",
            show_default=False,
        ),
    ] = None,
    law: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="exact or associated (default: each file's).", show_default=False
        ),
    ] = None,
    tolerance: Annotated[
        list[float] | None,
        typer.Option(
            metavar="X",
            help=f"Residual to reach, no unit; may be repeated (default: {TOLERANCES}).",
            show_default=False,
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help=f"For each solve (default: {TIME_LIMIT:g}).",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="For solvers.csv and solvers.png (default: DIR).",
            show_default=False,
        ),
    ] = None,
    siconos: Annotated[
        bool,
        typer.Option("--siconos", help="Siconos, too, in the Python that SICONOS_PYTHON names."),
    ] = False,
    plot_only: Annotated[
        bool, typer.Option("--plot-only", help="Solve nothing: only show what solvers.csv has.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
) -> None:
    """Race solvers on every problem in a folder.

    Gives times, a table and performance profiles. Each problem is solved from zero by each solver
    to each tolerance. Results are kept line by line in solvers.csv: a race that was stopped goes
    on where it was.
    """
    from rollcone import bench
    from rollcone.cli.console import print_json

    place = output or folder
    if plot_only:
        race = bench.recall(place, solver or (), tolerance or (), cast("Law", law), time_limit)
    else:
        asked: dict[str, Any] = {
            "solvers": solver, "law": law, "tolerances": tolerance, "time_limit": time_limit,
            "siconos": siconos,
        }  # fmt: skip
        given = {name: value for name, value in asked.items() if value is not None}
        settings = bench.Settings(**given)
        with _bar() as progress:
            race = bench.run(folder, output, settings, progress=progress)
    lines = bench.table(race.results, race.solvers, race.tolerances)
    picture = race.path.with_suffix(".png")
    _draw(race, picture)
    if as_json:
        print_json(_report(race, lines, picture))
    else:
        _show(race, lines, picture)


def problems(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to put them.")],
) -> None:
    """Write generated problems to race on: heaps, towers, arches, chains, mass ratios to 1e6."""
    from rollcone._words import count
    from rollcone.cli.console import console, working
    from rollcone.problems.collection import write_collection

    with working("making problems"):
        paths = write_collection(folder)
    console().print(f"{count(len(paths), 'problem')} in {folder}", markup=False, soft_wrap=True)


@contextmanager
def _bar() -> Iterator[Callable[[str, int, int], None]]:
    """A bar over all solves, on stderr and only if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    error_console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        TextColumn("{task.completed:.0f} of {task.total:.0f}"),
        TimeRemainingColumn(),
        console=error_console,
        transient=True,
        disable=not error_console.is_terminal,
    )
    task = bar.add_task("", total=1)

    def progress(words: str, done: int, total: int) -> None:
        if total != bar.tasks[0].total:  # reading is over: time left is of the solves alone
            bar.reset(task, total=total)
        bar.update(task, description=words, completed=done)

    with bar:
        yield progress


def _draw(race: Race, picture: Path) -> None:
    """Without solvers that support none of the problems."""
    from rollcone import bench
    from rollcone._words import count
    from rollcone.bench.results import NOT_SUPPORTED
    from rollcone.view.profiles import save_profiles

    able = {result.solver for result in race.results if result.status != NOT_SUPPORTED}
    solvers = [name for name in race.solvers if name in able]
    times = [bench.times(race.results, solvers, goal) for goal in race.tolerances]
    title = f"{count(len(race.problems), 'problem')}, {race.time_limit:g} s for each solve"
    save_profiles(times, race.tolerances, solvers, picture, title)


def _report(race: Race, lines: list[Line], picture: Path) -> dict[str, Any]:
    from rollcone import bench

    nobody = bench.unsolved(race.results, race.solvers, race.tolerances)
    return {
        "csv": str(race.path),
        "plot": str(picture),
        "problems": len(race.problems),
        "time_limit": race.time_limit,
        "rows": [asdict(line) for line in lines],
        "unsolved": [{"tolerance": goal, "problems": names} for goal, names in nobody.items()],
        "unreadable": [{"file": name, "reason": why} for name, why in race.unreadable.items()],
        "left_out": list(race.left_out),
    }


def _show(race: Race, lines: list[Line], picture: Path) -> None:
    """The report for people."""
    from rich.markup import escape

    from rollcone import bench
    from rollcone._words import count, power
    from rollcone.cli.console import console

    out = console()
    nobody = bench.unsolved(race.results, race.solvers, race.tolerances)
    words = count(len(race.problems), "problem")
    for goal in race.tolerances:
        out.print(
            f"[bold]residual of {power(goal)}[/], {words}, {race.time_limit:g} s for each solve"
        )
        out.print(_table([line for line in lines if line.tolerance == goal]))
        if nobody[goal]:
            out.print(f"[yellow]solved by nobody[/]: {escape(', '.join(nobody[goal]))}")
        out.print()
    for name, why in race.unreadable.items():
        out.print(f"[yellow]cannot be read[/]: {escape(name)}: {escape(why)}")
    if race.left_out:
        out.print(
            f"[yellow]left out[/], not yet by all solvers: {escape(', '.join(race.left_out))}"
        )
    out.print(_NOTE, style="dim")
    out.print(f"results: {escape(str(race.path))}", soft_wrap=True)
    out.print(f"profiles: {escape(str(picture))}", soft_wrap=True)


def _table(lines: list[Line]) -> Any:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0),
        header_style="bold",
    )  # fmt: skip
    table.add_column("solver", no_wrap=True)
    for header in ("solved", "failed", "timed\nout", "not sup-\nported", "wins", "ratio"):
        table.add_column(header, justify="right", no_wrap=True)
    for line in lines:
        numbers = (line.solved, line.failed, line.timed_out, line.not_supported, line.wins)
        ratio = f"{line.median_ratio:.3g}" if line.solved else "-"
        table.add_row(escape(line.solver), *map(str, numbers), ratio)
    return table
