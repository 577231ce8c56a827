"""`solve` of a complementarity problem: arguments, clock, the answer checked on the raw data."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import one_of, positive_number, whole_number
from rollcone.errors import InputError
from rollcone.lcp.factor import SingularBasisError
from rollcone.lcp.problem import MLCP
from rollcone.lcp.ray import as_certificate
from rollcone.lcp.registry import SOLVERS, Start, make_options
from rollcone.lcp.solution import LcpSolution, LcpStatus, Outcome
from rollcone.lcp.states import states_of


def solve(
    problem: MLCP,
    solver: str = "pivoting",
    tolerance: float = 1e-10,
    max_iterations: int | None = None,
    start: ArrayLike | LcpSolution | None = None,
    **options: Any,
) -> LcpSolution:
    """Solve until `problem.residual(z) <= tolerance`.

    solver           a name in rollcone.lcp.SOLVERS: pivoting, lemke, newton, sor, enumeration
    max_iterations   pivots, sweeps, Newton steps; if not given, enough for the size
    start            z (n,) of a problem nearby, or the LcpSolution of the step before: its basis
    options          of the solver; a wrong name lists the valid ones

    Not solved is a status, not an exception: look at `solution.solved`.
    """
    if not isinstance(problem, MLCP):
        raise InputError(
            f"problem is a {type(problem).__name__}: must be an MLCP, as LCP(M, q) or "
            "MLCP(M, q, lower, upper) make it"
        )
    info = SOLVERS[one_of("solver", solver, SOLVERS)]
    tolerance = positive_number("tolerance", tolerance)
    limit = info.most(problem.size) if max_iterations is None else max_iterations
    limit = whole_number("max_iterations", limit)
    chosen = make_options(info, options)
    begin = _begin(problem, start)
    run, _ = info.load()

    clock = time.perf_counter()
    try:
        outcome = run(problem, chosen, begin, tolerance, limit)
    except SingularBasisError as error:
        nearest = np.clip(0.0, problem.lower, problem.upper)
        outcome = Outcome(nearest, LcpStatus.SINGULAR, note=str(error), singular=True)
    return checked(problem, outcome, solver, tolerance, time.perf_counter() - clock)


def checked(
    problem: MLCP, outcome: Outcome, solver: str, tolerance: float, elapsed: float
) -> LcpSolution:
    """The solution as the raw data have it: a method's own word counts for nothing."""
    z = outcome.z
    if not np.isfinite(z).all():
        z = np.clip(0.0, problem.lower, problem.upper)
        outcome.status = LcpStatus.STALLED
    residual = problem.residual(z)
    status = outcome.status
    if residual <= tolerance:
        status = LcpStatus.SOLVED
    elif status is LcpStatus.SOLVED:
        status = LcpStatus.INACCURATE
    certificate = None
    if outcome.certificate is not None and residual > 0.0:
        # It also rules out a z so large that w is small beside the numbers that it is the sum of.
        certificate = as_certificate(problem, outcome.certificate)
        status = LcpStatus.INFEASIBLE if certificate is not None else status
    return LcpSolution(
        z=z,
        w=problem.w(z),
        residual=residual,
        status=status,
        message=f"{status.value} ({outcome.note})" if outcome.note else status.value,
        solver=solver,
        iterations=outcome.iterations,
        factorisations=outcome.factorisations,
        updates=outcome.updates,
        time=elapsed,
        singular=outcome.singular,
        basis=states_of(problem, z) if outcome.basis is None else outcome.basis,
        ray=outcome.ray,
        certificate=certificate,
    )


def _begin(problem: MLCP, start: ArrayLike | LcpSolution | None) -> Start:
    if start is None:
        return None, None
    if isinstance(start, LcpSolution):
        return problem.vector("start.z", start.z), start.basis
    z = problem.vector("start", start)
    return z, states_of(problem, z)
