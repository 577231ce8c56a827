"""RegularisedLCP: positions by the old velocities, velocities and forces by one bounded linear
complementarity problem (Peiret, Gholami, Kövecses and Font-Llagunes 2016, (5) to (7), (21) to
(31)).

    v+ = v + h f / M + M^-1 H^T p,    rows at the start of the step
    x+ = x + h v

Contacts are held at the level of velocities. The paper does not say when one counts as closed.
Here positions at the end of the step are known when it begins, and so is the gap there; v+ may
close it in the step after, and no more:

    u_n+ >= -(gap + h u_n) / h

which is u_n+ >= 0 where a contact lasts. So nothing overlaps when it lands, and where the
geometry bends, gaps stay of the order of h^2. First order. Restitution is ours, by Newton's law.

Its friction is `RegularisedFriction` unless another model is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rollcone.stepping.kernels.work import EXPLICIT
from rollcone.stepping.scheme import Scheme


@dataclass(frozen=True, kw_only=True)
class RegularisedLCP(Scheme):
    """recovery        share of an overlap that is undone per step (1, all of it)
    recovery_speed  at most so fast (m/s); no limit unless given
    projection      move overlapping bodies apart after the step, velocities untouched (False)
    """

    recovery: float = 1.0

    friction_model: ClassVar[str] = "regularised"
    code: ClassVar[int] = EXPLICIT

    @property
    def weight(self) -> float:
        """x + h v."""
        return 0.0
