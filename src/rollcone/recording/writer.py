"""Writes a simulation into a run file while it goes on, so that a kill loses little."""

from __future__ import annotations

import logging
import time as clock
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcone.errors import FileError, InputError
from rollcone.recording.checkpoint import write_checkpoint
from rollcone.recording.layout import cannot_write, is_run_file
from rollcone.recording.part import Part, folder_of, unfinished
from rollcone.recording.run_file import open_source
from rollcone.recording.source import Source

if TYPE_CHECKING:
    from rollcone.simulation import Simulation


log = logging.getLogger(__name__)


class RunWriter:
    """`now_and_then` after every call of the simulation, `close` in the end."""

    def __init__(self, path: Path, flush: float, base: str = "", steps: int = 0) -> None:
        """For a new run, or for the rest of one whose file has the id `base` and so many steps."""
        self._part = Part(path)
        self._steps = steps
        self._base, self._flush = base, flush
        self._last = clock.perf_counter()
        self._begun = self._closed = False

    @staticmethod
    def new(simulation: Simulation, path: Path, overwrite: bool, flush: float) -> RunWriter:
        """Nothing is written before the first step is asked for. A file that is overwritten
        stays until the new one is made."""
        check_free(path, overwrite)
        for emitter in simulation.world.emitters:
            if emitter.recipe.functions:
                raise InputError(
                    f"{', '.join(emitter.recipe.functions)} of {emitter!r}: is a Python function; "
                    "a run with such an emitter cannot be written to a file"
                )
        return RunWriter(path, flush)

    @property
    def path(self) -> Path:
        return self._part.path

    def now_and_then(self, simulation: Simulation) -> None:
        """Write if it is time to."""
        if clock.perf_counter() - self._last >= self._flush:
            self.write(simulation)

    def write(self, simulation: Simulation) -> None:
        """What has been recorded, and how to go on; memory is free again."""
        moments = simulation.recorder.moments
        if not self._begun:
            self._part.create(simulation.recorder.scene, self._base)
            self._begun = True

        def checkpoint(file: Any, notes: dict[str, Any]) -> None:
            more = notes | {
                "until": simulation.until, "flush": self._flush, "each_step": simulation.each_step
            }  # fmt: skip
            write_checkpoint(file, simulation, more)

        try:
            self._part.flush(moments.arrays() if len(moments) else None, checkpoint)
        except FileError:
            if not self._part.kept:  # nothing was ever written: leave no trace
                self._part.discard()
                self._begun = False
            raise
        log.info(
            "t = %g s: %d moments kept in %s", simulation.time, len(moments), self._part.folder
        )
        moments.clear()
        self._last = clock.perf_counter()

    def close(self, simulation: Simulation) -> None:
        """Write the rest and make the file; what cannot be made stays in the folder. A simulation
        that was left in the middle of a step has no state to keep: its file ends before."""
        if self._closed or not (self._begun or simulation.steps > self._steps):
            return
        self._closed = True
        try:
            if simulation.between_steps:
                self.write(simulation)
            self._part.finish()
        finally:
            self._part.release()

    def source(self, simulation: Simulation) -> Source:
        """What has been recorded so far, to read."""
        if not (self._begun or self._base):
            return simulation.recorder
        if self._begun and not self._closed:
            self.write(simulation)
        found = open_source(self.path)
        found.world.family = simulation.world.family  # its handles are good for both
        return found


def check_free(path: Path, overwrite: bool) -> None:
    """Before anything is written: may this file be made?"""
    if path.is_dir():
        raise FileError(f"{path}: is a folder; name a file, such as {path / 'out.h5'}")
    if not path.parent.is_dir():
        raise FileError(f"{path}: there is no folder {path.parent}")
    try:
        probe = path.with_name(path.name + ".new")
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise cannot_write(path, error) from error
    if overwrite:
        if path.exists() and not is_run_file(path):
            raise FileError(f"{path}: is not a run file, and is not overwritten; choose another")
        return
    if path.exists():
        raise FileError(f"{path}: exists already; overwrite=True (--overwrite) replaces it")
    if unfinished(path):
        raise FileError(
            f"{path}: an unfinished run is in {folder_of(path)}; continue it "
            f"(rollcone resume {path}), or replace it: overwrite=True (--overwrite)"
        )
