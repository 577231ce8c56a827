"""GapAhead, the default: second order while contacts last, impacts at their own instant in small
worlds, no overlap when contacts begin, and no step that makes energy.

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

A normal force along the normal of the start of a step does work when bodies roll over each other or
tip over an edge, since n turns. So H of lasting contacts is taken in the middle, where the bodies
get in half a step at their present velocities, and the law is asked of the velocity at the end,

    n_e.v+ = n_m.v+ + bend,   bend = (n_m - n_s).v  up to h^2,

likewise of the other rows. Normal forces then do no work, nor does friction that sticks. Free
flight under constant loads, and rolling and sliding straight on planes, are exact but for the step
in which the mode changes.

Friction of a lasting contact that goes on sliding or rolling opposes the mean velocity of the step,
so that paths that bend are of second order, too; near a stop it opposes the velocity at the end.

All impulses of a step on a body come at one orientation: in the middle of the step, or at its start
in islands with theta > 1/2. Before and after them the body turns freely and exactly. Where contacts
of an island would still add energy the step is solved once more (kernels/passive.py).

Contacts are found in passes (kernels/candidate.py): those that touch or last, and those that meet
on the way at the velocities that come of the solve, until none is new. In small worlds the step is
divided where something meets, at most `max_impacts` times (kernels/strike.py); what is said above
of first touches then holds only for what comes after that, and for slow approaches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rollcone._check import whole_number
from rollcone.stepping.kernels.work import GAP_AHEAD
from rollcone.stepping.scheme import Scheme

_IMPACTS = 16  # at which a step is divided, at most, unless another number is given


@dataclass(frozen=True, kw_only=True)
class GapAhead(Scheme):
    """recovery        share of an overlap that is undone per step (0.2)
    recovery_speed  at most so fast (m/s); not given: no faster than the loads make it in two steps
    projection      move overlapping bodies apart after the step, velocities untouched (False)
    max_passes      how often the candidates of a step are looked at, at most (50)
    max_impacts     at how many times of impact a step is divided, at most; not given: 16 where
                    steps can be divided, else none
    """

    recovery: float = 0.2
    max_passes: int = 50
    max_impacts: int | None = None

    closes_gaps: ClassVar[bool] = True
    code: ClassVar[int] = GAP_AHEAD

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_number("max_passes", self.max_passes, least=1)
        if self.max_impacts is not None:
            whole_number("max_impacts", self.max_impacts, least=0)

    @property
    def cap(self) -> float:
        """Below 0: what the loads do."""
        return -1.0 if self.recovery_speed is None else float(self.recovery_speed)

    @property
    def most_passes(self) -> int:
        return int(self.max_passes)

    @property
    def most_impacts(self) -> int:
        return _IMPACTS if self.max_impacts is None else int(self.max_impacts)

    @property
    def must_divide(self) -> bool:
        return bool(self.max_impacts)
