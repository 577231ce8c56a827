"""Moreau-Jean: the law at velocity level for contacts whose gap is forecast to close.

    v+ = v + h f / M + M^-1 H^T p,    u_n+ + e u_n >= 0,
    x+ = x + h ((1 - theta) v + theta v+)

for contacts with gap + h u_n / 2 <= 0 (Moreau 1999, Jean 1999; as in Acary and Bourrier 2021,
section 6). Gaps are not looked at otherwise: a body that lands stops somewhere within half a
step's way of the surface, and an overlap stays, unless it is projected away. (Recovery by
velocities makes a body hop here, since the next landing overlaps again.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rollcone._check import finite_array
from rollcone.errors import InputError
from rollcone.stepping.kernels.work import MOREAU_JEAN
from rollcone.stepping.scheme import Scheme


@dataclass(frozen=True)
class MoreauJean(Scheme):
    """theta           from 0 to 1; 1/2 is second order where contacts last and nothing bends
    recovery        share of an overlap that is undone per step (0)
    recovery_speed  at most so fast (m/s); no limit unless given
    projection      move overlapping bodies apart after the step, velocities untouched (False)
    """

    theta: float = 0.5

    code: ClassVar[int] = MOREAU_JEAN

    def __post_init__(self) -> None:
        super().__post_init__()
        theta = finite_array("theta", self.theta)
        if theta.ndim or not 0.0 <= theta <= 1.0:
            raise InputError(f"theta = {self.theta!r}: must be a number from 0 to 1")

    @property
    def weight(self) -> float:
        return float(self.theta)
