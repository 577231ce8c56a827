"""Sets for pivots to begin with: who is at a bound after some sweeps of projected Gauss-Seidel.

Free variables are eliminated on the way, as if M_ff were diagonal: a change of z_i moves each free
z_j by -M_ji / M_jj. In saddle-point form that is Gauss-Seidel over contacts, bodies following.
Sweeps need a positive diagonal (of the Schur complement where there are free variables); without,
all variables whose w_i has the wrong sign at the bound next to zero are in between.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from rollcone._check import FloatArray
from rollcone.lcp.kernels import matrices as kernels
from rollcone.lcp.problem import MLCP, product
from rollcone.lcp.scaled import ScaledProblem
from rollcone.lcp.solution import StateArray
from rollcone.lcp.states import fitting

_LEAST_DIAGONAL = 0.1  # in units in which pairs have the size 1
_OMEGA = 1.4  # of bounded variables: of 1, 1.2, 1.4 and 1.6 the one with the fewest sweeps
_QUIET = 1 / 8  # of the sweeps: if nothing gets to a bound or leaves one, that is enough


class SetsBySweeps:
    """Sweeps that can be gone on with; `usable` tells if there are any. What they need is made
    when they are first asked for: good sets to begin with ask for none."""

    def __init__(self, problem: MLCP, data: ScaledProblem, z: FloatArray | None = None) -> None:
        self._problem, self._data = problem, data
        self._z = np.clip(0.0 if z is None else z / data.s, data.lower, data.upper)

    @cached_property
    def usable(self) -> bool:
        free = self._problem.free
        self._diagonal = self._data.M.diagonal().copy()
        if not self._diagonal[free].min(initial=1.0) > _LEAST_DIAGONAL:
            return False
        self._columns, self._rows = self._data.columns(), self._data.rows(self._problem)
        if free.any():
            kernels.schur_diagonal(*self._columns, *self._rows, free, self._diagonal)
        positive = bool(self._diagonal.min(initial=1.0) > _LEAST_DIAGONAL)
        self._diagonal[~free] /= _OMEGA
        return positive

    def states(self, sweeps: int) -> StateArray:
        """The sets after so many sweeps more."""
        data, z = self._data, self._z
        if self.usable:
            kernels.sweep_with_free(
                *self._columns, *self._rows, data.q, data.lower, data.upper,
                self._problem.free, self._diagonal, sweeps, int(_QUIET * sweeps), z,
            )  # fmt: skip
            self.usable = bool(np.isfinite(z).all())
        if self.usable:
            return fitting(self._problem, _at_bounds(data, z, 0.0 * z))
        z = np.clip(0.0, data.lower, data.upper)
        return fitting(self._problem, _at_bounds(data, z, product(data.M, z, data.q)[0]))


def _at_bounds(data: ScaledProblem, z: FloatArray, w: FloatArray) -> StateArray:
    """-1 or 1 at a bound unless w has the wrong sign, else 0."""
    low, high = (z <= data.lower) & (w >= 0.0), (z >= data.upper) & (w <= 0.0)
    return np.where(low, -1, np.where(high, 1, 0)).astype(np.int8)
