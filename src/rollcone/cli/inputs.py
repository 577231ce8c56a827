"""The run file that a command is given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rollcone.recording.run import Run


def open_given(file: Path, *, quiet: bool = False) -> Run:
    """The run in a file, which is read as it is looked at."""
    from rollcone.cli.console import working
    from rollcone.recording.run_file import open_run

    refuse_scene(file)
    with working(f"reading {file.name}", quiet=quiet):
        return open_run(file)


def refuse_scene(file: Path) -> None:
    """A scene where a run is asked for."""
    from rollcone.errors import InputError

    if file.suffix.lower() == ".toml" and file.is_file():
        raise InputError(f"{file}: is a scene, not a run; simulate it first: rollcone run {file}")
