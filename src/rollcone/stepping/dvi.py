"""DVI: semi-implicit Euler with gap / h in the normal row (Tasora and Anitescu 2013, (18)).

    v+ = v + h f / M + M^-1 H^T p,    u_n+ >= -gap / h,    x+ = x + h v+

Under the associated law bodies that slide or roll hover at the height h S(y) above each other:
the price of a convex problem. First order. Restitution is ours, by Newton's law at impacts;
the paper has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rollcone._check import FloatArray
from rollcone.problem.contact_problem import Law
from rollcone.stepping import _row_kernels
from rollcone.stepping.scheme import Scheme
from rollcone.stepping.step import Step


@dataclass(frozen=True, kw_only=True)
class DVI(Scheme):
    """recovery        share of an overlap that is undone per step (1, all of it)
    recovery_speed  at most so fast (m/s); no limit unless given
    projection      move overlapping bodies apart after the step, velocities untouched (False)
    """

    recovery: float = 1.0

    laws: ClassVar[tuple[Law, ...]] = ("exact", "associated")

    def find(self, step: Step) -> None:
        step.detect(step.v_free, step.w_free, horizon=step.h, margin=_hover(step))

    def rows(self, step: Step) -> None:
        _row_kernels.gap_rows(
            step.h,
            float(self.recovery),
            self.cap,
            step.contacts.gap,
            step.y_before,
            step.restitution,
            step.slow,
            step.b,
        )

    def move(self, step: Step) -> None:
        theta = step.room("theta", (len(step.world.state),))
        theta[:] = 1.0
        step.move(step.h, theta)


def _hover(step: Step) -> FloatArray | None:
    """How far from a neighbour each body may hover and still be held (n,): h S(y) at most.

    Never more than its own size, which bounds the search.
    """
    if step.law == "exact":
        return None
    state = step.world.state
    laws = step.world.laws.laws()
    mu = max(law.sliding for law in laws)
    turning = max(law.rolling for law in laws) + max(law.spinning for law in laws)
    size = np.where(np.isfinite(state.size), state.size, 0.0).max(axis=1)
    rate = np.linalg.norm(state.angular_velocity, axis=1)
    speed = np.linalg.norm(state.velocity, axis=1) + rate * size
    return np.asarray(np.minimum(2.0 * step.h * (mu * speed + turning * rate), size))
