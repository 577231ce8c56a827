"""Where pictures and exports are written to: checked before any work is done."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rollcone.errors import FileError, InputError


def check_output(what: str, path: Path, suffixes: Sequence[str], *, overwrite: bool = True) -> None:
    """Refuse a name that nothing can be written to."""
    if path.suffix.lower() not in suffixes:
        raise InputError(f"{what} {path}: the name must end in {', '.join(suffixes)}")
    if not path.parent.is_dir():
        raise FileError(f"{what} {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise FileError(f"{what} {path}: is a folder")
    if path.exists() and not overwrite:
        raise FileError(f"{what} {path}: is there already (--overwrite replaces it)")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise FileError(f"{what} {path}: cannot be written there")


def write_whole(what: str, path: Path, write: Callable[[Path], None]) -> None:
    """Let `write` make the file beside its place and put it there: all of it, or nothing."""
    try:
        with TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-") as folder:
            made = Path(folder) / path.name
            write(made)
            made.replace(path)
    except OSError as error:
        raise FileError(f"{what} {path}: cannot be written: {error.strerror or error}") from error
