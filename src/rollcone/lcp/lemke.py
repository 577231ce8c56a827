"""Lemke's complementary pivoting with the lexicographic rule (Cottle, Pang and Stone, 4.4 and 4.9).

    w = q + M z + c z0,  c > 0: z0 enters so that w >= 0, then always the complement of what left,
    until z0 leaves (solved) or nothing does (a ray).

Of several variables that reach zero at once the lexicographically first leaves, as if q were
q + (e, e^2, e^3, ...) with an infinitely small e: no basis comes back. Bounds and free variables
go by plain_form.py. Rows and columns are scaled first to largest entries of 1, so that tolerances
are relative. The tableau is a dense one, computed anew from its basis after every hundred pivots,
and at the end z from a fresh factor of the original M. Where rounding spoils the answer, the
method begins again with another c.

A ray proves that there is no solution if its direction is a certificate (ray.py), as it is for
copositive-plus M, positive semidefinite ones among them. Otherwise it proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from rollcone._check import FloatArray, IntArray
from rollcone.lcp.factor import SingularBasisError
from rollcone.lcp.kernels import lemke as kernels
from rollcone.lcp.plain_form import PlainForm, plain_form
from rollcone.lcp.problem import MLCP
from rollcone.lcp.ray import Ray, as_certificate, violation
from rollcone.lcp.registry import Start
from rollcone.lcp.solution import LcpStatus, Outcome, StateArray
from rollcone.lcp.states import basic_solution, fitting

_ATTEMPTS = 4
_BETWEEN_REFRESHES = 100  # pivots
_LEAST_PIVOT = 1e-10  # of the largest entry of the column
_SLACK = 1e-11  # of a basic variable; data have the size 1
_STABLE = 1e-6  # of the largest pivot among ties


@dataclass(frozen=True)
class LemkeOptions:
    """Nothing to choose."""


def run(
    problem: MLCP, options: LemkeOptions, start: Start, tolerance: float, limit: int
) -> Outcome:
    if start[1] is not None:
        outcome = _same_basis(problem, fitting(problem, start[1]))
        if outcome is not None and problem.residual(outcome.z) <= tolerance:
            return outcome
    form = plain_form(problem)
    pivots = factorisations = 0
    best, least = Outcome(np.clip(0.0, problem.lower, problem.upper)), np.inf
    for attempt in range(_ATTEMPTS):
        tableau = Tableau(form.problem, attempt)
        code = tableau.run(limit - pivots)
        pivots += tableau.pivots
        outcome = _outcome(problem, form, tableau, code)
        factorisations += tableau.refreshes + outcome.factorisations
        outcome.iterations, outcome.factorisations = pivots, factorisations
        if code == kernels.RAY and outcome.ray is not None and outcome.ray.verified:
            return outcome
        residual = problem.residual(outcome.z) if np.isfinite(outcome.z).all() else np.inf
        if residual <= tolerance or code == kernels.GO_ON:
            return outcome
        if residual < least or attempt == 0:
            best, least = outcome, residual
    best.iterations, best.factorisations = pivots, factorisations
    return best


class Tableau:
    """x_B = b + T x_N for the scaled plain problem."""

    def __init__(self, problem: MLCP, attempt: int) -> None:
        M = problem.M.toarray() if problem.is_sparse else problem.M
        n = self.n = problem.size
        self.row_scale, self.column_scale = equilibrated(M)
        self.M = self.row_scale[:, None] * M * self.column_scale
        q = self.row_scale * problem.q
        self.unit = float(np.abs(q).max(initial=0.0)) or 1.0
        self.q = q / self.unit
        self.cover = np.ones(n)
        if attempt:
            self.cover += np.random.default_rng(attempt).random(n)
        self.basic = np.arange(n)
        self.nonbasic = np.arange(n, 2 * n + 1)
        self.where = np.concatenate([np.arange(n), -1 - np.arange(n + 1)])
        self.T = np.ascontiguousarray(np.column_stack([self.M, self.cover]))
        self.b = self.q.copy()
        self.position = np.zeros(2, dtype=np.int64)  # entering column, pivots
        self.refreshes = 0

    @property
    def pivots(self) -> int:
        return int(self.position[1])

    def run(self, limit: int) -> int:
        """SOLVED, RAY or GO_ON (the limit is reached)."""
        if self.q.min(initial=0.0) >= 0.0:
            return kernels.SOLVED
        if limit < 1:
            return kernels.GO_ON
        self._begin()
        fresh = False
        while True:
            most = min(_BETWEEN_REFRESHES, limit - self.pivots)
            before = self.pivots
            code: int = kernels.pivots(
                self.T, self.b, self.basic, self.nonbasic, self.where, self.position,
                most, _LEAST_PIVOT, _SLACK, _STABLE,
            )  # fmt: skip
            if code == kernels.SOLVED or self.pivots >= limit:
                return code
            if code == kernels.RAY and (fresh and self.pivots == before):
                return code
            fresh = self._refresh()
            if not fresh:
                return code

    def _begin(self) -> None:
        """z0 enters; what leaves is lexicographically last among the most negative of q / c."""
        ratio = self.q / self.cover
        row = int(np.flatnonzero(ratio <= ratio.min() + _SLACK)[-1])
        kernels.exchange(self.T, self.b, self.basic, self.nonbasic, self.where, row, self.n)
        self.position[:] = (row, 1)  # z_row enters: it stands in the column `row`

    def _columns(self, variables: IntArray) -> FloatArray:
        """Of I w - M z - c z0 = q."""
        whole = np.empty((self.n, variables.size))
        n = self.n
        w, z = variables < n, (variables >= n) & (variables < 2 * n)
        whole[:, w] = 0.0
        whole[variables[w], np.flatnonzero(w)] = 1.0
        whole[:, z] = -self.M[:, variables[z] - n]
        whole[:, variables == 2 * n] = -self.cover[:, None]
        return whole

    def _refresh(self) -> bool:
        """T and b from the basis itself; False (and nothing changed) if it is singular."""
        self.refreshes += 1
        right = np.column_stack([self._columns(self.nonbasic), self.q])
        answer, info = lapack.dgesv(self._columns(self.basic), right)[2:]
        if info != 0 or not np.isfinite(answer).all():
            return False
        self.T[:] = -answer[:, :-1]
        self.b[:] = answer[:, -1]
        return True

    def values(self, basic: FloatArray) -> tuple[FloatArray, float]:
        """z of the plain problem and z0, from numbers for the basic variables."""
        whole = np.zeros(2 * self.n + 1)
        whole[self.basic] = basic
        z = self.column_scale * whole[self.n : 2 * self.n] * self.unit
        return z, float(whole[2 * self.n]) * self.unit

    def ray(self, problem: MLCP) -> Ray:
        """Where the entering variable grows without end."""
        column = int(self.position[0])
        z, height = self.values(np.maximum(self.b, 0.0))
        grow = self.T[:, column].copy()
        grow[np.abs(grow) <= _LEAST_PIVOT * max(1.0, np.abs(grow).max())] = 0.0
        direction, climb = self.values(grow)
        entering = int(self.nonbasic[column])
        if entering >= self.n:
            direction[entering - self.n] = self.column_scale[entering - self.n] * self.unit
        largest = np.abs(direction).max(initial=0.0) or 1.0
        found = Ray(z, direction / largest, height, climb / largest, 0.0)
        missed = violation(problem, self.cover / self.row_scale, found)
        return Ray(z, found.direction, height, found.climb, missed)


def equilibrated(M: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Scales of rows and columns that make their largest entries 1 (Ruiz 2001)."""
    rows, columns = np.ones(M.shape[0]), np.ones(M.shape[0])
    absolute = np.abs(M)
    for _ in range(8):
        across = absolute.max(axis=1, initial=0.0)
        down = absolute.max(axis=0, initial=0.0)
        r = 1.0 / np.sqrt(np.where(across > 0.0, across, 1.0))
        c = 1.0 / np.sqrt(np.where(down > 0.0, down, 1.0))
        rows, columns = rows * r, columns * c
        absolute = r[:, None] * absolute * c
    return rows, columns


