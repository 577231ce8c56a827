"""Can all contacts be opened at once? A conic program, with a proof for either answer.

In the numbers of `problem/rigid_part.py`, e being 1 in normal and unilateral rows,

    maximise t   subject to   B x - t e in K*,   B x = 0 in bilateral rows,   |x_b| <= 1

for every body b. Its dual, K being free in bilateral rows,

    minimise sum_b |(B^T s)_b|   subject to   s in K,   e.s = 1

has the same optimum t*, and both have interior points, so both reach it. If t* > 0 then x
opens all contacts; if t* = 0 then s is a self-stress. The Delassus form has

    minimise 1/2 s.B s   subject to   s in K,   e.s = 1

instead: at its optimum B s - (s.B s) e is in K*, so x = s opens all contacts unless s.B s = 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rollcone._check import FloatArray
from rollcone.problem.rigid_part import RigidPart
from rollcone.solvers.balance import Balance, without_weak
from rollcone.solvers.conic_form import ConicForm, clarabel_settings, import_clarabel

_TOLERANCE = 1e-12  # Clarabel's; it ends near 1e-9
_ROUNDS, _PATIENCE = 200, 5  # of balancing; so many that gain less than a tenth end it
_CUTS = (1e-8, 1e-4)  # contacts with less than this share of the largest force drop out


def widest_opening(part: RigidPart) -> tuple[FloatArray, FloatArray]:
    """x and s of the programs, to about 1e-9; s is in the cones to rounding."""
    program = _by_reactions if part.T is None else _by_velocities
    x, s = program(part, _cone_rows(part))
    return x, part.project(s)


def purified_stress(part: RigidPart, s: FloatArray) -> FloatArray:
    """s with B^T s = 0 to rounding, if there is one near it, and without the contacts that only
    seem to carry something: as few as can be, at up to ten times the imbalance of the best."""
    trials = [_balanced(part, s)]
    trials += [_balanced(part, without_weak(part, trials[0][0], cut)) for cut in _CUTS]
    least = min(imbalance for _, imbalance in trials)
    return next(trial for trial, imbalance in reversed(trials) if imbalance <= 10.0 * least)


def _balanced(part: RigidPart, s: FloatArray) -> tuple[FloatArray, float]:
    """Smallest changes towards B^T s = 0 and projections on the cones, in turn; with the
    imbalance that is left."""
    best, least = s, part.imbalance(s)
    balance = Balance(part, s)
    mark, waited = least, 0
    for _ in range(_ROUNDS):
        s = part.project(balance(s))
        found = part.imbalance(s)
        best, least = (s, found) if found < least else (best, least)
        mark, waited = (least, 0) if least < 0.9 * mark else (mark, waited + 1)
        if waited == _PATIENCE:
            break
    return best, least


class _ConeRows(NamedTuple):
    """K* as E y + T a in cones of three kinds, equal, linear, second-order, a being auxiliary;
    K as E^T z with z in the dual ones and T^T z = 0; g = -E e."""

    E: Any
    T: Any
    g: FloatArray
    sizes: list[int]


def _cone_rows(part: RigidPart) -> _ConeRows:
    form, size = ConicForm(part.bare), part.bare.size
    g = form.offset(np.zeros(part.bare.contacts))
    return _ConeRows(form.G[:, :size], form.G[:, size:], g, form.sizes)


def _by_velocities(part: RigidPart, rows: _ConeRows) -> tuple[FloatArray, FloatArray]:
    """x and s, from E B x + T a + g t in the cones and (1, x_b) in second-order ones."""
    dofs, size = part.B.shape[1], part.body_size
    bodies = dofs // size
    ones = (size + 1) * np.arange(bodies)
    of_x = (ones[:, None] + 1 + np.arange(size)).reshape(-1)
    speeds = sp.csc_matrix((np.ones(dofs), (of_x, np.arange(dofs))), (bodies * (size + 1), dofs))
    A = sp.bmat([[rows.E @ part.B, rows.T, rows.g[:, None]], [speeds, None, None]], "csc")
    A.eliminate_zeros()
    b = np.zeros(A.shape[0])
    b[len(rows.g) + ones] = 1.0
    cost = np.zeros(A.shape[1])
    cost[-1] = -1.0
    X, z = _solve(sp.csc_matrix(A.shape[1:] * 2), cost, -A, b, rows.sizes, [size + 1] * bodies)
    return X[:dofs], np.asarray(rows.E.T @ z[: len(rows.g)])


def _by_reactions(part: RigidPart, rows: _ConeRows) -> tuple[FloatArray, FloatArray]:
    """s, for x and for s, from z in the dual cones with T^T z = 0 and -g.z = e.s = 1."""
    equal, linear, second = rows.sizes
    m, auxiliary = rows.T.shape
    A = sp.vstack([rows.T.T, -rows.g[None], -sp.eye(m, format="csr")[equal:]], "csc")
    b = np.zeros(A.shape[0])
    b[auxiliary] = 1.0
    P = sp.csc_matrix(sp.triu(rows.E @ part.B @ rows.E.T))
    z, _ = _solve(P, np.zeros(m), A, b, [auxiliary + 1, linear, second], [])
    s = np.asarray(rows.E.T @ z)
    return s, s


def _solve(
    P: Any, cost: FloatArray, A: Any, b: FloatArray, sizes: list[int], more: list[int]
) -> tuple[FloatArray, FloatArray]:
    """Clarabel's primal and dual variables: minimise 1/2 x.P x + cost.x, b - A x in the cones, of
    which `more` are second-order. What is not finite becomes zero, which proves nothing."""
    clarabel = import_clarabel("is_pointed")
    settings = clarabel_settings(clarabel, _TOLERANCE)
    equal, linear, second = sizes
    cones = [clarabel.ZeroConeT(equal), clarabel.NonnegativeConeT(linear)]
    cones += [clarabel.SecondOrderConeT(size) for size in [3] * (second // 3) + more]
    answer = clarabel.DefaultSolver(P, cost, A, b, cones, settings).solve()
    return np.nan_to_num(answer.x), np.nan_to_num(answer.z)
