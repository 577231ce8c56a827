"""Projected Gauss-Seidel by contact blocks (Acary and Bourrier 2021, section 5.2).

For each contact in turn, with the others' reactions as they stand, one projected step
(sweeps.py), or with local="exact" the one-contact problem solved.

The paper projects on the cone with the shift S(y), its (33); under the exact law we project
set by set at the new normal force, its (22), the quasi-variational inequality with the same
solutions. With the shift, sweeps on shaken heaps fail from mu = 3 on, and below take up to
half again as many. The scaling of all row groups (scaled.py) takes three times fewer sweeps
on heaps than scaling the moments alone.

The exact law is not monotone: with strong friction over-relaxed sweeps can run in a
circle. Unless told otherwise the relaxation is lowered when the error stops falling.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, one_of, positive_number, whole_number
from rollcone.errors import InputError
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.scaling import largest_eigenvalues
from rollcone.solvers.kernels.progress import (
    ASSOCIATED_START,
    EXACT_START,
    SHARE,
    WINDOW,
    lower,
)
from rollcone.solvers.progress import Goal, Watch
from rollcone.solvers.scaled import ScaledProblem
from rollcone.solvers.sweeps import ORDERS, Sweeps

LOCALS = ("projection", "exact")
_START = {"exact": EXACT_START, "associated": ASSOCIATED_START}
# W counts as unsymmetric from this share of its largest entry on.
_SKEW = 1e-6


@dataclass(frozen=True)
class GaussSeidelOptions:
    """relaxation: above 0 and below 2; None: 1.3 for the exact law, lowered when the sweeps
    run in a circle, 1.7 for the associated law. local: 'projection', or 'exact' to repeat it
    on the contact's own block until the one-contact problem is solved. order: 'fixed',
    'symmetric' (to and fro) or 'shuffled' (anew for each sweep, from `seed`)."""

    relaxation: float | None = None
    local: str = "projection"
    order: str = "fixed"
    seed: int = 1

    def __post_init__(self) -> None:
        if self.relaxation is not None and not (
            0 < positive_number("relaxation", self.relaxation) < 2
        ):
            raise InputError(f"relaxation = {self.relaxation}: must be above 0 and below 2")
        one_of("local", self.local, LOCALS)
        one_of("order", self.order, ORDERS)
        object.__setattr__(self, "seed", whole_number("seed", self.seed))


class GaussSeidel:
    """The method for the driver; see registry.py for what it must offer."""

    stalled = ""

    def __init__(self, problem: ContactProblem, options: GaussSeidelOptions) -> None:
        scaled = ScaledProblem(problem)
        self._relaxation = options.relaxation or _START[problem.law]
        self._sweeps = Sweeps(
            scaled,
            self._relaxation / block_sizes(scaled),
            blocks=scaled.blocks if options.local == "exact" else None,
            order=options.order,
            seed=options.seed,
        )
        self._goal = Goal(scaled.drive)
        self._adapts = options.relaxation is None and problem.law == "exact"
        self._watch = Watch(SHARE, WINDOW)

    def start(self, p: FloatArray) -> None:
        self._sweeps.start(p)

    def advance(self, count: int, tolerance: float) -> int:
        before = self._sweeps.done
        self._goal.set(tolerance)
        error = self._sweeps.run(count, self._goal.error)
        self._goal.met_by(error)
        if self._watch.stuck(error, self._sweeps.done - before) and self._adapts:
            factor = lower(self._relaxation)
            self._relaxation *= factor
            self._sweeps.steps *= factor
        return self._sweeps.done - before

    def reactions(self) -> FloatArray:
        return self._sweeps.reactions()


def block_sizes(scaled: ScaledProblem) -> FloatArray:
    """The largest eigenvalue of each scaled block (n,); 1 where nothing can move."""
    largest = largest_eigenvalues(scaled.problem.diagonal_blocks, scaled.D)
    if scaled.problem.asymmetry > _SKEW:
        largest = np.maximum(largest, 1.0)  # the symmetric part alone says too little
    return np.where(largest > 0, largest, 1.0)
