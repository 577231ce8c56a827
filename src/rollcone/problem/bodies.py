"""Body form: y = H v + b and M (v - v_free) = H^T p, never forming W.

Where M is made of blocks and every contact touches at most two of them, the form
also offers `pairs`: per contact the two blocks of H L^-T (M = L L^T), on which
Gauss-Seidel runs without a matrix. A simulation knows them from the start (`PairForm`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy

from rollcone._check import FloatArray, IntArray
from rollcone.problem.delassus import DelassusForm
from rollcone.problem.kernels import linear as _linear_kernels
from rollcone.problem.mass import BlockMass, FactoredMass, MassMatrix


@dataclass(frozen=True)
class Pairs:
    """Rows by the bodies they join: blocks (n, 2, size, rows) of (H L^-T)^T, bodies (n, 2).

    A missing body has the number `bodies` (one past the last) and a zero block.
    """

    blocks: FloatArray
    bodies: IntArray

    def add_reactions(self, p: FloatArray, z: FloatArray) -> None:
        """z += blocks p, p (n, rows)."""
        _linear_kernels.add_reactions(self.blocks, self.bodies, p, z)

    def add_velocities(self, z: FloatArray, y: FloatArray) -> None:
        """y += blocks^T z, y (n, rows)."""
        _linear_kernels.add_velocities(self.blocks, self.bodies, z, y)

    def products(self) -> FloatArray:
        """blocks^T blocks of each group of rows, (n, rows, rows)."""
        n, _, _, rows = self.blocks.shape
        out = np.empty((n, rows, rows))
        _linear_kernels.pair_products(self.blocks, out)
        return out


@dataclass(frozen=True)
class BodyForm:
    """M, H (N, dofs) sparse by rows, v_free (dofs,), b (N,)."""

    mass: MassMatrix
    H: scipy.sparse.csr_matrix
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
    def _transpose(self) -> scipy.sparse.csc_matrix:
        """H^T, on the same arrays."""
        return self.H.T

    def velocities(self, p: FloatArray) -> FloatArray:
        """y = H v + b."""
        return np.asarray(self.H @ self.body_velocities(p) + self.b)

    @cached_property
    def delassus(self) -> DelassusForm:
        """The same problem with W = H M^-1 H^T and q = H v_free + b."""
        W = scipy.sparse.csr_matrix(self.H @ self.mass.inverse_times(self.H.T.tocsc()))
        W.sort_indices()
        return DelassusForm(W, self.free_velocities())

    @cached_property
    def z_free(self) -> FloatArray:
        """L^T v_free (bodies + 1, size) where M comes in blocks; zeros for the missing body."""
        assert isinstance(self.mass, BlockMass)
        free = self.v_free.reshape(self.mass.bodies, self.mass.size)
        z = np.zeros((self.mass.bodies + 1, self.mass.size))
        z[:-1] = np.einsum("bji,bj->bi", np.linalg.inv(self.mass.inverse_factor), free)
        return z

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
        return pairs.products()

    def row_diagonal(self, first: int) -> FloatArray:
        """W_kk of the extra rows, which start at row `first`."""
        pairs = self.pairs(first, len(self.b) - first, 1)
        if pairs is None:
            return self.delassus.row_diagonal(first)
        return pairs.products().reshape(-1)

    def asymmetry(self) -> float:
        """W = H M^-1 H^T is symmetric by construction."""
        return 0.0


class PairForm(BodyForm):
    """The form known by its pairs, of contacts and of extra rows (`lines`): A with M^-1 = A^T A of
    each body, blocks (H A^T)^T, and z_free = A^-T v_free. M, H and v_free are made only for who
    asks for them. b (N,) has all rows.
    """

    mass: FactoredMass
    _pairs: Pairs
    _lines: Pairs

    def __init__(
        self, pairs: Pairs, lines: Pairs, inverse_factor: FloatArray, z_free: FloatArray,
        b: FloatArray,
    ) -> None:  # fmt: skip
        n, _, size, rows = pairs.blocks.shape
        z = np.zeros((len(inverse_factor) + 1, size))
        z[:-1] = z_free
        known = {(0, n, rows): pairs, (n * rows, len(lines.bodies), 1): lines}
        self.__dict__.update(
            mass=FactoredMass(inverse_factor),
            b=b,
            z_free=z,
            _pairs=pairs,
            _lines=lines,
            _known=known,
        )

    @property
    def all_pairs(self) -> tuple[Pairs, Pairs]:
        """Of the contacts, of the extra rows."""
        return self._pairs, self._lines

    @cached_property
    def v_free(self) -> FloatArray:  # type: ignore[override]
        return self._of_z(self.z_free)

    @cached_property
    def H(self) -> scipy.sparse.csr_matrix:  # type: ignore[override]
        matrix = self._matrix(self._pairs)
        if len(self._lines.bodies):
            matrix = scipy.sparse.vstack([matrix, self._matrix(self._lines)], format="csr")
        matrix.sum_duplicates()
        return matrix

    def _matrix(self, pairs: Pairs) -> scipy.sparse.csr_matrix:
        """Their rows of H."""
        n, _, size, rows = pairs.blocks.shape
        bodies = len(self.mass.inverse_factor)
        group, side = np.nonzero(pairs.bodies < bodies)
        columns = pairs.bodies[group, side]
        blocks = np.linalg.inv(self.mass.inverse_factor)[columns] @ pairs.blocks[group, side]
        starts = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=n))])
        return scipy.sparse.bsr_matrix(
            (blocks.transpose(0, 2, 1), columns, starts), shape=(n * rows, bodies * size)
        ).tocsr()

    def free_velocities(self) -> FloatArray:
        """y for p = 0."""
        return self._at_contacts(self.z_free)

    def body_velocities(self, p: FloatArray) -> FloatArray:
        """v = A^T z."""
        return self._of_z(self._moved(p))

    def velocities(self, p: FloatArray) -> FloatArray:
        """y = blocks^T z + b."""
        return self._at_contacts(self._moved(p))

    def _moved(self, p: FloatArray) -> FloatArray:
        """z = z_free + blocks p."""
        z = self.z_free.copy()
        n, _, _, rows = self._pairs.blocks.shape
        self._pairs.add_reactions(p[: n * rows].reshape(n, rows), z)
        if len(self._lines.bodies):
            self._lines.add_reactions(p[n * rows :, None], z)
        return z

    def turnover(self, p: FloatArray) -> FloatArray:
        """What all reactions do to the bodies of each extra row, none against another (m,): of that
        rounding hides a share."""
        n, _, _, rows = self._pairs.blocks.shape
        z, size = np.zeros_like(self.z_free), np.abs(p)
        contacts = Pairs(np.abs(self._pairs.blocks), self._pairs.bodies)
        lines = Pairs(np.abs(self._lines.blocks), self._lines.bodies)
        contacts.add_reactions(size[: n * rows].reshape(n, rows), z)
        lines.add_reactions(size[n * rows :, None], z)
        y = np.zeros((len(lines.bodies), 1))
        lines.add_velocities(z, y)
        return y[:, 0]

    def _at_contacts(self, z: FloatArray) -> FloatArray:
        y = self.b.copy()
        n, _, _, rows = self._pairs.blocks.shape
        self._pairs.add_velocities(z, y[: n * rows].reshape(n, rows))
        if len(self._lines.bodies):
            self._lines.add_velocities(z, y[n * rows :, None])
        return y

    def _of_z(self, z: FloatArray) -> FloatArray:
        return np.asarray(np.einsum("bji,bj->bi", self.mass.inverse_factor, z[:-1]).reshape(-1))
