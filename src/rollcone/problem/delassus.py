"""Delassus form: y = W p + q, the problem seen from the contacts alone.

W need not be symmetric (gyroscopic terms) and may be singular (more contacts
than the bodies can tell apart). It is what FCLIB files of the local kind hold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from rollcone._check import FloatArray


@dataclass(frozen=True)
class DelassusForm:
    """W (N, N) sparse by rows, q (N,)."""

    W: scipy.sparse.csr_matrix
    q: FloatArray

    def free_velocities(self) -> FloatArray:
        """y for p = 0."""
        return self.q

    def velocities(self, p: FloatArray) -> FloatArray:
        """y = W p + q."""
        return np.asarray(self.W @ p + self.q)

    def diagonal_blocks(self, contacts: int, rows: int) -> FloatArray:
        """W_ii of each contact, (contacts, rows, rows)."""
        return block_diagonal(self.contact_blocks(contacts, rows))

    def contact_blocks(self, contacts: int, rows: int) -> scipy.sparse.bsr_matrix:
        """The part of W between contacts, by blocks."""
        size = contacts * rows
        if size == 0:
            none = np.zeros(0, dtype=np.int32)
            return scipy.sparse.bsr_matrix((np.zeros((0, rows, rows)), none, [0]), shape=(0, 0))
        blocks = self.W[:size, :size].tobsr((rows, rows))
        blocks.sort_indices()
        return blocks

    def row_diagonal(self, first: int) -> FloatArray:
        """W_kk of the extra rows, which start at row `first`."""
        return np.asarray(self.W.diagonal()[first:])

    def turnover(self, p: FloatArray) -> FloatArray:
        """What all reactions do to each row, none against another (N,): of that rounding hides a
        share."""
        return np.asarray(abs(self.W) @ np.abs(p))

    def asymmetry(self) -> float:
        """max |W - W^T| / max |W|."""
        largest = abs(self.W).max() if self.W.nnz else 0.0
        return float(abs(self.W - self.W.T).max() / largest) if largest > 0 else 0.0


def block_diagonal(blocks: scipy.sparse.bsr_matrix) -> FloatArray:
    """The diagonal blocks of a square block matrix, zero where none is stored."""
    rows = blocks.blocksize[0]
    contacts = blocks.shape[0] // rows
    out = np.zeros((contacts, rows, rows))
    of_row = np.repeat(np.arange(contacts), np.diff(blocks.indptr))
    here = np.flatnonzero(of_row == blocks.indices)
    out[of_row[here]] = blocks.data[here]
    return out
