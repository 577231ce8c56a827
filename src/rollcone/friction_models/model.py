"""What every friction model is: a way from a contact problem to linear complementarity problems,
and back to reactions.

    lower <= z <= upper,   w = M z + q >= 0 at the lower bound, <= 0 at the upper, else 0

with M = W + C of the problem's rows, or more where a model adds unknowns of its own. Models know
the law's coefficients as radii of discs; what they make of a disc is their approximation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rollcone._blas import one_blas_thread
from rollcone._check import FloatArray
from rollcone.errors import InputError
from rollcone.laws.kernels.disc import DISC
from rollcone.laws.names import coupled_names
from rollcone.problem.contact_problem import ContactProblem

if TYPE_CHECKING:
    from rollcone.friction_models.answer import Answer
    from rollcone.friction_models.linear_solver import LinearSolver


CONE = "cone"  # the laws themselves, by cone solvers: no model


@dataclass(frozen=True)
class Before:
    """What a model knows of the step before: reactions and velocities of the contacts, (n, d) each
    in the frames of the problem, and h (s)."""

    reactions: FloatArray
    velocities: FloatArray
    step: float

    @staticmethod
    def nothing(problem: ContactProblem) -> Before:
        """All contacts are new, and nothing moves."""
        none = np.zeros((problem.contacts, problem.rows))
        return Before(none, none, 1.0)


@dataclass(frozen=True, kw_only=True)
class FrictionModel:
    """Base of the models."""

    name: ClassVar[str]
    solvers: ClassVar[tuple[str, ...]]  # of rollcone.lcp that suit it, the default first
    solver_options: ClassVar[dict[str, dict[str, Any]]] = {}  # of these, where others suit better
    mean_friction: ClassVar[bool] = True  # may friction oppose the mean velocity of a step?

    @property
    def words(self) -> str:
        """For the summary of a run."""
        raise NotImplementedError

    def law_of(self, problem: ContactProblem) -> ContactProblem:
        """The same problem under the exact law on the sets of the model, which other solvers take,
        too; an InputError if the model has none."""
        raise InputError(
            f"friction_model = {self.name!r}: needs the friction of a step before, so it is one of "
            "simulations alone"
        )

    def answer(
        self, problem: ContactProblem, before: Before, solver: LinearSolver, begin: FloatArray
    ) -> Answer:
        """`solve`, on one thread."""
        with one_blas_thread():
            return self.solve(problem, before, solver, begin)

    def solve(
        self, problem: ContactProblem, before: Before, solver: LinearSolver, begin: FloatArray
    ) -> Answer:
        """Reactions of all rows; `begin` (N,) are those that a solver may begin with."""
        raise NotImplementedError


def check_discs(problem: ContactProblem) -> None:
    """A model makes its own sets of the law's coefficients."""
    if problem.law != "exact":
        raise InputError(f"law = {problem.law!r}: friction models have a law of their own; 'exact'")
    if np.any(problem.cone.kinds != DISC):
        sets = coupled_names(problem.cone.kinds) or "friction sets other than discs"
        raise InputError(f"{sets}: friction models take numbers alone")
