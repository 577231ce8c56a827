"""What a solve returns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.laws.cone import FrictionCone
from rollcone.problem.residual import Residuals


class Status(Enum):
    """How a solve ended; the value is what to tell a person."""

    CONVERGED = "converged"
    MAX_ITERATIONS = "not converged: reached the largest number of iterations"
    TIME_LIMIT = "not converged: reached the time limit"
    STALLED = "not converged: the method makes no more progress"
    DIVERGED = "not converged: the iterates are no longer finite"


@dataclass(frozen=True)
class Solution:
    """Reactions and velocities of one problem, with the proof of how good they are.

    history: (k, 2), iteration and residual at each check. velocities are y = W p + q,
    without the compliance term. body_velocities: v of the body form, else None.
    """

    reactions: FloatArray  # (contacts, rows): N s or N, and N m s or N m
    velocities: FloatArray  # (contacts, rows): m/s and rad/s
    row_reactions: FloatArray  # (extra rows,)
    row_velocities: FloatArray  # (extra rows,)
    body_velocities: FloatArray | None
    residuals: Residuals
    iterations: int
    time: float  # seconds, without compiling or loading kernels where they were warm
    setup_time: float  # the part of it spent before the first iteration
    status: Status
    message: str
    solver: str
    history: FloatArray
    cone: FrictionCone

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

    def modes(self, tolerance: float = 1e-9) -> NDArray[np.str_]:
        """What each contact does, in words: 'sliding, no-rolling', 'take-off', ..."""
        return self.cone.modes(self.velocities, self.reactions, tolerance)

    def __repr__(self) -> str:
        return (
            f"Solution({self.solver}: {self.status.value}, residual {self.residual:.2e}, "
            f"{self.iterations} iterations, {self.time:.3g} s)"
        )
