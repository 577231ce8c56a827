"""Small convex programs over intervals and discs, by Clarabel."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from rollcone._check import FloatArray
from rollcone.solvers.conic_form import clarabel_settings, import_clarabel

_TOLERANCE = 1e-12


class ConicProgram:
    """min 1/2 x.P x + c.x, G x + h >= 0 in the first `linear` rows, and each three rows (t, u)
    after them |u| <= t. May be solved again with another h."""

    def __init__(self, P: FloatArray, c: FloatArray, G: FloatArray, linear: int) -> None:
        self._clarabel = import_clarabel("the acceleration problem")
        self._P, self._c, self._G = sp.csc_matrix(np.triu(P)), c, sp.csc_matrix(-G)
        self._cones = [self._clarabel.NonnegativeConeT(linear)]
        self._cones += [self._clarabel.SecondOrderConeT(3)] * ((len(G) - linear) // 3)
        self._solver: Any = None

    def solve(self, h: FloatArray) -> FloatArray | None:
        """x, however well it was found; None if it is not finite."""
        if self._solver is None:
            self._solver = self._clarabel.DefaultSolver(
                self._P,
                self._c,
                self._G,
                h,
                self._cones,
                clarabel_settings(self._clarabel, _TOLERANCE, updates=True),
            )
        else:
            self._solver.update(b=h)
        x = np.array(self._solver.solve().x)
        return x if np.isfinite(x).all() else None
