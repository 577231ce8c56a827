"""Block principal pivoting for bounds (Judice and Pires 1994), with proximal points.

The variables are at their lower bound (L), at their upper bound (U) or in between (F), where
M_FF z_F = -(q + M_L lower + M_U upper)_F. All that come out on the wrong side change sets at once:

    z_i < lower: F -> L,   z_i > upper: F -> U,   w_i < 0: L -> F,   w_i > 0: U -> F.

If `tries` times the number of those has not fallen below the least so far, only the one with the
greatest index changes (Murty's rule, which is finite for P matrices), until it has.

The sets to begin with are those of some sweeps of projected Gauss-Seidel (sets_by_sweeps.py). Where
many come out on the wrong side, or not fewer than before, more sweeps come first: contacts that
are redundant, or nearly, make block changes go round in circles unless they begin close to the
solution, and single ones take thousands.

Where a basis is singular, or pivots get nowhere, the solution is sought by proximal points (unless
they are never wanted): z_k+1 solves the problem with M + eps D and q - eps D z_k, D = diag(m),
z_0 = 0. For monotone problems this converges if there is a solution (Rockafellar 1976); a symmetric
problem gets a symmetric answer. eps = 1e-3 at first, since rounding leaves 1e-16 / eps in the
directions that M does not see; it falls where that is slow. Where there is no solution, z_k+1 - z_k
tends to a certificate of that (ray.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from rollcone._check import FloatArray, one_of, whole_number
from rollcone._words import count
from rollcone.lcp.factor import BasisFactor, SingularBasisError
from rollcone.lcp.kernels import matrices as kernels
from rollcone.lcp.problem import MLCP, SMALLEST, product
from rollcone.lcp.registry import Start
from rollcone.lcp.scaled import ScaledProblem, scaled
from rollcone.lcp.sets_by_sweeps import SetsBySweeps
from rollcone.lcp.solution import LcpStatus, Outcome, StateArray
from rollcone.lcp.states import fitting

_SWEEPS = (40, 60, 100, 300, 1500, 6000)  # to begin with, and whenever block pivots get nowhere
_FEW, _SHARE = 3, 0.03  # of n: so many on the wrong side after sweeps are worth a block pivot
_PLAIN = 100  # and 2 n pivots, then proximal points
_REFINE, _REFACTOR = 1e-14, 1e-10  # w_F over the numbers that it is the sum of
_EPS_FIRST, _EPS_LAST = 1e-3, 1e-10
_ROUNDS = 60


@dataclass(frozen=True)
class PivotingOptions:
    """tries     block pivots without progress before single ones, 0 for single ones alone (10)
    proximal  when proximal points are gone through: 'singular', where a basis is; 'never';
              'always': the answer to a problem with many is then the least one on its sets, which
              changes little if the problem does
    """

    tries: int = 10
    proximal: str = "singular"

    def __post_init__(self) -> None:
        whole_number("tries", self.tries)
        one_of("proximal", self.proximal, ("never", "singular", "always"))


def run(
    problem: MLCP, options: PivotingOptions, start: Start, tolerance: float, limit: int
) -> Outcome:
    data = scaled(problem)
    sweeps = SetsBySweeps(problem, data, start[0])
    state = sweeps.states(_SWEEPS[0]) if start[1] is None else fitting(problem, start[1])
    pivots = Pivots(data, tolerance, options.tries, limit)
    if options.proximal == "always":
        pivots.state = state
        return _proximal_points(problem, data, pivots, sweeps, options, tolerance, "", False)
    if options.proximal == "singular" and options.tries:
        pivots.limit = min(limit, _PLAIN + 2 * problem.size)
    reason, singular = "pivots alone got nowhere", False
    try:
        if pivots.solve(state, sweeps):
            return _outcome(pivots, _unscaled(problem, data, pivots), LcpStatus.SOLVED, "")
    except SingularBasisError as error:
        reason, singular = str(error), True
    if options.proximal == "singular" and (singular or pivots.iterations < limit):
        pivots.limit = limit
        return _proximal_points(problem, data, pivots, sweeps, options, tolerance, reason, singular)
    status = LcpStatus.SINGULAR if singular else LcpStatus.MAX_ITERATIONS
    z = _unscaled(problem, data, pivots)
    return _outcome(pivots, z, status, reason if singular else "", singular=singular)


class Pivots:
    """The sets, the basic solution that belongs to them, and how both change."""

    def __init__(self, data: ScaledProblem, tolerance: float, tries: int, limit: int) -> None:
        self.M, self.q = data.M, data.q
        self.lower, self.upper = data.lower, data.upper
        self.factor = BasisFactor(data.M)
        self.smallest = SMALLEST * float(np.abs(data.q).max(initial=0.0))
        self.iterations = 0
        self.limit, self.tries = limit, tries
        self.fine, self.coarse = max(1e-2 * tolerance, 1e-14), max(0.5 * tolerance, 1e-14)
        n = self.q.size
        self.state = np.zeros(n, dtype=np.int8)
        self.z, self.w, self.size = np.zeros(n), np.zeros(n), np.zeros(n)
        self._found, self._changed = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int8)

    def solve(self, state: StateArray, sweeps: SetsBySweeps | None = None) -> bool:
        """From these sets to those of a solution; False if there were too many pivots.

        Where block pivots get nowhere, `sweeps` give other sets to go on with, some times.
        """
        self.state = state.copy()
        efforts = list(_SWEEPS[1:]) if sweeps is not None and self.tries else []
        begun = False  # have block pivots gone anywhere since the last sweeps?
        least, tries, single = self.q.size + 1, self.tries, False
        while True:
            self._basic_solution()
            wrong = kernels.flip(
                self.z, self.w, self.size, self.lower, self.upper, self.state,
                self.coarse if single else self.fine, self.smallest, self._found, self._changed,
            )  # fmt: skip
            if wrong == 0:
                return True
            if self.iterations >= self.limit:
                return False
            self.iterations += 1
            many = not begun and wrong > _FEW + _SHARE * self.q.size
            if efforts and (many or wrong >= least) and sweeps is not None and sweeps.usable:
                self.state = sweeps.states(efforts.pop(0))
                least, tries, begun = self.q.size + 1, self.tries, False
                continue
            if wrong < least and self.tries:
                least, tries, single = wrong, self.tries, False
            elif tries > 0:
                tries -= 1
            else:
                single = True
            begun = True
            first = wrong - 1 if single else 0
            self.state[self._found[first:wrong]] = self._changed[first:wrong]

    def _basic_solution(self) -> None:
        """z, w and the sizes of the rows for the present sets."""
        state = self.state
        F = np.flatnonzero(state == 0)
        z = np.where(state < 0, self.lower, self.upper)
        z[F] = 0.0
        w, size = product(self.M, z, self.q)
        if F.size:
            self.factor.choose(F)
            z[F] = -self.factor.solve(w[F])
            w, size = product(self.M, z, self.q)
            error = kernels.largest_share(w, size, F)
            for refactored in (False, True):
                if error > _REFINE:
                    z[F] -= self.factor.solve(w[F])
                    w, size = product(self.M, z, self.q)
                    error = kernels.largest_share(w, size, F)
                if error <= _REFACTOR or refactored or not self.factor.refresh():
                    break
        self.z, self.w, self.size = z, w, size


def _unscaled(problem: MLCP, data: ScaledProblem, pivots: Pivots) -> FloatArray:
    """z in the problem's units, exactly on the bounds where it is at one."""
    z = np.clip(data.s * pivots.z, problem.lower, problem.upper)
    z = np.where(pivots.state < 0, problem.lower, np.where(pivots.state > 0, problem.upper, z))
    return z


