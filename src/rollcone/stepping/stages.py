"""How the problem of each step is solved: by one solver, or by one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.problem.contact_problem import ContactProblem
from rollcone.solvers.driver import Outcome, run_solver
from rollcone.solvers.registry import SolverInfo
from rollcone.solvers.solution import Status

FINE = 1e-12  # what the default solver aims at


@dataclass(frozen=True)
class SolverStage:
    """One solver, and how many iterations it gets."""

    info: SolverInfo
    options: Any
    max_iterations: int
    aim: float = np.inf  # goes on to this residual, also if the tolerance is larger


@dataclass(frozen=True)
class SolverSettings:
    """Stages are gone through until one converges."""

    stages: tuple[SolverStage, ...]
    tolerance: float | None  # None: chosen by the number of bodies
    speed_tolerance: float
    warm_start: bool


def solve_in_stages(
    problem: ContactProblem,
    settings: SolverSettings,
    begin: FloatArray,
    tolerance: float,
    speeds: FloatArray,
) -> Outcome:
    """The best answer of all stages that were needed, each starting from the best so far.

    Its residual is the worst error of a contact over its own speed, `speeds` (n,) in m/s.
    """
    best: Outcome | None = None
    iterations = 0
    for stage in settings.stages:
        outcome = run_solver(
            problem,
            stage.info,
            stage.options,
            begin if best is None else best.p,
            min(tolerance, stage.aim),
            stage.max_iterations,
            speed_tolerance=settings.speed_tolerance,
            least_iterations=1,
            speeds=speeds,
        )
        iterations += outcome.iterations
        if outcome.residual <= tolerance:
            outcome.status = Status.CONVERGED
        done = outcome.status is Status.CONVERGED
        if best is None or done or outcome.residual < best.residual:
            best = outcome
        if done:
            break
    assert best is not None
    best.iterations = iterations
    return best
