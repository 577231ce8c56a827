"""The fixed-point map of Tasora and Anitescu 2013, (46):

    p <- lambda proj(p - omega B (W p + q + K (p_new - p))) + (1 - lambda) p

K is zero (Jacobi: all contacts at once) or the part of W below its diagonal blocks
(Gauss-Seidel: a new reaction counts at once). A B other than a number changes the metric in
which the projection must be the nearest point, or the map would solve another problem:

    scalar     one number for all contacts, forces and moments made comparable by lengths
    diagonal   one for each group of rows of each contact: a cone of the same kind in
               scaled rows (scaled.py)
    block      W_ii^-1: the nearest point in the metric of W_ii is the one-contact problem

The map converges for omega < 2 / (largest eigenvalue of B W). Unless given, omega is taken
from an estimate of that, and lowered under the exact law when the error stops falling. The
projection of the exact law is set by set, as everywhere (sweeps.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, one_of, positive_number
from rollcone.errors import InputError
from rollcone.problem.contact_problem import ContactProblem
from rollcone.solvers.first_order import norm
from rollcone.solvers.gauss_seidel import block_sizes
from rollcone.solvers.progress import Goal, Watch
from rollcone.solvers.scaled import ScaledProblem
from rollcone.solvers.sweeps import Sweeps

METRICS = ("scalar", "diagonal", "block")
SPLITTINGS = ("jacobi", "gauss-seidel")
# omega times the largest eigenvalue of B W; below 2, and the estimate is a little low.
_START = {"exact": 1.2, "associated": 1.6}
_PROGRESS, _WINDOW, _LOWER = 0.8, 50, 0.6
_POWERS = 30  # steps of the power method


@dataclass(frozen=True)
class JacobiOptions:
    """omega, lambda_ (above 0, at most 1), B: 'scalar', 'diagonal' or 'block', K: 'jacobi' or
    'gauss-seidel', as in the formula."""

    omega: float | None = None
    lambda_: float = 1.0
    B: str = "diagonal"
    K: str = "jacobi"

    def __post_init__(self) -> None:
        if self.omega is not None:
            object.__setattr__(self, "omega", positive_number("omega", self.omega))
        object.__setattr__(self, "lambda_", positive_number("lambda_", self.lambda_))
        if not self.lambda_ <= 1:
            raise InputError(f"lambda_ = {self.lambda_}: must be above 0 and at most 1")
        one_of("B", self.B, METRICS)
        one_of("K", self.K, SPLITTINGS)


class Jacobi:
    """The method for the driver; see registry.py for what it must offer."""

    stalled = ""

    def __init__(self, problem: ContactProblem, options: JacobiOptions) -> None:
        scales = _one_scale(problem) if options.B == "scalar" else None
        self._scaled = ScaledProblem(problem, scales)
        self._blocks = self._scaled.blocks.copy() if options.B == "block" else None
        self._sweeps = Sweeps(
            self._scaled,
            np.ones(problem.contacts),
            mix=options.lambda_,
            blocks=self._blocks,
            apart=options.K == "jacobi",
        )
        self._set_omega(options.omega or self._first_omega(options.K))
        self._goal = Goal(self._scaled.drive)
        self._adapts = options.omega is None and problem.law == "exact"
        self._watch = Watch(_PROGRESS, _WINDOW)

    def _first_omega(self, splitting: str) -> float:
        problem, size = self._scaled.problem, 1.0
        if splitting == "jacobi":
            cut = problem.contacts * problem.rows
            size = max(size, _largest_eigenvalue(self._sweeps, self._blocks, cut))
        return _START[problem.law] / size

    def start(self, p: FloatArray) -> None:
        self._sweeps.start(p)

    def advance(self, count: int, tolerance: float) -> int:
        before = self._sweeps.done
        self._goal.set(tolerance)
        error = self._sweeps.run(count, self._goal.error)
        self._goal.met_by(error)
        if self._watch.stuck(error, self._sweeps.done - before) and self._adapts:
            self._set_omega(_LOWER * self._omega)
        return self._sweeps.done - before

    def reactions(self) -> FloatArray:
        return self._sweeps.reactions()

    def _set_omega(self, omega: float) -> None:
        """With B = W_ii^-1 the one-contact problem has the block W_ii / omega."""
        self._omega = omega
        self._sweeps.row_step = omega
        if self._blocks is None:
            self._sweeps.steps[:] = omega
        else:
            np.divide(self._scaled.blocks, omega, out=self._blocks)
            self._sweeps.steps[:] = omega / block_sizes(self._scaled)


def _one_scale(problem: ContactProblem) -> FloatArray:
    """D (n, d) with the same B for all contacts: lengths over the root of the largest lambda."""
    largest = problem.scaling.lambdas.max(initial=0.0) or 1.0
    return np.asarray(problem.scaling.units / np.sqrt(largest))


def _largest_eigenvalue(sweeps: Sweeps, blocks: FloatArray | None, cut: int) -> float:
    """Of B W by the power method, from below; B the inverse of the blocks, if there are any."""
    inverse = None if blocks is None else np.linalg.pinv(blocks, rcond=1e-10)
    x = np.random.default_rng(0).normal(size=len(sweeps.p))
    offset = sweeps.map.velocities(np.zeros_like(x))
    size = 1.0
    for _ in range(_POWERS):
        x /= norm(x) or 1.0
        x = sweeps.map.velocities(x) - offset
        if inverse is not None:
            here = x[:cut].reshape(inverse.shape[:2])
            x[:cut] = np.einsum("nij,nj->ni", inverse, here).reshape(-1)
        size = norm(x)
    return size
