"""The modified Newton method of Le Saux, Leine and Glocker 2005, (3.7): from y = W p + q

    p_N <- proj_{C_N}(p_N - rho_N y_N)
    p_F <- proj_{C_F(p_N)}(p_F - rho_F y_F),   p_R likewise, at the new p_N

for all contacts at once; the velocities are those of the reactions before. The method has no
derivative in it: the equations of motion stand for the linear part, and (3.5) has the
solutions as fixed points, for any rho > 0. Under the associated law the projection is on the
cone instead, in the metric of the rho. Extra rows are projected on their bounds.

Small rho make it slow, large ones let it circle or diverge. Where no rho is given, each group of
rows of each contact begins with

    rho = D^2 / max(1, s),   s the group's largest row sum of |D W D|

with D of scaled.py: the contact's own block, then what other contacts and extra rows add. No
eigenvalue of rho W is then above one. A common factor is adapted: a fifth longer after a
change along the one before, half as long after another one that is hardly smaller, and held
below 0.6 of its value when the error stops falling, until small steps are the reason for that. A
rho that is given is kept, and then those not given are kept as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, positive_number
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.kernels.linear import dot
from rollcone.solvers.first_order import FirstOrder, norm
from rollcone.solvers.progress import Watch
from rollcone.solvers.scaled import MatrixMap, ScaledProblem

_ALONG, _LONGER, _LONGEST = 0.95, 1.2, 20.0  # cosine between changes; factors
_SHRINKS, _SHORTER = 0.9, 0.5
_PROGRESS, _WINDOW, _LOWER = 0.8, 50, 0.6
# The rows of a contact that each option is for.
_GROUPS = {
    "rho_normal": slice(0, 1),
    "rho_sliding": slice(1, 3),
    "rho_rolling": slice(3, 5),
    "rho_spinning": slice(5, 6),
}


@dataclass(frozen=True)
class ModifiedNewtonOptions:
    """rho of each set, the same for all contacts; None: chosen. Where reactions are impulses: kg
    for normal and sliding, kg m^2 for rolling and spinning."""

    rho_normal: float | None = None
    rho_sliding: float | None = None
    rho_rolling: float | None = None
    rho_spinning: float | None = None

    def __post_init__(self) -> None:
        for name, value in self.given().items():
            object.__setattr__(self, name, positive_number(name, value))

    def given(self) -> dict[str, float]:
        return {name: rho for name in _GROUPS if (rho := getattr(self, name)) is not None}


class ModifiedNewton(FirstOrder):
    """The method for the driver; see registry.py for what it must offer.

    In rows scaled by sqrt(rho) every rho is one; `factor` is what adapts them all.
    """

    def __init__(self, problem: ContactProblem, options: ModifiedNewtonOptions) -> None:
        D, row_D = _automatic_scales(problem)
        for name, rho in options.given().items():
            D[:, _GROUPS[name]] = np.sqrt(rho)
        super().__init__(problem, ScaledProblem(problem, D, row_D))
        self.factor, self._most = 1.0, _LONGEST
        self._adapts = not options.given()
        self._last = np.zeros(problem.size)
        self._watch = Watch(_PROGRESS, _WINDOW)

    def iterate(self) -> float:
        new = self.step(self.p, self.y, self.factor)
        change = (new - self.p) / self.factor
        error = norm(change)
        self.move(new, self.velocities(new))
        if self._adapts:
            self._adapt(change, error)
        return error

    def _adapt(self, change: FloatArray, error: float) -> None:
        before = norm(self._last)
        along = dot(change, self._last) > _ALONG * error * before
        if along:
            self.factor = min(_LONGER * self.factor, self._most)
        elif error > _SHRINKS * before > 0.0:
            self.factor *= _SHORTER
        if self._watch.stuck(error):
            # Small steps are all along one another: they do not circle, they are too small.
            self._most = _LONGEST if along else _LOWER * self.factor
            self.factor = min(self.factor, self._most)
        self._last = change


def _automatic_scales(problem: ContactProblem) -> tuple[FloatArray, FloatArray]:
    """Roots of rho (n, d), the same within each group of rows, and of the extra rows' (m,)."""
    scaled = ScaledProblem(problem)
    sums = np.asarray(abs(MatrixMap(scaled).W).sum(axis=1)).reshape(-1)
    contacts, lines = problem.split(np.maximum(sums, 1.0))
    D = scaled.D.copy()
    for rows in _GROUPS.values():
        if rows.start < problem.rows:
            D[:, rows] /= np.sqrt(contacts[:, rows].max(axis=1, keepdims=True))
    return D, scaled.row_D / np.sqrt(lines)
