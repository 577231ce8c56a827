"""How the problem of each step is solved: by one solver, or by one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.friction_models.linear_solver import LinearSolver
from rollcone.friction_models.model import Before, FrictionModel
from rollcone.problem.contact_problem import ContactProblem
from rollcone.solvers.driver import Outcome, run_solver
from rollcone.solvers.gauss_seidel import GaussSeidelOptions
from rollcone.solvers.registry import SolverInfo, make_options
from rollcone.solvers.solution import Status

FINE = 1e-12  # what the default solver aims at
# What will do where contacts are redundant (a box on four corners) and first-order methods slow.
FAIR = 1e-6
# Contacts up to which Newton's method, whose factors grow faster than contacts, is the next to
# take over from Gauss-Seidel.
NEAR = 1000


@dataclass(frozen=True)
class SolverStage:
    """One solver, and how many iterations it gets."""

    info: SolverInfo
    given: dict[str, Any]  # its options, by name
    max_iterations: int
    few_iterations: int = 0  # the same with NEAR contacts or fewer, if it is not 0
    most_contacts: int = 2**62  # with more it is left out
    aim: float = np.inf  # goes on to this residual, also if the tolerance is larger
    least: float = 0.0  # is not asked for less than this, also if the tolerance is smaller
    calm: bool = False  # only where bodies hardly move, or contacts are few
    fair: float = 0.0  # after it this residual will do, also if the tolerance is smaller

    @cached_property
    def options(self) -> Any:
        """The solver's options object, made when the stage is reached."""
        return make_options(self.info, self.given)

    @property
    def compiled(self) -> bool:
        """Is it done within the step? So is gauss-seidel, unless it has options."""
        return self.info.name == "gauss-seidel" and self.options == GaussSeidelOptions()


@dataclass(frozen=True)
class SolverSettings:
    """Stages are gone through until one converges."""

    stages: tuple[SolverStage, ...]
    tolerance: float | None  # None: chosen by the number of bodies
    speed_tolerance: float
    warm_start: bool
    model: FrictionModel | None = None  # of friction, which has `linear` in the place of stages
    linear: LinearSolver | None = None


def solve_in_stages(
    problem: ContactProblem,
    stages: Sequence[SolverStage],
    best: Outcome,
    tolerance: float,
    speed_tolerance: float,
    speeds: FloatArray,
) -> Outcome:
    """The best answer of `best` and of all stages that were needed, each starting from the best
    so far; its iterations are those of all stages.

    Its residual is the worst error of a contact over its own speed, `speeds` (n,) in m/s.
    """
    iterations = 0
    for stage in stages:
        outcome = run_solver(
            problem,
            stage.info,
            stage.options,
            best.p,
            min(max(tolerance, stage.least), stage.aim),
            stage.max_iterations,
            speed_tolerance=speed_tolerance,
            least_iterations=1,
            speeds=speeds,
        )
        iterations += outcome.iterations
        if outcome.residual <= max(tolerance, stage.fair):
            outcome.status = Status.CONVERGED
        done = outcome.status is Status.CONVERGED
        if done or not best.residual <= outcome.residual:
            best = outcome
        if done:
            break
    best.iterations = iterations
    return best


def solve_by_model(
    problem: ContactProblem,
    settings: SolverSettings,
    before: Before,
    begin: FloatArray,
    tolerance: float,
    speeds: FloatArray,
) -> Outcome:
    """The answer of a friction model, with the residual that `solve_in_stages` has; `before` is
    what it knows of the step before."""
    assert settings.model is not None
    assert settings.linear is not None
    solver = replace(settings.linear, tolerance=min(tolerance, FAIR))
    answer = settings.model.answer(problem, before, solver, begin)
    outcome = Outcome(answer.p, problem.velocities(answer.p), answer.status, answer.iterations)
    outcome.residual, outcome.residual_speed = answer.share(speeds, tolerance)
    outcome.reason = answer.solution.message
    enough = tolerance if settings.tolerance is not None else max(tolerance, FAIR)
    if outcome.residual <= enough or outcome.residual_speed <= settings.speed_tolerance:
        outcome.status = Status.CONVERGED
    elif outcome.status is Status.CONVERGED:
        outcome.status = Status.STALLED
    return outcome
