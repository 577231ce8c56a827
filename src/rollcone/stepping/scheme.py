"""What every time-stepping scheme says: where contacts are looked for, what their rows ask, and
with which mean velocity positions move. The rest is the same for all (step.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rollcone._check import finite_array, positive_number, true_or_false
from rollcone.errors import InputError
from rollcone.stepping import _row_kernels

if TYPE_CHECKING:
    from rollcone.mechanics.materials import LawTable
    from rollcone.problem.contact_problem import Law
    from rollcone.stepping.step import Step


@dataclass(frozen=True, kw_only=True)
class Scheme:
    """recovery        the share of an overlap that is undone in a step, through velocities
    recovery_speed  at most so fast (m/s)
    projection      move overlapping bodies apart at the end of the step, velocities untouched
    """

    recovery: float = 0.0
    recovery_speed: float | None = None
    projection: bool = False

    laws: ClassVar[tuple[Law, ...]] = ("exact",)
    rebounds: ClassVar[bool] = True
    leans: ClassVar[bool] = False  # contact geometry in the middle of the step (lean.py)

    def __post_init__(self) -> None:
        share = finite_array("recovery", self.recovery)
        if share.ndim or not 0.0 <= share <= 1.0:
            raise InputError(f"recovery = {self.recovery!r}: must be a number from 0 to 1")
        if self.recovery_speed is not None:
            positive_number("recovery_speed", self.recovery_speed, zero=True)
        true_or_false("projection", self.projection)

    @property
    def name(self) -> str:
        return type(self).__name__

    def check(self, law: Law, table: LawTable) -> None:
        """Does the scheme admit this flow rule and these contact laws?"""
        if law not in self.laws:
            raise InputError(
                f"law = {law!r}: {self.name} asks for velocities alone, and under that law bodies "
                "that slide would lift off for ever; use law='exact', or scheme=rc.DVI()"
            )
        rebound = max(entry.restitution for entry in table.laws())
        if rebound > 0.0 and not self.rebounds:
            raise InputError(
                f"restitution = {rebound:g}: {self.name} is inelastic; use another scheme"
            )

    @property
    def cap(self) -> float:
        """The speed of recovery at most."""
        return np.inf if self.recovery_speed is None else float(self.recovery_speed)

    def ask_velocities(self, step: Step) -> None:
        """Rows of schemes at velocity level: u_n+ >= -e u_n, and recovery where it is wanted."""
        _row_kernels.newton_rows(
            step.h,
            float(self.recovery),
            self.cap,
            step.contacts.gap,
            step.y_before,
            step.restitution,
            step.b,
        )

    def find(self, step: Step) -> None:
        """Look for contacts: `step.detect(...)`."""
        raise NotImplementedError

    def rows(self, step: Step) -> None:
        """Add to `step.b` what the rows ask beyond the law: gaps, rebound, recovery."""
        raise NotImplementedError

    def move(self, step: Step) -> None:
        """Positions at the end of the step: `step.move(...)`."""
        raise NotImplementedError
