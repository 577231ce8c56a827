"""The independent check: Clarabel's interior point on the problem in velocities.

    minimise  1/2 (v - v_free)^T M (v - v_free)   subject to   H v + b + s n in K*

as the conic program of conic_form.py, whose dual variables are the reactions. For the
associated law s = 0: one solve. The exact law is a fixed point on the shift, s <- S(y) of
the last solve; one solve is one iteration, and Anderson's extrapolation over the last few
shifts says where to do the next. Where that gets stuck its memory is halved, down to the
plain fixed point, which may not converge either (on heaps at rest it does not): `stalled`
then says so.

Clarabel leaves a residual near 1e-8. Newton's method on the conditions of the optimum,

    P X + c = G^T z,   z = proj(z - G X - g),

proj on the dual cones, takes it to rounding in two or three steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from rollcone._check import FloatArray, whole_number
from rollcone.problem.contact_problem import ContactProblem
from rollcone.solvers.conic_form import ConicForm, clarabel_settings, import_clarabel

_TOLERANCE = 1e-12  # Clarabel's; it seldom does better
_DAMPING = 1e-7  # keeps Newton's matrix regular where reactions are not unique
_ROUNDING = 1e-14  # Newton stops at this error, times the root of the number of rows
_PATIENCE = 15  # solves without a smaller change of the shift before memory is cut
_WORDS = {
    "PrimalInfeasible": "no velocities meet all contacts and rows",
    "AlmostPrimalInfeasible": "hardly any velocities meet all contacts and rows",
    "DualInfeasible": "the problem is unbounded",
    "AlmostDualInfeasible": "the problem is nearly unbounded",
}
_NO_VELOCITIES = ("PrimalInfeasible", "AlmostPrimalInfeasible")


@dataclass(frozen=True)
class ReferenceOptions:
    """refinements: Newton steps after each solve, at most. memory: how many shifts the
    extrapolation of the exact law looks back on at first, 0 for the plain fixed point."""

    refinements: int = 12
    memory: int = 8

    def __post_init__(self) -> None:
        for name in ("refinements", "memory"):
            object.__setattr__(self, name, whole_number(name, getattr(self, name)))


class Reference:
    """The method for the driver; see registry.py for what it must offer."""

    def __init__(self, problem: ContactProblem, options: ReferenceOptions) -> None:
        self.stalled = ""
        self._problem, self._options = problem, options
        self._clarabel = import_clarabel("solver 'reference'")
        self._form = ConicForm(problem)
        self._solver: Any = None
        self._p = np.zeros(problem.size)
        self._shift = np.zeros(problem.contacts)
        self._memory = options.memory
        self._past: list[tuple[FloatArray, FloatArray]] = []  # shifts, and what they changed by
        self._waited, self._least_change = 0, np.inf

    def start(self, p: FloatArray) -> None:
        """p serves for the first shift alone."""
        self._p = p
        if self._problem.law == "exact":
            y = self._problem.velocities(p) + self._problem.compliance * p
            self._shift = self._shift_at(y)

    @np.errstate(over="ignore", invalid="ignore")
    def advance(self, count: int, tolerance: float) -> int:
        """One solve, however many are asked for."""
        g = self._form.offset(self._shift)
        status, X, z = self._solve(g)
        if status in _WORDS or not (np.isfinite(X).all() and np.isfinite(z).all()):
            law = "" if self._problem.law == "associated" else "under the associated law "
            words = _WORDS.get(status, "there is no finite answer")
            self.stalled = f"Clarabel ended with {status}: {law}{words}"
            if status in _NO_VELOCITIES and np.isfinite(z).all():
                self._p = self._form.reactions(z)  # the way they grow: the driver looks for a proof
            return 1
        X, z = _refine(self._form, g, X, z, self._options.refinements)
        self._p = self._form.reactions(z)
        if self._problem.law == "associated":
            self.stalled = f"Clarabel ended with {status}; one solve is all that this law asks for"
        else:
            self._next_shift(self._shift_at(self._form.velocities(X)), status)
        return 1

    def reactions(self) -> FloatArray:
        return self._p

    def _solve(self, g: FloatArray) -> tuple[str, FloatArray, FloatArray]:
        """Clarabel's status, X and z; its own form is A X + s = b, s in the cones."""
        if self._solver is None:
            self._solver = self._make_solver(g)
        else:
            self._solver.update(b=g)
        answer = self._solver.solve()
        return str(answer.status), np.array(answer.x), np.array(answer.z)

    def _make_solver(self, g: FloatArray) -> Any:
        clarabel, form = self._clarabel, self._form
        settings = clarabel_settings(clarabel, _TOLERANCE, updates=True)
        settings.static_regularization_constant = 1e-7  # with 1e-8 it ends early on dense data
        equal, linear, second = form.sizes
        cones = [clarabel.ZeroConeT(equal), clarabel.NonnegativeConeT(linear)]
        cones += [clarabel.SecondOrderConeT(3)] * (second // 3)
        upper = sp.csc_matrix(sp.triu(form.P))
        return clarabel.DefaultSolver(upper, form.c, -form.G, g, cones, settings)

    def _shift_at(self, y: FloatArray) -> FloatArray:
        """S of every contact (n,), y with compliance."""
        contacts = self._problem.split(y)[0]
        return self._problem.cone.shift(contacts) if len(contacts) else np.zeros(0)

    def _next_shift(self, new: FloatArray, status: str) -> None:
        """Where to solve next, after the solve at `self._shift` gave the shift `new`."""
        change = new - self._shift
        size = float(np.linalg.norm(change))
        self._waited = 0 if size < 0.9 * self._least_change else self._waited + 1
        self._least_change = min(self._least_change, size)
        self._past = [*self._past, (self._shift, change)][-1 - self._memory :]
        self._shift = new
        if self._waited == _PATIENCE:
            self._forget(status)
        elif len(self._past) > 1:
            steps = np.diff([shift for shift, _ in self._past], axis=0).T
            turns = np.diff([change for _, change in self._past], axis=0).T
            weights = np.linalg.lstsq(turns, change, rcond=1e-10)[0]
            self._shift = np.maximum(new - (steps + turns) @ weights, 0.0)

    def _forget(self, status: str) -> None:
        """Go on with half the memory, or give up if there is none left."""
        if self._memory == 0:
            self.stalled = (
                "the fixed point on the shift no longer converges: "
                f"its change stays near {self._least_change:.1e} m/s, Clarabel ended with {status}"
            )
        self._memory //= 2
        self._past, self._waited, self._least_change = [], 0, np.inf


def _refine(
    form: ConicForm, g: FloatArray, X: FloatArray, z: FloatArray, steps: int
) -> tuple[FloatArray, FloatArray]:
    """Newton's method on P X + c = G^T z, z = proj(z - G X - g); the best (X, z) seen."""
    P, G, m = form.P, form.G, len(z)
    best, least = (X, z), np.inf
    damped = P + _DAMPING * sp.eye(len(X))
    for step in range(steps + 1):
        nearest, D = _project(form.sizes, z - G @ X - g)
        wrong = np.concatenate([P @ X + form.c - G.T @ z, z - nearest])
        size = float(np.linalg.norm(wrong))
        stuck = size > 0.5 * least and least < 1e-10
        if size < least:
            best, least = (X, z), size
        if stuck or step == steps or not _ROUNDING * np.sqrt(m) < size < np.inf:
            break
        matrix = sp.bmat([[damped, -G.T], [D @ G, (1.0 + _DAMPING) * sp.eye(m) - D]], "csc")
        try:
            change = splu(matrix).solve(wrong)
        except RuntimeError:  # singular in spite of the damping
            break
        X, z = X - change[: len(X)], z - change[len(X) :]
    return best


def _project(sizes: list[int], v: FloatArray) -> tuple[FloatArray, sp.csr_matrix]:
    """The nearest point of the dual cones to v, and a derivative of it."""
    equal, linear, second = sizes
    out = v.copy()
    flat = out[equal : equal + linear]
    slopes = np.concatenate([np.ones(equal), flat > 0])
    np.maximum(flat, 0.0, out=flat)
    points = out[equal + linear :].reshape(-1, 3)
    t, length = points[:, 0].copy(), np.hypot(points[:, 1], points[:, 2])
    unit = points[:, 1:] / np.where(length > 0, length, 1.0)[:, None]
    D = np.zeros((len(points), 3, 3))
    D[t >= length] = np.eye(3)
    points[t <= -length] = 0.0
    on = np.flatnonzero(np.abs(t) < length)
    half, unit, ratio = 0.5 * (t + length)[on], unit[on], (t[on] / length[on])[:, None, None]
    points[on] = half[:, None] * np.column_stack([np.ones(len(on)), unit])
    D[on, 0, 0] = 0.5
    D[on, 0, 1:] = D[on, 1:, 0] = 0.5 * unit
    outer = unit[:, :, None] * unit[:, None, :]
    D[on, 1:, 1:] = 0.5 * ((1.0 + ratio) * np.eye(2) - ratio * outer)
    places = np.arange(len(points) + 1)
    blocks = sp.bsr_matrix((D, places[:-1], places), (second, second))
    return out, sp.csr_matrix(sp.block_diag([sp.diags(slopes), blocks]))
