"""Extragradient with a self-adaptive step (Acary and Bourrier 2021, (65)):

    x <- proj(p - rho F(p)),   p <- proj(p - rho F(x))

F, the two projections and the rule for rho are those of fixed_point.py. Twice the work of
an iteration there, but convergence for every monotone F that is Lipschitz, symmetric or not.
"""

from __future__ import annotations

from dataclasses import dataclass

from rollcone.solvers.fixed_point import FixedPoint, FixedPointOptions


@dataclass(frozen=True)
class ExtragradientOptions(FixedPointOptions):
    """projection: 'sets' or 'cone', see fixed_point.py."""


class Extragradient(FixedPoint):
    """The method for the driver; see registry.py for what it must offer."""

    def iterate(self) -> float:
        _, y, error = self.predict()
        self.p = self.step(self.p, self.modified(y), self.rho, sets=self.sets)
        self.y = self.velocities(self.p)
        return error
