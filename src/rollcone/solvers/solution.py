"""What a solve returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, positive_number
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.infeasibility import Infeasibility
from rollcone.problem.residual import Residuals


class Status(Enum):
    """How a solve ended; the value is what to tell a person."""

    CONVERGED = "converged"
    MAX_ITERATIONS = "not converged: reached the largest number of iterations"
    TIME_LIMIT = "not converged: reached the time limit"
    STALLED = "not converged: the method makes no more progress"
    ROUNDING = "not converged: rounding of reactions of this size allows no better"
    DIVERGED = "not converged: the iterates are no longer finite"
    INFEASIBLE = "no solution: no velocities meet all contacts and rows"


@dataclass(frozen=True, eq=False)
class Solution:
    """Reactions and velocities of one problem, with the proof of how good they are.

    Rows of a contact: n, t1, t2, then w_t1, w_t2, then w_n. Reactions are impulses (N s, N m s)
    if the problem is one of velocities after a step. velocities are y = W p + q, without the
    compliance term. body_velocities: v of the body form, else None. history: (k, 2), iteration
    and residual at each check. infeasibility: the proof, if the problem has no solution.
    """

    reactions: FloatArray  # (contacts, rows): N s and N m s
    velocities: FloatArray  # (contacts, rows): m/s and rad/s
    row_reactions: FloatArray  # (extra rows,)
    row_velocities: FloatArray  # (extra rows,)
    body_velocities: FloatArray | None
    residuals: Residuals
    iterations: int
    time: float  # seconds
    setup_time: float  # the part of it spent before the first iteration
    status: Status
    message: str
    solver: str
    history: FloatArray
    problem: ContactProblem = field(repr=False)
    infeasibility: Infeasibility | None = None

    @property
    def converged(self) -> bool:
        return self.status is Status.CONVERGED

    @property
    def residual(self) -> float:
        """The dimensionless residual that solvers stop by."""
        return self.residuals.residual

    def all_reactions(self) -> FloatArray:
        """Contacts, then extra rows, (N,): what `warm_start` takes."""
        return np.concatenate([self.reactions.reshape(-1), self.row_reactions])

    def modes(self, tolerance: float | None = None) -> NDArray[np.str_]:
        """What each contact does, in words: 'sliding, no-rolling', 'take-off', ...

        Slower than `tolerance` (m/s; turning times the contact's length) is at rest. Not
        given, it is twice `residual_speed`: what this answer cannot tell from rest.
        """
        least = 2.0 * self.residuals.residual_speed if tolerance is None else tolerance
        speed = positive_number("tolerance", least, zero=True)
        soft = self.problem.split(self.problem.compliance)[0] * self.reactions
        y = (self.velocities + soft) * self.problem.scaling.units
        return self.problem.cone.modes(y, self.reactions, speed)

    def __repr__(self) -> str:
        return (
            f"Solution({self.solver}: {self.status.value}, residual {self.residual:.2e}, "
            f"{self.iterations} iterations, {self.time:.3g} s)"
        )
