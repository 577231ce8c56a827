"""Global problems as FCLIB and Siconos keep them, H by columns and forces for velocities:

    M v = H r + G l + f,   u = H^T v + w,   0 = G^T v + b

in our body form: H^T over G^T, w over b, v_free = M^-1 f, and one bilateral row per column
of G. Two things that files do to M are met here. A finite element code may keep one of its
triangles: it is mirrored. A time step that takes gyroscopic terms implicitly puts them into
M, which then is not symmetric, as no mass is: such a problem is given in Delassus form with
W = H^T M^-1 H and q = H^T M^-1 f + w, not symmetric either.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from rollcone._check import FloatArray, bounded_array
from rollcone.laws.cone import FrictionCone
from rollcone.problem.bodies import BodyForm
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.delassus import DelassusForm
from rollcone.problem.mass import ROUNDED, SparseMass, asymmetry, mass_matrix, sparse_matrix

# Up to where M counts as symmetric. Rounding of a turned inertia tensor gives 1e-16, gyroscopic
# terms the time step times the speed of turning: 2e-3 in the chute of Siconos' collection, but
# 1e-6 for slow bodies, so no more than ROUNDED may be forgiven. CSparse prints six digits: there
# every entry is off by up to 5e-6 of itself.
SIX_DIGITS = 1e-5


def global_problem(
    M: sp.csr_matrix,
    H: sp.csr_matrix,
    f: FloatArray,
    w: FloatArray,
    cone: FrictionCone,
    rows: int,
    *,
    G: sp.csr_matrix | None = None,
    b: FloatArray | None = None,
    symmetric_to: float = ROUNDED,
) -> tuple[ContactProblem, str]:
    """The problem, exact law, and in words what was done to M ("" for nothing).

    M (dofs, dofs), H (dofs, contact rows), G (dofs, bilateral rows); f, w, b of fitting lengths.
    """
    M, note = _whole(sparse_matrix("M", M))
    off = asymmetry(M) if np.all(M.diagonal() > 0) else 0.0  # else mass_matrix says what is wrong
    unsymmetric = off > symmetric_to
    if unsymmetric:
        note = f"M is not symmetric (off by {off:.1e}): formed W, which is not symmetric either"
    elif off > ROUNDED:
        M, note = 0.5 * (M + M.T), "M symmetric to its six digits: took the mean with M^T"
    mass = SparseMass(M) if unsymmetric else mass_matrix(M)
    columns = H if G is None else sp.hstack([H, G])
    offset = w if b is None else np.concatenate([w, b])
    form = BodyForm(
        mass,
        sparse_matrix("H", columns.T),
        bounded_array("M^-1 f", mass.solve(bounded_array("f", f))),
        bounded_array("w", offset),
    )
    extra = 0 if b is None else len(b)
    return _problem(form.delassus if unsymmetric else form, cone, rows, extra), note


def local_problem(
    W: sp.csr_matrix, q: FloatArray, cone: FrictionCone, rows: int, extra: int = 0
) -> ContactProblem:
    """u = W r + q, exact law; the last `extra` rows are bilateral."""
    form = DelassusForm(sparse_matrix("W", W), bounded_array("q", q))
    return _problem(form, cone, rows, extra)


def _problem(
    form: BodyForm | DelassusForm, cone: FrictionCone, rows: int, extra: int
) -> ContactProblem:
    bounds = np.tile([-np.inf, np.inf], (extra, 1))
    return ContactProblem._checked(form, cone, "exact", rows, bounds, 0.0)


def _whole(M: sp.csr_matrix) -> tuple[sp.csr_matrix, str]:
    """M with the other triangle, if it has entries on one side of its diagonal only."""
    M.eliminate_zeros()  # entries that only fill up would hide the blocks of the bodies
    lower, upper = sp.tril(M, -1), sp.triu(M, 1)
    if bool(lower.nnz) == bool(upper.nnz):
        return M, ""
    return M + (lower + upper).T, f"{'lower' if lower.nnz else 'upper'} triangle of M, mirrored"
