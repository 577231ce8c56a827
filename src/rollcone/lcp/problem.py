"""The mixed linear complementarity problem with bounds, as plain data.

    w = M z + q,  lower <= z <= upper,
    w_i >= 0 where z_i = lower_i,  w_i <= 0 where z_i = upper_i,  w_i = 0 in between.

A variable without bounds is free: w_i = 0. Bounds 0 and infinity make the plain LCP. Where
lower_i = upper_i the variable is fixed and w_i may be anything.

The residual has no unit. The size of a pair (z_i, w_i) is a ratio w_i / z_i taken from M,

    m_i = max(|M_ii|, max_j |M_ij| |M_ji| / |M_jj|)

(the second is what eliminating z_j would put on the diagonal: the size of a contact's row in
saddle-point form). For a free variable m_i = |M_ii|, if that is not zero. Where all this is zero,
m_i is the largest entry of the row, or of the column, or 1. With

    S_i = |q_i| + sum_j |M_ij z_j|,  within 1e-3 and 1e3 times sqrt(m_i) max_j |q'_j| / sqrt(m_j),
    e_i = m_i |z_i - mid(lower_i, z_i - w_i / m_i, upper_i)|             (the natural map)

(q' is w at the z next to zero within the bounds) the residual is the largest e_i / S_i, 1 where
S_i = 0 < e_i. Each row is measured by the numbers that it is the sum of; but rows in which there is
nothing but rounding by a thousandth of the load, and none by numbers so large that the load would
count for nothing: where S_i is cut off, what rounding may hide, 2e-16 of the rest, is added to e_i.
Where bounds are narrow S_i is m_i (upper_i - lower_i), the most that e_i can be (or 1e-9 of the
load, if that is more), and a w_i that is rounding counts as zero. The residual is zero if and only
if z solves the problem, and the same in all units in which the products z_i w_i have the same unit
(but for rows without an m_i of their own).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from rollcone._check import FloatArray, bounded_array, real_array
from rollcone.errors import InputError
from rollcone.lcp.kernels import matrices as kernels

if TYPE_CHECKING:
    from rollcone.lcp.plain_form import PlainForm

SMALLEST, LARGEST = 1e-3, 1e3  # size of a row, in units of the load
_NARROWEST = 1e-9  # the same between bounds
_NOISE = 1e-12  # a diagonal entry below this part of its row is one of rounding


@dataclass(frozen=True, eq=False)
class MLCP:
    """Find z with w = M z + q and lower <= z <= upper, such that

        w_i >= 0 where z_i = lower_i,   w_i <= 0 where z_i = upper_i,   w_i = 0 in between.

    M             (n, n) dense or sparse, not necessarily symmetric
    q             (n,)
    lower, upper  (n,) or one number; 0 and infinity, a plain LCP, if not given; infinite ones make
                  a variable free

    A sparse M is kept in compressed columns (CSC), with sorted indices.
    """

    M: Any
    q: FloatArray
    lower: FloatArray = 0.0  # type: ignore[assignment]
    upper: FloatArray = np.inf  # type: ignore[assignment]

    def __post_init__(self) -> None:
        M = _checked_matrix(self.M)
        q = bounded_array("q", self.q).copy()
        if q.shape != (M.shape[0],):
            raise InputError(f"q has the shape {q.shape}: must be ({M.shape[0]},), as M has rows")
        lower = _checked_bound("lower", self.lower, q.size)
        upper = _checked_bound("upper", self.upper, q.size)
        _check_order(lower, upper)
        for name, value in (("M", M), ("q", q), ("lower", lower), ("upper", upper)):
            object.__setattr__(self, name, value)

    @property
    def size(self) -> int:
        return int(self.q.size)

    @property
    def is_sparse(self) -> bool:
        return bool(scipy.sparse.issparse(self.M))

    @cached_property
    def free(self) -> NDArray[np.bool_]:
        """Which variables have no bounds."""
        return np.isinf(self.lower) & np.isinf(self.upper)

    @cached_property
    def rows(self) -> Any:
        """M in compressed rows (CSR) if it is sparse."""
        return scipy.sparse.csr_array(self.M)

    @cached_property
    def sizes(self) -> FloatArray:
        """m (n,) > 0: how large w_i is per z_i."""
        m = np.empty(self.size)
        if self.is_sparse:
            M, rows = self.M, self.rows
            kernels.pair_sizes(
                M.indptr, M.indices, M.data, rows.indptr, rows.indices, rows.data,
                M.diagonal(), self.free, _NOISE, m,
            )  # fmt: skip
            return m
        absolute = np.abs(self.M)
        diagonal, largest = absolute.diagonal(), absolute.max(axis=1, initial=0.0)
        real = diagonal > _NOISE * largest
        inverse = np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=real)
        through = (absolute * absolute.T * inverse).max(axis=1, initial=0.0)
        own = np.where(real, diagonal, 0.0)
        m[:] = np.where(self.free & real, own, np.maximum(own, through))
        for other in (largest, absolute.max(axis=0, initial=0.0), np.ones(self.size)):
            m[m == 0.0] = other[m == 0.0]
        return m

    @cached_property
    def load(self) -> float:
        """The largest |q'_i| / sqrt(m_i)."""
        nearest = np.clip(0.0, self.lower, self.upper)
        drive = self._product(nearest)[0] if nearest.any() else self.q
        return float((np.abs(drive) / np.sqrt(self.sizes)).max(initial=0.0))

    def w(self, z: ArrayLike) -> FloatArray:
        """M z + q."""
        return self._product(self.vector("z", z))[0]

    def residual(self, z: ArrayLike) -> float:
        """The largest e_i / S_i (head of this file): zero if and only if z is a solution."""
        return float(self.residuals(z).max(initial=0.0))

    def residuals(self, z: ArrayLike) -> FloatArray:
        """e_i / S_i (n,)."""
        given = self.vector("z", z)
        w, size = self._product(given)
        out = np.empty(self.size)
        kernels.natural_residuals(
            given, w, size, self.sizes, self.lower, self.upper,
            self.load, SMALLEST, _NARROWEST, LARGEST, np.finfo(float).eps, out,
        )  # fmt: skip
        return out

    def to_lcp(self) -> PlainForm:
        """The same problem as a plain LCP, with the way back (plain_form.py)."""
        from rollcone.lcp.plain_form import plain_form

        return plain_form(self)

    def vector(self, name: str, value: ArrayLike) -> FloatArray:
        """`value` as finite numbers, one for each variable."""
        array = bounded_array(name, value)
        if array.shape != (self.size,):
            raise InputError(f"{name} has the shape {array.shape}: must be ({self.size},)")
        return array

    def _product(self, z: FloatArray) -> tuple[FloatArray, FloatArray]:
        """M z + q, and |M| |z| + |q|."""
        return product(self.M, z, self.q)

    def __repr__(self) -> str:
        kind = f"sparse, {self.M.nnz} entries" if self.is_sparse else "dense"
        return f"MLCP({self.size} variables, {kind})"


