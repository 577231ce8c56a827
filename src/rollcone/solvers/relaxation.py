"""What the associated law costs: how far its answer is from the exact law.

The exact law asks K* ∋ y + S(y) n ⊥ p ∈ K. The associated law puts K* ∋ y in its place
(Tasora and Anitescu 2013), which makes the problem convex. The price: a closed contact that
slides, rolls or spins lifts at the speed

    u_n = S(y) = mu |u_T| + rho |w_R| + sigma |w_n|          (discs)

so that in a step h its gap grows by h S(y). Where all contacts stick the laws agree and
every figure is zero.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rollcone._check import FloatArray
from rollcone.errors import InputError
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.residual import residuals
from rollcone.solvers.driver import solve
from rollcone.solvers.solution import Solution

# Without this much less error than the associated answer has, no exact answer was found.
_PROGRESS = 0.1


@dataclass(frozen=True, eq=False)
class RelaxationPrice:
    """The distance of an associated answer from the exact law.

    residual, residual_speed   of its reactions under the exact law (no unit, m/s)
    largest_lift, mean_lift    S(y) over the closed contacts, m/s; zero if none is closed
    velocity_difference        max |y_exact - y| over contacts, m/s; turning times the contact's
                               length (scaling.py)
    relative_difference        the same over the largest speed of a contact, free or as solved
    exact                      the answer of the exact law; where it did not converge the two
                               differences are approximate, or None if it came nowhere near.
                               The exact law may have other solutions, at other distances.
    """

    residual: float
    residual_speed: float
    largest_lift: float
    mean_lift: float
    velocity_difference: float | None
    relative_difference: float | None
    exact: Solution = field(repr=False)


def relaxation_price(
    solution: Solution,
    exact: Solution | None = None,
    *,
    tolerance: float = 1e-8,
    max_iterations: int | None = None,
    time_limit: float | None = None,
) -> RelaxationPrice:
    """How far an answer of the associated law is from the exact law.

    exact     an answer of the exact law to the same problem; not given, Gauss-Seidel looks for
              one, from the reactions of `solution`, with the limits below (as in `solve`)
    """
    problem = solution.problem
    if problem.law != "associated":
        raise InputError(f"solution of the {problem.law} law: must be one of the associated law")
    other = problem.with_law("exact")
    if exact is None:
        exact = solve(
            other,
            tolerance=tolerance,
            max_iterations=max_iterations,
            warm_start=solution,
            time_limit=time_limit,
        )
    elif exact.problem.law != "exact" or exact.velocities.shape != solution.velocities.shape:
        raise InputError(f"exact = {exact}: must be an answer of the exact law to the same problem")
    here = residuals(other, solution.all_reactions())
    lifts = _lifts(solution)
    found = exact.converged or exact.residual <= _PROGRESS * here.residual
    difference, relative = _differences(solution, exact) if found else (None, None)
    return RelaxationPrice(
        residual=here.residual,
        residual_speed=here.residual_speed,
        largest_lift=float(lifts.max(initial=0.0)),
        mean_lift=float(lifts.mean()) if lifts.size else 0.0,
        velocity_difference=difference,
        relative_difference=relative,
        exact=exact,
    )


def _lifts(solution: Solution) -> FloatArray:
    """S(y) of the closed contacts, compliance added.

    A contact has r_n > 0 or u_n > S(y). Neither is quite zero in a computed answer: it is
    closed where the first, as the speed lambda r_n, is the larger.
    """
    problem = solution.problem
    if problem.contacts == 0:
        return np.zeros(0)
    y = solution.velocities + problem.split(problem.compliance)[0] * solution.reactions
    shift = problem.cone.shift(y)
    push = problem.scaling.lambdas * solution.reactions[:, 0]
    return shift[push > np.maximum(y[:, 0] - shift, 0.0)]


def _differences(solution: Solution, exact: Solution) -> tuple[float, float]:
    """max |y_exact - y| over contacts in m/s, and relative to the largest speed."""
    problem = solution.problem
    free = problem.split(problem.q)[0]
    away = _largest(problem, exact.velocities - solution.velocities)
    speeds = [_largest(problem, y) for y in (free, solution.velocities, exact.velocities)]
    return away, away / (max(speeds) or 1.0)


def _largest(problem: ContactProblem, y: FloatArray) -> float:
    """The largest speed of a contact (m/s) in rows scaled by their lengths."""
    return float(np.linalg.norm(y * problem.scaling.units, axis=1).max(initial=0.0))
