"""Accelerated projected gradient, with restart and backtracking (Nesterov; restarts as
O'Donoghue and Candes 2015).

From the extrapolated z = p + beta (p - p_old), one step of the length 1 / L,

    p_new = proj(z - y(z) / L),   y(z) = W z + q

L is doubled while (p_new - z)^T W (p_new - z) > L |p_new - z|^2, and tried a little smaller
each time. y(z) follows from the velocities at p and p_old, so an iteration costs one product
with W. beta grows by Nesterov's rule from 0 towards 1; it starts again where the
last step turned against the momentum.

For the associated law this minimises 1/2 p^T W p + q^T p over the cone. Under the exact
law proj is set by set at the new normal force, in each iteration. The other way, the cone with
a shift S(y) that is refreshed now and then, took on heaps and stacks as many iterations where
the shift was new each time, 1.5 to 5 times as many where it was kept for ten, and ten times
as many where it was kept till the next restart. The exact law is not a minimum of anything,
and momentum can run in a circle: beta is limited when the error stops falling.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rollcone._check import FloatArray
from rollcone.errors import InputError
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.kernels.linear import dot
from rollcone.solvers.first_order import FirstOrder
from rollcone.solvers.progress import Watch

_GROW, _SHRINK = 2.0, 0.9
# The error must fall to this share while the iterations double, or momentum is limited.
_PROGRESS, _WINDOW, _MOST = 0.7, 100, 0.95
_ROUNDING = 1e-15
_FLATTEST = 1e-4  # least L: without one, steps where nothing resists grow without end


@dataclass(frozen=True)
class ApgdOptions:
    """restart: where the step turns against the momentum, it is dropped."""

    restart: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.restart, bool):
            raise InputError(f"restart = {self.restart!r}: must be True or False")


class Apgd(FirstOrder):
    """The method for the driver; see registry.py for what it must offer."""

    def __init__(self, problem: ContactProblem, options: ApgdOptions) -> None:
        super().__init__(problem)
        self._restart = options.restart
        self._L = 1.0
        self._theta = 1.0  # of Nesterov's rule; 1 is no momentum
        self._most = 1.0  # of beta
        self._window = _WINDOW
        self._watch = Watch(_PROGRESS, self._window)

    def move(self, p: FloatArray, y: FloatArray) -> None:
        super().move(p, y)
        self._z, self._y_z = p, y
        self._theta = 1.0

    def iterate(self) -> float:
        z, y_z = self._z, self._y_z
        while True:
            p = self.step(z, y_z, 1.0 / self._L)
            y = self.velocities(p)
            change = p - z
            square = dot(change, change)
            rounding = _ROUNDING * dot(abs(change), abs(y))
            if not dot(change, y - y_z) > self._L * square + rounding:
                break
            self._L *= _GROW
        error: float = self._L * math.sqrt(square)
        against = dot(change, p - self.p) < 0.0
        theta = self._theta * 0.5 * (math.sqrt(self._theta**2 + 4.0) - self._theta)
        beta = min(self._theta * (1.0 - self._theta) / (self._theta**2 + theta), self._most)
        if self._restart and against:
            theta, beta = 1.0, 0.0
        self._z, self._y_z = p + beta * (p - self.p), y + beta * (y - self.y)
        self.p, self.y, self._theta = p, y, theta
        self._L = max(self._L * _SHRINK, _FLATTEST)
        if self.scaled.exact and self._watch.stuck(error):
            self._limit_momentum()
        return error

    def _limit_momentum(self) -> None:
        """Most of beta from 1 to 0.9, 0.8, 0.6, 0.2, 0; then all of it again, with more patience:
        what looked like a circle may have been the flat beginning of a good start."""
        if self._most > 0.0:
            self._most = max(0.0, 2.0 * min(self._most, _MOST) - 1.0)
        else:
            self._most, self._window = 1.0, 2 * self._window
            self._watch = Watch(_PROGRESS, self._window)
