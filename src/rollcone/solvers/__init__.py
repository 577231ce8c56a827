"""How the discrete problem is solved: one algorithm per file, one registry."""

from rollcone._build import mode

if not mode.compiling:  # a build has only what kernels need
    from rollcone.solvers.registry import SOLVERS, SolverInfo, solver_info

__all__ = ["SOLVERS", "SolverInfo", "solver_info"]
