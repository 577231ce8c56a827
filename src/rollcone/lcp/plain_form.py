"""A bounded or mixed problem as a plain LCP, and the way back.

    only a lower bound    y = z - lower, complementary to w
    only an upper bound   y = upper - z, complementary to -w
    both                  y = z - lower, complementary to w + s; s >= 0 to upper - z
    fixed                 a constant
    free                  eliminated: z_f = -M_ff^-1 (q_f + M_fc z_c), a Schur complement

A singular block M_ff is a SingularBasisError that names its rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from rollcone._check import FloatArray, IntArray
from rollcone.lcp.factor import BasisFactor
from rollcone.lcp.problem import MLCP, product
from rollcone.lcp.solution import StateArray


@dataclass(frozen=True, eq=False)
class PlainForm:
    """`problem` is the plain LCP in x = (y, s); z = origin + map x."""

    problem: MLCP
    origin: FloatArray  # (n,)
    map: Any  # (n, unknowns of the plain problem)
    source: MLCP
    kept: IntArray  # the variables of y, in order
    sign: FloatArray  # of each y
    two_bounds: IntArray  # the places in y of those that have an s, in the order of s

    def back(self, x: FloatArray) -> FloatArray:
        """z of x, on the bounds where x says so."""
        z: FloatArray = self.origin + self.map @ x
        y = x[: self.kept.size]
        lower, upper = self.source.lower, self.source.upper
        z[self.kept] = np.where(y == 0.0, self.origin[self.kept], z[self.kept])
        return np.clip(z, lower, upper)

    def direction(self, x: FloatArray) -> FloatArray:
        """The direction of z along a direction of x."""
        moved: FloatArray = self.map @ x
        return moved

    def certificate(self, x: FloatArray) -> FloatArray:
        """d with M^T d = 0 in the columns of free variables, from the dual x of the plain rows."""
        d = np.zeros(self.source.size)
        d[self.kept] = self.sign * x[: self.kept.size]
        free = np.flatnonzero(self.source.free)
        if free.size:
            pull = self.source.M.T @ d
            factor = BasisFactor(_transposed(self.source.M))
            factor.choose(free)
            d[free] = -factor.solve(pull[free])
        return d

    def basis(self, basic: IntArray) -> StateArray:
        """States -1, 0, 1 of the variables; `basic` marks those of x that are basic."""
        state: StateArray = np.zeros(self.source.size, dtype=np.int8)
        y = basic[: self.kept.size]
        state[self.kept] = np.where(y, 0, np.where(self.sign > 0, -1, 1))
        held = self.two_bounds[basic[self.kept.size :] != 0]
        state[self.kept[held]] = 1
        state[self.source.lower == self.source.upper] = -1
        return state


def plain_form(problem: MLCP) -> PlainForm:
    """See the head of this file."""
    low, high = np.isfinite(problem.lower), np.isfinite(problem.upper)
    moving = problem.lower < problem.upper
    kept = np.flatnonzero((low | high) & moving)
    free = np.flatnonzero(problem.free)
    sign = np.where(low[kept], 1.0, -1.0)
    origin = np.where(low, problem.lower, np.where(high, problem.upper, 0.0))
    kept_map = sparse.csc_array((sign, (kept, np.arange(kept.size))), (problem.size, kept.size))
    if free.size:
        origin, kept_map = _eliminate(problem, free, origin, kept_map)
    # y is complementary to sign * w_kept, w = M (origin + map y) + q
    q = sign * product(problem.M, origin, problem.q)[0][kept]
    M = _dense_if(problem.M @ kept_map, not problem.is_sparse)[kept]
    M = sparse.diags_array(sign) @ M if problem.is_sparse else sign[:, None] * M
    both = np.flatnonzero((low & high & moving)[kept])
    if both.size:
        M, q = _with_upper_rows(M, q, both, (problem.upper - problem.lower)[kept[both]])
    wide = sparse.csc_array((problem.size, both.size))
    whole = sparse.hstack([kept_map, wide], format="csc") if both.size else kept_map
    return PlainForm(MLCP(M, q), origin, whole, problem, kept, sign, both)


def _eliminate(
    problem: MLCP, free: IntArray, origin: FloatArray, kept_map: Any
) -> tuple[FloatArray, Any]:
    """origin and map with the free variables as functions of the others."""
    factor = BasisFactor(problem.M, 1.0 / np.sqrt(problem.sizes))
    factor.choose(free)
    start = product(problem.M, origin, problem.q)[0][free]
    moved = np.asarray(_dense_if(problem.M @ kept_map, True))[free]
    answer = factor.solve(np.column_stack([start, moved]))
    origin = origin.copy()
    origin[free] = -answer[:, 0]
    rows = sparse.csr_array(
        (np.ones(free.size), (free, np.arange(free.size))), (problem.size, free.size)
    )
    return origin, sparse.csc_array(kept_map + rows @ sparse.csr_array(-answer[:, 1:]))


def _with_upper_rows(
    M: Any, q: FloatArray, both: IntArray, width: FloatArray
) -> tuple[Any, FloatArray]:
    """0 <= s complementary to width - y, and + s in the row of y."""
    ones = sparse.csc_array((np.ones(both.size), (both, np.arange(both.size))), (q.size, both.size))
    if sparse.issparse(M):
        wide = sparse.block_array([[M, ones], [-ones.T, None]], format="csc")
    else:
        wide = np.block([[M, ones.toarray()], [-ones.T.toarray(), np.zeros((both.size,) * 2)]])
    return wide, np.append(q, width)


def _dense_if(matrix: Any, dense: bool) -> Any:
    if sparse.issparse(matrix):
        return matrix.toarray() if dense else sparse.csr_array(matrix)
    return matrix


def _transposed(M: Any) -> Any:
    return sparse.csc_array(M.T) if sparse.issparse(M) else np.ascontiguousarray(M.T)
