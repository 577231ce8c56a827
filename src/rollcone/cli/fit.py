"""`rollcone fit`: coefficients of a scene from measurements."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollcone._words import count, seconds
from rollcone.cli.sweep import Scheduler, Workers

if TYPE_CHECKING:
    from rollcone.fit.fit import Fit
    from rollcone.fit.problem import Target
    from rollcone.fit.result import FitResult


def fit(
    file: Annotated[Path, typer.Argument(metavar="FIT", help="A fit file (TOML).")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER",
                     help="Where all is kept (default: FIT with -fit).", show_default=False),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Only look for mistakes.")] = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
) -> None:  # fmt: skip
    """Find coefficients with which a scene gives what was measured.

    Their uncertainty is told, and all that is doubtful as a warning. Runs are kept: after Ctrl-C or
    a crash the same command goes on and simulates none of them again. The exit code is 3 if the
    search did not converge.
    """
    from rollcone.cli.console import NOT_CONVERGED
    from rollcone.fit.fit import load_fit

    found = load_fit(file)
    if check:
        _say_checked(file, found, quiet=quiet, as_json=as_json)
        return
    folder = Path(f"{file.stem}-fit") if output is None else output
    try:
        result = found.run(
            folder, workers=workers, scheduler=scheduler, progress=not (quiet or as_json)
        )
    except KeyboardInterrupt:
        typer.echo(f"stopped; the same command goes on with what is in {folder}", err=True)
        raise
    paths = result.save(folder, found.title)
    _report(result, paths, quiet=quiet, as_json=as_json)
    if not result.converged:
        raise typer.Exit(NOT_CONVERGED)


def _say_checked(file: Path, found: Fit, *, quiet: bool, as_json: bool) -> None:
    from rollcone.cli.console import print_json

    names = [parameter.name for parameter in found.problem.parameters]
    numbers, budget = found.problem.quantities, found.options.budget
    if as_json:
        print_json({"fit": str(file), "parameters": names, "measured": numbers, "budget": budget})
    elif not quiet:
        size = f"{', '.join(names)} from {count(numbers, 'measured number')}"
        typer.echo(f"{file}: no mistakes; {size}, at most {count(budget, 'run')}")


def _report(result: FitResult, paths: list[Path], *, quiet: bool, as_json: bool) -> None:
    from rollcone.cli.console import console, print_json

    if as_json:
        print_json(result.facts() | {"files": [str(path) for path in paths]})
        return
    if quiet:
        return
    out = console()
    out.print(_coefficients(result))
    out.print()
    out.print(_targets(result))
    for line in _notes(result):
        out.print(line, soft_wrap=True, markup=False)
    for path in paths:
        out.print(f"wrote {path}", soft_wrap=True, markup=False)


def _notes(result: FitResult) -> list[str]:
    sure = result.uncertainty
    pairs = itertools.combinations(enumerate(result.names), 2)
    lines = [
        "",
        *(
            f"correlation of {a} and {b}: {result.correlation[j, k]:.2f}"
            for (j, a), (k, b) in pairs
        ),
    ]
    if result.problem.absolute and sure.degrees:
        lines.append(f"chi-square {sure.chi2:.3g} with {count(sure.degrees, 'degree')} of freedom")
    failed = f", {result.failed} failed" if result.failed else ""
    lines.append(f"{result.method}: {count(result.runs, 'run')}{failed}, {seconds(result.seconds)}")
    return [*lines, *(f"warning: {words}" for words in result.warnings)]


def _table(*names: str) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for number, name in enumerate(names):
        table.add_column(name, justify="right" if number else "left")
    return table


def _coefficients(result: FitResult) -> Any:
    table = _table("coefficient", "value", "95 % interval", "range", "")
    for j, parameter in enumerate(result.problem.parameters):
        name = parameter.name
        low, high = result.interval[name]
        end = {-1: "at its lower end", 0: "", 1: "at its upper end"}[
            int(result.uncertainty.at_end[j])
        ]
        note = "not determined" if math.isinf(result.error[name]) else end
        table.add_row(
            name,
            with_error(result.value[name], result.error[name]),
            f"{low:.5g} to {high:.5g}",
            f"{parameter.low:g} to {parameter.high:g}",
            note,
        )
    return table


def _targets(result: FitResult) -> Any:
    table = _table("target", "measured", "fitted", "off by")
    for target in result.problem.targets:
        fitted, error = result.fitted[target.name], result.fitted_error[target.name]
        if target.is_curve:
            table.add_row(target.name, f"{len(target)} points", "", _off(target, result))
            continue
        given = target.uncertainty
        table.add_row(
            target.name,
            with_error(target.measured[0], math.nan if given is None else given[0]),
            with_error(fitted[0], error[0]),
            _off(target, result),
        )
    return table


def _off(target: Target, result: FitResult) -> str:
    """The root mean square of the residuals, in standard deviations if these are known."""
    difference = result.fitted[target.name] - target.measured
    if target.uncertainty is None:
        return f"{math.sqrt((difference**2).mean()):.2g}"
    variance = target.uncertainty**2 + result.fitted_error[target.name] ** 2
    return f"{math.sqrt((difference**2 / variance).mean()):.2f} std. dev."


def with_error(value: float, error: float) -> str:
    """Digits as the error has them: 0.0400 ± 0.0012."""
    if not math.isfinite(error) or error <= 0:
        return f"{value:.6g}"
    digits = max(0, 1 - math.floor(math.log10(error)))
    if digits > 12 or abs(value) >= 1e7:
        return f"{value:.6g} ± {error:.2g}"
    return f"{value:.{digits}f} ± {error:.{digits}f}"
