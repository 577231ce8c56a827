"""A run in progress: the folder `out.h5.part`, which survives a kill at any moment.

    000000.h5, 000001.h5, ...   moments, a file per flush; none is ever changed
    checkpoint.h5               how to go on, and how many of those files belong to it
    lock                        held by the process that writes

Each file is written beside and renamed into place, so it is whole or not there. `out.h5` is
made of them in the same way; then the folder goes. A run that is continued begins with the moments
of `out.h5`, whose id the checkpoint names. (SQLite would do as well; it is quicker for small runs,
where neither matters, and slower for large ones: benchmarks/README.md.)
"""

from __future__ import annotations

import logging
import os
import shutil
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import h5py

from rollcone.errors import FileError
from rollcone.recording.checkpoint import copy_checkpoint, read_notes
from rollcone.recording.checks import check_entries, check_moments, check_notes, number
from rollcone.recording.layout import (
    Joined,
    cannot_write,
    is_run_file,
    rename,
    write_head,
    write_image,
    write_moments,
)
from rollcone.recording.texts import attribute, bytes_of, put_attribute

Write = Callable[[Any, dict[str, Any]], None]  # of a checkpoint: into a file, with more notes
_SPARE = 2**20  # bytes that a finished file needs beyond its parts
_CACHE = 2**25  # bytes of chunks that are kept while parts are added


log = logging.getLogger(__name__)


class Part:
    """The folder of one run file. `open_new` or `open_old`, then `flush`, then `finish`."""

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.realpath(path)) if path.is_symlink() else path
        self.folder = folder_of(self.path)
        self._lock: Any = None
        self._files = 0
        self.kept = False  # is there a checkpoint of this run?
        self._notes: dict[str, Any] = {}
        self._scene = ""

    def create(self, scene: str, base: str) -> None:
        """A new run, in place of any that was in the folder, or one that continues the file whose
        id is `base`."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(self.folder, error) from error
        self.hold()
        (self.folder / "checkpoint.h5").unlink(missing_ok=True)
        self._scene = scene
        self._notes = {"id": uuid.uuid4().hex, "base": base}

    def hold(self) -> None:
        """No other process may write here."""
        if self._lock is None:
            self._lock = _lock(self.folder)

    def flush(self, moments: dict[str, Any] | None, checkpoint: Write) -> None:
        """More moments, and how to go on from here."""
        files = self._files
        if moments is not None:
            write_image(self.folder / f"{files:06}.h5", lambda f: write_moments(f, moments))
            files += 1
        notes = self._notes | {"files": files}

        def write(file: Any) -> None:
            write_head(file, self._notes["id"], self._scene)
            checkpoint(file, notes)

        write_image(self.folder / "checkpoint.h5", write)
        self._files, self.kept = files, True

    def finish(self) -> None:
        """`out.h5` from what has been written; the folder goes."""
        beside = self.path.with_name(self.path.name + ".new")
        try:
            write_whole(self.path, self.folder, beside)
        except (LookupError, TypeError, ValueError) as error:
            raise FileError(
                f"{self.path}: is damaged ({error}); what there is of the run is in {self.folder}"
            ) from error
        rename(beside, self.path)
        log.info("%s is whole", self.path)
        self.discard()

    def discard(self) -> None:
        """The folder goes; the checkpoint first, so that what is left says nothing."""
        (self.folder / "checkpoint.h5").unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.release()

    def release(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def folder_of(path: Path) -> Path:
    return path.with_name(path.name + ".part")


def unfinished(path: Path) -> bool:
    """Is there more in the folder than in the file?"""
    folder = folder_of(path)
    checkpoint = folder / "checkpoint.h5"
    if not checkpoint.exists():
        return False
    if not is_run_file(path):  # not yet, or another file, to be overwritten
        return True
    with h5py.File(checkpoint, "r") as file, h5py.File(path, "r") as whole:
        return attribute(whole, "id") != _made_of(read_notes(file))


def write_whole(path: Path, folder: Path, target: Path) -> None:
    """A run file at `target`, of the moments in `path` that the folder continues and its own."""
    with h5py.File(folder / "checkpoint.h5", "r") as checkpoint:
        check_entries(checkpoint)
        notes = read_notes(checkpoint)
        check_notes(notes)
        files = [folder / f"{k:06}.h5" for k in range(number("files", notes["files"], 0))]
        if notes["base"]:
            _check_base(path, notes["base"])
            files = [path, *files]
        need = sum(file.stat().st_size for file in files) + _SPARE
        if shutil.disk_usage(target.parent).free < need:
            raise FileError(
                f"cannot write {target}: {need / 1e6:.0f} MB are needed, and the disk is full; "
                f"nothing is lost, the run is in {folder}"
            )
        try:
            with h5py.File(target, "w", rdcc_nbytes=_CACHE) as whole:
                write_head(whole, _made_of(notes), bytes_of(checkpoint["scene"]).decode())
                put_attribute(whole, "version", str(attribute(checkpoint, "version")))
                Joined(whole, files).write()
                copy_checkpoint(checkpoint, whole)
                check_moments(whole, len(notes["world"]["names"]), str(notes["level"]))
            with open(target, "rb") as done:
                os.fsync(done.fileno())
        except OSError as error:
            with suppress(OSError):
                target.unlink()
            raise cannot_write(target, error) from error
        except BaseException:
            with suppress(OSError):
                target.unlink()
            raise


def _made_of(notes: dict[str, Any]) -> str:
    """The id of a file that is made of a folder: told from every other state of that folder."""
    return f"{notes['id']}-{notes['files']}-{notes['recorder']['steps']}"


def _check_base(path: Path, base: str) -> None:
    with h5py.File(path, "r") as file:
        if attribute(file, "id") != base:
            raise FileError(
                f"{path}: is not the file that {folder_of(path)} continues; was it replaced?"
            )


def _lock(folder: Path) -> Any:
    """An open file that the system unlocks when the process ends, however it ends."""
    try:
        file = open(folder / "lock", "a+")  # noqa: SIM115
    except OSError as error:
        raise cannot_write(folder / "lock", error) from error
    try:
        import fcntl
    except ImportError:  # Windows: there is none, and two writers are the user's to avoid
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise FileError(f"{folder}: another process is writing this run") from None
    return file
