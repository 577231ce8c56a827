"""GapAhead, the default: second order while contacts last, no overlap when they begin.

A contact *lasts* if its gap is zero and stays so, to 1e-6 of the smaller body or to what the
turning of its normal does in a step, while the bodies move at mean velocities; any other is a
*first touch*. With u_n the normal velocity before and u_n+ after the step,

    lasting       u_n+ >= 0, or >= a capped recovery of overlap; where turning has left a gap,
                  u_n+ >= -gap / h times the share that is undone per step
    first touch   u_n+ >= -gap / h: the gap closes, no more; where it rebounds, u_n+ >= -e u_n

    v+ = v + h f / M + M^-1 H^T p
    x+ = x + h ((1 - theta) v + theta v+)

with theta = 1/2 in islands whose acting contacts all last, and in islands with an acting first
touch the least theta >= 1/2 that lets nothing overlap: 1 where it does not rebound, 1/2
where it rebounds wholly. An island is bodies joined by acting contacts (r_n > 0). An approach
counts as impact, with restitution, if it is faster than what the loads do to u_n in two steps.

H is taken in the middle of the step, and the law is asked of the velocity at its end (lean.py).
So normal forces do no work where bodies roll over each other or tip over an edge. Free flight
under constant loads, and rolling and sliding straight on planes, are exact but for the step in
which the mode changes.

Friction of a lasting contact that goes on sliding or rolling opposes the mean velocity of the step,
so that paths that bend are of second order, too; near a stop it opposes the velocity at the end.

Contacts are those that touch, and those that would meet within the step if nothing else touched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rollcone.stepping import _row_kernels
from rollcone.stepping.scheme import Scheme
from rollcone.stepping.step import Step


@dataclass(frozen=True, kw_only=True)
class GapAhead(Scheme):
    """recovery        share of an overlap that is undone per step (0.2)
    recovery_speed  at most so fast (m/s); not given: no faster than the loads make it in two steps
    projection      move overlapping bodies apart after the step, velocities untouched (False)
    """

    recovery: float = 0.2

    leans: ClassVar[bool] = True

    def find(self, step: Step) -> None:
        # The normal of a lasting contact is the present one, also where its gap is of order h^2.
        margin = step.h * np.linalg.norm(step.v_free - step.world.state.velocity, axis=1)
        step.detect(step.v_free, step.w_free, horizon=step.h, margin=margin)

    def rows(self, step: Step) -> None:
        assert step.lean is not None
        cap = -1.0 if self.recovery_speed is None else float(self.recovery_speed)
        _row_kernels.gap_ahead_rows(
            step.h,
            float(self.recovery),
            cap,
            step.contacts.gap,
            step.lean.start,
            step.lean.bend,
            step.restitution,
            step.small,
            step.slow,
            step.loads,
            step.touch_state,
            step.b,
        )
        _row_kernels.mean_friction_rows(
            step.touch_state,
            step.p_known,
            step.lean.bend,
            step.y_before,
            step.expected_velocities(),
            step.b,
        )

    def move(self, step: Step) -> None:
        n = len(step.world.state)
        theta = step.room("theta", (n,))
        _row_kernels.island_weights(
            step.h,
            step.movers,
            step.touch_state,
            step.contacts.gap,
            step.y_before,
            step.y_after,
            step.p,
            step.room("parent", (n,), np.int64),
            theta,
        )
        step.move(step.h, theta)
