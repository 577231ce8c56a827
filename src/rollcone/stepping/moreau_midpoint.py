"""Moreau's midpoint rule, inelastic, with the way back to the constraints (Le Saux, Leine and
Glocker 2005, section 3).

    x_M = x + h v / 2;   contacts with gap(x_M) <= 0, their rows taken at x_M
    v+ = v + h f / M + M^-1 H_M^T p,    u_n+ >= 0
    x+ = x_M + h v+ / 2,  then overlapping bodies are moved apart

The paper takes the nearest position in the norm of its seven coordinates "for simplicity"; ours
is nearest in the metric of the mass matrix, so that units and frames do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rollcone.stepping._work import MIDPOINT
from rollcone.stepping.scheme import Scheme


@dataclass(frozen=True, kw_only=True)
class MoreauMidpoint(Scheme):
    """recovery        share of an overlap at the midpoint that velocities undo per step (0)
    recovery_speed  at most so fast (m/s); no limit unless given
    projection      move overlapping bodies apart after the step, velocities untouched (True)
    """

    projection: bool = True

    rebounds: ClassVar[bool] = False
    code: ClassVar[int] = MIDPOINT

    @property
    def weight(self) -> float:
        """x_M + h v+ / 2."""
        return 0.5
