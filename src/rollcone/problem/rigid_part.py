"""The part of a problem that can carry a self-stress, and what proves that it does or cannot.

A self-stress is p != 0 with H^T p = 0, p in the friction cones and along directions in
which the extra rows are unbounded. That leaves out extra rows with two finite bounds; rows with
compliance C > 0, since p^T (W + C) p = 0 asks for p = 0 there; and contacts whose normal row
is compliant. A friction row with compliance stays in place as a row of zeros: sets are
symmetric, so with that reaction set to zero the others remain in their set.

Masses have no part in H^T p = 0. In x and s with v = T x and p = R s, R diagonal,

    B = R H T,      R y = B x,      T^T H^T p = B^T s

T takes from the mass matrix of each body its lengths and leaves its mass, and R gives the
block of every contact the largest singular value 1: units and masses drop out. The
Delassus form knows no bodies: there B stands for R W R, W symmetrised.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy

from rollcone._check import FloatArray, IntArray
from rollcone._words import count, few
from rollcone.errors import InputError
from rollcone.laws.cone import FrictionCone
from rollcone.problem.bodies import BodyForm
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.delassus import DelassusForm
from rollcone.problem.mass import BlockMass, MassMatrix
from rollcone.problem.scaling import Scaling, scaling

ROUNDING = 16 * np.finfo(float).eps  # of a sum of products, as a share of their sizes
_INSIDE = 1e-12  # projections on the cones are good to 1e-15
_INDEFINITE = 1e-6  # files keep W to seven digits or more; a contact's own W has 1


@dataclass(frozen=True, eq=False)
class RigidPart:
    """`bare` holds the rows of the part by themselves, y = x, scaled by R: cones without units,
    extra rows bilateral or [0, inf), all contacts and unilateral rows approaching at 1."""

    problem: ContactProblem
    bare: ContactProblem
    rows: IntArray  # of the problem, that bare has
    R: FloatArray  # one per row of bare; 0 for rows with compliance
    T: Any  # sparse (dofs, dofs); None in Delassus form
    B: Any  # sparse, a row per row of bare
    matrix: Any  # H, or W symmetrised, of the problem as it was given
    body_size: int  # so many entries of x are a body, as far as the mass matrix tells

    @property
    def bilateral(self) -> IntArray:
        """Rows of bare."""
        free = np.flatnonzero(np.isinf(self.bare.bounds[:, 0]))
        return self.bare.contacts * self.bare.rows + free

    @property
    def openers(self) -> IntArray:
        """Rows of bare that can open: of normals, then unilateral ones."""
        return np.flatnonzero(self.bare.q)

    def project(self, s: FloatArray) -> FloatArray:
        """The nearest s in the cones, zero in rows with compliance."""
        out = np.where(self.R == 0.0, 0.0, s)
        contacts, rows = self.bare.split(out)
        contacts[:] = self.bare.cone.project(contacts)
        rows[:] = np.clip(rows, *self.bare.bounds.T)
        return out

    def reactions(self, s: FloatArray) -> FloatArray:
        """p (N,) of the problem."""
        p = np.zeros(self.problem.size)
        p[self.rows] = self.R * s
        return p

    def narrowed(self, share: float) -> RigidPart:
        """The same with so much of its friction."""
        cone = self.bare.cone
        less = FrictionCone.from_arrays(cone.kinds, share * cone.radii)
        return replace(self, bare=replace(self.bare, cone=less))

    def scaled(self, p: FloatArray) -> FloatArray:
        """s of the reactions p (N,), without rows that the part lacks."""
        return np.divide(p[self.rows], self.R, out=np.zeros(len(self.R)), where=self.R != 0.0)

    def velocities(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(y, v) with v = T x and y = H v; in Delassus form v = R x and y = W v."""
        v = self.reactions(x) if self.T is None else np.asarray(self.T @ x)
        return np.asarray(self.matrix @ v), v

    def imbalance(self, s: FloatArray) -> float:
        """sum_b |(B^T s)_b| over the sum of normal forces and extra reactions, from the raw
        data, with what rounding may hide. Infinite for s = 0 and outside the cones.

        In Delassus form the larger of sqrt(s.B s) and all |(B s)_i| of contacts: where W is
        H M^-1 H^T, the first is |M^-1/2 H^T p| and above the others.
        """
        p = self.reactions(s)
        contacts, rows = self.bare.split(np.abs(s))
        forces = float(contacts[:, 0].sum() + rows.sum())
        if forces == 0.0 or not self.admits(p):
            return np.inf
        if self.T is None:
            contacts, rows = self.bare.split(self.R * (self.matrix @ p)[self.rows])
            parts = [[self._root_energy(p)], np.linalg.norm(contacts, axis=1), np.abs(rows)]
            return float(np.concatenate(parts).max()) / forces
        net = self.T.T @ (self.matrix.T @ p)
        rounding = abs(self.T).T @ (abs(self.matrix).T @ np.abs(p)) * ROUNDING
        return float((self._sizes(net) + self._sizes(rounding)).sum()) / forces

    def margin(self, x: FloatArray, independence: float) -> float:
        """The least speed R_n (u_n - S(u)) at which contacts open if no body is faster than 1 (if
        x.B x = 1 in Delassus form), from the raw data, less what rounding and speeds left
        in bilateral rows may cost. Unilateral rows open at R y."""
        y, v = self.velocities(x)
        bodies = self.T is not None
        fastest = float(self._sizes(x).max(initial=0.0)) if bodies else self._root_energy(v)
        left = (self.R * y[self.rows])[self.bilateral]
        # To take them to zero changes x by |left| / independence at most, and |B_i| is 1.
        reach = 1.0 + self.bare.cone.radii.sum(axis=1).max(initial=0.0)
        slack = float(reach * np.linalg.norm(left)) / independence
        rounding = ROUNDING * (abs(self.matrix) @ np.abs(v))
        gains = self._gains(y, -1.0) - np.abs(self._gains(rounding, 1.0))
        least = float(gains.min(initial=np.inf)) - slack
        return least / fastest if fastest > 0 else min(least, 0.0)

    def slowest(self, y: FloatArray) -> float:
        """The least u_n - S(u) of contacts and y of unilateral rows, in their own units."""
        return float((self._gains(y, -1.0) / np.abs(self.R[self.openers])).min(initial=np.inf))

    def independence(self) -> tuple[float, FloatArray]:
        """The least singular value of the bilateral rows of B, and the s that goes with it; the
        root of the least eigenvalue in Delassus form. Infinite if there are none."""
        s = np.zeros(self.bare.size)
        if not len(self.bilateral):
            return np.inf, s
        held = self.B[self.bilateral]
        if self.T is None:
            values, vectors = np.linalg.eigh(held[:, self.bilateral].toarray())
            s[self.bilateral] = vectors[:, 0]
            return float(np.sqrt(max(values[0], 0.0))), s
        left, values, _ = np.linalg.svd(held[:, np.diff(held.tocsc().indptr) > 0].toarray())
        s[self.bilateral] = left[:, -1]
        return float(values[-1]) if len(values) == len(left) else 0.0, s

    def _gains(self, y: FloatArray, sign: float) -> FloatArray:
        """R_n (u_n + sign S(u)) of contacts, R y of unilateral rows."""
        scaled = self.R * y[self.rows]
        contacts, _ = self.bare.split(scaled)
        gains = scaled[self.openers]
        gains[: len(contacts)] += sign * self.bare.cone.shift(contacts)
        return gains

    def _root_energy(self, p: FloatArray) -> float:
        """sqrt(p.W p), with what rounding may hide."""
        rounding = np.abs(p) @ (abs(self.matrix) @ np.abs(p)) * ROUNDING
        return float(np.sqrt(max(float(p @ (self.matrix @ p)), 0.0) + rounding))

    def admits(self, p: FloatArray) -> bool:
        """Is p in the cones and along directions without bounds?"""
        contacts, rows = self.problem.split(p)
        down, up = np.isinf(self.problem.bounds.T)
        along = ((rows >= 0) | down) & ((rows <= 0) | up)
        return bool(along.all() and self.problem.cone.contains(contacts, _INSIDE).all())

    def _sizes(self, x: FloatArray) -> FloatArray:
        """|x_b| of every body."""
        return np.asarray(np.linalg.norm(x.reshape(-1, self.body_size), axis=1))


