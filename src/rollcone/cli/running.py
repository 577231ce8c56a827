"""What `run` and `resume` share: the simulation goes on, Ctrl-C and SIGTERM end it gently, the file
is made."""

from __future__ import annotations

import shlex
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from rollcone.cli.console import NOT_CONVERGED, NOT_TRUSTED, SIGNALLED, print_json
from rollcone.errors import NotConvergedError

if TYPE_CHECKING:
    from rollcone.recording.run import Run
    from rollcone.simulation import Simulation


def carry_out(
    simulation: Simulation,
    path: Path,
    until: float | None,
    *,
    quiet: bool,
    as_json: bool,
    warnings: Sequence[str] = (),
) -> Run:
    """On to the end; says what happened. Ends the command if the run could not be finished.
    `warnings` of the start are for the JSON document."""
    failure = None
    try:
        with simulation, gentle_interrupt(simulation) as signals:
            simulation.finish(until, progress=not (quiet or as_json))
    except NotConvergedError as error:
        failure = error
    run = simulation.run
    left = simulation.stopped and simulation.time < (simulation.until or 0.0) - simulation.step / 2
    done = not (failure or left)
    report(run, path, quiet=quiet, as_json=as_json, done=done, warnings=warnings)
    if failure is not None:
        typer.echo(f"error: {failure}; {path} has the run up to there", err=True)
        raise typer.Exit(NOT_CONVERGED)
    if left:
        typer.echo(
            f"stopped at t = {simulation.time:g} s of {simulation.until:g} s; "
            f"continue with: rollcone resume {shlex.quote(str(path))}",
            err=True,
        )
        raise typer.Exit(SIGNALLED + signals[0])
    return run


def exit_with_verdict(run: Run) -> None:
    """End the command of a run that is finished: with exit code 4 if it is not trusted."""
    if not run.trusted:
        raise typer.Exit(NOT_TRUSTED)


def report(
    run: Run, path: Path, *, quiet: bool, as_json: bool, done: bool, warnings: Sequence[str]
) -> None:
    """The summary, and what to do next."""
    from rollcone.recording.summary import facts

    if as_json:
        told = facts(run)
        told["warnings"] = list(dict.fromkeys([*warnings, *told["warnings"]]))
        print_json({"file": str(path), "finished": done, **told})
        return
    if quiet:
        return
    size = path.stat().st_size / 1e6
    typer.echo(run.summary())
    typer.echo(f"wrote       {path} ({size:.3g} MB): {len(run.time)} moments")
    name = shlex.quote(str(path))
    typer.echo(f"look at it  rollcone view {name}, or: info, plot, render, export")


@contextmanager
def gentle_interrupt(simulation: Simulation) -> Iterator[list[int]]:
    """The first Ctrl-C or SIGTERM, as batch systems send it, lets the step end and the file be
    closed; gives a list that it is put into. A second Ctrl-C quits at once, which loses no more
    than a kill would; a second SIGTERM, which some batch systems send, changes nothing."""
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield received
        return

    def stop(number: int, _: Any) -> None:
        if not received:
            more = "; Ctrl-C again quits at once" if number == signal.SIGINT else ""
            typer.echo(f"finishing the step{more}", err=True)
            simulation.stop()
        received.append(number)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        if not simulation.stopped:
            for number, handler in before.items():
                signal.signal(number, handler)
