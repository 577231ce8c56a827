"""Linear complementarity problems, plain, bounded and mixed, and how they are solved.

problem = LCP(M, q)                          0 <= z  complementary to  w = M z + q >= 0
problem = MLCP(M, q, lower, upper)           bounds; infinite ones make free variables
solution = solve(problem, "pivoting")        SOLVERS lists the methods
solutions = all_solutions(problem)           every basis of a small problem
"""

from rollcone._build import mode

if not mode.compiling:  # a build has only what kernels need
    from rollcone.lcp.driver import solve
    from rollcone.lcp.enumeration import all_solutions
    from rollcone.lcp.problem import LCP, MLCP
    from rollcone.lcp.registry import SOLVERS
    from rollcone.lcp.solution import LcpSolution, LcpStatus

__all__ = ["LCP", "MLCP", "SOLVERS", "LcpSolution", "LcpStatus", "all_solutions", "solve"]
