"""When and how long Numba compiles, so that the time of steps can be told without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba.core import event


@contextmanager
def compile_time() -> Iterator[list[float]]:
    """Gives a list of durations (s), filled while kernels are compiled; loading is not told."""
    found: list[float] = []
    with event.install_timer("numba:compile", found.append):
        yield found


@contextmanager
def when_compiling(tell: Callable[[], object]) -> Iterator[None]:
    """Calls `tell` when Numba begins to compile, once."""

    class Listener(event.Listener):
        told = False

        def on_start(self, event: object) -> None:
            if not self.told:
                self.told = True
                tell()

        def on_end(self, event: object) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        yield