def carriers_in_words(problem: ContactProblem, contacts: IntArray, rows: IntArray) -> str:
    """Who carries a self-stress: '2 of 9 contacts (0, 4) and 1 of 1 extra row (0)'."""
    groups = ((contacts, problem.contacts, "contact"), (rows, problem.extra_rows, "extra row"))
    return " and ".join(
        f"{len(which)} of {count(total, noun)} ({few(which)})"
        for which, total, noun in groups
        if len(which)
    )


def rigid_part(problem: ContactProblem) -> RigidPart:
    """The rows that can carry a self-stress, scaled."""
    live, extra, rows = _unbounded_rows(problem)
    n, d, total = len(live), problem.rows, len(rows)
    stiff = (problem.compliance[rows] == 0.0).astype(float)
    matrix, T, form = _rigid_form(problem, rows, stiff)
    scale = scaling(form.diagonal_blocks(n, d), form.row_diagonal(n * d))
    down, up = np.isinf(problem.bounds[extra].T)
    R = stiff * row_scale(scale)
    R[n * d :] *= np.where(up, 1.0, -1.0)
    approach = np.zeros(total)
    approach[: n * d : d] = -1.0
    approach[n * d :] = np.where(down & up, 0.0, -1.0)
    cone = FrictionCone.from_arrays(problem.cone.kinds[live], scale.radii(problem.cone.radii[live]))
    alone = _unit_masses(scipy.sparse.eye(total, format="csr"), 1)
    bare = ContactProblem(
        form=BodyForm(alone.mass, alone.H, alone.v_free, approach),
        cone=cone,
        law="associated",
        contacts=n,
        rows=d,
        bounds=np.stack([np.where(down & up, -np.inf, 0.0), np.full(len(extra), np.inf)], axis=1),
        compliance=np.zeros(total),
        asymmetry=0.0,
    )
    if isinstance(form, DelassusForm):
        B = scipy.sparse.csr_matrix(scipy.sparse.diags(R) @ form.W @ scipy.sparse.diags(R))
        return RigidPart(problem, bare, rows, R, T, B, matrix, 1)
    B = scipy.sparse.csr_matrix(scipy.sparse.diags(R) @ form.H)
    return RigidPart(problem, bare, rows, R, T, B, matrix, _body_size(form.mass))


