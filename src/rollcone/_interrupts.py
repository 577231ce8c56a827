"""Signals that wait: until a simulation stands between two steps, until a package is imported."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Gives a function that tells whether Ctrl-C was pressed. A second Ctrl-C is not deferred;
    nor is the first if somebody else handles it, or outside the main thread."""
    pressed = False
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: pressed
        return

    def note(*_: object) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Hold back Ctrl-C and SIGTERM until the `with` block ends, where Python handles them.

    For imports of large extension modules: the exception of a signal in the middle of one leaves it
    half made, or becomes an ImportError. Outside the main thread nothing is to be done, since
    Python handles signals in that one alone.
    """
    held: list[int] = []
    handlers = {}
    if threading.current_thread() is threading.main_thread():
        found = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        handlers = {number: handler for number, handler in found.items() if callable(handler)}
    for number in handlers:
        signal.signal(number, lambda number, _: held.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if held:
            signal.raise_signal(held[0])
