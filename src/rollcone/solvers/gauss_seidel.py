"""Projected Gauss-Seidel by contact blocks (Acary and Bourrier 2021, section 5.2).

For each contact in turn, with the others' reactions as they stand, one projection:

    associated law   p <- proj_K(p - rho y)
    exact law        r_n <- max(0, r_n - rho u_n), then each friction set at that normal
                     force: r_T <- proj_{r_n C}(r_T - rho u_T), and likewise m_R and m_n

The paper projects on the cone with the shift S(y), its (33); this is its (22) instead, the
quasi-variational inequality with the same solutions. With the shift, sweeps on shaken heaps
fail from mu = 3 on, and below take up to half again as many.

Every group of rows (normal, sliding, rolling, spinning) is divided by the root of its
largest row sum of |W_ii|, y -> D y and p -> p / D. A disc then stays a disc,
mu -> mu D_n / D_t, no eigenvalue of the scaled block is above one, and one step length,
rho = relaxation / lambda_max, suits all rows. On heaps this takes three times fewer sweeps
than scaling the moments alone, and it makes the sweeps blind to units.

In body form no matrix is formed: sweeps act on z = L^T v, M = L L^T. In Delassus
form, and where M does not come in blocks, they act on the blocks of W.

The exact law is not monotone: with strong friction over-relaxed sweeps can run in a
circle. Unless told otherwise the relaxation is lowered when the error stops falling.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from rollcone._check import FloatArray, one_of, positive_number
from rollcone.errors import InputError
from rollcone.problem.bodies import BodyForm, Pairs
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.delassus import DelassusForm
from rollcone.problem.residual import drive
from rollcone.problem.scaling import largest_eigenvalues
from rollcone.solvers import _kernels

ORDERS = {
    "fixed": _kernels.FIXED,
    "symmetric": _kernels.SYMMETRIC,
    "shuffled": _kernels.SHUFFLED,
}
LOCALS = ("projection", "exact")
LOCAL_STEPS = 200
# The velocities z are carried along; after this many sweeps they are made anew from p.
_REFRESH = 500
# A group of rows that hardly moves is not blown up beyond this share of lambda.
_LEAST = 1e-6
# Relaxation to begin with; measured on heaps, stacks and random problems.
_START = {"exact": 1.3, "associated": 1.7}
# When the sweeps' number doubles, the error must fall to this share, or they run in a circle.
_PROGRESS, _WINDOW, _LOWER, _LOWEST = 0.8, 50, 0.6, 0.02
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
        if not (isinstance(self.seed, int) and 0 <= self.seed < 2**63):
            raise InputError(f"seed = {self.seed!r}: must be a whole number from 0 to 2^63 - 1")


class GaussSeidel:
    """The method for the driver; see registry.py for what it must offer."""

    stalled = ""

    def __init__(self, problem: ContactProblem, options: GaussSeidelOptions) -> None:
        self._problem = problem
        self._options = options
        self._sizes: tuple[tuple[int, ...], ...] = ((0,) * problem.rows,)
        self._scale(problem, options)
        self._sweep_arguments = self._body_form() or self._delassus_form()
        self._order = np.arange(problem.contacts)
        self._state = np.array([options.seed + 1], dtype=np.uint64)  # the shuffle needs it above 0
        self._done = 0
        self._target = np.inf
        self._adapts = options.relaxation is None and problem.law == "exact"
        self._watched = (0, np.inf)  # sweeps and error at the last look at the progress

    def start(self, p: FloatArray) -> None:
        contacts, rows = self._problem.split(p)
        self._p[:] = contacts / self._D / self._unit
        self._row_p[:] = rows / self._row_D / self._unit
        self._refresh()

    def advance(self, count: int, tolerance: float) -> int:
        options = self._options
        count = min(count, _REFRESH)
        if self._done // _REFRESH < (self._done + count) // _REFRESH:
            self._refresh()
        self._target = min(self._target, tolerance * self._size)
        sweep = _kernels.sweep_bodies if self._pairs else _kernels.sweep_delassus
        done, error = sweep(
            *self._sizes,
            self._problem.law == "exact",
            ORDERS[options.order],
            LOCAL_STEPS,
            self._done,
            count,
            self._target,
            self._order,
            self._state,
            *self._sweep_arguments,
        )
        if error <= self._target:  # the sweeps' own estimate was too hopeful: ask for more
            self._target = 0.5 * error
        self._done += done
        self._watch(error)
        return int(done)

    def _watch(self, error: float) -> None:
        """Lower the relaxation if the error has not fallen since the last look."""
        before, then = self._watched
        if self._done < max(2 * before, before + _WINDOW):
            return
        if self._adapts and error > _PROGRESS * then:
            self._steps *= max(_LOWER, _LOWEST / self._relaxation)
            self._relaxation *= max(_LOWER, _LOWEST / self._relaxation)
        self._watched = (self._done, error)

    def reactions(self) -> FloatArray:
        contacts = self._p * self._D * self._unit
        return np.concatenate([contacts.reshape(-1), self._row_p * self._row_D * self._unit])

    def _scale(self, problem: ContactProblem, options: GaussSeidelOptions) -> None:
        """D, the unit of speed, the step lengths and the scaled coefficients."""
        self._D = group_scales(problem)
        self._row_D = 1.0 / np.sqrt(problem.scaling.row_lambdas)
        q_contacts, q_rows = problem.split(problem.q)
        scaled_q = np.concatenate([(q_contacts * self._D).reshape(-1), q_rows * self._row_D])
        self._unit = float(np.abs(scaled_q).max(initial=0.0)) or 1.0
        self._size = drive(problem) / self._unit or 1.0
        blocks = problem.diagonal_blocks * self._D[:, :, None] * self._D[:, None, :]
        largest = largest_eigenvalues(blocks)
        if problem.asymmetry > _SKEW:
            largest = np.maximum(largest, 1.0)  # the symmetric part alone says too little
        self._relaxation = options.relaxation or _START[problem.law]
        self._steps = self._relaxation / np.where(largest > 0, largest, 1.0)
        self._local_blocks = blocks if options.local == "exact" else None
        normal = self._D[:, :1]
        radii = problem.cone.radii.copy()
        for columns, row in ((slice(0, 2), 1), (slice(2, 4), 3), (slice(4, 5), 5)):
            if row < problem.rows:
                radii[:, columns] *= normal / self._D[:, row : row + 1]
        self._radii = radii
        bounds = problem.bounds / (self._row_D * self._unit)[:, None]
        self._bounds = np.ascontiguousarray(bounds)
        self._p = np.zeros((problem.contacts, problem.rows))
        self._row_p = np.zeros(problem.extra_rows)

    def _body_form(self) -> tuple[Any, ...] | None:
        """Arguments of `sweep_bodies`; None if the bodies do not come in pairs."""
        problem, form = self._problem, self._problem.form
        cut = problem.contacts * problem.rows
        self._pairs: tuple[Pairs, Pairs] | None = None
        if not isinstance(form, BodyForm):
            return None
        contacts = form.pairs(0, problem.contacts, problem.rows)
        rows = form.pairs(cut, problem.extra_rows, 1)
        if contacts is None or rows is None:
            return None
        mass: Any = form.mass
        free = form.v_free.reshape(mass.bodies, mass.size)
        lower = np.linalg.inv(mass.inverse_factor)
        z_free = np.einsum("bji,bj->bi", lower, free) / self._unit
        # One more row for the missing body: nothing moves it, its blocks are zero.
        self._z_free = np.vstack([z_free, np.zeros((1, mass.size))])
        self._z = self._z_free.copy()
        b, row_b = problem.split(form.b)
        soft, row_soft = problem.split(problem.compliance)
        blocks = contacts.blocks * self._D[:, None, None, :]
        row_blocks = rows.blocks * self._row_D[:, None, None, None]
        self._sizes += ((0,) * mass.size,)
        self._pairs = Pairs(blocks, contacts.bodies), Pairs(row_blocks, rows.bodies)
        return (
            blocks,
            contacts.bodies,
            b * self._D / self._unit,
            soft * self._D**2 if soft.any() else np.zeros((0, problem.rows)),
            problem.cone.kernel_kinds,
            self._radii,
            self._local_blocks,
            self._steps,
            self._p,
            row_blocks,
            rows.bodies,
            row_b * self._row_D / self._unit,
            row_soft * self._row_D**2,
            self._bounds,
            self._row_p,
            self._z,
        )

    def _delassus_form(self) -> tuple[Any, ...]:
        """Arguments of `sweep_delassus`."""
        problem = self._problem.to_delassus()
        scale = np.concatenate([self._D.reshape(-1), self._row_D])
        form: Any = problem.form
        W = sp.diags(scale) @ (form.W + sp.diags(problem.compliance)) @ sp.diags(scale)
        W = sp.csr_matrix(W)
        blocks = DelassusForm(W, form.q).contact_blocks(problem.contacts, problem.rows)
        cut = problem.contacts * problem.rows
        rows, to = W[cut:], W[:cut, cut:]
        q, row_q = problem.split(problem.q * scale / self._unit)
        return (
            blocks.indptr.astype(np.int64),
            blocks.indices.astype(np.int64),
            blocks.data,
            q,
            problem.cone.kernel_kinds,
            self._radii,
            self._local_blocks,
            self._steps,
            self._p,
            rows.indptr.astype(np.int64),
            rows.indices.astype(np.int64),
            rows.data,
            row_q,
            self._bounds,
            self._row_p,
            to.indptr.astype(np.int64),
            to.indices.astype(np.int64),
            to.data,
        )

    def _refresh(self) -> None:
        """z from the reactions, free of the rounding that sweeps pile up."""
        if self._pairs is None:
            return
        self._z[:] = self._z_free
        contacts, rows = self._pairs
        _kernels.add_reactions(contacts.blocks, contacts.bodies, self._p, self._z)
        _kernels.add_reactions(rows.blocks, rows.bodies, self._row_p[:, None], self._z)


def group_scales(problem: ContactProblem) -> FloatArray:
    """D (n, d), equal within each group of rows, such that no eigenvalue of D W_ii D is above 1.

    First D = 1 / sqrt(mean diagonal) of each group, then the largest row sum of |D W_ii D|.
    """
    groups = [slice(0, 1), slice(1, 3), slice(3, 5), slice(5, 6)]
    diagonal = np.einsum("nkk->nk", problem.diagonal_blocks).copy()
    least = _LEAST * problem.scaling.lambdas[:, None] / problem.scaling.units**2
    for group in groups:
        if group.start < problem.rows:
            diagonal[:, group] = diagonal[:, group].mean(axis=1, keepdims=True)
    D = 1.0 / np.sqrt(np.maximum(diagonal, least))
    blocks = np.abs(problem.diagonal_blocks * D[:, :, None] * D[:, None, :])
    sums = 0.5 * (blocks.sum(axis=1) + blocks.sum(axis=2))
    for group in groups:
        if group.start < problem.rows:
            largest = sums[:, group].max(axis=1, keepdims=True)
            D[:, group] /= np.sqrt(np.where(largest > 0, largest, 1.0))
    return np.asarray(D)
