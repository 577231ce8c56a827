"""The problem in the units that first-order methods work in.

Every group of rows (normal, sliding, rolling, spinning) of contact i is divided by the root
of its largest row sum of |W_ii|,

    y -> D y / u,   p -> p / (D u),   W -> D W D

with u a unit of speed that makes the largest free velocity one. A disc stays a disc,
mu -> mu D_n / D_t, no eigenvalue of a scaled block is above one, so one step length suits
all rows, and the iterations are blind to units. The norm is that of Jacobi's
preconditioner, up to the mixing of rows within a group.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy

from rollcone._check import FloatArray
from rollcone.problem.bodies import BodyForm, Pairs
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.delassus import DelassusForm
from rollcone.problem.mass import BlockMass
from rollcone.problem.residual import drive
from rollcone.problem.scaling import scaled_radii
from rollcone.solvers.kernels import scaled as _scaled_kernels

_LEAST = float(np.finfo(float).tiny)  # of the unit of speed: below, numbers lose their digits


class ScaledProblem:
    """D, the unit u, friction coefficients and bounds in scaled rows.

    `scales` (n, d) takes the place of D; it must be equal within each group of rows. `row_scales`
    (m,) takes the place of the extra rows' 1 / sqrt(W_kk).
    """

    def __init__(
        self,
        problem: ContactProblem,
        scales: FloatArray | None = None,
        row_scales: FloatArray | None = None,
    ) -> None:
        self.problem = problem
        self.exact = problem.law == "exact"
        self.rows = problem.rows
        self.kinds = problem.cone.kinds
        self.D = group_scales(problem) if scales is None else scales
        rows = 1.0 / np.sqrt(problem.scaling.row_lambdas) if row_scales is None else row_scales
        self.row_D = np.asarray(rows)
        self.scale = np.concatenate([self.D.reshape(-1), self.row_D])
        fastest = float(np.abs(problem.q * self.scale).max(initial=0.0))
        self.unit = max(fastest, _LEAST) if fastest else 1.0
        self.drive = drive(problem) / self.unit or 1.0
        self.radii = scaled_radii(problem.cone.radii, self.D)
        self.bounds = _scaled_bounds(problem.bounds, self.row_D * self.unit)

    @cached_property
    def blocks(self) -> FloatArray:
        """D W_ii D (n, d, d)."""
        D = self.D
        return np.asarray(self.problem.diagonal_blocks * D[:, :, None] * D[:, None, :])

    def enter(self, p: FloatArray) -> FloatArray:
        """Scaled reactions (N,); none where there is no number for them."""
        with np.errstate(over="ignore"):
            scaled = np.asarray(p / self.scale / self.unit)
        return np.where(np.isfinite(scaled), scaled, 0.0)

    def leave(self, p: FloatArray) -> FloatArray:
        """Reactions (N,) in the units of the problem."""
        return np.asarray(p * self.scale * self.unit)

    def velocity_map(self) -> BodyMap | MatrixMap:
        """p -> y + C p: by bodies where they come in pairs, else by the matrix W."""
        return BodyMap.of(self) or MatrixMap(self)


class BodyMap:
    """y = A^T z + b + C p with z = z_free + A p, A = (D H L^-T)^T: W is never formed.

    z (bodies + 1, size) are the velocities L^T v; the last row, of the missing body, is
    always zero. `contacts` and `lines` hold A by contacts and by extra rows.
    """

    def __init__(
        self, scaled: ScaledProblem, form: BodyForm, mass: BlockMass, contacts: Pairs, lines: Pairs
    ) -> None:
        self._scaled = scaled
        self.size = int(mass.size)
        self.contacts = Pairs(np.empty_like(contacts.blocks), contacts.bodies)
        _scaled_kernels.scale_pairs(contacts.blocks, scaled.D, self.contacts.blocks)
        self.lines = Pairs(lines.blocks * scaled.row_D[:, None, None, None], lines.bodies)
        self.z_free = form.z_free / scaled.unit
        self.z = self.z_free.copy()
        self.b = form.b * scaled.scale / scaled.unit
        self.compliance = scaled.problem.compliance * scaled.scale**2

    @classmethod
    def of(cls, scaled: ScaledProblem) -> BodyMap | None:
        """None if the problem is not made of bodies, or a contact joins more than two."""
        problem, form = scaled.problem, scaled.problem.form
        if not isinstance(form, BodyForm) or not isinstance(form.mass, BlockMass):
            return None
        contacts = form.pairs(0, problem.contacts, problem.rows)
        lines = form.pairs(problem.contacts * problem.rows, problem.extra_rows, 1)
        if contacts is None or lines is None:
            return None
        return cls(scaled, form, form.mass, contacts, lines)

    def load(self, p: FloatArray) -> None:
        """z for the reactions p (N,), free of the rounding that sweeps pile up."""
        self.z[:] = self.z_free
        contacts, lines = self._scaled.problem.split(p)
        self.contacts.add_reactions(contacts, self.z)
        if len(lines):
            self.lines.add_reactions(lines[:, None], self.z)

    def velocities(self, p: FloatArray) -> FloatArray:
        """y + C p (N,), a new array."""
        self.load(p)
        y: FloatArray = self.b + self.compliance * p
        contacts, lines = self._scaled.problem.split(y)
        self.contacts.add_velocities(self.z, contacts)
        if len(lines):
            self.lines.add_velocities(self.z, lines[:, None])
        return y

    def changes(self, p: FloatArray) -> FloatArray:
        """What the reactions p (N,) change of y + C p: not less exact for small p."""
        contacts, lines = self._scaled.problem.split(p)
        z = np.zeros_like(self.z)
        self.contacts.add_reactions(contacts, z)
        y: FloatArray = self.compliance * p
        if len(lines):
            self.lines.add_reactions(lines[:, None], z)
            self.lines.add_velocities(z, self._scaled.problem.split(y)[1][:, None])
        self.contacts.add_velocities(z, self._scaled.problem.split(y)[0])
        return y


class MatrixMap:
    """y + C p = W p + q, compliance within W."""

    def __init__(self, scaled: ScaledProblem) -> None:
        form = scaled.problem.to_delassus().form
        assert isinstance(form, DelassusForm)
        W, scale = form.W, scaled.scale
        if scaled.problem.compliance.any():
            W = scipy.sparse.csr_matrix(W + scipy.sparse.diags(scaled.problem.compliance))
        rows = np.repeat(np.arange(len(scale)), np.diff(W.indptr))
        data = scale[rows] * W.data * scale[W.indices]  # products of matrices take longer
        self.W = scipy.sparse.csr_matrix((data, W.indices, W.indptr), shape=W.shape)
        self.q = form.q * scaled.scale / scaled.unit

    def velocities(self, p: FloatArray) -> FloatArray:
        """W p + q (N,), a new array."""
        return np.asarray(self.W @ p + self.q)

    def changes(self, p: FloatArray) -> FloatArray:
        """W p (N,)."""
        return np.asarray(self.W @ p)


def _scaled_bounds(bounds: FloatArray, units: FloatArray) -> FloatArray:
    """Bounds (m, 2) over units (m,); where there is no number for it, a bound is none."""
    scaled = np.zeros_like(bounds)
    with np.errstate(over="ignore", divide="ignore"):
        np.divide(bounds, units[:, None], out=scaled, where=bounds != 0.0)
    return scaled


def group_scales(problem: ContactProblem) -> FloatArray:
    """D (n, d), equal within each group of rows, such that no eigenvalue of D W_ii D is above 1."""
    scale = problem.scaling
    D = np.empty_like(scale.units)
    _scaled_kernels.group_scales(
        problem.diagonal_blocks,
        scale.units,
        scale.lambdas,
        np.empty(problem.rows),
        D,
    )
    return D
