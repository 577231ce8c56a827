"""Body form: y = H v + b and M (v - v_free) = H^T p, never forming W.

Where M is made of blocks and every contact touches at most two of them, the form
also offers `pairs`: per contact the two blocks of H L^-T (M = L L^T), on which
Gauss-Seidel runs without a matrix.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from rollcone._check import FloatArray, IntArray
from rollcone.problem.delassus import DelassusForm
from rollcone.problem.mass import BlockMass, MassMatrix


@dataclass(frozen=True)
class Pairs:
    """Rows by the bodies they join: blocks (n, 2, size, rows) of (H L^-T)^T, bodies (n, 2).

    A missing body has the number `bodies` (one past the last) and a zero block.
    """

    blocks: FloatArray
    bodies: IntArray


@dataclass(frozen=True)
class BodyForm:
    """M, H (N, dofs) sparse by rows, v_free (dofs,), b (N,)."""

    mass: MassMatrix
    H: sp.csr_matrix
    v_free: FloatArray
    b: FloatArray
    _known: dict[tuple[int, int, int], Pairs | None] = field(default_factory=dict, repr=False)

    def free_velocities(self) -> FloatArray:
        """y for p = 0."""
        return np.asarray(self.H @ self.v_free + self.b)

    def body_velocities(self, p: FloatArray) -> FloatArray:
        """v = v_free + M^-1 H^T p."""
        return self.v_free + self.mass.solve(self._transpose @ p)

    @cached_property
    def _transpose(self) -> sp.csc_matrix:
        """H^T, on the same arrays."""
        return self.H.T

    def velocities(self, p: FloatArray) -> FloatArray:
        """y = H v + b."""
        return np.asarray(self.H @ self.body_velocities(p) + self.b)

    @cached_property
    def delassus(self) -> DelassusForm:
        """The same problem with W = H M^-1 H^T and q = H v_free + b."""
        W = sp.csr_matrix(self.H @ self.mass.inverse_times(self.H.T.tocsc()))
        W.sort_indices()
        return DelassusForm(W, self.free_velocities())

    def pairs(self, first: int, count: int, rows: int) -> Pairs | None:
        """`count` groups of `rows` rows of H from row `first` on; None if one joins over two."""
        key = (first, count, rows)
        if key not in self._known:
            self._known[key] = self._make_pairs(*key)
        return self._known[key]

    def _make_pairs(self, first: int, count: int, rows: int) -> Pairs | None:
        if not isinstance(self.mass, BlockMass):
            return None
        size = self.mass.size
        blocks = np.zeros((count, 2, size, rows))
        bodies = np.full((count, 2), self.mass.bodies, dtype=np.int64)
        if count:
            groups = self.H[first : first + count * rows].tobsr((rows, size))
            used = np.diff(groups.indptr)
            if used.max() > 2:
                return None
            group = np.repeat(np.arange(count), used)
            side = np.arange(len(group)) - np.repeat(groups.indptr[:-1], used)
            factor = self.mass.inverse_factor[groups.indices]
            blocks[group, side] = factor @ groups.data.transpose(0, 2, 1)
            bodies[group, side] = groups.indices
        return Pairs(blocks, bodies)

    def diagonal_blocks(self, contacts: int, rows: int) -> FloatArray:
        """W_ii of each contact, (contacts, rows, rows)."""
        pairs = self.pairs(0, contacts, rows)
        if pairs is None:
            return self.delassus.diagonal_blocks(contacts, rows)
        flat = pairs.blocks.reshape(contacts, 2 * pairs.blocks.shape[2], rows)
        return flat.transpose(0, 2, 1) @ flat

    def row_diagonal(self, first: int) -> FloatArray:
        """W_kk of the extra rows, which start at row `first`."""
        pairs = self.pairs(first, self.H.shape[0] - first, 1)
        if pairs is None:
            return self.delassus.row_diagonal(first)
        return np.asarray(np.einsum("nsjk,nsjk->n", pairs.blocks, pairs.blocks))

    def asymmetry(self) -> float:
        """W = H M^-1 H^T is symmetric by construction."""
        return 0.0
