"""The discrete problem of one instant.

    y = H v + b,   M (v - v_free) = H^T p       (body form)
    y = W p + q                                 (Delassus form)

n contacts with d = 2, 3, 5 or 6 rows each, then m extra rows. A contact obeys the
exact law K* ∋ y + S(y) n ⊥ p ∈ K or the associated law K* ∋ y ⊥ p ∈ K; an extra row
lower <= p <= upper, with y >= 0 at the lower and y <= 0 at the upper bound (bilateral
rows have infinite bounds). Compliance C >= 0 puts y + C p in the place of y.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from rollcone._check import (
    LARGEST,
    FloatArray,
    IntArray,
    bounded_array,
    finite_array,
    one_of,
    real_array,
)
from rollcone.errors import InputError
from rollcone.laws.cone import ROWS, Coupling, FrictionCone
from rollcone.laws.friction_set import FrictionSet
from rollcone.problem.bodies import BodyForm, PairForm, Pairs
from rollcone.problem.delassus import DelassusForm
from rollcone.problem.mass import mass_matrix, sparse_matrix
from rollcone.problem.scaling import Scaling, scaling

if TYPE_CHECKING:
    from rollcone.problem.pointedness import Pointedness

Law = Literal["exact", "associated"]
LAWS: tuple[Law, ...] = ("exact", "associated")
EXTRA_ROWS = ("bilateral", "unilateral", "bounded")  # by the number of finite bounds
Coefficient = ArrayLike | FrictionSet


class Lines(NamedTuple):
    """Extra rows that join at most two bodies each: blocks as of contacts with one row, b (m,),
    bounds (m, 2), compliance (m,)."""

    pairs: Pairs
    b: FloatArray
    bounds: FloatArray
    compliance: FloatArray


def no_lines(size: int) -> Lines:
    """None, of bodies with so many velocities."""
    none = Pairs(np.zeros((0, 2, size, 1)), np.zeros((0, 2), dtype=np.int64))
    return Lines(none, np.zeros(0), np.zeros((0, 2)), np.zeros(0))


@dataclass(frozen=True, eq=False)
class ContactProblem:
    """Build one with `from_delassus` or `from_bodies`; it must not be changed afterwards."""

    form: BodyForm | DelassusForm
    cone: FrictionCone  # one law per contact
    law: Law
    contacts: int
    rows: int  # per contact
    bounds: FloatArray  # (m, 2): lower, upper of each extra row
    compliance: FloatArray  # (N,), zero for rigid rows
    asymmetry: float  # max |W - W^T| / max |W|

    @classmethod
    def from_delassus(
        cls,
        W: ArrayLike | scipy.sparse.spmatrix,
        q: ArrayLike,
        *,
        sliding: Coefficient = 0.0,
        rolling: Coefficient = 0.0,
        spinning: ArrayLike = 0.0,
        coupling: Coupling = "none",
        law: Law = "exact",
        rows: int | None = None,
        bounds: ArrayLike | None = None,
        compliance: ArrayLike = 0.0,
    ) -> ContactProblem:
        """The problem y = W p + q.

        W (N, N), q (N,)   dense or sparse; rows of a contact in the order n, t1, t2, then
                           w_t1, w_t2, then w_n, velocities of B relative to A, n from A to B
        sliding            mu, no unit: a number, one per contact, or a friction set
        rolling, spinning  rho and sigma, lengths in metres: likewise (spinning: no sets)
        coupling           "none", or "ellipsoid": sliding, rolling and spinning share one limit
        rows               per contact: 2 (plane), 3, 5 (rolling) or 6 (spinning too); may be
                           left out where a coefficient is given per contact
        bounds             (m, 2): lower and upper of the m extra rows at the end
        compliance         C >= 0 of each row, (N,) or one number: y + C p takes y's place

        Reactions are impulses (N s, N m s) if q is a velocity after forces acted for a step.
        """
        matrix = _sparse("W", W)
        q_array = _vector("q", q, matrix.shape[0], "W")
        if matrix.shape[0] != matrix.shape[1]:
            raise InputError(f"W of shape {matrix.shape}: must be square")
        diagonal = matrix.diagonal()
        tiny = np.flatnonzero((diagonal > 0.0) & (diagonal < 1.0 / LARGEST))
        if len(tiny):  # reactions would be too large to be squared
            k = tiny[0]
            least = f"0 or at least {1.0 / LARGEST:g}"
            raise InputError(f"W[{k}, {k}] = {diagonal[k]}: must be {least}")
        form = DelassusForm(matrix, q_array)
        cone = FrictionCone(sliding, rolling, spinning, coupling)
        return cls._checked(form, cone, law, rows, bounds, compliance)

    @classmethod
    def from_bodies(
        cls,
        M: ArrayLike | scipy.sparse.spmatrix,
        H: ArrayLike | scipy.sparse.spmatrix,
        v_free: ArrayLike,
        b: ArrayLike | None = None,
        *,
        sliding: Coefficient = 0.0,
        rolling: Coefficient = 0.0,
        spinning: ArrayLike = 0.0,
        coupling: Coupling = "none",
        law: Law = "exact",
        rows: int | None = None,
        bounds: ArrayLike | None = None,
        compliance: ArrayLike = 0.0,
    ) -> ContactProblem:
        """The problem y = H v + b, M (v - v_free) = H^T p.

        M        masses: blocks (bodies, k, k), a diagonal (dofs,), or one matrix (dofs, dofs)
        H        (N, dofs): row by row, how body velocities make contact velocities
        v_free   (dofs,): velocities after the step if nothing touched
        b        (N,): gap / h, restitution, prescribed motion; zero if not given

        The other arguments, and the order of rows, as in `from_delassus`.
        """
        mass = mass_matrix(M)
        matrix = _sparse("H", H)
        if matrix.shape[1] != mass.dofs:
            hint = " (transposed?)" if matrix.shape[0] == mass.dofs else ""
            raise InputError(
                f"H of shape {matrix.shape}: must have {mass.dofs} columns, as M{hint}"
            )
        v = _vector("v_free", v_free, mass.dofs, "M")
        offset = np.zeros(matrix.shape[0]) if b is None else b
        form = BodyForm(mass, matrix, v, _vector("b", offset, matrix.shape[0], "H"))
        cone = FrictionCone(sliding, rolling, spinning, coupling)
        return cls._checked(form, cone, law, rows, bounds, compliance)

    @classmethod
    def from_pairs(
        cls,
        blocks: FloatArray,
        bodies: IntArray,
        inverse_factor: FloatArray,
        z_free: FloatArray,
        b: FloatArray,
        radii: FloatArray,
        law: Law = "exact",
        lines: Lines | None = None,
        compliance: FloatArray | None = None,
    ) -> ContactProblem:
        """The problem of one time step, as kernels make it: nothing is checked or copied.

        blocks (n, 2, 6, d)          (H A^T)^T of each contact and side, d rows
        bodies (n, 2)                their numbers; for a side that cannot move one past the last,
                                     and a zero block
        inverse_factor (bodies, 6, 6)   any regular A with M^-1 = A^T A
        z_free (bodies, 6)           A^-T v_free
        b (n, d)                     as in `from_bodies`
        radii (n, 5)                 of discs: sliding twice, rolling twice, spinning
        lines                        the extra rows, if there are any
        compliance (n, d)            of the contacts; rigid if not given
        """
        n, rows = b.shape
        lines = no_lines(blocks.shape[2]) if lines is None else lines
        soft = np.zeros(n * rows) if compliance is None else compliance.reshape(-1)
        offsets = np.concatenate([b.reshape(-1), lines.b]) if len(lines.b) else b.reshape(-1)
        return cls(
            form=PairForm(Pairs(blocks, bodies), lines.pairs, inverse_factor, z_free, offsets),
            cone=FrictionCone.of_discs(radii),
            law=law,
            contacts=n,
            rows=rows,
            bounds=lines.bounds,
            compliance=np.concatenate([soft, lines.compliance]),
            asymmetry=0.0,
        )

    @classmethod
    def _checked(
        cls,
        form: BodyForm | DelassusForm,
        cone: FrictionCone,
        law: Law,
        rows: int | None,
        bounds: ArrayLike | None,
        compliance: ArrayLike,
    ) -> ContactProblem:
        one_of("law", law, LAWS)
        limits = _bounds(bounds)
        total = len(form.free_velocities())
        contacts, d = _count(total - len(limits), cone, rows)
        soft = bounded_array("compliance", compliance)
        if soft.shape not in ((), (total,)) or np.any(soft < 0):
            raise InputError(
                f"compliance {soft}: must be >= 0, one number or one per row ({total})"
            )
        problem = cls(
            form=form,
            cone=cone.per_contact(contacts, d),
            law=law,
            contacts=contacts,
            rows=d,
            bounds=limits,
            compliance=np.broadcast_to(soft, (total,)).copy(),
            asymmetry=form.asymmetry(),
        )
        if isinstance(form, DelassusForm):
            _check_blocks(form.diagonal_blocks(contacts, d), form.row_diagonal(contacts * d))
        return problem

    @property
    def extra_rows(self) -> int:
        return len(self.bounds)

    def extra_row_kinds(self) -> dict[str, int]:
        """How many extra rows have no, one or two finite bounds."""
        ends = np.isfinite(self.bounds).sum(axis=1)
        return {name: int((ends == number).sum()) for number, name in enumerate(EXTRA_ROWS)}

    @property
    def size(self) -> int:
        """All rows: contacts * rows + extra rows."""
        return self.contacts * self.rows + self.extra_rows

    @cached_property
    def q(self) -> FloatArray:
        """Velocities without reactions, (N,)."""
        return self.form.free_velocities()

    @cached_property
    def diagonal_blocks(self) -> FloatArray:
        """W_ii + C_ii of each contact, (n, d, d)."""
        blocks = self.form.diagonal_blocks(self.contacts, self.rows)
        if self.compliance.any():
            here = np.arange(self.rows)
            blocks[:, here, here] += self.split(self.compliance)[0]
        return blocks

    @cached_property
    def scaling(self) -> Scaling:
        """Lengths and compliances that make the rows comparable."""
        rows = self.form.row_diagonal(self.contacts * self.rows) + self.split(self.compliance)[1]
        return scaling(self.diagonal_blocks, rows)

    @cached_property
    def scaled_radii(self) -> FloatArray:
        """Friction coefficients (n, 5) in the rows that `scaling` makes comparable."""
        return self.scaling.radii(self.cone.radii)

    def velocities(self, p: FloatArray) -> FloatArray:
        """y (N,) for all reactions p (N,), without the compliance term."""
        p = finite_array("p", p)
        if p.shape != (self.size,):
            raise InputError(f"p of shape {p.shape}: must be ({self.size},)")
        return self.form.velocities(p)

    def split(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(N,) -> contacts (n, d) and extra rows (m,), as views."""
        cut = self.contacts * self.rows
        return values[:cut].reshape(self.contacts, self.rows), values[cut:]

    def with_law(self, law: Law) -> ContactProblem:
        """The same data under the other law."""
        one_of("law", law, LAWS)
        return replace(self, law=law)

    def to_delassus(self) -> ContactProblem:
        """The same problem with W formed; itself if it is in that form."""
        form = self.form if isinstance(self.form, DelassusForm) else self.form.delassus
        return replace(self, form=form)

    def fresh(self) -> ContactProblem:
        """The same problem without what earlier solves have computed and kept: for timing."""
        form = self.form
        if isinstance(form, BodyForm):
            form = BodyForm(form.mass, form.H, form.v_free, form.b)
        return replace(self, form=form)

    def is_pointed(self, tolerance: float = 1e-6) -> Pointedness:
        """Is p = 0 the only p in the friction cone with H^T p = 0 (W p = 0 in Delassus form)?

        If so the associated law has a solution for every free motion (Tasora and Anitescu 2013,
        (45) and Theorem 2); if not the answer holds a self-stress: reactions that cancel out,
        as on a wedged ball. `tolerance`: how small, without unit, counts as zero; much less
        makes sense in body form alone, since p^T W p in place of |H^T p| costs half the digits.
        Needs Clarabel.
        """
        from rollcone.problem.pointedness import is_pointed

        return is_pointed(self, tolerance)

    def __repr__(self) -> str:
        kind = "body" if isinstance(self.form, BodyForm) else "Delassus"
        extra = f" + {self.extra_rows} rows" if self.extra_rows else ""
        size = f"{self.contacts} contact{'s' * (self.contacts != 1)} x {self.rows} rows{extra}"
        return f"ContactProblem({size}, {kind} form, {self.law} law)"


