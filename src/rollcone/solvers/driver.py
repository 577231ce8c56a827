"""The loop around every solver: the clock, the stopping rule, the certificate."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, finite_array, positive_number
from rollcone.errors import InputError
from rollcone.problem.bodies import BodyForm
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.residual import drive, no_reactions, residuals, stopping_residual
from rollcone.solvers.registry import Method, check_support, make_options, solver_info
from rollcone.solvers.solution import Solution, Status

# A check costs as much as an iteration or two: one for every fourth part of the way.
_CHECK_SHARE, _FEWEST = 4, 3


@dataclass
class _Best:
    """The best reactions seen at a check; what an unconverged solve returns."""

    p: FloatArray
    residual: float = np.inf


def solve(
    problem: ContactProblem,
    solver: str = "gauss-seidel",
    tolerance: float = 1e-8,
    max_iterations: int | None = None,
    warm_start: ArrayLike | Solution | None = None,
    time_limit: float | None = None,
    **options: Any,
) -> Solution:
    """Solve until `residual <= tolerance`.

    solver           a name in rollcone.solvers.SOLVERS: gauss-seidel, jacobi, fixed-point,
                     extragradient, apgd, spectral, reference
    tolerance        of the residual: the error of the law, relative to that of no reactions
                     (rollcone.problem.residual has the formula)
    max_iterations   if not given: 10,000; 20,000 for apgd, 200 for reference
    warm_start       reactions to begin with: a Solution, or an array (N,)
    time_limit       seconds, looked at between iterations
    options          of the solver (docs/solvers.md); a wrong name lists the valid ones

    Not converged is a status, not an exception: look at `solution.converged`.
    """
    if not isinstance(problem, ContactProblem):
        hint = " (pass its .problem)" if hasattr(problem, "problem") else ""
        raise InputError(f"problem is a {type(problem).__name__}: must be a ContactProblem{hint}")
    info = solver_info(solver)
    tolerance = positive_number("tolerance", tolerance, zero=True)
    limit = info.max_iterations if max_iterations is None else max_iterations
    if isinstance(limit, bool) or not isinstance(limit, int | np.integer) or limit < 0:
        raise InputError(f"max_iterations = {max_iterations!r}: must be a whole number >= 0")
    seconds = np.inf if time_limit is None else positive_number("time_limit", time_limit, zero=True)
    check_support(info, problem)
    chosen = make_options(info, options)
    begin = _begin(problem, warm_start)

    clock = time.perf_counter()
    against = drive(problem)
    if against == 0.0:
        begin = no_reactions(problem)
    method = info.load()[0](problem, chosen)
    method.start(begin)
    setup = time.perf_counter() - clock
    status, best, iterations, history = _iterate(
        problem, method, (tolerance, against), int(limit), clock + seconds
    )
    elapsed = time.perf_counter() - clock

    y = problem.velocities(best.p)
    contacts, rows = problem.split(best.p)
    y_contacts, y_rows = problem.split(y)
    form = problem.form
    return Solution(
        reactions=contacts,
        velocities=y_contacts,
        row_reactions=rows,
        row_velocities=y_rows,
        body_velocities=form.body_velocities(best.p) if isinstance(form, BodyForm) else None,
        residuals=residuals(problem, best.p),
        iterations=iterations,
        time=elapsed,
        setup_time=setup,
        status=status,
        message=_message(status, method),
        solver=info.name,
        history=np.array(history).reshape(-1, 2),
        problem=problem,
    )


def _iterate(
    problem: ContactProblem,
    method: Method,
    goal: tuple[float, float],
    limit: int,
    deadline: float,
) -> tuple[Status, _Best, int, list[tuple[int, float]]]:
    tolerance, against = goal
    done = 0
    best = _Best(method.reactions())
    history: list[tuple[int, float]] = []
    while True:
        p = method.reactions()
        residual = np.inf
        if np.isfinite(p).all():
            residual, _ = stopping_residual(problem, p, problem.velocities(p), against)
        history.append((done, residual))
        if residual < best.residual:
            best = _Best(p, residual)
        if residual <= tolerance:
            return Status.CONVERGED, best, done, history
        if not np.isfinite(residual):
            return Status.DIVERGED, best, done, history
        if method.stalled:
            return Status.STALLED, best, done, history
        if done >= limit:
            return Status.MAX_ITERATIONS, best, done, history
        if time.perf_counter() >= deadline:
            return Status.TIME_LIMIT, best, done, history
        count = max(_FEWEST, done // _CHECK_SHARE)
        with np.errstate(over="ignore", invalid="ignore"):  # a method may diverge, and is told so
            done += method.advance(min(count, limit - done), tolerance)


def _begin(problem: ContactProblem, warm_start: ArrayLike | Solution | None) -> FloatArray:
    if warm_start is None:
        return np.zeros(problem.size)
    given = warm_start.all_reactions() if isinstance(warm_start, Solution) else warm_start
    p = finite_array("warm_start", given).reshape(-1)
    if p.shape != (problem.size,):
        raise InputError(f"warm_start has {p.size} numbers: must have {problem.size}")
    return p.copy()


def _message(status: Status, method: Method) -> str:
    return f"{status.value} ({method.stalled})" if status is Status.STALLED else status.value
