"""The problem of a step as an object, for solvers that are not compiled into it."""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.problem.contact_problem import ContactProblem, Law
from rollcone.stepping import _problem_kernels


def pair_problem(
    movers: IntArray,
    frames: FloatArray,
    arms: FloatArray,
    b: FloatArray,
    radii: FloatArray,
    inverse: FloatArray,
    v_free: FloatArray,
    w_free: FloatArray,
    law: Law = "exact",
) -> ContactProblem:
    """Of the arrays of _work.py, cut to the contacts in use, and radii (c, 5); it has arrays of its
    own, but for b and radii."""
    n, (c, rows) = len(inverse), b.shape
    movers = movers.astype(np.int64)
    factor, z = np.empty((n, 6, 6)), np.empty((n, 6))
    _problem_kernels.body_factors(inverse, v_free, w_free, factor, z)
    blocks = np.empty((c, 2, 6, rows))
    _problem_kernels.contact_blocks((0,) * rows, movers, frames, arms, factor, blocks)
    return ContactProblem.from_pairs(blocks, movers, factor, z, b, radii, law)
