"""Do contacts immobilise parts, whatever the load?

    form closure    no motion is free, to first order: H_n x >= 0 and E x = 0 only for x = 0
    force closure   every load has an equilibrium: forces of friction cones span all loads

Form closure is force closure of contacts without friction. Contacts with the cone F have it if and
only if their rows and given rows span all coordinates and some p inside F (not on its edge) has
H^T p + E^T q = 0: such p can be changed towards any load. With p = p0 + r, p0 normal forces of 1
and r in F, that is an equilibrium of the load H^T p0. If there is none, a motion x with H x in F*
and E x = 0 is free.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.contact_balance import ContactBalance
from rollcone.analysis.acceleration.equilibrium import equilibrium
from rollcone.analysis.acceleration.force_cone import force_cone
from rollcone.analysis.acceleration.problem import AccelerationProblem

Closed = Literal["closed", "open", "undecided"]
_RANK = 1e-10  # of the largest singular value
_NOTHING = 1e-13  # of a sum of unit forces


@dataclass(frozen=True, eq=False)
class Closure:
    """The verdict and its proof.

    span       the least singular value of scaled rows over the largest: 0 if a motion meets none
    forces     p (c, d) inside the cones that cancel out, if closed
    motion     x (n,) that is free, if open
    """

    verdict: Closed
    span: float
    forces: FloatArray | None
    motion: FloatArray | None

    def plain(self) -> dict[str, Any]:
        """Numbers and lists, for JSON."""
        return {
            "verdict": self.verdict,
            "span": self.span,
            "forces": None if self.forces is None else self.forces.tolist(),
            "motion": None if self.motion is None else self.motion.tolist(),
        }


def form_closure(problem: AccelerationProblem) -> Closure:
    """Do normals alone leave no motion free?"""
    return _closure(ContactBalance(problem, force_cone(problem, "frictionless")))


def force_closure(problem: AccelerationProblem) -> Closure:
    """Can contacts with friction hold any load?"""
    return _closure(ContactBalance(problem, force_cone(problem, "cone")))


def _closure(balance: ContactBalance) -> Closure:
    span, free = _span(balance)
    if span <= _RANK:
        return Closure("open", span, None, free)
    p = np.zeros(balance.scale.shape)
    p[:, 0] = 1.0
    load = balance.problem.flat_rows.T @ p.ravel()
    if balance.size(load) <= _NOTHING * len(p):
        return Closure("closed", span, p, None)
    found = equilibrium(balance, load)
    if found.verdict == "holds" and found.forces is not None:
        return Closure("closed", span, p + found.forces, None)
    if found.verdict == "gives way":
        return Closure("open", span, None, found.motion)
    return Closure("undecided", span, None, None)


def _span(balance: ContactBalance) -> tuple[float, FloatArray]:
    """The least singular value of rows of forces and given rows, relative, and its motion."""
    rows = np.vstack([balance.K.T, balance.L.T, np.zeros((1, len(balance.g)))])
    _, values, motions = np.linalg.svd(rows)
    n = len(balance.g)
    least = values[n - 1] if len(values) >= n else 0.0
    return float(least / (values[0] or 1.0)), motions[n - 1] / balance.g
