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
    """`problem` is the plain LCP in x = (y, s); z = origin + sign y, free z = origin + follow y."""

    problem: MLCP
    origin: FloatArray  # (n,)
    source: MLCP
    kept: IntArray  # the variables of y, in order
    sign: FloatArray  # of each y
    two_bounds: IntArray  # the places in y of those that have an s, in the order of s
    free: IntArray
    follow: FloatArray  # (free, y)

    def back(self, x: FloatArray) -> FloatArray:
        """z of x, on the bounds where x says so."""
        return np.clip(self.origin + self.direction(x), self.source.lower, self.source.upper)

    def direction(self, x: FloatArray) -> FloatArray:
        """The direction of z along a direction of x."""
        y = x[: self.kept.size]
        moved = np.zeros(self.source.size)
        moved[self.kept] = self.sign * y
        moved[self.free] = self.follow @ y
        return moved

    def certificate(self, x: FloatArray) -> FloatArray:
        """d with M^T d = 0 in the columns of free variables, from the dual x of the plain rows."""
        d = np.zeros(self.source.size)
        d[self.kept] = self.sign * x[: self.kept.size]
        if self.free.size:
            pull = self.source.M.T @ d
            factor = BasisFactor(_transposed(self.source.M))
            factor.choose(self.free)
            d[self.free] = -factor.solve(pull[self.free])
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
    rows = problem.M[kept]
    M, follow = rows[:, kept] * sign, np.zeros((0, kept.size))
    if free.size:
        origin, follow = _eliminate(problem, free, origin, kept, sign)
        M = M + rows[:, free] @ follow
    # y is complementary to sign * w_kept
    M, q = sign[:, None] * M, sign * product(problem.M, origin, problem.q)[0][kept]
    both = np.flatnonzero((low & high & moving)[kept])
    if both.size:
        M, q = _with_upper_rows(M, q, both, (problem.upper - problem.lower)[kept[both]])
    return PlainForm(MLCP(M, q), origin, problem, kept, sign, both, free, follow)


def _eliminate(
    problem: MLCP, free: IntArray, origin: FloatArray, kept: IntArray, sign: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The free variables at the origin, and how they follow the others."""
    factor = BasisFactor(problem.M, 1.0 / np.sqrt(problem.sizes))
    factor.choose(free)
    start = product(problem.M, origin, problem.q)[0][free]
    moved = problem.M[free][:, kept] * sign
    moved = moved.toarray() if problem.is_sparse else moved
    answer = factor.solve(np.column_stack([start, moved]))
    origin = origin.copy()
    origin[free] = -answer[:, 0]
    return origin, -answer[:, 1:]


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


def _transposed(M: Any) -> Any:
    return sparse.csc_array(M.T) if sparse.issparse(M) else np.ascontiguousarray(M.T)
