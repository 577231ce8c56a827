"""DVI: semi-implicit Euler with gap / h in the normal row (Tasora and Anitescu 2013, (18)).

    v+ = v + h f / M + M^-1 H^T p,    u_n+ >= -gap / h,    x+ = x + h v+

Under the associated law bodies that slide or roll hover at the height h S(y) above each other:
the price of a convex problem. First order. Restitution is ours, by Newton's law at impacts;
the paper has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rollcone.errors import InputError
from rollcone.mechanics.materials import LawTable
from rollcone.problem.contact_problem import Law
from rollcone.stepping.kernels import work as _work
from rollcone.stepping.scheme import Scheme


@dataclass(frozen=True, kw_only=True)
class DVI(Scheme):
    """recovery        share of an overlap that is undone per step (1, all of it)
    recovery_speed  at most so fast (m/s); no limit unless given
    projection      move overlapping bodies apart after the step, velocities untouched (False)
    """

    recovery: float = 1.0

    laws: ClassVar[tuple[Law, ...]] = ("exact", "associated")
    closes_gaps: ClassVar[bool] = True
    code: ClassVar[int] = _work.DVI

    def check(self, law: Law, table: LawTable) -> None:
        super().check(law, table)
        if law == "associated" and (table.along_contours or table.vary):
            raise InputError(
                "law = 'associated': knows no contour friction, viscosity or Stribeck, whose "
                "limits have no bound or change with speed; use law='exact'"
            )

    def hover(self, law: Law, table: LawTable) -> tuple[float, float]:
        """The largest mu, and rho + sigma: S(y) is no more than these times speed and rate."""
        if law == "exact":
            return 0.0, 0.0
        laws = table.laws()
        spinning = (law.spinning + law.most_sliding * law.contact_radius for law in laws)
        turning = max(law.rolling for law in laws) + max(spinning)
        return max(law.most_sliding for law in laws), turning
