"""Linear complementarity problems, plain, bounded and mixed, and how they are solved.

problem = LCP(M, q)                          0 <= z  complementary to  w = M z + q >= 0
problem = MLCP(M, q, lower, upper)           bounds; infinite ones make free variables
solution = solve(problem, "pivoting")        SOLVERS lists the methods
solutions = all_solutions(problem)           every basis of a small problem
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollcone._lazy import loaded_on_use

if TYPE_CHECKING:  # for type checkers and editors
    from rollcone.lcp.driver import solve
    from rollcone.lcp.enumeration import all_solutions
    from rollcone.lcp.problem import LCP, MLCP
    from rollcone.lcp.registry import SOLVERS
    from rollcone.lcp.solution import LcpSolution, LcpStatus

__getattr__, __dir__ = loaded_on_use(
    globals(),
    {
        "LCP": "problem",
        "MLCP": "problem",
        "SOLVERS": "registry",
        "LcpSolution": "solution",
        "LcpStatus": "solution",
        "all_solutions": "enumeration",
        "solve": "driver",
    },
)

__all__ = ["LCP", "MLCP", "SOLVERS", "LcpSolution", "LcpStatus", "all_solutions", "solve"]
