"""Extragradient with a self-adaptive step (Acary and Bourrier 2021, (65)):

    x <- proj(p - rho F(p)),   p <- proj(p - rho F(x)),   F = y + S(y) n

S is zero for the associated law; the rule for rho is that of fixed_point.py. Twice the work
of an iteration there, but convergence for every monotone F that is Lipschitz, symmetric or not.
Only on the cone: with the friction sets of the exact law one by one the second step can run
away from the solution, since it takes its sets from another normal force than the first.
"""

from __future__ import annotations

from dataclasses import dataclass

from rollcone.problem.contact_problem import ContactProblem
from rollcone.solvers.fixed_point import FixedPoint, FixedPointOptions


@dataclass(frozen=True)
class ExtragradientOptions:
    """There are none."""


class Extragradient(FixedPoint):
    """The method for the driver; see registry.py for what it must offer."""

    def __init__(self, problem: ContactProblem, options: ExtragradientOptions) -> None:
        super().__init__(problem, FixedPointOptions(projection="cone"))

    def iterate(self) -> float:
        _, y, error = self.predict()
        self.p = self.step(self.p, self.modified(y), self.rho, sets=False)
        self.y = self.velocities(self.p)
        return error
