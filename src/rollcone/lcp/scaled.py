"""A problem in units in which every pair has the size 1: what pivots and Newton steps work on.

With s_i = 1 / sqrt(m_i) (problem.py): M' = s M s, q' = s q, z' = z / s. A symmetric matrix stays
symmetric, a monotone problem monotone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rollcone._check import FloatArray
from rollcone.lcp.kernels import matrices as kernels
from rollcone.lcp.problem import MLCP


@dataclass(frozen=True, eq=False)
class ScaledProblem:
    """M', q', lower', upper' and s; z = s z'."""

    M: Any
    q: FloatArray
    lower: FloatArray
    upper: FloatArray
    s: FloatArray

    def columns(self) -> tuple[Any, Any, FloatArray]:
        """M' in compressed columns: indptr, indices, data."""
        if sparse.issparse(self.M):
            return self.M.indptr, self.M.indices, self.M.data
        return *_whole(self.q.size), np.ascontiguousarray(self.M.T).reshape(-1)

    def rows(self, problem: MLCP) -> tuple[Any, Any, FloatArray]:
        """M' in compressed rows: indptr, indices, data."""
        if not problem.is_sparse:
            return *_whole(self.q.size), self.M.reshape(-1)
        rows = problem.rows
        data = np.empty_like(rows.data)
        kernels.scale(rows.indptr, rows.indices, rows.data, self.s, data)
        return rows.indptr, rows.indices, data


def _whole(n: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return indptr (n + 1,) and indices (n * n,) of a matrix (n, n) without zeros."""
    numbers = np.arange(n + 1, dtype=np.int32)
    return n * numbers, np.tile(numbers[:n], n)


def scaled(problem: MLCP) -> ScaledProblem:
    s = 1.0 / np.sqrt(problem.sizes)
    M = problem.M
    if problem.is_sparse:
        data = np.empty_like(M.data)
        kernels.scale(M.indptr, M.indices, M.data, s, data)
        M = sparse.csc_array((data, M.indices, M.indptr), shape=M.shape)
    else:
        M = s[:, None] * M * s
    return ScaledProblem(M, s * problem.q, problem.lower / s, problem.upper / s, s)
