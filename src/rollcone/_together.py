"""Runs a kernel on several threads at once.

Each Python thread that calls `together` has threads of its own, which sleep between calls and end
with it. The caller is thread 0."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

from rollcone._build.gates import BROKEN, SPINS, new_gate
from rollcone._interrupts import deferred_interrupt
from rollcone.errors import LibraryError
from rollcone.thread_count import say_if_forked, threads, usable_cpus

_SPINS = 1000  # some 20 microseconds


def together(kernel: Any, *arguments: Any, at_most: int | None = None) -> Any:
    """Call `kernel(thread, threads, gate, *arguments)` on all threads; what thread 0 returns.

    Ctrl-C waits until it ends. An error on any thread is raised.
    """
    count = threads() if at_most is None else max(1, min(threads(), at_most))
    group = _own_group()
    if count == 1:
        say_if_forked()
        return kernel(0, 1, group.gate, *arguments)
    with deferred_interrupt() as pressed:
        result = group.run(count, kernel, arguments)
    if pressed():
        raise KeyboardInterrupt
    return result


class _Group:
    """The threads of one caller, and their gate."""

    def __init__(self) -> None:
        self.gate = new_gate()
        self._workers: list[_Worker] = []
        weakref.finalize(self, _end, self._workers)

    def run(self, count: int, kernel: Any, arguments: tuple[Any, ...]) -> Any:
        self._settle()  # the call before may have been left by an exception of a signal handler
        while len(self._workers) < count - 1:
            self._workers.append(_Worker(len(self._workers) + 1))
        error: BaseException | None = None
        result = None
        # Where threads outnumber cores, to spin keeps away the very one that is waited for.
        self.gate[SPINS] = _SPINS if _working.add(count) <= usable_cpus() else 0
        try:
            for worker in self._workers[: count - 1]:
                worker.start((kernel, count, self.gate, arguments))
            result = kernel.without_lock(0, count, self.gate, *arguments)
        except BaseException as failure:
            self.gate[BROKEN] = 1
            error = failure
        finally:
            _working.add(-count)
        errors = [error, *self._settle()]
        found = [e for e in errors if e is not None]
        if found:
            raise next((e for e in found if not isinstance(e, LibraryError)), found[0])
        return result

    def _settle(self) -> list[BaseException | None]:
        """Wait until no thread works; their errors."""
        errors = [worker.finish() for worker in self._workers]
        if self.gate[BROKEN]:
            self.gate[:] = 0
        return errors


class _Total:
    """How many threads of this process are in kernels."""

    def __init__(self) -> None:
        self._total, self._lock = 0, threading.Lock()

    def add(self, count: int) -> int:
        with self._lock:
            self._total += count
            return self._total


class _Worker:
    """One thread. It works while the last call it ended is not the last one it was asked for.

    Both locks only wake the one who waits, who then looks at these two numbers: so a lock may be
    released once too often, and no exception at any point makes one wait for ever.
    """

    def __init__(self, thread: int) -> None:
        self.asked = self.ended = 0
        self.call: Any = None
        self.error: BaseException | None = None
        self.wake, self.done = threading.Lock(), threading.Lock()
        self.wake.acquire()
        name = f"rollcone {thread}"
        threading.Thread(target=_serve, args=(self, thread), name=name, daemon=True).start()

    def start(self, call: Any) -> None:
        self.call = call
        self.asked += 1
        _release(self.wake)

    def finish(self) -> BaseException | None:
        """Wait until the thread sleeps; the error it met."""
        while self.ended != self.asked:
            if not self.done.acquire(timeout=1.0):
                _release(self.wake)  # an exception may have left `start` before it did
        error, self.error = self.error, None
        return error


def _serve(worker: _Worker, thread: int) -> None:
    while True:
        worker.wake.acquire()
        if worker.ended == worker.asked:
            continue
        if worker.call is None:
            return
        kernel, count, gate, arguments = worker.call
        try:
            kernel.without_lock(thread, count, gate, *arguments)
        except BaseException as failure:
            worker.error = failure
            gate[BROKEN] = 1
        del kernel, gate, arguments
        worker.call = None  # keeps no array alive
        worker.ended = worker.asked
        _release(worker.done)


def _end(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.start(None)


def _release(lock: Any) -> None:
    try:
        lock.release()
    except RuntimeError:
        return  # it is free already


_own, _working = threading.local(), _Total()


def _own_group() -> _Group:
    if not hasattr(_own, "group"):
        _own.group = _Group()
    group: _Group = _own.group
    return group


def _after_fork() -> None:
    """The parent's threads are not in the child."""
    global _own, _working
    _own, _working = threading.local(), _Total()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
