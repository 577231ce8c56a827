"""Sweeps over the contacts: one projected step each, with the velocities as they stand.

    p_i <- p_i + mix (P_i(p_i - h_i y_i) - p_i)

P_i is the projection on the cone, or under the exact law set by set:

    r_n <- max(0, r_n - h u_n), then each friction set at that normal force:
    r_T <- proj_{r_n C}(r_T - h u_T), and likewise m_R and m_n

With `blocks` the one-contact problem with that block in the place of W_ii is solved instead.
A new reaction counts at once (Gauss-Seidel), or, `apart`, after the sweep (Jacobi). In body
form no matrix is formed: sweeps act on z = L^T v. In Delassus form, and where M does not
come in blocks, they act on the blocks of W.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.problem.delassus import DelassusForm
from rollcone.solvers.kernels import sweeps as _kernels
from rollcone.solvers.kernels.progress import next_sweeps
from rollcone.solvers.scaled import BodyMap, MatrixMap, ScaledProblem

ORDERS = {
    "fixed": _kernels.FIXED,
    "symmetric": _kernels.SYMMETRIC,
    "shuffled": _kernels.SHUFFLED,
}
LOCAL_STEPS = 200


class Sweeps:
    """The workspace: scaled reactions p (N,) and what the compiled sweeps need.

    `steps` (n,) are the h_i, which may be changed between runs; `row_step` that of the extra rows.
    """

    def __init__(
        self,
        scaled: ScaledProblem,
        steps: FloatArray,
        *,
        row_step: float = 1.0,
        mix: float = 1.0,
        blocks: FloatArray | None = None,
        apart: bool = False,
        order: str = "fixed",
        seed: int = 0,
    ) -> None:
        self._scaled = scaled
        self.steps, self.row_step = steps, row_step
        self._mix = mix
        self._order_kind = ORDERS[order]
        self._order = np.arange(scaled.problem.contacts)
        # The shuffle needs bits that are not all zero.
        self._state = np.array([seed + 1], dtype=np.uint64).view(np.int64)
        self.done = 0
        self._error = np.inf
        self.map = scaled.velocity_map()
        self.p = np.zeros(scaled.problem.size)
        self._apart = apart
        if blocks is None:
            blocks = np.zeros((0, scaled.rows, scaled.rows))
        self._new = np.zeros_like(self.map.z if isinstance(self.map, BodyMap) else self.p)
        self._sizes: tuple[int, ...] = (scaled.rows,)
        if isinstance(self.map, BodyMap):
            self._sizes += (self.map.size,)
            self._sweep = _kernels.sweep_bodies
            self._arguments = self._body_arguments(self.map, blocks)
        else:
            self._sweep = _kernels.sweep_delassus
            self._arguments = self._matrix_arguments(self.map, blocks)

    def start(self, p: FloatArray) -> None:
        """Begin from the reactions p (N,), in the units of the problem."""
        self.p[:] = self._scaled.enter(p)
        self._refresh()

    def reactions(self) -> FloatArray:
        return self._scaled.leave(self.p)

    def run(self, count: int, target: float) -> float:
        """At most `count` sweeps, fewer once the error is below target; returns the last error."""
        end, anew = next_sweeps(self.done, count, self._error, self._scaled.drive)
        if anew:
            self._refresh()
        error = np.inf
        while self.done < end and error > target:
            done, error = self._sweep(
                *self._sizes,
                self._scaled.exact,
                self._order_kind,
                LOCAL_STEPS,
                self._mix,
                self.row_step,
                self.done,
                1 if self._apart else end - self.done,
                target,
                self._order,
                self._state,
                *self._arguments,
            )
            if self._apart:
                self._old()[:] = self._new
            self.done += done
        self._error = float(error)
        return self._error

    def _old(self) -> FloatArray:
        return self.map.z if isinstance(self.map, BodyMap) else self.p

    def _refresh(self) -> None:
        if isinstance(self.map, BodyMap):
            self.map.load(self.p)
        self._new[:] = self._old()

    def _body_arguments(self, bodies: BodyMap, blocks: FloatArray) -> tuple[Any, ...]:
        """Of `sweep_bodies`, from the blocks on."""
        scaled, split = self._scaled, self._scaled.problem.split
        b, row_b = split(bodies.b)
        soft, row_soft = split(bodies.compliance)
        p, row_p = split(self.p)
        return (
            bodies.contacts.blocks,
            bodies.contacts.bodies,
            b,
            soft if soft.any() else soft[:0],
            scaled.kinds,
            scaled.radii,
            blocks,
            self.steps,
            p,
            bodies.lines.blocks,
            bodies.lines.bodies,
            row_b,
            row_soft,
            scaled.bounds,
            row_p,
            bodies.z,
            self._new if self._apart else bodies.z,
        )

    def _matrix_arguments(self, matrix: MatrixMap, blocks: FloatArray) -> tuple[Any, ...]:
        """Of `sweep_delassus`, from the matrix on."""
        scaled, problem = self._scaled, self._scaled.problem
        form = DelassusForm(matrix.W, matrix.q)
        between = form.contact_blocks(problem.contacts, problem.rows)
        cut = problem.contacts * problem.rows
        rows, to = matrix.W[cut:], matrix.W[:cut, cut:]
        q, row_q = problem.split(matrix.q)
        p, row_p = problem.split(self.p)
        new, row_new = problem.split(self._new if self._apart else self.p)
        return (
            between.indptr.astype(np.int64),
            between.indices.astype(np.int64),
            between.data,
            q,
            scaled.kinds,
            scaled.radii,
            blocks,
            self.steps,
            p,
            new,
            rows.indptr.astype(np.int64),
            rows.indices.astype(np.int64),
            rows.data,
            row_q,
            scaled.bounds,
            row_p,
            row_new,
            to.indptr.astype(np.int64),
            to.indices.astype(np.int64),
            to.data,
        )
