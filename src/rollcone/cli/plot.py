"""`rollcone plot`: a run over time, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def plot(
    file: Annotated[Path, typer.Argument(metavar="RUN", help="A run file.")],
    what: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help="energy, trajectory, residual, contacts, joints, or all in one picture.",
        ),
    ] = "all",
    body: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Name of a body whose path is drawn; may be repeated (default: a few that move).",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE",
            help="A .png, .svg or .pdf (default: RUN-WHAT.png in the current folder).",
            show_default=False,
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the picture.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
) -> None:  # fmt: skip
    """Draw a run over time: energy, paths, residuals, contacts, joints."""
    from rollcone._check import one_of
    from rollcone.cli.console import say_written, working
    from rollcone.cli.inputs import open_given
    from rollcone.view.output import check_output
    from rollcone.view.plots import PLOTS, SUFFIXES, save_plot

    one_of("--what", what, (*PLOTS, "all"))
    run = open_given(file, quiet=quiet)
    picture = output or Path(f"{file.stem}-{what}.png")
    check_output("plot", picture, SUFFIXES, overwrite=overwrite)
    with working(f"drawing {file.name}", quiet=quiet):
        save_plot(run, picture, what, body or (), title=file.name)
    say_written(picture, {"run": str(file), "what": what}, quiet=quiet, as_json=as_json)
