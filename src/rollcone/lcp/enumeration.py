"""All solutions of a small problem, by trying every basis.

Each variable is at its lower bound, at its upper bound or in between: 2^n bases of a plain LCP,
3^n with two bounds. The unknowns of a basis (z_i in between, w_i at a bound) solve an n x n
system; all of them are solved at once, as a stack of matrices.

A singular basis has no solution or a whole face of them. Of such a face one point is given, found
by linear programming, with `singular` True; it is left out if a regular basis has given the same.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, positive_number
from rollcone.errors import InputError
from rollcone.lcp.problem import MLCP
from rollcone.lcp.registry import Start
from rollcone.lcp.solution import LcpSolution, LcpStatus, Outcome, StateArray

MOST_BASES = 100_000
_AT_ONCE = 4096
_SINGULAR = 1e-11  # smallest over largest singular value
_SAME = 1e-8  # of the largest entry of z or of the load: two solutions are one


@dataclass(frozen=True)
class EnumerationOptions:
    """Nothing to choose."""


def all_solutions(problem: MLCP, tolerance: float = 1e-9) -> list[LcpSolution]:
    """Every solution that is the only one of its basis, and one of each face of others.

    `tolerance` is that of the residual. At most 100,000 bases are tried.
    """
    from rollcone.lcp.driver import checked

    clock = time.perf_counter()
    tolerance = positive_number("tolerance", tolerance)
    found: list[tuple[FloatArray, StateArray, bool]] = []
    for z, state, singular in sorted(_candidates(problem), key=lambda one: one[2]):
        if problem.residual(z) <= tolerance and not _known(problem, z, found):
            found.append((z, state, singular))
    elapsed = time.perf_counter() - clock
    return [
        checked(
            problem, Outcome(z, basis=state, singular=singular), "enumeration", tolerance, elapsed
        )
        for z, state, singular in found
    ]


def run(
    problem: MLCP, options: EnumerationOptions, start: Start, tolerance: float, limit: int
) -> Outcome:
    """The first of all solutions."""
    bases = _number_of_bases(problem)
    if bases > limit:
        return Outcome(np.clip(0.0, problem.lower, problem.upper), LcpStatus.MAX_ITERATIONS)
    solutions = all_solutions(problem, tolerance)
    if not solutions:
        nearest = np.clip(0.0, problem.lower, problem.upper)
        return Outcome(nearest, LcpStatus.NONE_FOUND, bases, bases)
    one = solutions[0]
    note = f"{len(solutions)} found" if len(solutions) > 1 else ""
    counts = (bases, bases)
    return Outcome(one.z, LcpStatus.SOLVED, *counts, 0, note, one.singular, one.basis)


def _choices(problem: MLCP) -> list[tuple[int, ...]]:
    """The states that each variable can have."""
    low, high = np.isfinite(problem.lower), np.isfinite(problem.upper)
    fixed = problem.lower == problem.upper
    return [
        (-1,) if f else tuple(s for s, can in ((-1, a), (0, True), (1, b)) if can)
        for a, b, f in zip(low, high, fixed, strict=True)
    ]


def _number_of_bases(problem: MLCP) -> int:
    number = 1
    for choice in _choices(problem):
        number *= len(choice)
    if number > MOST_BASES:
        raise InputError(f"the problem has {number} bases: enumeration takes {MOST_BASES} at most")
    return number


def _candidates(problem: MLCP) -> Iterator[tuple[FloatArray, StateArray, bool]]:
    """Basic solutions, not yet checked."""
    _number_of_bases(problem)
    M = problem.M.toarray() if problem.is_sparse else problem.M
    bases = itertools.product(*_choices(problem))
    while chunk := list(itertools.islice(bases, _AT_ONCE)):
        states = np.array(chunk, dtype=np.int8).reshape(len(chunk), problem.size)
        z, singular = _basic_solutions(problem, M, states)
        for k in range(len(chunk)):
            if singular[k]:
                point = _point_of_face(problem, M, states[k])
                if point is not None:
                    yield point, states[k], True
            else:
                yield z[k], states[k], False


def _basic_solutions(
    problem: MLCP, M: FloatArray, states: StateArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """z of every basis, and which are singular (their z means nothing)."""
    n = problem.size
    at = np.where(states < 0, problem.lower, np.where(states > 0, problem.upper, 0.0))
    between = states == 0
    # unknowns x: z_i in between, w_i (over m_i) at a bound; M z_F - w = -(q + M z_bounds)
    scale = 1.0 / np.sqrt(problem.sizes)
    scaled = scale[:, None] * M * scale
    matrices = np.where(between[:, None, :], scaled, -np.eye(n))
    right = -(problem.q + at @ M.T) * scale
    spread = np.linalg.svd(matrices, compute_uv=False) if n else np.ones((len(states), 1))
    singular = spread[:, -1] <= _SINGULAR * spread[:, 0]
    matrices[singular] = np.eye(n)
    x = np.linalg.solve(matrices, right[..., None])[..., 0]
    z = np.where(between, x * scale, at)
    return np.clip(z, problem.lower, problem.upper), singular


def _point_of_face(problem: MLCP, M: FloatArray, state: StateArray) -> FloatArray | None:
    """A point with these states, by linear programming, or None."""
    from scipy.optimize import linprog

    F = np.flatnonzero(state == 0)
    z = np.where(state < 0, problem.lower, np.where(state > 0, problem.upper, 0.0))
    w = M @ z + problem.q
    rest = M[np.ix_(F, F)]
    start, *_ = np.linalg.lstsq(rest, -w[F], rcond=_SINGULAR)
    if np.abs(rest @ start + w[F]).max() > 1e-9 * (np.abs(w[F]).max() + 1e-300):
        return None  # the equations contradict each other
    rows = np.flatnonzero((state != 0) & (problem.lower < problem.upper))
    sign = state[rows].astype(float)  # w <= 0 at the upper bound
    answer = linprog(
        np.zeros(F.size),
        A_ub=sign[:, None] * M[np.ix_(rows, F)] if rows.size else None,
        b_ub=-sign * w[rows] if rows.size else None,
        A_eq=rest,
        b_eq=-w[F],
        bounds=np.column_stack([problem.lower[F], problem.upper[F]]),
    )
    if answer.status != 0:
        return None
    z[F] = answer.x
    return np.clip(z, problem.lower, problem.upper)


def _known(problem: MLCP, z: FloatArray, found: list[tuple[FloatArray, StateArray, bool]]) -> bool:
    weight = np.sqrt(problem.sizes)
    size = max(float(np.abs(weight * z).max(initial=0.0)), problem.load)
    for other, _, _ in found:
        both = max(size, float(np.abs(weight * other).max(initial=0.0)))
        if np.abs(weight * (z - other)).max(initial=0.0) <= _SAME * both:
            return True
    return False
