"""`rollcone view`: a run in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def view(
    file: Annotated[Path, typer.Argument(metavar="RUN", help="A run file.")],
    port: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=65535, help="Where the page is served; if taken, the next free."
        ),
    ] = 8080,
    host: Annotated[
        str,
        typer.Option(metavar="NAME", help="Who may open the page: by default this machine alone."),
    ] = "127.0.0.1",
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
) -> None:
    """Play a run in the browser, until Ctrl-C.

    Play, pause and scrub; colours by speed, rotation, force, mode or
    material; contact forces; energy and residual; a click on a body shows its
    state.
    """
    import signal

    from rollcone.cli.inputs import open_given
    from rollcone.viewer.open import show

    if hasattr(signal, "SIGPIPE"):  # a page that is closed must not end the server
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    show(open_given(file), host=host, port=port, browser=browser, say=typer.echo)
