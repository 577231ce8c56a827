"""What every time-stepping scheme says. Where it looks for contacts, what their rows ask and with
which mean velocity positions move is compiled, by its `code` (kernels/candidate.py,
kernels/stage.py, kernels/batch.py); the rest of a step is the same for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rollcone._check import finite_array, positive_number, true_or_false
from rollcone.errors import InputError
from rollcone.friction_models.model import CONE
from rollcone.stepping.kernels.work import BY_MASS, KEPT

if TYPE_CHECKING:
    from rollcone.mechanics.materials import LawTable
    from rollcone.problem.contact_problem import Law


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
    closes_gaps: ClassVar[bool] = False  # do its rows know the gap?
    friction_model: ClassVar[str] = CONE  # unless another is chosen
    code: ClassVar[int]

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
        if table.softness() is not None and not self.closes_gaps:
            raise InputError(
                f"compliance: {self.name} asks for velocities alone, and a compliant contact would "
                "creep in for ever; use another scheme, or a rigid law"
            )
        rebound = max(entry.restitution for entry in table.laws())
        if rebound > 0.0 and not self.rebounds:
            raise InputError(
                f"restitution = {rebound:g}: {self.name} is inelastic; use another scheme"
            )

    @property
    def metric_code(self) -> int:
        """In which positions are moved apart, as kernels know it."""
        return BY_MASS if self.projection else KEPT

    @property
    def cap(self) -> float:
        """The speed of recovery at most."""
        return np.inf if self.recovery_speed is None else float(self.recovery_speed)

    @property
    def weight(self) -> float:
        """theta of the mean velocity, for schemes that have one for all bodies."""
        return 1.0

    @property
    def most_passes(self) -> int:
        """How often the candidates of a step are looked at."""
        return 1

    @property
    def most_impacts(self) -> int:
        """At how many times of impact a step is divided, at most."""
        return 0

    @property
    def must_divide(self) -> bool:
        """Has the user asked for steps that are divided at impacts?"""
        return False

    def hover(self, law: Law, table: LawTable) -> tuple[float, float]:
        """How far bodies may hover and still be held, per h and speed (DVI has some)."""
        return 0.0, 0.0
