"""What a race of solvers is told, checked once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rollcone._check import one_of, positive_number, true_or_false
from rollcone.errors import InputError
from rollcone.problem.contact_problem import LAWS, Law
from rollcone.solvers.registry import SOLVERS, solver_info

TOLERANCES = (1e-4, 1e-8, 1e-12)
TIME_LIMIT = 10.0  # s


def default_solvers() -> tuple[str, ...]:
    """All that are meant to be used, not those meant for comparison."""
    return tuple(name for name, info in SOLVERS.items() if not info.comparison)


@dataclass(frozen=True)
class Settings:
    """solvers      names of the registry; none: all but those meant for comparison
    law          'exact' or 'associated'; None: each problem's own
    tolerances   of the residual, no unit
    time_limit   for each solve, s
    siconos      race Siconos' solvers, too
    """

    solvers: Sequence[str] = ()
    law: Law | None = None
    tolerances: Sequence[float] = TOLERANCES
    time_limit: float = TIME_LIMIT
    siconos: bool = False

    def __post_init__(self) -> None:
        for name in self.solvers:
            solver_info(name)
        if self.law is not None:
            one_of("law", self.law, LAWS)
        tolerances = {positive_number("tolerance", value) for value in self.tolerances}
        if not tolerances:
            raise InputError("tolerances = []: must have one at least")
        put = object.__setattr__
        put(self, "solvers", tuple(dict.fromkeys(self.solvers)) or default_solvers())
        put(self, "tolerances", tuple(sorted(tolerances, reverse=True)))  # the loosest first
        put(self, "time_limit", positive_number("time_limit", self.time_limit))
        put(self, "siconos", true_or_false("siconos", self.siconos))
