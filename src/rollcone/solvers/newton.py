"""Semismooth Newton with a proximal term: second order, also where reactions are not unique.

The natural map of the law, P set by set under the exact law (Acary and Bourrier 2021, (22); the
form of Alart and Curnier) and on the cone under the associated one, with a small compliance that
acts on the change alone:

    F(p) = p - P(p - h (y + e (p - c))) = 0.

The center c is what was found the last time, so the compliance e changes no answer, but makes
every Newton matrix regular (Rockafellar's proximal points). When F is solved c moves there, and e
falls as the error does; where Newton's steps, halved until |F| falls, get nowhere, they start from
c again with a larger e, and if that does not help, after some sweeps of Gauss-Seidel. Close to a
solution e is negligible, and the last digits come in a few steps. Derivatives of P are exact
(laws/kernels/slope.py); the linear equations are solved by bodies (coupling.py).

h above one, some thirty times the Jacobi step, matters: with it most contacts find out in the
first steps whether they stick.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, whole_number
from rollcone.problem.contact_problem import ContactProblem
from rollcone.solvers.coupling import Equations, coupling
from rollcone.solvers.first_order import FirstOrder, norm
from rollcone.solvers.gauss_seidel import GaussSeidel, GaussSeidelOptions
from rollcone.solvers.kernels.newton import contact_equations, row_equations, squared_defect

_LENGTH = 30.0  # h, and at most 1 / e
_STIFF, _STIFFEST, _SOFTEST = 1000.0, 1e9, 10.0  # 1 / e: at first, at most, at least
_MORE, _LESS, _HALF = 4.0, 0.1, 0.5  # 1 / e after a center was found quickly; not at all; slowly
_QUICK, _SLOW, _MOST = 3, 7, 10  # Newton steps per center
_LEAST_PART = 1.0 / 64.0  # of a Newton step
_DECREASE = 1e-4  # of |F|, as a share of the part
_SOLVED = 0.1  # |F|, as a share of what the center moves by in F
_ROUNDING = 1e-15
_BEYOND = 0.01  # the tolerance, times this, is aimed at: one step more gains many digits
_SWEEPS = 100  # where Newton's method gets stuck
_WORSE = 2.0  # a new center may have such an error, times the last


@dataclass(frozen=True)
class NewtonOptions:
    """sweeps: of Gauss-Seidel to begin with; they are cheap, and bring Newton's method closer."""

    sweeps: int = _SWEEPS

    def __post_init__(self) -> None:
        object.__setattr__(self, "sweeps", whole_number("sweeps", self.sweeps))


