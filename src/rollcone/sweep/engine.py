"""The engine: cases in, outcomes out, on this process, on local workers, or on a cluster.

    with Engine(folder, workers=4) as engine:
        outcomes = engine.run(cases)        # and again with others

What is finished lies in the folder and is not done again. Ctrl-C lets runs make a checkpoint; the
next call, in this process or another, goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Protocol

from rollcone._check import whole_number
from rollcone._interrupts import deferred_interrupt
from rollcone.errors import InputError
from rollcone.sweep import work
from rollcone.sweep.case import Case
from rollcone.sweep.results import Outcome, place, read_outcome, study_folder
from rollcone.thread_count import usable_cpus

_LOOK = 0.5  # s


@dataclass
class Progress:
    """Of one call of `run`: cases by key."""

    total: int
    steps: int  # that all cases make
    found: int = 0  # were finished before
    done: int = 0
    failed: int = 0
    made: dict[str, int] = field(default_factory=dict)  # steps so far of those that were not
    workers: int = 0

    @property
    def steps_made(self) -> int:
        return sum(self.made.values())


Show = Callable[[Progress], object]


class Pool(Protocol):
    """Where cases are carried out."""

    @property
    def workers(self) -> int: ...

    def outcomes(
        self, cases: dict[str, Case], tell: Callable[[str, int], object]
    ) -> Iterator[tuple[str, Outcome] | None]:
        """Outcomes by key as they come in, and None now and then, to look around; `tell` is called
        with keys and steps."""

    def close(self) -> None: ...


class Engine:
    """folder     of the study, where all is kept
    workers    processes of one thread each; as many as there are CPUs if not given. One is this
               process, and needs no Dask
    scheduler  address of a Dask scheduler instead, 'tcp://host:8786', whose workers are used
    """

    def __init__(
        self, folder: str | Path, *, workers: int | None = None, scheduler: str | None = None
    ) -> None:
        self.folder = Path(folder)
        if workers is not None and scheduler is not None:
            raise InputError(f"workers = {workers}: a scheduler has its own")
        self._workers = (
            usable_cpus() if workers is None else whole_number("workers", workers, least=1)
        )
        self._scheduler = scheduler
        self._token = study_folder(self.folder)
        self._pool: Pool | None = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def close(self) -> None:
        """Let the workers go; runs that are under way make a checkpoint."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def run(self, cases: Sequence[Case], show: Show = lambda progress: None) -> list[Outcome]:
        """The outcome of each case, in their order. `show` is called about twice a second."""
        found = {case.key: read_outcome(place(self.folder, case), case) for case in cases}
        todo = {case.key: case for case in cases if found[case.key] is None}
        progress = Progress(len(found), sum(case.steps for case in todo.values()))
        progress.found = progress.done = len(found) - len(todo)
        show(progress)
        if todo:
            found |= dict(self._carried_out(todo, progress, show))
        return [outcome for case in cases if (outcome := found[case.key]) is not None]

    def _carried_out(
        self, todo: dict[str, Case], progress: Progress, show: Show
    ) -> Iterator[tuple[str, Outcome]]:
        pool = self._open(len(todo))

        def tell(key: str, steps: int) -> None:
            progress.made[key] = min(steps, todo[key].steps)

        with deferred_interrupt() as interrupted:
            for outcome in pool.outcomes(todo, tell):
                if outcome is not None:
                    progress.done += 1
                    progress.failed += outcome[1].failed
                    tell(outcome[0], todo[outcome[0]].steps)
                    yield outcome
                progress.workers = pool.workers
                show(progress)
                if interrupted():
                    self.close()
                    raise KeyboardInterrupt

    def _open(self, cases: int) -> Pool:
        """Workers are started when there is more than one case for them."""
        many = bool(self._scheduler) or min(self._workers, cases) > 1
        if self._pool is not None and not (many and isinstance(self._pool, _Here)):
            return self._pool
        self.close()
        pool: Pool = _Here(self.folder)
        if many:
            from rollcone.sweep.cluster import Cluster

            pool = Cluster(self.folder, self._token, self._workers, self._scheduler)
        self._pool = pool
        return pool


class _Here:
    """This process, one case after the other, in a thread, so that Ctrl-C is heard."""

    workers = 1

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._executor = ThreadPoolExecutor(1)

    def outcomes(
        self, cases: dict[str, Case], tell: Callable[[str, int], object]
    ) -> Iterator[tuple[str, Outcome] | None]:
        work.may_run()
        for key, case in cases.items():
            where = place(self._folder, case)
            future = self._executor.submit(work.carry_out, case, where, partial(tell, key))
            while not future.done():
                wait([future], timeout=_LOOK)
                if not future.done():
                    yield None
            yield key, future.result()

    def close(self) -> None:
        work.stop_all()
        self._executor.shutdown(cancel_futures=True)
