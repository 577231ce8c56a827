"""`rc.resume`: a run goes on where it stopped, to the bits that it would have had."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rollcone.errors import InputError
from rollcone.mechanics.world import World
from rollcone.recording.checkpoint import read_kept
from rollcone.recording.part import Part, unfinished
from rollcone.recording.run import Run
from rollcone.recording.run_file import RunFile, missing, open_source, reading, run_path
from rollcone.recording.writer import RunWriter
from rollcone.settings import Settings
from rollcone.simulation import Simulation, steps_between

log = logging.getLogger(__name__)


def resume(
    path: str | Path,
    world: World | None = None,
    *,
    until: float | None = None,
    each_step: Callable[[Simulation], object] | None = None,
    progress: bool = False,
) -> Run:
    """Continue a run that was stopped or killed, or one that is finished, to a later time.

    path       the run file, `out.h5`
    world      needed if Python functions act on its bodies (forces, motions): the world that the
               run began with, or one with the same bodies and functions
    until      seconds; if not given, as it was asked for at first
    each_step  needed if the run had one: it is called on
    """
    with resumed(path, world, each_step) as simulation:
        simulation.finish(until, each_step, progress)
    return simulation.run


def resumed(
    path: str | Path,
    world: World | None = None,
    each_step: Callable[[Simulation], object] | None = None,
) -> Simulation:
    """A simulation that stands where the run stopped, and writes to its file."""
    source = complete(path)
    try:
        if source.notes["each_step"] and each_step is None:
            raise InputError(
                f"each_step: {source.path} was simulated with a Python function after every step, "
                "which a file cannot keep; continue it with rc.resume(path, each_step=...)"
            )
        return _restored(source, world)
    finally:
        source.close()


def complete(path: str | Path) -> RunFile:
    """The whole run, after what a killed one has left beside its file has been put into it."""
    file = run_path(path)
    part = Part(file)
    try:
        with reading(file):
            if part.folder.exists():
                part.hold()
                if unfinished(part.path):
                    part.finish()
                elif part.path.exists():  # only the clearing away was left to do
                    part.discard()
    except FileNotFoundError as error:
        raise missing(file, error) from error
    finally:
        part.release()
    return open_source(file)


def _restored(source: RunFile, world: World | None) -> Simulation:
    notes, path = source.notes, source.path
    assert path is not None
    log.info("%s goes on at t = %g s", path, source.time)
    _take_functions(source.world, world, notes["world"]["functions"])
    with reading(path):
        simulation = Simulation.restored(
            source.world,
            Settings.from_plain(notes["settings"]),
            source.level,
            notes["recorder"],
            read_kept(source.file),
        )
        simulation.until = notes["until"]
        simulation.recorder.scene = source.scene
        simulation.write_to(RunWriter(path, float(notes["flush"]), source.id, source.steps))
    return simulation


def _take_functions(state: World, world: World | None, needed: list[str]) -> None:
    """Those that acted when the run stopped, from the bodies of the same names in `world`."""
    given = [] if world is None else world.functions()
    missing = sorted(set(needed) - set(given))
    if missing:
        raise InputError(
            f"world: the run needs Python functions ({', '.join(missing)}) that a file cannot "
            "keep; continue it with rc.resume(path, world), with the world that it began with"
        )
    if world is None:
        return
    for (number, field), function in world.loads.items():
        name = world.name_of(number)
        if f"{field} of {name!r}" in needed:
            state.loads[state.number_of(name), field] = function
    for number, motion in world.motions.items():
        name = world.name_of(number)
        if f"motion of {name!r}" in needed:
            state.motions[state.number_of(name)] = motion
    state.joints.take_functions(world.joints)


def describe(source: RunFile) -> dict[str, Any]:
    """Where a run stands: its time, the time asked for, and whether it got there."""
    with reading(source.path):
        time, until = source.time, source.notes["until"]
        left = 0 if until is None else steps_between(min(time, until), until, source.step)
        return {"time": time, "until": until, "finished": left == 0}
