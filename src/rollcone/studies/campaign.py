"""Campaigns: one scene run with many values, each run on its own.

A case is a frozen dataclass of numbers, all that its run depends on, and knows its `steps`.
`measure(case, tell)` simulates it and returns a dictionary for a JSON document; it calls `tell`
with the steps made so far. With a folder to keep them in, each result is a file of its own there,
and is read instead of simulated anew if its case is the same: a campaign that was stopped goes on.
"""

from __future__ import annotations

import json
import math
import queue as queues
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from rollcone._json import write_whole
from rollcone.errors import FileError, InputError
from rollcone.studies.study import Progress

Tell = Callable[[int], object]
Result = dict[str, Any]
Measure = Callable[[Any, Tell], Result]


@dataclass(frozen=True)
class Campaign:
    """keep     folder for the results, one file per run; None keeps nothing
    only     words like 'mu=0.3 seed=1': simulate only the cases whose names have all of them
    workers  processes
    """

    keep: Path | None = None
    only: str = ""
    workers: int = 1


def collect(
    cases: Mapping[str, Any],
    measure: Measure,
    campaign: Campaign,
    progress: Progress,
    fields: tuple[str, ...] = (),
) -> dict[str, Result]:
    """Results by name, in the order of the cases; those that were neither kept nor simulated now
    are missing. What is kept must have these `fields`, numbers or lists of them."""
    found = {
        name: kept for name, case in cases.items() if (kept := _read(campaign, name, case, fields))
    }
    words = campaign.only.split()
    asked = {name: case for name, case in cases.items() if set(words) <= set(name.split())}
    if not asked:
        first = next(iter(cases))
        raise InputError(
            f"only = {campaign.only!r}: no run has all of these words, as in {first!r}"
        )
    todo = {name: case for name, case in asked.items() if name not in found}
    steps = dict.fromkeys(todo, 0)
    total = sum(case.steps for case in todo.values())

    def tell(name: str, made: int) -> None:
        steps[name] = made
        progress(name, sum(steps.values()), total)

    if campaign.workers > 1 and len(todo) > 1:
        found |= dict(_in_processes(todo, measure, campaign, tell))
    else:
        for name, case in todo.items():
            found[name] = _run(measure, campaign, name, case, partial(tell, name))
    return {name: found[name] for name in cases if name in found}


def mean_and_error(values: Iterable[float]) -> tuple[float, float]:
    """The mean and its standard error, which is zero for one value; nan does not count."""
    there = np.array([value for value in values if not math.isnan(value)])
    if not len(there):
        return math.nan, math.nan
    error = there.std(ddof=1) / math.sqrt(len(there)) if len(there) > 1 else 0.0
    return float(there.mean()), float(error)


def _run(measure: Measure, campaign: Campaign, name: str, case: Any, tell: Tell) -> Result:
    result = measure(case, tell)
    tell(case.steps)
    if campaign.keep is not None:
        document = {"case": asdict(case), "result": result}
        write_whole(_path(campaign.keep, name), json.dumps(document))
    return result


_queue: Any = None  # of a worker, to its parent


def _connect(queue: Any) -> None:
    global _queue
    _queue = queue


def _work(measure: Measure, campaign: Campaign, name: str, case: Any) -> Result:
    return _run(measure, campaign, name, case, lambda made: _queue.put((name, made)))


def _in_processes(
    cases: Mapping[str, Any],
    measure: Measure,
    campaign: Campaign,
    tell: Callable[[str, int], None],
) -> Iterator[tuple[str, Result]]:
    """Workers write what is kept, so that it is there if the parent is killed."""
    context = get_context("spawn")  # kernels with threads do not survive a fork
    queue = context.Queue()
    pool = ProcessPoolExecutor(campaign.workers, context, _connect, (queue,))
    try:
        waiting = {
            pool.submit(_work, measure, campaign, name, case): name for name, case in cases.items()
        }
        while waiting:
            ready, _ = wait(waiting, timeout=1.0, return_when=FIRST_COMPLETED)
            while True:
                try:
                    tell(*queue.get_nowait())
                except queues.Empty:
                    break
            for future in ready:
                yield waiting.pop(future), future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name.replace(' ', '_')}.json"


def _read(campaign: Campaign, name: str, case: Any, fields: tuple[str, ...] = ()) -> Result | None:
    """A kept result; None if there is none, or one of another case."""
    if campaign.keep is None or not (path := _path(campaign.keep, name)).exists():
        return None
    try:
        kept = json.loads(path.read_text())
        if kept["case"] != json.loads(json.dumps(asdict(case))):
            return None
        for field in fields:
            np.asarray(kept["result"][field], dtype=float)
        return dict(kept["result"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FileError(f"{path}: is no result of a run ({error}); remove it") from error
