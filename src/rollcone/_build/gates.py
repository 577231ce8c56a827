"""What kernels need that several threads run at once, on the same arrays.

Such a kernel is called as `kernel(thread, threads, gate, *arguments)`. Threads share the work by
`share`, and meet at `wait(gate, threads)`: what was written before is read after. All must pass the
same gates in the same order. Sums go over chunks of a fixed size and are added in order, so that
they have the same bits for any number of threads:

    for chunk in range(*share(chunk_count(n), thread, threads)):
        parts[chunk] = 0.0
        for i in range(*chunk_range(chunk, n)):
            parts[chunk] += values[i]
    wait(gate, threads)
    total = add_in_order(parts, chunk_count(n))

A thread that waits spins for some microseconds (not if threads outnumber cores), then offers its
core to others, then naps.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from rollcone._build.intrinsics import (
    add_atomic,
    offer_core,
    pause,
    read_atomic,
    sleep,
    write_atomic,
)
from rollcone._build.kernels import inlined, kernel

CHUNK = 1024  # items of a sum that one thread adds
# Words of a gate, each on a cache line of its own (some processors fetch two lines at once).
_ARRIVED, _OPENED, BROKEN, GATE_WORDS = 0, 16, 32, 48
SPINS = BROKEN + 1  # how often to look before the core is offered: see `_together.py`
_YIELDS = 200  # some 100 microseconds, if no other thread wants the core
_NAP = 20 if os.name == "posix" else 0  # microseconds


def new_gate() -> np.ndarray[Any, np.dtype[np.int64]]:
    """A gate for one group of threads, on whole cache lines."""
    room = np.zeros(GATE_WORDS + 16, dtype=np.int64)
    first = -room.ctypes.data // 8 % 16
    return room[first : first + GATE_WORDS]


@inlined
def share(n, thread, threads):
    """The first and the end of the items 0 .. n - 1 that are this thread's."""
    return n * thread // threads, n * (thread + 1) // threads


@inlined
def chunk_count(n):
    """How many chunks n items make."""
    return (n + CHUNK - 1) // CHUNK


@inlined
def chunk_range(chunk, n):
    """The first and the end of the items of a chunk."""
    return chunk * CHUNK, min(n, (chunk + 1) * CHUNK)


@inlined
def add_in_order(parts, count):
    """The sum of the chunks' sums."""
    total = 0.0
    for chunk in range(count):
        total += parts[chunk]
    return total


@inlined
def wait(gate, threads):
    """Until all threads are here. It fails if another thread has failed."""
    if threads > 1:
        opened = read_atomic(gate, _OPENED)
        if add_atomic(gate, _ARRIVED, 1) == threads - 1:
            write_atomic(gate, _ARRIVED, 0)
            write_atomic(gate, _OPENED, opened + 1)
        else:
            spins = gate[SPINS]
            while spins > 0 and read_atomic(gate, _OPENED) == opened:
                pause()
                spins -= 1
            if spins == 0:
                _linger(gate, opened)


@kernel
def _linger(gate, opened):
    """A long wait, for one that has work to do alone or has no core."""
    rounds = 0
    while read_atomic(gate, _OPENED) == opened:
        if read_atomic(gate, BROKEN) != 0:
            raise RuntimeError("another thread has failed")
        if rounds < _YIELDS:
            offer_core()
            rounds += 1
        else:
            sleep(_NAP)
