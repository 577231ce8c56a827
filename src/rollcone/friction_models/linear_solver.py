"""Which solver of rollcone.lcp a friction model takes, and how far it goes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rollcone._check import FloatArray
from rollcone.errors import InputError

if TYPE_CHECKING:
    from rollcone.friction_models.model import FrictionModel
    from rollcone.lcp.problem import MLCP
    from rollcone.lcp.solution import LcpSolution

AUTO = "auto"
# Who tries where one ends without an answer: Lemke's method with redundant joints, of which it
# eliminates all, and large mass ratios; pivoting in heaps with many redundant contacts.
_OTHER = {"lemke": "pivoting", "pivoting": "lemke"}
_FINEST = 1e-14  # of a residual that is free of units: what pivots leave is rounding


@dataclass(frozen=True)
class LinearSolver:
    """By name, with its options; `max_iterations` None: the solver's own limit."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    tolerance: float = 1e-12
    max_iterations: int | None = None

    def __call__(self, problem: MLCP, start: FloatArray | LcpSolution | None) -> LcpSolution:
        from rollcone.lcp.driver import solve

        limits = max(self.tolerance, _FINEST), self.max_iterations
        solution = solve(problem, self.name, *limits, start, **self.options)
        if solution.solved or self.name not in _OTHER:
            return solution
        other = solve(problem, _OTHER[self.name], *limits, start)
        best = other if other.residual < solution.residual else solution
        return replace(best, iterations=solution.iterations + other.iterations)


def linear_solver(model: FrictionModel, name: str, options: dict[str, Any]) -> LinearSolver:
    """The solver called `name` ('auto': the model's default), if it suits the model."""
    from rollcone.lcp.registry import SOLVERS, make_options

    if name == AUTO:
        if options:
            raise InputError(
                f"{', '.join(sorted(options))}: name the solver that they belong to; settings of a "
                "friction model go with it, as in rc.PolygonalFriction(facets=8)"
            )
        name = model.solvers[0]
    if name not in model.solvers:
        raise InputError(
            f"solver = {name!r}: friction model {model.name!r} takes one of "
            f"{', '.join((AUTO, *model.solvers))}"
        )
    chosen = model.solver_options.get(name, {}) | options
    make_options(SOLVERS[name], chosen)
    return LinearSolver(name, chosen)
