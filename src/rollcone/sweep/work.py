"""One case, carried out: simulate or go on where it was stopped, measure, keep what was found.

A run that is stopped (`stop_all`) or killed lies in its folder as any run does; the next attempt,
in this process or elsewhere, continues it to the same bits.
"""

from __future__ import annotations

import hashlib
import shutil
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from rollcone.errors import FileError, InputError, RollconeError
from rollcone.recording.part import folder_of
from rollcone.recording.run import Run
from rollcone.recording.summary import facts
from rollcone.resuming import resumed
from rollcone.scene.read import read_scene
from rollcone.scene.scene import Scene
from rollcone.simulation import Simulation
from rollcone.sweep.case import Case
from rollcone.sweep.measures import Value, measure
from rollcone.sweep.results import Outcome, read_outcome, write_outcome

_LOOK = 0.5  # s between reports of progress
_PATIENCE = 30.0  # s that a run may still be held by a worker that is being stopped

Tell = Callable[[int], object]  # steps made so far

_running: set[Simulation] = set()
_stopping = threading.Event()


class PausedError(Exception):
    """The run was stopped on the way; its checkpoint is in its folder."""


def carry_out(case: Case, where: Path, tell: Tell) -> Outcome:
    """Its outcome; errors are part of it. PausedError if `stop_all` was called."""
    kept = read_outcome(where, case)
    if kept is not None:
        return kept
    begin = time.perf_counter()
    try:
        run = _finished(case, where, tell)
        values, errors = _measured(case, run)
        taken = time.perf_counter() - begin
        outcome = Outcome(values, facts(run), "; ".join(errors), taken)
    except PausedError:
        raise
    except Exception as error:
        outcome = Outcome(error=_words(error), seconds=time.perf_counter() - begin)
    write_outcome(where, case, outcome)
    if not (case.keep or outcome.failed):
        (where / "run.h5").unlink(missing_ok=True)
    return outcome


def stop_all() -> None:
    """Let all simulations of this process end after the present call, with a checkpoint, and let
    no other begin."""
    _stopping.set()
    for simulation in list(_running):
        simulation.stop()


def idle() -> bool:
    return not _running


def may_run() -> None:
    """Take back `stop_all`."""
    _stopping.clear()


def _finished(case: Case, where: Path, tell: Tell) -> Run:
    scene = read_scene(case.text, case.source)
    where.mkdir(parents=True, exist_ok=True)
    simulation = _begun(scene, where / "run.h5")
    with _watched(simulation, tell), simulation:
        simulation.finish(scene.until)
    if simulation.stopped:
        raise PausedError
    return simulation.run


def _begun(scene: Scene, path: Path) -> Simulation:
    """Where it stopped, or at the start; a run that cannot be read counts as none."""
    part = folder_of(path)
    for _ in range(int(_PATIENCE / _LOOK)):
        if not (path.exists() or part.exists()):
            break
        try:
            return resumed(path)
        except FileError as error:
            if "another process" in str(error):
                time.sleep(_LOOK)
                continue
            path.unlink(missing_ok=True)
            shutil.rmtree(part, ignore_errors=True)
    else:
        raise FileError(f"{path.parent}: another command is at work on this run; try again later")
    return scene.simulation(output=path)


@contextmanager
def _watched(simulation: Simulation, tell: Tell) -> Iterator[None]:
    """Tells its steps now and then, from a thread: a function after every step would make steps
    one by one."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK):
            tell(simulation.steps)

    watcher = threading.Thread(target=watch, daemon=True)
    _running.add(simulation)
    if _stopping.is_set():
        simulation.stop()
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
        _running.discard(simulation)


def _measured(case: Case, run: Run) -> tuple[dict[str, Value], list[str]]:
    """What can be measured, and what is wrong with the rest."""
    values: dict[str, Value] = {}
    errors = []
    measures = [measure(table) for table in case.measures]
    takes: dict[str, Callable[[], Value]] = {}
    takes |= {one.column: partial(one.value, run) for one in measures}
    for name, path, _ in case.functions:
        takes[name] = partial(_by_function, name, path, run)
    for name, take in takes.items():
        try:
            values[name] = take()
        except Exception as error:
            errors.append(_words(error))
    return values, errors


def _by_function(name: str, path: str, run: Run) -> Value:
    return _value(name, function_at(path)(run))


def source_hash(path: str) -> str:
    """Of the file in which a function is: what an older one has measured does not count."""
    file = getattr(import_module(path.partition(":")[0]), "__file__", None)
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16] if file else ""


def function_at(path: str) -> Callable[[Run], Any]:
    """'package.module:function'."""
    if not isinstance(path, str):
        raise InputError(f"measure = {path!r}: must be a text, 'package.module:function'")
    module, _, name = path.partition(":")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(
            f"measure = {path!r}: must be 'package.module:function': {error}"
        ) from error
    if not callable(found):
        raise InputError(f"measure = {path!r}: is a {type(found).__name__}, not a function")
    return found  # type: ignore[no-any-return]


def _value(name: str, given: Any) -> Value:
    try:
        if hasattr(given, "tolist"):
            given = given.tolist()
        return [float(x) for x in given] if isinstance(given, list | tuple) else float(given)
    except (TypeError, ValueError):
        raise InputError(f"{name} = {given!r}: a measure must be a number or some") from None


def _words(error: Exception) -> str:
    """Of our own errors their words; of others also where they were raised."""
    if isinstance(error, RollconeError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "nowhere"
    return f"{type(error).__name__}: {error} ({place})"