def _sparse(name: str, value: ArrayLike | scipy.sparse.spmatrix) -> scipy.sparse.csr_matrix:
    if scipy.sparse.issparse(value):
        matrix = sparse_matrix(name, value)
    else:
        array = bounded_array(name, value)
        if array.ndim != 2:
            raise InputError(f"{name} of shape {array.shape}: must be a matrix")
        matrix = scipy.sparse.csr_matrix(array)
    return matrix


def _vector(name: str, value: ArrayLike, length: int, partner: str) -> FloatArray:
    array = bounded_array(name, value)
    if array.shape != (length,):
        raise InputError(f"{name} of shape {array.shape}: must be ({length},) to fit {partner}")
    return array.copy()


def _bounds(value: ArrayLike | None) -> FloatArray:
    if value is None:
        return np.zeros((0, 2))
    limits = real_array("bounds", value)
    if limits.size == 0:
        return np.zeros((0, 2))
    if limits.ndim != 2 or limits.shape[1] != 2:
        raise InputError(f"bounds of shape {limits.shape}: must be (m, 2), lower and upper")
    lower, upper = limits[:, 0], limits[:, 1]
    bad = ~(lower <= upper) | (lower == np.inf) | (upper == -np.inf)
    if bad.any():
        worst = int(np.argmax(bad))
        raise InputError(f"bounds[{worst}] = {limits[worst]}: must be lower <= upper, not NaN")
    return limits


