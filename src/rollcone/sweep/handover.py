"""Checkpoints between workers that share no folder: through the scheduler, which keeps them.

A worker that begins a case says so; one that must go leaves the run file of what it has made. The
worker that is given the case next waits for it for a while, and goes on from there. (Where workers
see the study's folder nothing of this is needed.)
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from distributed.utils import sync

_WAIT = 15.0  # s for a worker that is closing to leave its run
_LOOK = 0.5
_BEGUN = b""


def begin(worker: Any, name: str, path: Path) -> None:
    """Take what another worker has left of this case, if it has begun it; from a task's thread."""
    left = _read(worker, name)
    end = time.monotonic() + _WAIT
    while left == _BEGUN and time.monotonic() < end:  # it was begun: its checkpoint may be coming
        time.sleep(_LOOK)
        left = _read(worker, name)
    if left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(left)
    sync(worker.loop, leave, worker, name, _BEGUN)


async def leave(worker: Any, name: str, content: bytes) -> None:
    """What the next worker may take."""
    await worker.scheduler.variable_set(name=name, data=content)


def _read(worker: Any, name: str) -> bytes | None:
    """None if nobody has begun it."""

    async def get() -> Any:
        return await worker.scheduler.variable_get(name=name, timeout=0.05)

    try:
        content: bytes = sync(worker.loop, get)["value"]
    except TimeoutError:
        return None
    return content
