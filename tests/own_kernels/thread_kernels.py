"""Kernels that several threads run at once, for the tests of threads."""

from __future__ import annotations

from rollcone._build.gates import add_in_order, chunk_count, chunk_range, share, wait
from rollcone._build.kernels import entry
from rollcone._build.signatures import Float1, Int1


@entry
def relax(
    thread: int, threads: int, gate: Int1, x: Float1, b: Float1, parts: Float1, sweeps: int,
    tolerance: float,
) -> int:  # fmt: skip
    """Set x[i] <- (x[i - 1] + x[i + 1] + b[i]) / 2.1, even then odd places, again and again until
    the sum of |x[i - 1] + x[i + 1] + b[i] - 2.1 x[i]| is small; return the sweeps it took.

    Writes x and parts.
    """
    n = x.size - 2
    for sweep in range(sweeps):
        for colour in range(2):
            first, end = share((n + 1 - colour) // 2, thread, threads)
            for k in range(first, end):
                i = 1 + colour + 2 * k
                x[i] = (x[i - 1] + x[i + 1] + b[i]) / 2.1
            wait(gate, threads)
        first, end = share(chunk_count(n), thread, threads)
        for chunk in range(first, end):
            total, (begin, stop) = 0.0, chunk_range(chunk, n)
            for i in range(begin + 1, stop + 1):
                total += abs(x[i - 1] + x[i + 1] + b[i] - 2.1 * x[i])
            parts[chunk] = total
        wait(gate, threads)
        if add_in_order(parts, chunk_count(n)) <= tolerance:
            return sweep + 1
        # No gate here: parts are written again only after the next ones.
    return sweeps


@entry
def count(thread: int, threads: int, gate: Int1, seen: Int1) -> int:
    """Write the number of threads into this thread's place of `seen`; return it."""
    seen[thread] = threads
    return threads


@entry
def fail(thread: int, threads: int, gate: Int1, bad: int, gates: int) -> None:
    """Fail on one thread before its third gate of `gates`."""
    for k in range(gates):
        if thread == bad and k == 2:
            raise ValueError("this one is bad")
        wait(gate, threads)


@entry
def until_told(thread: int, threads: int, gate: Int1, told: Int1, stop: Int1, rounds: Int1) -> None:
    """Pass gates until told[0] is not zero. Writes stop, and counts rounds of each thread."""
    while stop[0] == 0:
        wait(gate, threads)
        if thread == 0:
            stop[0] = told[0]
        rounds[thread] += 1
        wait(gate, threads)


@entry
def late(thread: int, threads: int, gate: Int1, a: Float1) -> None:
    """Let the other threads wait for thread 0 so long that they nap; writes `a`."""
    if thread == 0:
        for i in range(3_000_000):
            a[0] = a[0] * 0.5 + i
    wait(gate, threads)
    a[1 + thread] = a[0]