def _count(total: int, cone: FrictionCone, rows: int | None) -> tuple[int, int]:
    """Contacts and rows per contact, from the number of contact rows."""
    if total < 0:
        raise InputError(f"more bounds than rows: {-total} too many")
    given = len(cone.radii) if cone.radii.ndim == 2 else None
    if rows is None:
        if not given and total:
            raise InputError(
                "rows is missing: say how many rows each contact has, rows = 2, 3, 5 or 6, "
                "or give one friction coefficient per contact"
            )
        rows = 3 if not given else total // given if total % given == 0 else 0
        if rows not in ROWS:
            raise InputError(
                f"{total} contact rows for {given} friction coefficients: must be "
                f"{_words(ROWS)} rows per contact"
            )
    rows = rows_per_contact(rows)
    if total % rows:
        raise InputError(f"{total} contact rows: not a multiple of rows = {rows}")
    if given is not None and given * rows != total:
        raise InputError(
            f"{total} contact rows at {rows} each are {total // rows} contacts, but there are "
            f"{given} friction coefficients"
        )
    return total // rows, rows


def rows_per_contact(rows: int) -> int:
    """`rows` as an int that a contact may have."""
    if isinstance(rows, bool) or not isinstance(rows, int | np.integer) or rows not in ROWS:
        raise InputError(f"rows = {rows!r}: must be one of {_words(ROWS)}")
    return int(rows)


def _check_blocks(blocks: FloatArray, diagonal: FloatArray) -> None:
    """Diagonal blocks of contacts and the diagonal of extra rows must not be negative."""
    if diagonal.min(initial=0.0) < 0:
        worst = int(np.argmin(diagonal))
        raise InputError(f"W of extra row {worst} = {diagonal[worst]:g}: must be >= 0")
    if not len(blocks):
        return
    spectrum = np.linalg.eigvalsh(0.5 * (blocks + blocks.transpose(0, 2, 1)))
    bad = spectrum[:, 0] < -1e-9 * np.abs(spectrum).max(axis=1)
    if bad.any():
        worst = int(np.argmax(bad))
        raise InputError(
            f"W of contact {worst} has the eigenvalue {spectrum[worst, 0]:g}: "
            "diagonal blocks must be positive semidefinite"
        )


def _words(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))
