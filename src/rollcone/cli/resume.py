"""`rollcone resume`: a run goes on after a stop or a crash."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rollcone import __version__


def resume(
    file: Annotated[Path, typer.Argument(metavar="RUN", help="A run file.")],
    until: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Simulate to this time (default: as asked at first).",
                     show_default=False),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
) -> None:  # fmt: skip
    """Continue a run that was stopped or killed.

    It comes to the same bits as if nothing had happened. A finished run is continued with --until.
    Python functions (forces, motions) cannot be kept in a file: such runs are continued in Python,
    by rc.resume(path, world). Exit code 4 if the run is not to be trusted (run.trusted).
    """
    from rollcone.cli.inputs import refuse_scene
    from rollcone.cli.running import carry_out, exit_with_verdict
    from rollcone.errors import InputError
    from rollcone.recording.run_file import run_path
    from rollcone.resuming import complete, describe, resumed
    from rollcone.settings import moment

    refuse_scene(file)
    source = complete(file)
    try:
        state, version = describe(source), source.version
    finally:
        source.close()
    end = state["until"] if until is None else moment("--until", until)
    if end is None or end <= state["time"]:
        later = "go on with --until SECONDS" if until is None else f"--until {until:g} is not later"
        raise InputError(f"{file}: is finished, at t = {state['time']:g} s; {later}")
    if version != __version__:
        words = f"{file} was begun by Rollcone {version}, this is {__version__}"
        typer.echo(f"warning: {words}: it may go on to other bits", err=True)
    run = carry_out(resumed(file), run_path(file), end, quiet=quiet, as_json=as_json)
    exit_with_verdict(run)
