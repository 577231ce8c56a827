"""Moreau's midpoint rule, inelastic, with the way back to the constraints (Le Saux, Leine and
Glocker 2005, section 3).

    x_M = x + h v / 2;   contacts with gap(x_M) <= 0, their rows taken at x_M
    v+ = v + h f / M + M^-1 H_M^T p,    u_n+ >= 0
    x+ = x_M + h v+ / 2,  then overlapping bodies are moved apart

The paper takes the nearest position in the norm of its seven coordinates "for simplicity", with
gap = 0 of the contacts that overlap: `metric="coordinates"`. In the metric of the mass matrix,
the default, units and frames do not matter, and contacts that touch do not pull; a small disk that
rolls keeps its energy better in coordinates, since lifting it returns what the solve takes.

Where rolling curves it is of first order: velocities v+ are those of the middle, h / 2 late.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rollcone._check import one_of
from rollcone.stepping.kernels.work import BY_COORDINATES, BY_MASS, KEPT, MIDPOINT
from rollcone.stepping.scheme import Scheme

METRICS = {"mass": BY_MASS, "coordinates": BY_COORDINATES}


@dataclass(frozen=True, kw_only=True)
class MoreauMidpoint(Scheme):
    """recovery        share of an overlap at the midpoint that velocities undo per step (0)
    recovery_speed  at most so fast (m/s); no limit unless given
    projection      move overlapping bodies apart after the step, velocities untouched (True)
    metric          in which they are moved the least: 'mass', or 'coordinates', as in the paper
    """

    projection: bool = True
    metric: str = "mass"

    rebounds: ClassVar[bool] = False
    code: ClassVar[int] = MIDPOINT

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of("metric", self.metric, METRICS)

    @property
    def metric_code(self) -> int:
        return METRICS[self.metric] if self.projection else KEPT

    @property
    def weight(self) -> float:
        """x_M + h v+ / 2."""
        return 0.5
