"""One build at a time in a folder: a lock that the system releases when its process ends.

Processes that a build starts do not inherit it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PAUSE = 0.2  # s, between two tries


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; say so and wait while another process has it."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "a+b") as file:
        told = False
        while not _acquire(file.fileno()):
            if not told:
                print(f"Another process builds the kernel library in {folder}; waiting ...")
            told = True
            time.sleep(_PAUSE)
        try:
            yield
        finally:
            _release(file.fileno())


if os.name == "posix":
    import fcntl

    def _acquire(number: int) -> bool:
        try:
            fcntl.lockf(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _release(number: int) -> None:
        fcntl.lockf(number, fcntl.LOCK_UN)

else:
    import msvcrt

    def _acquire(number: int) -> bool:
        os.lseek(number, 0, os.SEEK_SET)
        try:
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True

    def _release(number: int) -> None:
        os.lseek(number, 0, os.SEEK_SET)
        msvcrt.locking(number, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]
