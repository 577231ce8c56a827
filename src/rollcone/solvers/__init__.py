"""How the discrete problem is solved: one algorithm per file, one registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollcone._lazy import loaded_on_use

if TYPE_CHECKING:  # for type checkers and editors
    from rollcone.solvers.registry import SOLVERS, SolverInfo, solver_info

__getattr__, __dir__ = loaded_on_use(
    globals(), dict.fromkeys(("SOLVERS", "SolverInfo", "solver_info"), "registry")
)

__all__ = ["SOLVERS", "SolverInfo", "solver_info"]
