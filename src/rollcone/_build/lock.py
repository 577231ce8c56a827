"""One build at a time in a folder: a lock that the system releases when its process ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; wait while another process has it."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "a+b") as file:
        _acquire(file.fileno())
        try:
            yield
        finally:
            _release(file.fileno())


if os.name == "posix":
    import fcntl

    def _acquire(number: int) -> None:
        fcntl.flock(number, fcntl.LOCK_EX)

    def _release(number: int) -> None:
        fcntl.flock(number, fcntl.LOCK_UN)

else:
    import msvcrt

    def _acquire(number: int) -> None:
        while True:  # each try gives up after ten seconds
            try:
                msvcrt.locking(number, msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined,unused-ignore]
                return
            except OSError:
                continue

    def _release(number: int) -> None:
        os.lseek(number, 0, os.SEEK_SET)
        msvcrt.locking(number, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]
