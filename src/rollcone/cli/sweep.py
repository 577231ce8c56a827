"""`rollcone sweep`: a study file, carried out."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollcone._words import count

if TYPE_CHECKING:
    from rollcone.sweep.sweep import Sweep
    from rollcone.sweep.table import SweepResult

_ROWS = 40  # points that are shown
_ERRORS = 10
_COLUMNS = 8
_PIPED = 400
_ROUNDING = 1e-12
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", help="Processes, one thread each (default: the CPUs).",
                 show_default=False),
]  # fmt: skip
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Use the workers of this Dask scheduler, tcp://host:8786.",
                 show_default=False),
]  # fmt: skip


def sweep(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study file (TOML).")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER",
                     help="Where all is kept (default: STUDY with -sweep).", show_default=False),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Only look for mistakes.")] = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
) -> None:  # fmt: skip
    """Run a scene with many values, and tabulate what is measured.

    What is finished is kept: after Ctrl-C or a crash the same command goes on. Runs that fail are
    listed and do not stop the rest; they are tried again by the next command. The exit code is 3
    if a run has failed.
    """
    from rollcone.cli.console import NOT_CONVERGED
    from rollcone.sweep.sweep import load_sweep

    found = load_sweep(study)
    if check:
        _say_checked(study, found, quiet=quiet, as_json=as_json)
        return
    folder = Path(f"{study.stem}-sweep") if output is None else output
    try:
        result = found.run(
            folder, workers=workers, scheduler=scheduler, progress=not (quiet or as_json)
        )
    except KeyboardInterrupt:
        typer.echo(f"stopped; the same command goes on with what is in {folder}", err=True)
        raise
    paths = result.save()
    _report(result, paths, quiet=quiet, as_json=as_json)
    if result.failed:
        raise typer.Exit(NOT_CONVERGED)


def _say_checked(study: Path, found: Sweep, *, quiet: bool, as_json: bool) -> None:
    from rollcone.cli.console import print_json

    cases = found.cases()
    steps = sum(case.steps for case in cases)
    points = len(cases) // found.repeats
    if as_json:
        print_json({"study": str(study), "points": points, "runs": len(cases), "steps": steps})
    elif not quiet:
        size = f"{count(points, 'point')}, {count(len(cases), 'run')}, {count(steps, 'step')}"
        typer.echo(f"{study}: no mistakes; {size}")


def _report(result: SweepResult, paths: list[Path], *, quiet: bool, as_json: bool) -> None:
    from rollcone.cli.console import console, print_json

    if as_json:
        print_json(
            {
                "folder": str(result.folder),
                "points": result.points(),
                "runs": result.rows(),
                "failed": [{"run": case.words, "error": why} for case, why in result.failed],
                "files": [str(path) for path in paths],
            }
        )
        return
    if quiet:
        return
    out = console()
    if not out.is_terminal:
        out.width = _PIPED  # no digit is cut
    out.print(_table(result))
    for line in _notes(result):
        out.print(line, soft_wrap=True, markup=False)
    for path in paths:
        out.print(f"wrote {path}", soft_wrap=True, markup=False)


def _notes(result: SweepResult) -> list[str]:
    points = result.points()
    seconds = sum(outcome.seconds for outcome in result.outcomes)
    size = f"{count(len(points), 'point')}, {count(len(result.cases), 'run')}"
    lines = [f"{size}, {seconds:.3g} s of work"]
    if len(points) > _ROWS:
        lines.append(f"the first {_ROWS} points are shown; all are in the files")
    if result.unconverged:
        lines.append(f"warning: {count(result.unconverged, 'run')} had steps that did not converge")
    warned = sum(bool(outcome.facts.get("warnings")) for outcome in result.outcomes)
    if warned:
        lines.append(f"warning: {count(warned, 'run')} have warnings; rollcone info tells them")
    for name, many in result.missing.items():
        lines.append(f"warning: {count(many, 'run')} gave no value of {name}")
    if len(result.versions) > 1:
        lines.append(f"warning: runs are of several versions: {', '.join(result.versions)}")
    if result.failed:
        lines.append(f"{count(len(result.failed), 'run')} failed:")
        lines += [f"  {case.words}: {error}" for case, error in result.failed[:_ERRORS]]
        if len(result.failed) > _ERRORS:
            lines.append(f"  and {len(result.failed) - _ERRORS} more, in results.csv")
    return lines


def _table(result: SweepResult) -> Any:
    """Points and the means of what was measured."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    measures = result.measures[:_COLUMNS]
    for name in [*result.parameters, "runs", *measures]:
        table.add_column(name, justify="right")
    for point in result.points()[:_ROWS]:
        cells = [_cell(point[name]) for name in [*result.parameters, "runs"]]
        table.add_row(*cells, *(_with_error(point, name) for name in measures))
    return table


def _with_error(point: dict[str, Any], name: str) -> str:
    error = point[f"{name}_error"]
    if math.isnan(error) and not math.isnan(point[name]):
        return f"{_cell(point[name])} ± ?"
    seen = error > _ROUNDING * abs(point[name])
    return _cell(point[name]) + (f" ± {error:.1g}" if seen else "")


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.6g}"
    return str(value)