def _outcome(problem: MLCP, form: PlainForm, tableau: Tableau, code: int) -> Outcome:
    if code == kernels.RAY:
        return _ray_outcome(problem, form, tableau)
    n = tableau.n
    x, _ = tableau.values(np.maximum(tableau.b, 0.0))
    z = form.back(x)
    if code == kernels.GO_ON:
        return Outcome(z, LcpStatus.MAX_ITERATIONS)
    basic = (tableau.where[n : 2 * n] >= 0).astype(np.int64)
    state = form.basis(basic)
    fresh = _same_basis(problem, state)
    if fresh is not None and problem.residual(fresh.z) <= problem.residual(z):
        return fresh
    return Outcome(z, basis=state)


def _ray_outcome(problem: MLCP, form: PlainForm, tableau: Tableau) -> Outcome:
    """The ray in the variables of the problem, and the certificate that it may be."""
    ray = tableau.ray(form.problem)
    z = form.back(ray.z)
    told = Ray(z, form.direction(ray.direction), ray.height, ray.climb, ray.violation)
    d = form.certificate(ray.direction)
    if as_certificate(problem, d) is not None:
        note = "a certificate proves it: d with d.w < 0 for every z within the bounds"
    else:
        note = "its direction is no certificate"
    return Outcome(z, LcpStatus.RAY, note=note, ray=told, certificate=d)


def _same_basis(problem: MLCP, state: StateArray) -> Outcome | None:
    """The basic solution of these states, if it is one."""
    try:
        return Outcome(basic_solution(problem, state), factorisations=1, basis=state)
    except SingularBasisError:
        return None
