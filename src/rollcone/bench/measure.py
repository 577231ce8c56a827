"""One solve, measured: from zero reactions, on data that no other solve has prepared, with all that
it imports loaded.

To that end the same solve is made before the clock starts, for WARM_UP seconds at most. What takes
less than QUICK seconds is solved TURNS times, and the quickest counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from rollcone.bench.results import FAILED, NOT_SUPPORTED, SOLVED, TIMED_OUT, Outcome
from rollcone.errors import InputError, MissingPackageError
from rollcone.problem.contact_problem import ContactProblem, Law
from rollcone.problem.files import load_problem

if TYPE_CHECKING:
    from rollcone.solvers.solution import Solution

WARM_UP = 1.0  # s
QUICK, TURNS = 0.1, 5
SLACK = 2.0  # s, of a busy machine
_UNLIMITED = 10**9  # iterations: the time decides
_LEAST = time.get_clock_info("process_time").resolution

Tell = Callable[[float], object]


@dataclass(frozen=True)
class Task:
    """Solve the problem in the file `path` under `law` to `tolerance`, the tightest of all being
    `tightest`, in `time_limit` seconds."""

    path: str
    law: str
    solver: str
    tolerance: float
    tightest: float
    time_limit: float

    @property
    def patience(self) -> float:
        """Seconds after which a solve will not return. A solver looks at the clock between
        iterations, for every fourth part of those made so far."""
        return 1.25 * self.time_limit + SLACK


class Measure:
    """Call it with a task, and with `tell`: it tells for how many seconds nothing may be heard."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[str, str], ContactProblem] | None = None
        self._warm: set[tuple[str, str, str]] = set()

    def __call__(self, task: Task, tell: Tell = lambda _: None) -> Outcome:
        try:
            problem = self._problem(task)
            self._warm_up(problem, task, tell)
            tell(task.patience)
            first = _timed(problem, task)
            if first.status != SOLVED or first.cpu >= QUICK:
                return first
            others = []
            for _ in range(TURNS - 1):
                tell(task.patience)
                others.append(_timed(problem, task))
        except (InputError, MissingPackageError) as error:
            return Outcome(NOT_SUPPORTED, note=str(error))
        except Exception as error:  # of a solver: a result like any other
            return Outcome(FAILED, note=f"{type(error).__name__}: {error}")
        best = min([first, *others], key=lambda outcome: outcome.cpu)
        return Outcome(**vars(best) | {"turns": TURNS})

    def _problem(self, task: Task) -> ContactProblem:
        """The last one is kept: solvers take turns on it."""
        key = task.path, task.law
        if self._kept is None or self._kept[0] != key:
            self._kept = key, load_problem(task.path).with_law(cast("Law", task.law))
        return self._kept[1]

    def _warm_up(self, problem: ContactProblem, task: Task, tell: Tell) -> None:
        """The way to the tightest tolerance passes by the others."""
        key = task.path, task.law, task.solver
        if key not in self._warm:
            tell(task.patience)
            _solve(problem, task, task.tightest, min(WARM_UP, task.time_limit))
            self._warm.add(key)


def _timed(problem: ContactProblem, task: Task) -> Outcome:
    cpu, wall, solution = _solve(problem, task, task.tolerance, task.time_limit)
    status = _status(solution, wall, task)
    note = "" if status == SOLVED and solution.infeasibility is None else solution.message
    return Outcome(status, max(cpu, _LEAST), wall, solution.iterations, solution.residual, 1, note)


def _solve(
    problem: ContactProblem, task: Task, tolerance: float, limit: float
) -> tuple[float, float, Solution]:
    """Return CPU time and wall time (s) of one solve, and the solution."""
    from rollcone.solvers.driver import solve

    fresh = problem.fresh()
    cpu, wall = time.process_time(), time.perf_counter()
    solution = solve(fresh, task.solver, tolerance, max_iterations=_UNLIMITED, time_limit=limit)
    return time.process_time() - cpu, time.perf_counter() - wall, solution


def _status(solution: Solution, wall: float, task: Task) -> str:
    from rollcone.solvers.solution import Status

    if solution.status is Status.TIME_LIMIT or wall > task.time_limit:
        return TIMED_OUT
    answered = solution.residual <= task.tolerance or solution.infeasibility is not None
    return SOLVED if answered else FAILED
