"""Linear programs over friction cones:

    minimise cost.r + gain.h   subject to   K r + L h = right,   r in F,   h_j >= 0 for j in signed

Its multipliers x prove a lower bound: cost - K^T x is in F*, and gain - L^T x is zero, or >= 0 for
signed h. Boxes and intervals make a linear program, for HiGHS; discs one of second order, for
Clarabel. Both answers are only a beginning: whoever uses them checks what they prove.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.linalg import block_diag
from scipy.optimize import linprog

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.force_cone import ForceCone
from rollcone.solvers.conic_form import clarabel_settings, import_clarabel

_TOLERANCE = 1e-12  # asked of Clarabel, which gives what it can
_FEASIBLE = 1e-10  # the least that HiGHS takes


class Program(NamedTuple):
    """The data; r is (c d,), the scaled forces of all rows."""

    cone: ForceCone
    cost: FloatArray
    K: FloatArray
    gain: FloatArray
    L: FloatArray
    right: FloatArray
    signed: tuple[int, ...]


class Answer(NamedTuple):
    r: FloatArray
    h: FloatArray
    x: FloatArray


def solve_program(program: Program) -> Answer:
    """r, h and x; zeros, which prove nothing, where the solver has no answer."""
    linear, second, sizes = _cone_rows(program.cone)
    size, more = len(program.cost), len(program.gain)
    at_least = block_diag(linear, np.eye(more)[list(program.signed)].reshape(-1, more))
    second = np.hstack([second, np.zeros((len(second), more))])
    equal = np.hstack([program.K, program.L])
    cost = np.concatenate([program.cost, program.gain])
    used = np.concatenate([program.cone.carries.ravel() > 0.0, np.ones(more, dtype=bool)])
    z = np.zeros(size + more)
    parts = (cost[used], equal[:, used], program.right, at_least[:, used])
    if sizes:
        z[used], x = _by_clarabel(*parts, second[:, used], sizes)
    else:
        z[used], x = _by_highs(*parts)
    return Answer(z[:size], z[size:], x)


def _cone_rows(cone: ForceCone) -> tuple[FloatArray, FloatArray, list[int]]:
    """Rows of r that are >= 0, those of second-order cones, and the sizes of these."""
    c, d = cone.against.shape
    linear: list[FloatArray] = []
    second: list[FloatArray] = []
    sizes: list[int] = []
    unit = np.eye(c * d)
    for i in range(c):
        normal = unit[i * d]
        linear.append(normal)
        for k, own in enumerate(cone.blocks):
            radius = cone.radius[i, k]
            if radius == 0.0:
                continue
            parts = unit[[i * d + row for row in own]]
            if cone.box or len(own) == 1:
                linear += [radius * normal + sign * part for part in parts for sign in (1.0, -1.0)]
            else:
                second += [radius * normal, *parts]
                sizes.append(1 + len(own))
            if cone.against[i, list(own)].any():
                linear.append(-cone.against[i, list(own)] @ parts)
    one, other = (np.array(part).reshape(len(part), c * d) for part in (linear, second))
    return one, other, sizes


def _by_highs(
    cost: FloatArray, equal: FloatArray, right: FloatArray, at_least: FloatArray
) -> tuple[FloatArray, FloatArray]:
    found = linprog(
        cost,
        A_ub=-sp.csr_matrix(at_least),
        b_ub=np.zeros(len(at_least)),
        A_eq=sp.csr_matrix(equal),
        b_eq=right,
        bounds=(None, None),
        method="highs",
        options={
            "primal_feasibility_tolerance": _FEASIBLE,
            "dual_feasibility_tolerance": _FEASIBLE,
        },
    )
    if found.x is None:
        return np.zeros(len(cost)), np.zeros(len(right))
    return np.asarray(found.x), np.asarray(found.eqlin.marginals)


def _by_clarabel(
    cost: FloatArray,
    equal: FloatArray,
    right: FloatArray,
    at_least: FloatArray,
    second: FloatArray,
    sizes: list[int],
) -> tuple[FloatArray, FloatArray]:
    clarabel = import_clarabel("a condition over friction cones")
    settings = clarabel_settings(clarabel, _TOLERANCE)
    A = sp.csc_matrix(np.vstack([equal, -at_least, -second]))
    b = np.concatenate([right, np.zeros(len(at_least) + len(second))])
    cones = [clarabel.ZeroConeT(len(right)), clarabel.NonnegativeConeT(len(at_least))]
    cones += [clarabel.SecondOrderConeT(size) for size in sizes]
    P = sp.csc_matrix((len(cost), len(cost)))
    answer = clarabel.DefaultSolver(P, cost, A, b, cones, settings).solve()
    z, x = np.nan_to_num(answer.x), np.nan_to_num(answer.z)
    return z, -x[: len(right)]
