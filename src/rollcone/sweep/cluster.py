"""Cases on Dask: on workers of this machine, or on those of a scheduler that is there.

Workers that see the study's folder (by its id) work in it, so that a run which one of them has
begun is continued by another. One that does not see it works in a folder of its own and sends
back what it has made; a checkpoint of it then goes through the scheduler (`worker.py`).
"""

from __future__ import annotations

import logging
import queue
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from rollcone import __version__
from rollcone.errors import ClusterError, MissingPackageError
from rollcone.sweep.case import Case
from rollcone.sweep.results import Outcome, place, read_outcome, write_outcome

try:
    from dask import config
    from distributed import Client, KilledWorker, LocalCluster
except ImportError as error:
    words = 'several workers need Dask: pip install "rollcone[sweep]", or ask for one worker'
    raise MissingPackageError(words) from error

from rollcone.sweep.worker import Checkpointer, attempt, version_here

_LOOK = 0.5  # s
_CONNECT = "30s"
_SETTINGS = {
    "distributed.admin.tick.limit": "1h",  # a long call of kernels is no fault
    "distributed.deploy.lost-worker-timeout": "10m",  # on a busy machine a new one takes a while
}

log = logging.getLogger(__name__)


class Cluster:
    """A pool of Dask workers; see `engine.Pool`."""

    def __init__(self, folder: Path, token: str, workers: int, scheduler: str | None) -> None:
        self._folder, self._token = folder.resolve(), token
        self._scheduler = scheduler
        self._local: Any = None
        config.set(_SETTINGS)
        if scheduler is None:
            self._local = LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1",
                dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL,
            )  # fmt: skip
        self._client = self._connected(self._local or str(scheduler))
        self._client.register_plugin(Checkpointer(), name="rollcone")

    def _connected(self, address: Any) -> Any:
        try:
            client = Client(address, timeout=_CONNECT, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise ClusterError(
                f"scheduler = {address!r}: no Dask scheduler answers there: {error}"
            ) from error
        try:
            versions = client.run(version_here, on_error="return")
        except Exception as error:
            client.close()
            raise ClusterError(f"scheduler = {address!r}: {error}") from error
        for worker, version in versions.items():
            if version != __version__:
                client.close()
                raise ClusterError(
                    f"worker {worker}: has Rollcone {version!s}, not {__version__} as here"
                )
        return client

    @property
    def workers(self) -> int:
        return len(self._client.scheduler_info(n_workers=-1)["workers"])

    def outcomes(
        self, cases: dict[str, Case], tell: Callable[[str, int], object]
    ) -> Iterator[tuple[str, Outcome] | None]:
        done: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        topic = f"rollcone-{self._token}"
        reached = dict.fromkeys(cases, 0)  # steps, when it was last submitted
        latest = dict(reached)

        def note(event: tuple[float, Any]) -> None:
            key, steps = event[1]
            if key in latest:
                latest[key] = steps
                tell(key, steps)

        def submit(key: str) -> Any:
            future = self._client.submit(
                attempt, cases[key], str(self._folder), self._token, topic,
                pure=False, key=f"{topic}-{key}-{self._client.id}-{reached[key]}",
            )  # fmt: skip
            future.add_done_callback(lambda future: done.put((key, future)))
            return future

        self._client.subscribe_topic(topic, note)
        try:
            futures = {key: submit(key) for key in cases}
            while futures:
                try:
                    key, future = done.get(timeout=_LOOK)
                except queue.Empty:
                    self._check()
                    yield None
                    continue
                outcome = self._outcome(key, cases[key], future, latest[key] > reached[key])
                if outcome is None:
                    reached[key] = latest[key]
                    futures[key] = submit(key)
                else:
                    del futures[key]
                    yield key, outcome
        finally:
            with suppress(Exception):
                self._client.unsubscribe_topic(topic)

    def _outcome(self, key: str, case: Case, future: Any, further: bool) -> Outcome | None:
        """What has become of it; None if it is to be tried again, since it got further before its
        worker was lost."""
        where = place(self._folder, case)
        if future.status == "finished":
            outcome, run_file = future.result()
            if run_file is not None:
                where.mkdir(parents=True, exist_ok=True)
                (where / "run.h5").write_bytes(run_file)
            if read_outcome(where, case) is None:
                write_outcome(where, case, outcome)
            return Outcome(**vars(outcome))
        if future.status in ("lost", "cancelled"):
            self._check(lost=True)
        error = future.exception()
        if isinstance(error, KilledWorker):
            if further:
                log.info("%s: its worker was lost; it is tried again", key)
                return None
            error = "the workers that simulated it died (killed, or out of memory)"
        outcome = Outcome(error=str(error))
        write_outcome(where, case, outcome)
        return outcome

    def _check(self, lost: bool = False) -> None:
        """Is the scheduler still there?"""
        if lost or self._client.status not in ("running", "connecting"):
            where = self._scheduler or "of this machine"
            words = "what is finished is kept, and the same command goes on"
            raise ClusterError(f"the scheduler {where} was lost; {words}")

    def close(self) -> None:
        """Runs of local workers make a checkpoint first; those of others go on until they hear."""
        with suppress(Exception):
            self._client.close()
        if self._local is not None:
            with suppress(Exception):
                self._local.close(timeout=60)
