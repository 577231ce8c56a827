"""The all-rolling problem as a quasi-variational inequality (Pang and Trinkle 1996, section 4).

Given friction forces p_t, normal forces in SOL(p_t) solve the LCP of (37), and F(p_t) are the
tangential accelerations then: find p_t in K(p_t), |p_block| <= radius p_n, with
F(p_t) . (p_t' - p_t) >= 0 for all p_t' in K(p_t): Theorem 3.

With the discs of K frozen at limits L, this is a variational inequality, and that a convex program,

    min 1/2 p.A p + b.p,   p_n >= 0,   |p_block| <= L.

Proof: its minimum over p_n at fixed p_t is attained where p_n is in SOL(p_t), and by the envelope
theorem the derivative of that minimum with respect to p_t is A_tn p_n + A_tt p_t + b_t = F(p_t), A
being symmetric; so F(p_t) . (p_t' - p_t) >= 0 over the discs is its condition of the optimum.

A damped fixed point on the limits, L <- radius p_n, is a fixed point on K. It need not converge
(large friction, jammed contacts); the error of the QVI itself tells.
"""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.conic import ConicProgram
from rollcone.analysis.acceleration.mode_newton import ModeWatch
from rollcone.analysis.acceleration.scaled import Scaled
from rollcone.errors import InputError

_OUTER = 60
_STEADY = 4  # outer steps without a change of modes after which these are tried
_CLOSE = 1e-9  # of the error of the QVI: Clarabel gives no more


def solve_qvi(form: Scaled, x: FloatArray) -> FloatArray:
    """Forces, from discs as large as the normal forces of x make them."""
    problem = form.reduced.problem
    if not problem.all_rest:
        moving = np.argwhere(problem.moves & (problem.friction > 0.0))[0]
        raise InputError(
            f"velocity[{moving[0]}]: contact {moving[0]} moves with friction; the QVI is that of "
            "the all-rolling problem, where no block with friction does"
        )
    program = _frozen(form)
    limits = form.limits(x)
    watch = ModeWatch(form, x, _STEADY)
    damping, before = 1.0, np.inf
    for _ in range(_OUTER):
        found = _solve_frozen(form, program, limits)
        if found is None:
            break
        close = form.error(found) < _CLOSE
        if watch.look(found, now=close) or close:
            break
        change = form.limits(found) - limits
        size = float(np.abs(change).max(initial=0.0))
        if size > 0.7 * before:  # too long a step circles
            damping = max(0.7 * damping, 0.1)
        before = size
        limits = limits + damping * change
    return watch.best


def _frozen(form: Scaled) -> ConicProgram:
    """Rows: p_n >= 0, then (L, p_block)."""
    n, k = form.size, len(form.pairs)
    full = np.vstack([np.eye(n), np.zeros((1, n))])
    discs = np.zeros((k, 3, n))
    discs[:, 1:] = full[form.pairs]
    G = np.concatenate([full[form.normals], discs.reshape(3 * k, n)])
    return ConicProgram(0.5 * (form.A + form.A.T), form.b, G, len(form.normals))


def _solve_frozen(form: Scaled, program: ConicProgram, limits: FloatArray) -> FloatArray | None:
    h = np.zeros((len(limits), 3))
    h[:, 0] = np.maximum(limits, 0.0)
    return program.solve(np.concatenate([np.zeros(len(form.normals)), h.ravel()]))