def LCP(M: Any, q: ArrayLike) -> MLCP:
    """The plain problem: 0 <= z, w = M z + q >= 0, z.w = 0."""
    return MLCP(M, q)  # type: ignore[arg-type]


def product(M: Any, z: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """M z + q, and |M| |z| + |q|."""
    w, size = np.empty_like(q), np.empty_like(q)
    if scipy.sparse.issparse(M):
        kernels.multiply(M.indptr, M.indices, M.data, z, q, w, size)
    else:
        kernels.multiply_dense(M, z, q, w, size)
    return w, size


def _checked_matrix(M: Any) -> Any:
    if scipy.sparse.issparse(M):
        if M.dtype.kind not in "fiu":
            raise InputError(f"M holds {M.dtype}: must hold real numbers")
        matrix = scipy.sparse.csc_array(M, dtype=np.float64, copy=True)
        matrix.sum_duplicates()
        matrix.sort_indices()
        bounded_array("M.data", matrix.data)
        _check_count(matrix.nnz)
        matrix.indices = matrix.indices.astype(np.int32, copy=False)
        matrix.indptr = matrix.indptr.astype(np.int32, copy=False)
    else:
        matrix = bounded_array("M", M).copy()
        _check_count(matrix.size)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"M has the shape {matrix.shape}: must be square")
    return matrix


def _check_count(entries: int) -> None:
    """Check that kernels can number the entries of M with 32 bits."""
    if entries >= 2**31 - 1:
        raise InputError(f"M has {entries} entries: must have fewer than {2**31 - 1}")


def _checked_bound(name: str, value: ArrayLike, n: int) -> FloatArray:
    array = real_array(name, value)
    if array.ndim == 0:
        array = np.full(n, float(array))
    if array.shape != (n,):
        raise InputError(f"{name} has the shape {array.shape}: must be one number or ({n},)")
    never = np.inf if name == "lower" else -np.inf
    bad = np.flatnonzero(np.isnan(array) | (array == never))
    if bad.size:
        allowed = f"finite or {-never}"
        raise InputError(f"{name}[{bad[0]}] = {array[bad[0]]}: must be {allowed}")
    bounded_array(name, np.where(np.isfinite(array), array, 0.0))
    return array.copy()


def _check_order(lower: FloatArray, upper: FloatArray) -> None:
    bad = np.flatnonzero(lower > upper)
    if bad.size:
        i = bad[0]
        raise InputError(f"lower[{i}] = {lower[i]}: must be at most upper[{i}] = {upper[i]}")
