"""A chain relaxed in two colours until a sum is small: its plain twin, and data for both."""

import numpy as np

from rollcone._build.gates import CHUNK


def relax_plainly(x, b, sweeps, tolerance):
    """Relax as `thread_kernels.relax` does, in NumPy; return the sweeps it took."""
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
    """Return a start, a right-hand side, both (n + 2,), and room for the sums of chunks."""
    b = np.random.default_rng(seed).normal(size=n + 2)
    return np.zeros(n + 2), b, np.zeros(n // CHUNK + 1)
