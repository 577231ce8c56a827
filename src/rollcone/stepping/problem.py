"""The problem of a step as an object, for solvers that are not compiled into it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone.laws.cone import FrictionCone
from rollcone.problem.bodies import BodyForm, Pairs
from rollcone.problem.contact_problem import ContactProblem, Law, Lines
from rollcone.stepping.kernels import problem as _problem_kernels


class JointRows(NamedTuple):
    """Rows of joints, each on up to four bodies: G (m, 4, 6) of their velocities in world axes,
    bodies (m, 4), b (m,), bounds (m, 2), compliance (m,). A missing body has the number n."""

    G: FloatArray
    bodies: IntArray
    b: FloatArray
    bounds: FloatArray
    compliance: FloatArray


def pair_problem(
    movers: NDArray[np.int32],
    frames: FloatArray,
    arms: FloatArray,
    b: FloatArray,
    radii: FloatArray,
    inverse: FloatArray,
    v_free: FloatArray,
    w_free: FloatArray,
    law: Law = "exact",
    soft: FloatArray | None = None,
    joints: JointRows | None = None,
    kinds: IntArray | None = None,
) -> ContactProblem:
    """Return the problem of the arrays of kernels/work.py, cut to the contacts in use, and radii
    (c, 5); it has arrays of its own, but for b and radii. `soft` (c, 4) begins with the compliance
    of normal and sliding rows; `kinds` (c, 2) are those of sets, None for discs."""
    n, (c, rows) = len(inverse), b.shape
    touching = movers.astype(np.int64)
    factor, z = np.empty((n, 6, 6)), np.empty((n, 6))
    _problem_kernels.body_factors(inverse, v_free, w_free, factor, z)
    blocks = np.empty((c, 2, 6, rows))
    _problem_kernels.contact_blocks(rows, touching, frames, arms, factor, blocks)
    compliance = None
    if soft is not None:
        compliance = np.zeros((c, rows))
        compliance[:, :3] = soft[:, [0, 1, 1]]
    if joints is None:
        made = ContactProblem.from_pairs(
            blocks, touching, factor, z, b, radii, law, None, compliance
        )
        return _with_sets(made, kinds)
    m = len(joints.b)
    pairs = Pairs(np.empty((m, 2, 6, 1)), np.empty((m, 2), dtype=np.int64))
    two = _problem_kernels.row_blocks(
        joints.G, joints.bodies, factor, pairs.bodies, pairs.blocks.reshape(m, 2, 6)
    )
    lines = Lines(pairs, joints.b, joints.bounds, joints.compliance)
    made = ContactProblem.from_pairs(blocks, touching, factor, z, b, radii, law, lines, compliance)
    made = _with_sets(made, kinds)
    return made if two else replace(made, form=_with_rows(made, joints, n))


def _with_sets(made: ContactProblem, kinds: IntArray | None) -> ContactProblem:
    """The same with sets of these kinds."""
    if kinds is None:
        return made
    return replace(made, cone=FrictionCone.from_arrays(kinds, made.cone.radii))


def _with_rows(made: ContactProblem, joints: JointRows, n: int) -> BodyForm:
    """The form with rows that join more than two bodies, as gears may: none that come in pairs."""
    form = made.form
    assert isinstance(form, BodyForm)
    row, side = np.nonzero(joints.bodies < n)
    columns = 6 * joints.bodies[row, side][:, None] + np.arange(6)
    entries = (joints.G[row, side].reshape(-1), (np.repeat(row, 6), columns.reshape(-1)))
    own = scipy.sparse.csr_matrix(entries, shape=(len(joints.b), 6 * n))
    contacts = form.H[: form.H.shape[0] - len(joints.b)]
    H = scipy.sparse.vstack([contacts, own], format="csr")
    return BodyForm(form.mass, H, form.v_free, form.b)