class Newton(FirstOrder):
    """The method for the driver; see registry.py for what it must offer."""

    def __init__(self, problem: ContactProblem, options: NewtonOptions) -> None:
        super().__init__(problem)
        self._problem, self._options = problem, options
        self._coupling = coupling(self.scaled)
        self._equations = Equations(self.scaled)
        self._kinds = problem.cone.kinds.copy()  # may be read-only: another form to compile
        self._work = np.zeros((14, 13))
        self._stiff = _STIFF
        self._steps = 0  # from the center
        self._center = self.p
        self._center_error = np.inf

    def reactions(self) -> FloatArray:
        """The admissible ones next to p."""
        return self.scaled.leave(self.step(self.p, self.y, 0.0))

    def move(self, p: FloatArray, y: FloatArray) -> None:
        """A new center."""
        super().move(p, y)
        self._center, self._center_y, self._steps = p, y, 0
        self._center_error = self._error()

    def advance(self, count: int, tolerance: float) -> int:
        return super().advance(count, _BEYOND * tolerance)

    def iterate(self) -> float:
        """One factorisation; or the sweeps to begin with."""
        if self.done == 0 and self._options.sweeps:
            self._sweep(self._options.sweeps)
            return self._center_error
        change, before = self._direction()
        self._steps += 1
        after = np.inf if change is None else self._search(change, before)
        if after < np.inf and self._solved(after):
            self._settle()
        elif after == np.inf or self._steps >= _MOST:
            self._retreat()
        return self._error() if self._steps else self._center_error

    def _error(self) -> float:
        """Of the law, without the compliance."""
        return self._defect(self.p, self.y, 1.0, 0.0)

    def _lengths(self) -> tuple[float, float]:
        """h and e."""
        return min(_LENGTH, self._stiff), 1.0 / self._stiff

    def _defect(self, p: FloatArray, y: FloatArray, h: float, e: float) -> float:
        """|F|."""
        scaled, split = self.scaled, self._problem.split
        (y, row_y), (p, row_p), (c, row_c) = split(y), split(p), split(self._center)
        square = squared_defect(
            scaled.exact, self._kinds, scaled.radii, scaled.bounds, h, e, y, p, c, row_y, row_p,
            row_c, self._work,
        )  # fmt: skip
        return math.sqrt(square)

    def _direction(self) -> tuple[FloatArray | None, float]:
        """Newton's step for F = 0, and |F|."""
        h, e = self._lengths()
        scaled, split, out = self.scaled, self._problem.split, self._equations
        F = np.empty_like(self.p)
        y, row_y = split(self.y)
        p, row_p = split(self.p)
        c, row_c = split(self._center)
        soft, row_soft = split(self._coupling.soft)
        contact_F, row_F = split(F)
        w, row_w = split(out.w)
        regular = contact_equations(
            scaled.exact, self._kinds, scaled.radii, h, e, soft, y, p, c,
            self._work, contact_F, w, out.T,
        )  # fmt: skip
        row_equations(scaled.bounds, h, e, row_soft, row_y, row_p, row_c, row_F, row_w, out.t)
        regular = regular and self._coupling.factor(out)
        return (self._coupling.solve(out) if regular else None), norm(F)

    def _search(self, change: FloatArray, before: float) -> float:
        """Take as much of the step, halved again and again, as makes |F| fall; what it is then, or
        infinity."""
        p = self.p + change
        y = self.velocities(p)
        turn = y - self.y
        part = 1.0
        while part >= _LEAST_PART:
            after = self._defect(p, y, *self._lengths())
            if after <= (1.0 - _DECREASE * part) * before:
                self.p, self.y = p, y if part == 1.0 else self.velocities(p)
                return after
            part *= 0.5
            p, y = self.p + part * change, self.y + part * turn
        return np.inf

    def _solved(self, defect: float) -> bool:
        h, e = self._lengths()
        moved = _SOLVED * h * e * norm(self.p - self._center)
        return defect <= max(moved, _ROUNDING * (1.0 + h) * norm(self.p))

    def _settle(self) -> None:
        """The center moves here, unless that makes things worse."""
        error, before = self._error(), self._center_error
        if error > _WORSE * before:
            self._retreat()
            return
        if self._steps <= _QUICK:
            gain = max(_MORE, before / error) if error > 0.0 else _MORE
            self._stiff = min(gain * self._stiff, _STIFFEST)
        elif self._steps >= _SLOW:
            self._stiff *= _HALF
        self.move(self.p, self.y)

    def _retreat(self) -> None:
        """Back to the center, with more compliance, or to where sweeps lead from there."""
        self._stiff *= _LESS
        self.p, self.y, self._steps = self._center, self._center_y, 0
        if self._stiff < _SOFTEST:
            self._stiff = _STIFF
            self._sweep(_SWEEPS)

    def _sweep(self, count: int) -> None:
        """The center moves to where some sweeps of Gauss-Seidel lead from here."""
        sweeps = GaussSeidel(self._problem, GaussSeidelOptions())
        sweeps.start(self.reactions())
        sweeps.advance(count, 0.0)
        p = sweeps.reactions()
        if np.isfinite(p).all():
            self.start(p)
