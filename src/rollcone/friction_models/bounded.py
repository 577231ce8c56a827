"""Models in which each friction row has bounds of its own, +- a coefficient times a normal force
that is known: a linear complementarity problem with bounds.

    lower <= z <= upper,   w = (T W T^T + C) z + T q - C z_0

z = T p are the reactions in axes that the model turns in the tangent plane, C a compliance and z_0
the reaction at which it is at rest. The normal force is that of the step before, and in further
rounds that of the solve before (Lacoursière 2006; Peiret et al. 2016, after (12)): a fixed point of
these rounds obeys the model with bounds from its own normal force. In the first round a contact
that is new has no friction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import scipy

from rollcone._check import FloatArray, whole_number
from rollcone.friction_models.answer import Answer
from rollcone.friction_models.linear_solver import LinearSolver
from rollcone.friction_models.mobility import mobility
from rollcone.friction_models.model import Before, FrictionModel, check_discs
from rollcone.laws.cone import FrictionCone
from rollcone.lcp.problem import MLCP
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.delassus import DelassusForm

_SETTLED = 1e-12  # share of the largest normal force


class Rows(NamedTuple):
    """What a model says of the friction rows of the contacts; normal rows have zeros."""

    axes: FloatArray | None  # (n, d, 2) cosine and sine, in the first of two rows; None: not turned
    limits: FloatArray  # (n, d) >= 0
    soft: FloatArray  # (n, d)
    rest: FloatArray  # (n, d)


@dataclass(frozen=True, kw_only=True)
class BoundedModel(FrictionModel):
    """rounds  in which bounds are taken anew from the normal force; 0: that of the step before"""

    rounds: int = 10

    solvers: ClassVar[tuple[str, ...]] = ("pivoting", "lemke", "newton", "sor")
    # Of the reactions of redundant contacts the least, which do not jump from step to step.
    solver_options: ClassVar[dict[str, dict[str, Any]]] = {"pivoting": {"proximal": "always"}}

    def __post_init__(self) -> None:
        whole_number("rounds", self.rounds)

    def rows(self, problem: ContactProblem, before: Before, normal: FloatArray) -> Rows:
        """At the normal force (n,), an impulse."""
        raise NotImplementedError

    def solve(
        self, problem: ContactProblem, before: Before, solver: LinearSolver, begin: FloatArray
    ) -> Answer:
        check_discs(problem)
        W, normal, p, iterations = mobility(problem), before.reactions[:, 0], begin, 0
        for _ in range(self.rounds + 1):
            rows = self.rows(problem, before, np.maximum(normal, 0.0))
            T = turn(problem, rows.axes)
            linear = _linearised(problem, W, T, rows)
            solution = solver(linear, p if T is None else T @ p)
            iterations += solution.iterations
            p = solution.z if T is None else T.T @ solution.z
            last, normal = normal, problem.split(p)[0][:, 0]
            largest = np.abs(normal).max(initial=0.0)
            if not solution.solved or np.abs(normal - last).max(initial=0.0) <= _SETTLED * largest:
                break
        units = problem.scaling.units
        return Answer(p, _as_rows(linear), solution.z, solution, iterations, units)


def coefficients(problem: ContactProblem) -> FloatArray:
    """mu, rho, sigma of each friction row, (n, d), zero for the normal one."""
    radii = problem.cone.radii
    columns = {2: [0], 3: [0, 1], 5: [0, 1, 2, 3], 6: [0, 1, 2, 3, 4]}[problem.rows]
    return np.concatenate([np.zeros((len(radii), 1)), radii[:, columns]], axis=1)


def _linearised(problem: ContactProblem, W: Any, T: Any, rows: Rows) -> MLCP:
    m = problem.extra_rows
    soft, rest = (np.concatenate([part.ravel(), np.zeros(m)]) for part in (rows.soft, rows.rest))
    lower, upper = -rows.limits, rows.limits.copy()
    lower[:, 0], upper[:, 0] = 0.0, np.inf
    M, q = W, problem.q
    if T is not None:
        M, q = T @ W @ T.T, T @ q
    M = M + scipy.sparse.diags_array(soft) if scipy.sparse.issparse(M) else M + np.diag(soft)
    ends = np.concatenate([np.stack([lower, upper], axis=-1).reshape(-1, 2), problem.bounds])
    return MLCP(M, q - soft * rest, ends[:, 0], ends[:, 1])


def turn(problem: ContactProblem, axes: FloatArray | None) -> Any:
    """T (N, N): rows k, k + 1 of a contact along (c, s) and (-s, c) of their plane; or None."""
    if axes is None:
        return None
    n, d = problem.contacts, problem.rows
    values = np.zeros((problem.size, 2))  # of a row itself, and of its partner
    values[:, 0] = 1.0
    columns = np.repeat(np.arange(problem.size), 2).reshape(-1, 2)
    for k in (1, 3):
        if k + 1 < d:
            first = np.arange(n) * d + k
            values[first], values[first + 1] = axes[:, k], axes[:, k] * [1.0, -1.0]
            columns[first, 1], columns[first + 1, 1] = first + 1, first
    starts = 2 * np.arange(problem.size + 1)
    return scipy.sparse.csr_array((values.ravel(), columns.ravel(), starts), (problem.size,) * 2)


def _as_rows(linear: MLCP) -> ContactProblem:
    """The same as a problem without contacts, all of whose rows have bounds."""
    none = FrictionCone.of_discs(np.zeros((0, 5)))
    return ContactProblem(
        form=DelassusForm(scipy.sparse.csr_matrix(linear.M), linear.q),
        cone=none,
        law="exact",
        contacts=0,
        rows=3,
        bounds=np.column_stack([linear.lower, linear.upper]),
        compliance=np.zeros(linear.size),
        asymmetry=0.0,
    )
