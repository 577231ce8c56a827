"""Gauss-Seidel of a time step: the arrays that its compiled form works in, and the call.

The same answer as `run_solver` gives for `gauss-seidel` with its default options, bit for bit,
without the Python around it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone.problem.bodies import PairForm
from rollcone.problem.contact_problem import ContactProblem
from rollcone.solvers import _pair_kernels
from rollcone.solvers.driver import Outcome
from rollcone.solvers.solution import Status

STATUSES = {
    _pair_kernels.CONVERGED: Status.CONVERGED,
    _pair_kernels.MAX_ITERATIONS: Status.MAX_ITERATIONS,
    _pair_kernels.DIVERGED: Status.DIVERGED,
}
_SPARE = 1.5


class PairWork(NamedTuple):
    """For up to c contacts with d rows and n bodies, the last row of bodies' arrays standing for
    the missing body. What it holds between calls does not matter, but for `order`, `state` and
    the empty arrays.
    """

    order: IntArray  # (c,): 0 to c - 1
    state: NDArray[np.uint64]  # (1,), of shuffles, which there are none of
    W: FloatArray  # (c, d, d): diagonal blocks
    square: FloatArray  # (d, d)
    line: FloatArray  # (d,)
    units: FloatArray  # (c, d), and lambdas (c,): as in scaling.py
    lambdas: FloatArray
    unit_radii: FloatArray  # (c, 5): friction coefficients by those units
    D: FloatArray  # (c, d), and radii (c, 5): as in scaled.py
    radii: FloatArray
    steps: FloatArray  # (c,)
    pairs: FloatArray  # (c, 2, 6, d), and from here on all scaled: blocks
    b: FloatArray  # (c, d)
    x: FloatArray  # (c, d): reactions
    z_free: FloatArray  # (n + 1, 6)
    z: FloatArray  # (n + 1, 6)
    p: FloatArray  # (c, d), and from here on not scaled: reactions at a check
    y: FloatArray  # (c, d)
    errors: FloatArray  # (c,)
    moved: FloatArray  # (n + 1, 6): bodies' velocities
    none: FloatArray  # (0,): there are no extra rows, nor compliance
    no_rows: FloatArray  # (0, d)
    no_blocks: FloatArray  # (0, 2, 6, 1)
    no_bodies: IntArray  # (0, 2)


def pair_work(contacts: int, bodies: int, rows: int) -> PairWork:
    """Room for that many."""
    c, n, d = contacts, bodies + 1, rows
    return PairWork(
        order=np.arange(c, dtype=np.int64),
        state=np.ones(1, dtype=np.uint64),
        W=np.zeros((c, d, d)),
        square=np.zeros((d, d)),
        line=np.zeros(d),
        units=np.zeros((c, d)),
        lambdas=np.zeros(c),
        unit_radii=np.zeros((c, 5)),
        D=np.zeros((c, d)),
        radii=np.zeros((c, 5)),
        steps=np.zeros(c),
        pairs=np.zeros((c, 2, 6, d)),
        b=np.zeros((c, d)),
        x=np.zeros((c, d)),
        z_free=np.zeros((n, 6)),
        z=np.zeros((n, 6)),
        p=np.zeros((c, d)),
        y=np.zeros((c, d)),
        errors=np.zeros(c),
        moved=np.zeros((n, 6)),
        none=np.zeros(0),
        no_rows=np.zeros((0, d)),
        no_blocks=np.zeros((0, 2, 6, 1)),
        no_bodies=np.zeros((0, 2), dtype=np.int64),
    )


class PairSolver:
    """Gauss-Seidel for one problem after the other, in arrays that are kept and grow."""

    def __init__(self) -> None:
        self._work: PairWork | None = None

    def solve(
        self,
        problem: ContactProblem,
        begin: FloatArray,
        tolerance: float,
        limit: int,
        *,
        speed_tolerance: float,
        least_iterations: int,
        speeds: FloatArray,
    ) -> Outcome:
        """As `run_solver`, of a problem from `ContactProblem.from_pairs`."""
        form, c, d = problem.form, problem.contacts, problem.rows
        assert isinstance(form, PairForm)
        pairs, z_free = form.pairs(0, c, d), form.z_free[:-1]
        assert pairs is not None
        p = begin.reshape(c, d).copy()
        status, iterations, residual, speed = _pair_kernels.solve_pairs(
            (0,) * d,
            problem.law == "exact",
            pairs.blocks,
            pairs.bodies,
            z_free,
            form.b.reshape(c, d),
            problem.cone.radii,
            speeds,
            tolerance,
            speed_tolerance,
            least_iterations,
            limit,
            p,
            self._room(c, len(z_free), d),
        )
        reactions = p.reshape(-1)
        velocities = form.velocities(reactions)
        return Outcome(reactions, velocities, STATUSES[status], iterations, residual, speed)

    def _room(self, contacts: int, bodies: int, rows: int) -> PairWork:
        work = self._work
        if (
            work is None
            or len(work.order) < contacts
            or len(work.z) <= bodies
            or work.p.shape[1] != rows
        ):
            work = pair_work(int(_SPARE * contacts), int(_SPARE * bodies), rows)
            self._work = work
        return work
