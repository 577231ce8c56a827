"""A toy for threads: a chain relaxed in two colours until a sum is small; and its plain twin."""

import numba
import numpy as np
from rollcone._thread_kernels import CHUNK, add_in_order, chunk_count, chunk_range, share, wait


@numba.njit(nogil=True)
def relax(thread, threads, gate, x, b, parts, sweeps, tolerance):
    """x[i] <- (x[i - 1] + x[i + 1] + b[i]) / 2.1, even then odd places; the sweeps it took."""
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


def relax_plainly(x, b, sweeps, tolerance):
    """The same in NumPy, its sum added one by one."""
    n = x.size - 2
    for sweep in range(sweeps):
        for first in (1, 2):
            i = np.arange(first, n + 1, 2)
            x[i] = (x[i - 1] + x[i + 1] + b[i]) / 2.1
        terms = np.abs(x[:-2] + x[2:] + b[1:-1] - 2.1 * x[1:-1])
        parts = [np.cumsum(terms[k : k + CHUNK])[-1] for k in range(0, n, CHUNK)]
        if np.cumsum(parts)[-1] <= tolerance:
            return sweep + 1
    return sweeps


def chain(n, seed=1):
    """A start, a right-hand side and room for sums."""
    b = np.random.default_rng(seed).normal(size=n + 2)
    return np.zeros(n + 2), b, np.zeros(n // CHUNK + 1)
