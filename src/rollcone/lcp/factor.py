"""A direct factor of the basis matrix M_FF that follows changes of F.

F0 is the basis that was factored, K0 = M_F0F0 = L U (SuperLU, or LAPACK for a dense M). Where F
leaves out R and takes in A, M_FF x = b is the bordered system

    [ K0      M_F0A  E_R ] [ x   ]   [ b   ]
    [ M_AF0   M_AA   0   ] [ x_A ] = [ b_A ]        E_R: unit vectors of R,
    [ E_R^T   0      0   ] [ mu  ]   [ 0   ]

which takes one solve with K0 for each index of A and R, kept while F0 lasts, and the small dense
Schur complement C - V K0^-1 U of the borders (Gill, Murray, Saunders and Wright 1984). It is
factored anew where borders would be many, or where the Schur complement loses digits.

A basis counts as singular where its inverse, in units of size 1, enlarges a vector of random
entries by more than 1e12: four digits of an answer would be left.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from rollcone._check import FloatArray, IntArray
from rollcone._words import few
from rollcone.errors import RollconeError
from rollcone.lcp.kernels import matrices as kernels

SINGULAR_GROWTH = 1e12
_MOST_BORDERS = 48
_LOST = 1e-9  # smallest over largest pivot of the Schur complement
_SHIFT = 1e-10  # of a singular matrix, to find the vector that it sends to nothing
_SHARE = 1e-3  # of the largest entry of that vector: the rows that are told


class SingularBasisError(RollconeError):
    """The rows `rows` of a basis matrix depend on each other, or nearly."""

    def __init__(self, rows: IntArray) -> None:
        super().__init__(f"the basis is singular in rows {few(rows.tolist())}")
        self.rows = rows


class BasisFactor:
    """Solves with M_FF for one F after the other; M is dense or CSC.

    scale (n,) > 0: diag(scale) M diag(scale) has entries of size 1; it only serves to tell what is
    singular. factorisations and updates count.
    """

    def __init__(self, M: Any, scale: FloatArray | None = None, *, updated: bool = True) -> None:
        self.factorisations = 0
        self.updates = 0
        self._M = M
        self._sparse = scipy.sparse.issparse(M)
        self._updated = updated
        n = M.shape[0]
        self._scale = np.ones(n) if scale is None else scale
        self._test = np.sin(1.7 * np.arange(n, dtype=float) ** 2 + 1.0)  # as good as random
        self._place = np.full(n, -1, dtype=np.int64)  # in F0
        self._slot = np.full(n, -1, dtype=np.int64)  # of the border of an index
        self._F = self._F0 = np.empty(0, dtype=np.int64)
        self._solver: Any = None
        self._rows: Any = None
        self._used = 0  # borders
        self._A = self._slots = np.empty(0, dtype=np.int64)

    def choose(self, F: IntArray) -> None:
        """Make F (sorted) the basis; SingularBasisError if it is none."""
        if self._solver is not None and np.array_equal(F, self._F):
            return
        self._F = F
        if self._solver is not None and self._updated and self._follow(F):
            self.updates += self._slots.size > 0
            return
        self._refactor(F)

    def refresh(self) -> bool:
        """Factor the present basis anew, unless that is what there is; True if it was done."""
        if self._slots.size == 0:
            return False
        self._refactor(self._F)
        return True

    def solve(self, b: FloatArray) -> FloatArray:
        """M_FF^-1 b, b (F,) or (F, k), in the order of F."""
        if not self._slots.size:
            return self._solve_base(b)
        place = self._place[self._F]
        old = place >= 0
        base = np.zeros((self._F0.size, *b.shape[1:]))
        base[place[old]] = b[old]
        x = self._solve_base(base)
        known = self._slots
        low = -(self._V[:, known].T @ x)
        low[: self._A.size] += b[~old]
        border = scipy.linalg.lapack.dgetrs(*self._schur, low)[0]
        x -= self._Y[:, known] @ border
        answer = np.empty_like(b)
        answer[old] = x[place[old]]
        answer[~old] = border[: self._A.size]
        return answer

    def _solve_base(self, b: FloatArray) -> FloatArray:
        if self._F0.size == 0:
            return np.zeros_like(b)
        if self._sparse:
            answer: FloatArray = self._solver.solve(b)
        else:
            answer = scipy.linalg.lapack.dgetrs(*self._solver, b)[0]
        return answer

    def _refactor(self, F: IntArray) -> None:
        self._forget_borders()
        self._place[self._F0] = -1
        self._F0 = F
        self._place[F] = np.arange(F.size)
        self._solver = None
        self.factorisations += 1
        if F.size == 0:
            self._solver = ()
            return
        solver = self._factored(self._submatrix(F))
        if solver is None:
            raise SingularBasisError(self._dependent_rows(F))
        self._solver = solver
        test = self._solve_base(self._test[: F.size] / self._scale[F])
        growth = np.abs(test / self._scale[F]).max()
        if not growth <= SINGULAR_GROWTH:
            self._solver = None
            raise SingularBasisError(self._dependent_rows(F))

    def _factored(self, K: Any) -> Any:
        """What `_solve_base` takes, or None where a pivot is zero."""
        if self._sparse:
            try:
                return scipy.sparse.linalg.splu(K)
            except RuntimeError:  # "Factor is exactly singular"
                return None
        lu, pivots, info = scipy.linalg.lapack.dgetrf(K)
        return (lu, pivots) if info == 0 else None

    def _submatrix(self, F: IntArray) -> Any:
        """M_FF; F has its places."""
        M = self._M
        if not self._sparse:
            return M[np.ix_(F, F)]
        most = int((M.indptr[F + 1] - M.indptr[F]).sum())
        indptr = np.empty(F.size + 1, dtype=np.int32)
        indices, data = np.empty(most, dtype=np.int32), np.empty(most)
        count = kernels.gather(M.indptr, M.indices, M.data, F, self._place, indptr, indices, data)
        parts = (data[:count], indices[:count], indptr)
        return scipy.sparse.csc_array(parts, shape=(F.size, F.size))

    def _follow(self, F: IntArray) -> bool:
        """Go from F0 to F by borders; False where it is better to factor anew."""
        inside = self._place[F] >= 0
        left = np.ones(self._F0.size, dtype=bool)
        left[self._place[F[inside]]] = False
        A, R = F[~inside], self._F0[left]
        changed = np.concatenate([A, R])
        new = changed[self._slot[changed] < 0]
        if new.size > self._most_new() or self._used + new.size > _MOST_BORDERS:
            return False
        if new.size:
            self._add_borders(new)
        self._A, self._slots = A, self._slot[changed]
        return changed.size == 0 or self._factor_schur(A)

    def _most_new(self) -> int:
        """So many solves cost about as much as a factorisation."""
        return 8 if self._sparse else 1 + self._F0.size // 12

    def _add_borders(self, new: IntArray) -> None:
        """Columns of U and V for indices that come in (of M) or go (unit vectors)."""
        first, last = self._used, self._used + new.size
        if not first:
            self._Y = np.zeros((self._F0.size, _MOST_BORDERS), order="F")
            self._V = np.zeros((self._F0.size, _MOST_BORDERS), order="F")
        place = self._place[new]
        coming, going = np.flatnonzero(place < 0), np.flatnonzero(place >= 0)
        U, V = np.zeros((2, new.size, self._F0.size)).transpose(0, 2, 1)
        for border in (U, V):
            border[place[going], going] = 1.0
        if coming.size:
            U[:, coming] = self._entries(new[coming], self._place, self._F0.size)
            V[:, coming] = self._entries(new[coming], self._place, self._F0.size, rows=True)
        self._V[:, first:last] = V
        self._Y[:, first:last] = self._solve_base(U)
        self._slot[new] = np.arange(first, last)
        self._used = last

    def _entries(
        self, which: IntArray, place: IntArray, size: int, *, rows: bool = False
    ) -> FloatArray:
        """Columns (or rows, as columns) of M, of what has a place; (size, which)."""
        out = np.zeros((size, which.size))
        if not self._sparse:
            held = np.flatnonzero(place >= 0)
            block = self._M[np.ix_(which, held)].T if rows else self._M[np.ix_(held, which)]
            out[place[held]] = block
            return out
        if rows and self._rows is None:
            self._rows = scipy.sparse.csr_array(self._M)
        M = self._rows if rows else self._M
        kernels.columns(M.indptr, M.indices, M.data, which, place, out)
        return out

    def _factor_schur(self, A: IntArray) -> bool:
        """LU of C - V K0^-1 U; False where it is nearly singular beside what it is made of."""
        known = self._slots
        V, Y = self._V[:, known], self._Y[:, known]
        schur = -(V.T @ Y)
        if A.size:
            place = np.full(self._place.size, -1, dtype=np.int64)
            place[A] = np.arange(A.size)
            schur[: A.size, : A.size] += self._entries(A, place, A.size)
        lu, pivots, info = scipy.linalg.lapack.dgetrf(schur)
        self._schur = (lu, pivots)
        sizes = np.abs(lu.diagonal())
        return bool(info == 0 and sizes.min() > _LOST * max(1.0, sizes.max()))

    def _forget_borders(self) -> None:
        self._slot.fill(-1)
        self._used = 0
        self._A = self._slots = np.empty(0, dtype=np.int64)

    def _dependent_rows(self, F: IntArray) -> IntArray:
        """The rows of the vector that M_FF sends to (nearly) nothing, by inverse iteration."""
        K = self._submatrix(F)
        scale = self._scale[F]
        shift = _SHIFT / scale**2
        shifted = K + scipy.sparse.diags_array(shift) if self._sparse else K + np.diag(shift)
        solver = self._factored(scipy.sparse.csc_array(shifted) if self._sparse else shifted)
        if solver is None:
            return F
        self._solver = solver
        vector = self._test[: F.size].copy()
        for _ in range(3):
            vector = self._solve_base(vector / scale) / scale
            vector /= np.abs(vector).max()
        self._solver = None
        return F[np.abs(vector) > _SHARE]
