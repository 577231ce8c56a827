"""The command `rollcone`: its subcommands and how it ends.

Exit codes: 0 done, 1 wrong input (a line on stderr, no traceback), 2 wrong usage, 3 not
converged, not as published or no motion, 4 a run that is finished and not to be trusted, 130
interrupted, 143 ended by SIGTERM, 141 the reader of a pipe went away.
Subcommands import what they need when they run.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from rollcone import __version__
from rollcone.cli.analyze import analyze
from rollcone.cli.bench import problems, solvers
from rollcone.cli.console import INTERRUPTED, SIGNALLED, WRONG_INPUT
from rollcone.cli.doctor import doctor
from rollcone.cli.examples import EXAMPLES
from rollcone.cli.export import export
from rollcone.cli.fit import fit
from rollcone.cli.info import info
from rollcone.cli.plain_help import PlainCommand
from rollcone.cli.plot import plot
from rollcone.cli.render import render
from rollcone.cli.reproduce import reproduce
from rollcone.cli.resume import resume
from rollcone.cli.run import run
from rollcone.cli.schema import schema
from rollcone.cli.solve import solve
from rollcone.cli.sweep import sweep
from rollcone.cli.view import view
from rollcone.errors import RollconeError, SceneError


class _Group(TyperGroup):
    """Turns the errors that Rollcone raises on purpose into a line for each problem and an exit
    code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except RollconeError as error:
            many = error.problems if isinstance(error, SceneError) else [str(error)]
            for problem in many:
                typer.echo(f"error: {' '.join(problem.split())}", err=True)
            raise typer.Exit(WRONG_INPUT) from None
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None


def _examples(name: str) -> str:
    """For the end of a help."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in EXAMPLES[name])])


_PLAIN: dict[str, Any] = {
    "no_args_is_help": True,
    "rich_markup_mode": None,  # plain text, which keeps its lines
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
app = typer.Typer(cls=_Group, pretty_exceptions_enable=False, **_PLAIN)
_COMMANDS = (
    run,
    resume,
    info,
    plot,
    view,
    render,
    export,
    schema,
    analyze,
    solve,
    sweep,
    fit,
    reproduce,
    doctor,
)
for _command in _COMMANDS:
    app.command(cls=PlainCommand, epilog=_examples(_command.__name__))(_command)
_bench = typer.Typer(help="Race solvers on problems.", epilog=_examples("bench"), **_PLAIN)
_bench.command(cls=PlainCommand, epilog=_examples("solvers"))(solvers)
_bench.command(cls=PlainCommand, epilog=_examples("problems"))(problems)
app.add_typer(_bench, name="bench")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rollcone {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Tell on stderr what is being done.")
    ] = False,
) -> None:
    """Rigid bodies in contact with dry friction: sliding, rolling, spinning.

    rollcone run simulates a scene file; the commands after it look at the run.
    """
    if verbose:
        logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")


def _terminated(number: int, _: object) -> None:
    """Ends as Ctrl-C does, so that drafts beside files are cleared away; `run` and `resume` have a
    way of their own (running.py)."""
    _received.append(number)
    raise SystemExit(SIGNALLED + number)


_received: list[int] = []  # signals that `_terminated` has raised exceptions for


def _signal_behind(error: BaseException | None) -> int:
    """Return the signal that led to an error, 0 if none did. Modules that are being imported may
    turn the exception of a signal into one of their own."""
    if _received:
        return _received[0]
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return signal.SIGINT
        error = error.__cause__ or error.__context__
    return 0


def _not_raised(ignored: Any) -> None:
    """Raise a signal again whose exception Python has dropped, as in the callback of a weak
    reference."""
    code = getattr(ignored.exc_value, "code", None)
    if isinstance(ignored.exc_value, SystemExit) and code == SIGNALLED + signal.SIGTERM:
        # Not from here, where it would be dropped again.
        again = threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGTERM))
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(ignored)


def take_signals() -> None:
    """End gently at SIGTERM, and silently where nobody reads what is printed."""
    if hasattr(signal, "SIGPIPE"):  # `rollcone ... | head -1` ends quietly
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, _terminated)
    sys.unraisablehook = _not_raised


def main() -> None:
    """The entry point of the script `rollcone`."""
    take_signals()
    try:
        app(prog_name="rollcone")
    except Exception as error:
        if number := _signal_behind(error):
            raise SystemExit(SIGNALLED + number) from None
        raise


if __name__ == "__main__":
    main()
