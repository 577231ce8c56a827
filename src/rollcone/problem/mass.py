"""The mass matrix: blocks, one per body, or any sparse symmetric positive definite matrix.

Both solve M x = f. Blocks M_i = L_i L_i^T also give the factor that turns body
velocities into z = L^T v, in which kinetic energy is |z|^2 / 2 and
W = (H L^-T) (H L^-T)^T: one array then serves to read velocities and to apply
reactions.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, bounded_array
from rollcone.errors import InputError

BODY_SIZES = (6, 3, 2, 1)
ROUNDED = 1e-10  # asymmetry up to which M counts as symmetric


class BlockMass:
    """M = diag(M_1, ..., M_n), each (size, size)."""

    def __init__(self, blocks: FloatArray) -> None:
        self.blocks = blocks
        self.bodies, self.size = blocks.shape[:2]
        try:
            lower = np.linalg.cholesky(blocks)
        except np.linalg.LinAlgError:
            worst = int(np.argmin(np.linalg.eigvalsh(blocks)[:, 0]))
            raise InputError(
                f"M of body {worst} = {blocks[worst].tolist()}: must be positive definite"
            ) from None
        self.inverse_factor = np.linalg.inv(lower)  # L^-1 of each body

    @property
    def dofs(self) -> int:
        return int(self.bodies * self.size)

    def solve(self, f: FloatArray) -> FloatArray:
        """M^-1 f for one vector f (dofs,)."""
        z = np.einsum("bij,bj->bi", self.inverse_factor, f.reshape(self.bodies, self.size))
        return np.asarray(np.einsum("bji,bj->bi", self.inverse_factor, z).reshape(-1))

    def matrix(self) -> scipy.sparse.csr_matrix:
        indptr = np.arange(self.bodies + 1)
        shape = (self.dofs, self.dofs)
        return scipy.sparse.bsr_matrix((self.blocks, indptr[:-1], indptr), shape=shape).tocsr()

    def inverse_times(self, right: scipy.sparse.csc_matrix) -> scipy.sparse.csr_matrix:
        """M^-1 times a sparse matrix, sparse."""
        inverse = np.einsum("bki,bkj->bij", self.inverse_factor, self.inverse_factor)
        indptr = np.arange(self.bodies + 1)
        shape = (self.dofs, self.dofs)
        return scipy.sparse.bsr_matrix((inverse, indptr[:-1], indptr), shape=shape).tocsr() @ right


class FactoredMass(BlockMass):
    """Blocks known by any A_i (size, size) with M_i^-1 = A_i^T A_i; it need not be triangular."""

    def __init__(self, inverse_factor: FloatArray) -> None:
        self.inverse_factor = inverse_factor
        self.bodies, self.size = inverse_factor.shape[:2]

    @cached_property
    def blocks(self) -> FloatArray:  # type: ignore[override]
        root = np.linalg.inv(self.inverse_factor)
        return np.asarray(root @ root.transpose(0, 2, 1))


class SparseMass:
    """Any sparse symmetric positive definite M, factored once."""

    def __init__(self, matrix: scipy.sparse.csr_matrix) -> None:
        self._matrix = matrix
        try:
            # No row exchanges: the pivots of a positive definite matrix are positive.
            self._factor = scipy.sparse.linalg.splu(
                matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0
            )
        except RuntimeError:
            raise InputError("M is singular: must be positive definite") from None
        if self._factor.U.diagonal().min() <= 0:
            raise InputError("M is not positive definite")

    @property
    def dofs(self) -> int:
        return int(self._matrix.shape[0])

    def solve(self, f: FloatArray) -> FloatArray:
        return np.asarray(self._factor.solve(f))

    def matrix(self) -> scipy.sparse.csr_matrix:
        return self._matrix

    def inverse_times(self, right: scipy.sparse.csc_matrix) -> scipy.sparse.csr_matrix:
        """M^-1 times a sparse matrix, a few columns at a time."""
        columns = [
            scipy.sparse.csr_matrix(self._factor.solve(right[:, k : k + 256].toarray()))
            for k in range(0, right.shape[1], 256)
        ]
        return (
            scipy.sparse.hstack(columns, format="csr")
            if columns
            else scipy.sparse.csr_matrix(right.shape)
        )


MassMatrix = BlockMass | SparseMass


def mass_matrix(M: ArrayLike | scipy.sparse.spmatrix) -> MassMatrix:
    """M from blocks (n, k, k), a diagonal (dofs,), or a square matrix, dense or sparse."""
    if scipy.sparse.issparse(M):
        return _from_matrix(sparse_matrix("M", M))
    array = bounded_array("M", M)
    if array.ndim == 1:
        return _from_matrix(scipy.sparse.diags(array, format="csr"))
    if array.ndim == 3 and array.shape[1] == array.shape[2] > 0:
        diagonal = np.einsum("bkk->bk", array)
        if len(array) and diagonal.min() <= 0:
            worst = tuple(int(i) for i in np.argwhere(diagonal <= 0)[0])
            raise InputError(
                f"M of body {worst[0]} has {diagonal[worst]} on its diagonal: masses must be > 0"
            )
        roots = 1.0 / np.sqrt(diagonal)
        difference = (array - array.transpose(0, 2, 1)) * roots[:, :, None] * roots[:, None, :]
        if np.abs(difference).max(initial=0.0) > ROUNDED:
            raise InputError("M is not symmetric: a mass matrix must be")
        return BlockMass(array.copy())
    if array.ndim == 2 and array.shape[0] == array.shape[1]:
        return _from_matrix(scipy.sparse.csr_matrix(array))
    raise InputError(
        f"M of shape {array.shape}: must be (bodies, k, k), (dofs,), (dofs, dofs) or sparse"
    )


def _from_matrix(matrix: scipy.sparse.csr_matrix) -> MassMatrix:
    if matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"M of shape {matrix.shape}: must be square")
    diagonal = matrix.diagonal()
    if matrix.shape[0] and diagonal.min() <= 0:
        worst = int(np.argmin(diagonal))
        raise InputError(f"M[{worst}, {worst}] = {diagonal[worst]}: masses must be > 0")
    if asymmetry(matrix) > ROUNDED:
        raise InputError("M is not symmetric: a mass matrix must be")
    entries = matrix.tocoo()
    for size in BODY_SIZES:
        fits = matrix.shape[0] % size == 0
        if fits and np.array_equal(entries.row // size, entries.col // size):
            blocks = np.zeros((matrix.shape[0] // size, size, size))
            blocks[entries.row // size, entries.row % size, entries.col % size] = entries.data
            return BlockMass(blocks)
    return SparseMass(matrix)


def asymmetry(matrix: scipy.sparse.csr_matrix) -> float:
    """max |M - M^T|, rows and columns over the roots of the diagonal, which must be positive."""
    roots = scipy.sparse.diags(1.0 / np.sqrt(matrix.diagonal()))
    return float(np.abs((roots @ (matrix - matrix.T) @ roots).data).max(initial=0.0))


def sparse_matrix(name: str, value: scipy.sparse.spmatrix) -> scipy.sparse.csr_matrix:
    """A copy by rows, without duplicates; every entry real, finite and not too large."""
    if np.issubdtype(value.dtype, np.complexfloating):
        raise InputError(f"{name} is complex: must be real")
    matrix = scipy.sparse.csr_matrix(value, dtype=np.float64, copy=True)
    matrix.sum_duplicates()
    bad = ~np.isfinite(matrix.data)
    if bad.any():
        entries = matrix.tocoo()
        k = int(np.argmax(bad))
        raise InputError(
            f"{name}[{entries.row[k]}, {entries.col[k]}] = {entries.data[k]}: must be finite"
        )
    bounded_array(name, matrix.data)
    return matrix
