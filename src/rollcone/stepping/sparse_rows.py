"""Rows of many joints by a sparse matrix."""

from __future__ import annotations

import numpy as np
import scipy

from rollcone._check import FloatArray, IntArray

_ROUNDS = 2  # that bring it nearer: the shift keeps rounding out where rows are redundant


def least_impulses(
    G: FloatArray, bodies: IntArray, inverse: FloatArray, x: FloatArray, shift: float,
    group: IntArray,
) -> FloatArray:  # fmt: skip
    """Return m of G M^-1 G^T m = x, for rows on up to four bodies: G (m, 4, 6), bodies (m, 4) with
    n for none, and the inverse masses (n, 7) of kernels/work.py. `shift` is a share of the
    diagonal, alike for rows of one group (m,): rows may be redundant."""
    n = len(inverse)
    row, side = np.nonzero(bodies < n)
    columns = 6 * bodies[row, side][:, None] + np.arange(6)
    entries = (G[row, side].reshape(-1), (np.repeat(row, 6), columns.reshape(-1)))
    H = scipy.sparse.csr_matrix(entries, shape=(len(G), 6 * n))
    blocks = np.zeros((n, 6, 6))
    for k in range(3):
        blocks[:, k, k], blocks[:, 3 + k, 3 + k] = inverse[:, 0], inverse[:, 1 + k]
    for (i, j), k in zip(((3, 4), (3, 5), (4, 5)), (4, 5, 6), strict=True):
        blocks[:, i, j] = blocks[:, j, i] = inverse[:, k]
    M = scipy.sparse.bsr_matrix((blocks, np.arange(n), np.arange(n + 1)), shape=(6 * n, 6 * n))
    W = (H @ M @ H.T).tocsc()
    _, place, size = np.unique(group, return_inverse=True, return_counts=True)
    weight = (np.bincount(place, W.diagonal()) / size)[place]
    factor = scipy.sparse.linalg.splu(W + scipy.sparse.diags(shift * weight, format="csc"))
    found = factor.solve(x)
    for _ in range(_ROUNDS):
        found += factor.solve(x - W @ found)
    return np.asarray(found)