def _unbounded_rows(problem: ContactProblem) -> tuple[IntArray, IntArray, IntArray]:
    """Contacts, extra rows, and the rows of both."""
    compliance, row_compliance = problem.split(problem.compliance)
    live = np.flatnonzero(compliance[:, 0] == 0.0)
    extra = np.flatnonzero(np.isinf(problem.bounds).any(axis=1) & (row_compliance == 0.0))
    d = problem.rows
    of_contacts = (d * live[:, None] + np.arange(d)).reshape(-1)
    return live, extra, np.concatenate([of_contacts, problem.contacts * d + extra])


def _rigid_form(
    problem: ContactProblem, rows: IntArray, stiff: FloatArray
) -> tuple[Any, Any, BodyForm | DelassusForm]:
    """H or W symmetrised, T, and the form with the given rows in x."""
    form, keep = problem.form, scipy.sparse.diags(stiff)
    if isinstance(form, DelassusForm):
        W = scipy.sparse.csr_matrix(0.5 * (form.W + form.W.T))
        kept = scipy.sparse.csr_matrix(keep @ W[rows][:, rows] @ keep)
        return W, None, DelassusForm(kept, np.zeros(len(rows)))
    T = _body_lengths(form.mass)
    H = scipy.sparse.csr_matrix(keep @ form.H[rows] @ T)
    return form.H, T, _unit_masses(H, _body_size(form.mass))


def _body_size(mass: MassMatrix) -> int:
    return mass.size if isinstance(mass, BlockMass) else 1


def _body_lengths(mass: MassMatrix) -> Any:
    """T: L^-T of M_b = L L^T, for the lengths in it, times the root of the body's first mass.
    Numbers that are no bodies are divided by the roots of their masses."""
    if not isinstance(mass, BlockMass):
        return scipy.sparse.diags(1.0 / np.sqrt(mass.matrix().diagonal()), format="csr")
    places = np.arange(mass.bodies + 1)
    first = mass.blocks[:, :1, :1] if mass.size > 1 else 1.0
    factors = mass.inverse_factor.transpose(0, 2, 1) * np.sqrt(first)
    return scipy.sparse.bsr_matrix((factors, places[:-1], places), (mass.dofs, mass.dofs)).tocsr()


def _unit_masses(H: Any, size: int) -> BodyForm:
    ones = BlockMass(np.tile(np.eye(size), (H.shape[1] // size, 1, 1)))
    return BodyForm(ones, H, np.zeros(H.shape[1]), np.zeros(H.shape[0]))


def row_scale(scale: Scaling) -> FloatArray:
    """What makes rows of velocities numbers: the units over sqrt(lambda)."""
    contacts = scale.units / np.sqrt(scale.lambdas)[:, None]
    return np.concatenate([contacts.reshape(-1), 1.0 / np.sqrt(scale.row_lambdas)])


def check_definite(part: RigidPart) -> None:
    """Refuse a W with a negative eigenvalue: the pivots of a positive definite matrix are positive,
    without exchanging rows."""
    if part.T is not None:
        return
    W = part.B
    raised = scipy.sparse.csc_matrix(W + _INDEFINITE * scipy.sparse.eye(W.shape[0]))
    if not raised.shape[0]:
        return
    factor = scipy.sparse.linalg.splu(raised, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0)
    if factor.U.diagonal().min() <= 0:
        raise InputError(
            "W has a negative eigenvalue: is_pointed needs a positive semidefinite W, "
            "such as H M^-1 H^T"
        )
