"""The loop around every solver: the clock, the stopping rule, the certificate."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, bounded_array, positive_number, whole_number
from rollcone.errors import InputError
from rollcone.friction_models.linear_solver import linear_solver
from rollcone.friction_models.model import CONE, Before, FrictionModel
from rollcone.friction_models.registry import friction_model as named_model
from rollcone.problem.bodies import BodyForm
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.infeasibility import Infeasibility
from rollcone.problem.residual import (
    drive,
    no_reactions,
    residuals,
    rounding_residual,
    share_residual,
    stopping_residual,
)
from rollcone.solvers.divergence import Divergence
from rollcone.solvers.kernels.progress import next_check
from rollcone.solvers.registry import (
    Method,
    SolverInfo,
    check_support,
    make_options,
    solver_info,
)
from rollcone.solvers.solution import Solution, Status

_ASTRAY = 1e-4  # residual
_AS_GOOD = 3.0  # times the least that rounding allows


@dataclass
class Outcome:
    """What a run of a solver ends with: the best reactions seen at a check."""

    p: FloatArray  # (N,)
    y: FloatArray  # (N,), without compliance
    status: Status = Status.DIVERGED
    iterations: int = 0
    residual: float = np.inf
    residual_speed: float = np.inf  # m/s
    history: list[tuple[int, float]] = field(default_factory=list)  # iteration, residual
    setup_time: float = 0.0  # s
    reason: str = ""  # of a method that stalled
    report: str = ""  # of a method that made use of others
    infeasibility: Infeasibility | None = None  # the proof that there is no solution


def solve(
    problem: ContactProblem,
    solver: str = "auto",
    tolerance: float = 1e-8,
    max_iterations: int | None = None,
    warm_start: ArrayLike | Solution | None = None,
    time_limit: float | None = None,
    speed_tolerance: float = 0.0,
    friction_model: str | FrictionModel = CONE,
    **options: Any,
) -> Solution:
    """Solve until `residual <= tolerance`, or `residual_speed <= speed_tolerance`.

    solver           a name in rollcone.solvers.SOLVERS: auto, which begins with sweeps and goes on
                     with methods of second order where these would take too long (`message` of
                     the solution tells); gauss-seidel, jacobi, modified-newton, fixed-point,
                     extragradient, apgd, spectral, admm, newton, interior-point, hybrid, reference
    tolerance        of the residual: the error of the law, relative to that of no reactions
                     (rollcone.problem.residual has the formula)
    max_iterations   if not given, `max_iterations` of rollcone.solvers.SOLVERS[solver]
    warm_start       reactions to begin with: a Solution, or an array (N,)
    time_limit       seconds, looked at between iterations
    speed_tolerance  of the residual_speed, m/s: the worst contact is wrong by no more
    friction_model   'cone'; 'polygonal' or 'box', or one of these with settings: solved as a linear
                     complementarity problem by a solver of rollcone.lcp.SOLVERS. The solution's
                     `problem` then has the model's sets, which all residuals are of
    options          of the solver (docs/solvers.md); a wrong name lists the valid ones

    Not converged is a status, not an exception: look at `solution.converged`. A problem may have no
    solution; where that is proven, `solution.infeasibility` holds the proof.
    """
    if not isinstance(problem, ContactProblem):
        hint = " (pass its .problem)" if hasattr(problem, "problem") else ""
        raise InputError(f"problem is a {type(problem).__name__}: must be a ContactProblem{hint}")
    tolerance = positive_number("tolerance", tolerance, zero=True)
    model = named_model(friction_model)
    if model is not None:
        limits = max_iterations, warm_start, time_limit, speed_tolerance
        return _solve_by_model(problem, model, solver, tolerance, limits, options)
    info = solver_info(solver)
    speed_tolerance = positive_number("speed_tolerance", speed_tolerance, zero=True)
    given = info.max_iterations if max_iterations is None else max_iterations
    limit = whole_number("max_iterations", given)
    seconds = np.inf if time_limit is None else positive_number("time_limit", time_limit, zero=True)
    check_support(info, problem)
    chosen = make_options(info, options)
    begin = _begin(problem, warm_start)

    clock = time.perf_counter()
    outcome = run_solver(
        problem, info, chosen, begin, tolerance, limit, seconds, speed_tolerance=speed_tolerance
    )
    elapsed = time.perf_counter() - clock
    return _solution(problem, outcome, info.name, elapsed)


def _solution(problem: ContactProblem, outcome: Outcome, solver: str, elapsed: float) -> Solution:
    contacts, rows = problem.split(outcome.p)
    y_contacts, y_rows = problem.split(outcome.y)
    form = problem.form
    return Solution(
        reactions=contacts,
        velocities=y_contacts,
        row_reactions=rows,
        row_velocities=y_rows,
        body_velocities=form.body_velocities(outcome.p) if isinstance(form, BodyForm) else None,
        residuals=residuals(problem, outcome.p),
        iterations=outcome.iterations,
        time=elapsed,
        setup_time=outcome.setup_time,
        status=outcome.status,
        message=_message(outcome),
        solver=solver,
        history=np.array(outcome.history).reshape(-1, 2),
        problem=problem,
        infeasibility=outcome.infeasibility,
    )


def _solve_by_model(
    problem: ContactProblem,
    model: FrictionModel,
    solver: str,
    tolerance: float,
    limits: tuple[Any, ...],
    options: dict[str, Any],
) -> Solution:
    """By a friction model, checked against the exact law on its sets."""
    names = "max_iterations", "warm_start", "time_limit", "speed_tolerance"
    for name, value in zip(names, limits, strict=True):
        if value:
            raise InputError(f"{name} = {value!r}: is not one for friction models; leave it out")
    law = model.law_of(problem)
    chosen = replace(linear_solver(model, solver, options), tolerance=tolerance)
    clock = time.perf_counter()
    answer = model.answer(problem, Before.nothing(problem), chosen, np.zeros(problem.size))
    elapsed = time.perf_counter() - clock
    p = answer.p
    y = law.velocities(p)
    outcome = Outcome(p, y, answer.status, answer.iterations, reason=answer.solution.message)
    outcome.residual, outcome.residual_speed = stopping_residual(law, p, y, drive(law))
    outcome.history = [(answer.iterations, outcome.residual)]
    if outcome.residual <= tolerance:
        outcome.status = Status.CONVERGED
    elif outcome.status is Status.CONVERGED:
        outcome.status, outcome.reason = Status.STALLED, "bounds have not settled: more rounds"
    return _solution(law, outcome, chosen.name, elapsed)


@np.errstate(over="ignore", invalid="ignore")  # a method may diverge, and is told so
def run_solver(
    problem: ContactProblem,
    info: SolverInfo,
    options: Any,
    begin: FloatArray,
    tolerance: float,
    limit: int,
    seconds: float = np.inf,
    *,
    speed_tolerance: float = 0.0,
    least_iterations: int = 0,
    speeds: FloatArray | None = None,
) -> Outcome:
    """`solve` without checks of the arguments and without a `Solution`: for time steps.

    options   of the solver, as `make_options` gives them; begin (N,) is left alone
    least_iterations   also from a start that meets the tolerance: a simulation that begins each
                       step from the reactions of the last then gets better step after step
    speeds    (n,) m/s: the residual is then the worst error of a contact over its own speed
    """
    clock = time.perf_counter()
    against = drive(problem) if problem.size else 0.0
    if against == 0.0:
        p = no_reactions(problem)
        y = problem.form.velocities(p)
        return Outcome(p, y, Status.CONVERGED, 0, 0.0, 0.0, [(0, 0.0)])
    method = info.load()[0](problem, options)
    method.start(begin)
    setup = time.perf_counter() - clock
    goal = (tolerance, speed_tolerance, against, speeds)
    cold = not begin.any()
    outcome = _iterate(problem, method, goal, (least_iterations, limit), clock + seconds, cold)
    outcome.setup_time, outcome.reason = setup, method.stalled
    outcome.report = getattr(method, "report", "")
    return outcome


def _iterate(
    problem: ContactProblem,
    method: Method,
    goal: tuple[float, float, float, FloatArray | None],
    limits: tuple[int, int],
    deadline: float,
    cold: bool,
) -> Outcome:
    tolerance, speed_tolerance, against, speeds = goal
    least, most = limits
    divergence = Divergence(problem)
    proof: Infeasibility | None = None
    done = 0
    best: Outcome | None = None
    least_rank, enough = np.inf, False  # of the best: its error, and whether it will do
    history: list[tuple[int, float]] = []
    while True:
        p = method.reactions()
        y = problem.form.velocities(p)
        residual = speed = rank = np.inf
        if np.isfinite(p).all():
            if speeds is None:
                residual, speed = stopping_residual(problem, p, y, against)
                rank = residual
            else:
                residual, speed, rank = share_residual(problem, p, y, speeds, tolerance)
        history.append((done, residual))
        met = residual <= tolerance or speed <= speed_tolerance
        if best is None or rank < least_rank or (met and not enough):
            best, least_rank = Outcome(p, y, residual=residual, residual_speed=speed), rank
            enough = met
        status = None
        if enough and done >= least:
            status = Status.CONVERGED
        elif not np.isfinite(residual):
            status = Status.DIVERGED
        elif (proof := divergence.proof(p, y)) is not None:
            status = Status.INFEASIBLE
        elif cold and _at_rounding(problem, p, residual, goal):
            status = Status.ROUNDING
        elif method.stalled:
            status = Status.STALLED
        elif done >= most:
            status = Status.MAX_ITERATIONS
        elif time.perf_counter() >= deadline:
            status = Status.TIME_LIMIT
        if status is not None:
            best.status, best.iterations, best.history = status, done, history
            best.infeasibility = proof
            return best
        done += method.advance(next_check(done, most), tolerance)


def _at_rounding(
    problem: ContactProblem,
    p: FloatArray,
    residual: float,
    goal: tuple[float, float, float, FloatArray | None],
) -> bool:
    """Is a tolerance asked for that reactions as large as p cannot meet, and are they about as good
    as they can be? Where all seems lost in rounding the method has gone astray; a tolerance of
    zero asks for all the iterations. (Reactions to begin with may hold some that cancel out, and be
    larger than need be: then this is not asked.)"""
    tolerance, speed_tolerance, against, speeds = goal
    told = speeds is None and tolerance > 0.0 and speed_tolerance == 0.0
    if not (told and residual < _ASTRAY):
        return False
    least = rounding_residual(problem, p, against)
    return tolerance < least and residual <= _AS_GOOD * least


def _begin(problem: ContactProblem, warm_start: ArrayLike | Solution | None) -> FloatArray:
    if warm_start is None:
        return np.zeros(problem.size)
    given = warm_start.all_reactions() if isinstance(warm_start, Solution) else warm_start
    p = bounded_array("warm_start", given).reshape(-1)
    if p.shape != (problem.size,):
        raise InputError(f"warm_start has {p.size} numbers: must have {problem.size}")
    return p.copy()


def _message(outcome: Outcome) -> str:
    text = outcome.status.value
    if outcome.infeasibility is not None:
        return f"{text} ({outcome.infeasibility.report()})"
    if outcome.status is Status.STALLED:
        return f"{text} ({outcome.reason})"
    return f"{text} ({outcome.report})" if outcome.report else text