def _outcome(
    pivots: Pivots, z: FloatArray, status: LcpStatus, note: str, *, singular: bool = False
) -> Outcome:
    factor = pivots.factor
    counts = (pivots.iterations, factor.factorisations, factor.updates)
    return Outcome(z, status, *counts, note=note, singular=singular, basis=pivots.state)


def _proximal_points(
    problem: MLCP,
    data: ScaledProblem,
    pivots: Pivots,
    sweeps: SetsBySweeps,
    options: PivotingOptions,
    tolerance: float,
    reason: str,
    singular: bool,
) -> Outcome:
    """z_k+1 from z_k until the residual of the problem itself meets the tolerance, and then as
    long as it falls: a round with the same sets costs one solve."""
    eps, state = _EPS_FIRST, pivots.state
    work = _shifted(data, pivots, eps, tolerance, options)
    center = np.zeros(problem.size)
    best: tuple[float, FloatArray, StateArray] = (np.inf, center, state)
    last, step, rounds = np.inf, center, 0
    status = LcpStatus.SINGULAR if singular else LcpStatus.MAX_ITERATIONS
    while rounds < _ROUNDS:
        rounds += 1
        work.q = data.q - eps * center
        try:
            found = work.solve(state, sweeps if rounds == 1 else None)
        except SingularBasisError:
            break
        if not found:
            status = LcpStatus.MAX_ITERATIONS
            break
        state = work.state
        step, center = work.z - center, work.z
        z = _unscaled(problem, data, work)
        residual = problem.residual(z)
        if residual < best[0]:
            best = (residual, z, state.copy())
        if residual == 0.0 or (best[0] <= tolerance and residual > 0.3 * last):
            break
        if residual > 0.3 * last and eps > _EPS_LAST:
            eps *= 1e-2
            work = _shifted(data, work, eps, tolerance, options)
        last = residual
    note = "; ".join([*filter(None, [reason]), count(rounds, "proximal point")])
    solved = LcpStatus.SOLVED if best[0] <= tolerance else status
    work.state = best[2]
    outcome = _outcome(work, best[1], solved, note, singular=singular)
    outcome.certificate = data.s * step
    return outcome


def _shifted(
    data: ScaledProblem, before: Pivots, eps: float, tolerance: float, options: PivotingOptions
) -> Pivots:
    """Pivots with M + eps; counts go on."""
    n = data.q.size
    if sparse.issparse(data.M):
        M = sparse.csc_array(data.M + eps * sparse.eye_array(n, format="csc"))
        M.sort_indices()
    else:
        M = data.M + eps * np.eye(n)
    moved = ScaledProblem(M, data.q, data.lower, data.upper, data.s)
    after = Pivots(moved, tolerance, options.tries, before.limit)
    after.iterations = before.iterations
    after.factor.factorisations = before.factor.factorisations
    after.factor.updates = before.factor.updates
    return after
