"""The command `rollcone`: its subcommands and how it ends.

Exit codes: 0 done, 1 wrong input (a line on stderr, no traceback), 2 wrong usage, 3 not
converged or not as published, 130 interrupted, 141 the reader of a pipe went away. Subcommands
import what they need when they run.
"""

from __future__ import annotations

import signal
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from rollcone import __version__
from rollcone.cli.console import INTERRUPTED, WRONG_INPUT
from rollcone.cli.info import info
from rollcone.cli.reproduce import reproduce
from rollcone.cli.solve import solve
from rollcone.errors import RollconeError


class _Group(TyperGroup):
    """Turns the errors that Rollcone raises on purpose into one line and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except RollconeError as error:
            typer.echo(f"error: {' '.join(str(error).split())}", err=True)
            raise typer.Exit(WRONG_INPUT) from None
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None


app = typer.Typer(
    cls=_Group,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(solve)
app.command()(info)
app.command()(reproduce)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rollcone {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Rigid bodies in contact with dry friction: sliding, rolling, spinning."""


def main() -> None:
    """The entry point of the script `rollcone`."""
    if hasattr(signal, "SIGPIPE"):  # `rollcone ... | head -1` ends quietly
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    app()


if __name__ == "__main__":
    main()
