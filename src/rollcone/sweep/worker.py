"""What runs on a Dask worker: one attempt at a case, and what happens when the worker must go.

A worker that is told to close (SIGTERM, `scancel`, a pod that is evicted, the end of a study) stops
its simulations, which make a checkpoint; the scheduler gives their cases to others, which go on.
"""

from __future__ import annotations

import asyncio
import shutil
import signal
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

from distributed import Reschedule, get_worker
from distributed.diagnostics.plugin import WorkerPlugin

from rollcone import __version__
from rollcone.sweep import handover, work
from rollcone.sweep.case import Case
from rollcone.sweep.results import Outcome, place, sees
from rollcone.thread_count import set_threads

_GRACE = 20.0  # s: longer than any call of kernels should take
_own: dict[str, Path] = {}  # run files under way that other workers cannot see, by their names


def version_here() -> str:
    return __version__


def attempt(case: Case, folder: str, token: str, topic: str) -> tuple[Outcome, bytes | None]:
    """The outcome, and the run file if the study's folder cannot be seen from here."""
    worker = get_worker()
    set_threads(max(1, worker.state.nthreads))

    def tell(steps: int) -> None:
        worker.log_event(topic, [case.key, steps])

    try:
        if sees(Path(folder), token):
            return work.carry_out(case, place(Path(folder), case), tell), None
        where = place(Path(worker.local_directory) / token, case)
        return _alone(worker, case, where, f"{topic}-{case.key}", tell)
    except work.PausedError:
        time.sleep(0.5)  # this worker is on its way out
        raise Reschedule from None


def _alone(
    worker: Any, case: Case, where: Path, name: str, tell: work.Tell
) -> tuple[Outcome, bytes | None]:
    """In a folder of this worker's own."""
    file = where / "run.h5"
    handover.begin(worker, name, file)
    _own[name] = file
    outcome = work.carry_out(case, where, tell)
    del _own[name]
    content = file.read_bytes() if case.keep and file.exists() else None
    shutil.rmtree(where, ignore_errors=True)
    return outcome, content


class Checkpointer(WorkerPlugin):  # type: ignore[misc]
    """Stops the simulations of a worker that closes."""

    name = "rollcone"

    def setup(self, worker: Any) -> None:
        work.may_run()
        if threading.current_thread() is not threading.main_thread():
            return
        # A nanny's worker has no handlers of its own: Ctrl-C in a terminal reaches it as well as
        # its nanny, which closes it; SIGTERM may reach it alone, or first.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, partial(_leave, worker))

    async def teardown(self, worker: Any) -> None:
        work.stop_all()
        end = time.monotonic() + _GRACE
        while not work.idle() and time.monotonic() < end:
            await asyncio.sleep(0.05)
        for name, file in list(_own.items()):
            if file.exists():
                await handover.leave(worker, name, file.read_bytes())


def _leave(worker: Any, *_: object) -> None:
    """Checkpoints, then the end of this worker; its nanny starts another if it may."""
    work.stop_all()
    worker.loop.add_callback_from_signal(partial(worker.close, nanny=False, reason="SIGTERM"))
