"""Rows of the programs of cells: b - A (x, s) in cones, gathered one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from rollcone._check import FloatArray

ZERO = 1e-9  # accelerations that count as none
_FACETS = 32
_FEASIBLE = 1e-10


class ProgramRows:
    """s is how far accelerations are above zero."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._zero: list[FloatArray] = []
        self._linear: list[FloatArray] = []
        self._with_s: list[float] = []
        self._least: list[float] = []
        self._cones: list[tuple[list[FloatArray], list[float]]] = []

    def at_least(self, row: FloatArray, least: float, strict: bool = False) -> None:
        """row.x >= least, + s if strict."""
        self._put(row, -1.0 if strict else 0.0, least)

    def zero(self, row: FloatArray) -> None:
        """row.x = 0."""
        self._zero.append(row)

    def near(self, row: FloatArray, value: float) -> None:
        """|row.x - value| <= ZERO."""
        self._put(row, 0.0, value - ZERO)
        self._put(-row, 0.0, -value - ZERO)

    def second_order(self, rows: list[FloatArray]) -> None:
        """|(rows[1:]).x| <= rows[0].x."""
        self._cones.append((rows, [0.0] * len(rows)))

    def below(self, C: FloatArray, row: FloatArray) -> None:
        """|C x|^2 <= row.x, as |(2 C x, row.x - 1)| <= row.x + 1."""
        self._cones.append(([row, row, *(2.0 * C)], [1.0, -1.0, *[0.0] * len(C)]))

    def within(self, reach: float) -> None:
        """|x| <= reach, of each entry."""
        for row in np.eye(self._n):
            self._put(row, 0.0, -reach)
            self._put(-row, 0.0, -reach)

    def between(self, lowest: float) -> None:
        """lowest <= s <= 1."""
        self._put(np.zeros(self._n), -1.0, -1.0)
        self._put(np.zeros(self._n), 1.0, lowest)

    def _put(self, row: FloatArray, with_s: float, least: float) -> None:
        self._linear.append(row)
        self._with_s.append(with_s)
        self._least.append(least)

    def finish(self) -> tuple[Any, FloatArray, list[int]]:
        """A, b and the sizes of cones: equal to zero, at least zero, second-order ones."""
        rows, s = [*self._zero, *self._linear], [0.0] * len(self._zero) + self._with_s
        b = [0.0] * len(self._zero) + [-least for least in self._least]
        for cone, given in self._cones:
            rows += cone
            b += given
        s += [0.0] * (len(rows) - len(s))
        A = np.column_stack([np.array(rows), s])
        sizes = [len(self._zero), len(self._linear), *(len(cone) for cone, _ in self._cones)]
        return sp.csc_matrix(-A), np.array(b), sizes

    def by_pivots(self, cost: FloatArray) -> tuple[str, FloatArray]:
        """The program with polygons around its discs and without `below`, by the simplex method:
        Clarabel's word for its status, and (x, s)."""
        rows, s, b = list(self._linear), list(self._with_s), [-least for least in self._least]
        angles = 2.0 * np.pi / _FACETS * np.arange(_FACETS)
        for (limit, *p), given in self._cones:
            if len(p) == 2 and not any(given):
                rows += [limit - np.cos(t) * p[0] - np.sin(t) * p[1] for t in angles]
                b += [0.0] * _FACETS
        s += [0.0] * (len(rows) - len(s))
        zero = np.array(self._zero).reshape(-1, self._n)
        answer = linprog(
            cost,
            A_ub=-np.column_stack([np.array(rows), s]),
            b_ub=np.array(b),
            A_eq=np.column_stack([zero, np.zeros(len(zero))]) if len(zero) else None,
            b_eq=np.zeros(len(zero)) if len(zero) else None,
            bounds=(None, None),
            options={"primal_feasibility_tolerance": _FEASIBLE},
        )
        if answer.status == 2:
            return "PrimalInfeasible", np.zeros(len(cost))
        if answer.status == 0:
            return "Solved", np.asarray(answer.x)
        return "unclear", np.zeros(len(cost))
