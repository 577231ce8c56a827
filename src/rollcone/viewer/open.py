"""Shows a run and waits: what `rollcone view` and a script need."""

from __future__ import annotations

import os
import sys
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress

from rollcone.errors import RollconeError
from rollcone.recording.part import folder_of
from rollcone.recording.run import Run
from rollcone.recording.run_file import open_run
from rollcone.viewer.server import HOST, PORT, Viewer

_LOOK = 1.0  # s between looks for more of a run
_SHARE = 5.0  # times as long as it took to read it, at least


def show(
    run: Run,
    *,
    host: str = HOST,
    port: int = PORT,
    browser: bool = True,
    say: Callable[[str], object] = print,
) -> None:
    """Serves the page of a run until Ctrl-C; opens it in a browser if there is a screen. A run
    that is still being written grows on the page, too."""
    with Viewer(run, host=host, port=port) as viewer:
        say(f"{viewer.url}  (Ctrl-C ends)")
        if browser and has_screen():
            webbrowser.open(viewer.url)
        follow(viewer)


def follow(viewer: Viewer) -> None:
    """Look now and then whether there is more of the run."""
    seen, pause = _stamp(viewer.run), _LOOK
    while not viewer.wait(pause):
        now = _stamp(viewer.run)
        if now == seen or viewer.run.path is None:
            continue
        begin = time.monotonic()
        with suppress(RollconeError, OSError):  # it is just being replaced: next time
            viewer.refresh(open_run(viewer.run.path))
            seen = now
        pause = max(_LOOK, _SHARE * (time.monotonic() - begin))


def _stamp(run: Run) -> list[int]:
    """When the file and the folder of a run in progress were last written."""
    places = [] if run.path is None else [run.path, folder_of(run.path) / "checkpoint.h5"]
    found = []
    for place in places:
        with suppress(OSError):
            found.append(place.stat().st_mtime_ns)
    return found


def has_screen() -> bool:
    """Without one, `webbrowser` would start a browser in the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
