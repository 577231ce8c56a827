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

from rollcone._check import finite_array
from rollcone.errors import InputError
from rollcone.stepping.scheme import Scheme
from rollcone.stepping.step import Step


@dataclass(frozen=True)
class MoreauJean(Scheme):
    """theta           from 0 to 1; 1/2 is second order where contacts last and nothing bends
    recovery        share of an overlap that is undone per step (0)
    recovery_speed  at most so fast (m/s); no limit unless given
    projection      move overlapping bodies apart after the step, velocities untouched (False)
    """

    theta: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        theta = finite_array("theta", self.theta)
        if theta.ndim or not 0.0 <= theta <= 1.0:
            raise InputError(f"theta = {self.theta!r}: must be a number from 0 to 1")

    def find(self, step: Step) -> None:
        state = step.world.state
        step.detect(state.velocity, state.angular_velocity, horizon=0.5 * step.h)

    def rows(self, step: Step) -> None:
        self.ask_velocities(step)

    def move(self, step: Step) -> None:
        theta = step.room("theta", (len(step.world.state),))
        theta[:] = self.theta
        step.move(step.h, theta)
