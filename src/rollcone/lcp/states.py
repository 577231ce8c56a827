"""States of variables (-1 at the lower bound, 0 in between, 1 at the upper bound) and their z."""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray
from rollcone.lcp.factor import BasisFactor
from rollcone.lcp.problem import MLCP, product
from rollcone.lcp.solution import StateArray


def states_of(problem: MLCP, z: FloatArray) -> StateArray:
    """By where z is; a fixed variable is at its lower bound."""
    state = np.where(z <= problem.lower, -1, np.where(z >= problem.upper, 1, 0))
    return state.astype(np.int8)


def fitting(problem: MLCP, state: StateArray) -> StateArray:
    """The states as far as the bounds of `problem` have them, for a basis of another problem."""
    low, high = np.isfinite(problem.lower), np.isfinite(problem.upper)
    state = np.where((state < 0) & ~low, 0, np.where((state > 0) & ~high, 0, state))
    return np.where(problem.lower == problem.upper, -1, state).astype(np.int8)


def at_bounds(problem: MLCP, state: StateArray) -> FloatArray:
    """z of the variables at a bound; zero for the others."""
    return np.where(state < 0, problem.lower, np.where(state > 0, problem.upper, 0.0))


def basic_solution(problem: MLCP, state: StateArray) -> FloatArray:
    """z with w = 0 in between, from a fresh factor, refined once and put within the bounds.

    A SingularBasisError tells that there is none, or more than one.
    """
    z = at_bounds(problem, state)
    F = np.flatnonzero(state == 0)
    factor = BasisFactor(problem.M, 1.0 / np.sqrt(problem.sizes))
    factor.choose(F)
    for _ in range(3):
        z[F] -= factor.solve(product(problem.M, z, problem.q)[0][F])
    return np.clip(z, problem.lower, problem.upper)
