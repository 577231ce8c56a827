"""Polygonal friction: the disc of each law as a polygon inside it (Anitescu and Potra 1997; Stewart
and Trinkle 1996).

With d_j the corners of the unit polygon (laws/polygon.py) and beta_j >= 0, friction is
r_T = sum_j beta_j d_j; with u_n, u_T the velocities of a contact and s a speed,

    0 <= r_n                  complementary to  u_n >= 0
    0 <= beta_j               complementary to  d_j.u_T + s >= 0
    0 <= s                    complementary to  mu r_n - sum_j beta_j >= 0

so that friction takes out the most power that the polygon allows: the exact law on that set.
Rolling has the same with a polygon of its own, in units of the contact's length; spinning with the
two ends of its interval. The matrix is copositive, and Lemke's method ends with a solution wherever
the contacts can be kept apart at all. Corners are fixed to the axes t1, t2 of the contact: friction
is too small by up to 1 - cos(pi / facets), and points aside by up to 180 / facets degrees.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.errors import InputError
from rollcone.friction_models.answer import Answer
from rollcone.friction_models.linear_solver import LinearSolver
from rollcone.friction_models.mobility import Entries, matrix_like, mobility
from rollcone.friction_models.model import Before, FrictionModel, check_discs
from rollcone.laws.cone import FrictionCone
from rollcone.laws.kernels.disc import DISC
from rollcone.laws.polygon import FEWEST_FACETS
from rollcone.lcp.problem import MLCP
from rollcone.problem.contact_problem import ContactProblem

MOST_FACETS = 256  # each is an unknown of every contact


@dataclass(frozen=True, kw_only=True)
class PolygonalFriction(FrictionModel):
    """facets  of the polygon: even, 4 (the pyramid), 8 or 16 as a rule"""

    facets: int = 8

    name: ClassVar[str] = "polygonal"
    solvers: ClassVar[tuple[str, ...]] = ("lemke", "pivoting", "newton")

    def __post_init__(self) -> None:
        count = self.facets
        whole = isinstance(count, int | np.integer) and not isinstance(count, bool)
        if not whole or not FEWEST_FACETS <= count <= MOST_FACETS or count % 2:
            raise InputError(
                f"facets = {count!r}: must be even, from {FEWEST_FACETS} to {MOST_FACETS}"
            )

    @property
    def words(self) -> str:
        return f"polygonal friction ({self.facets} facets)"

    def linearise(self, problem: ContactProblem) -> Polygonal:
        """The complementarity problem of all contacts and extra rows."""
        check_discs(problem)
        n, m = problem.contacts, problem.extra_rows
        groups = _groups(problem, self.facets)
        used = n + sum(group.size for group in groups) + m  # and then the speeds s
        size = used + sum(group.contacts.size for group in groups)
        W = mobility(problem)
        B = matrix_like(W, _corners(problem, groups, used - m), (problem.size, size))
        M = B.T @ W @ B + matrix_like(W, _limits(groups, n, used), (size, size))
        lower, upper = np.zeros(size), np.full(size, np.inf)
        lower[used - m : used], upper[used - m : used] = problem.bounds.T
        return Polygonal(MLCP(M, B.T @ problem.q, lower, upper), B)

    def solve(
        self, problem: ContactProblem, before: Before, solver: LinearSolver, begin: FloatArray
    ) -> Answer:
        made = self.linearise(problem)
        solution = solver(made.problem, None)
        p = np.asarray(made.corners @ solution.z)
        contacts = p[: problem.contacts * problem.rows].reshape(problem.contacts, problem.rows)
        contacts[contacts[:, 0] <= 0.0] = 0.0  # without pressure rounding alone leaves friction
        return Answer(p, self.law_of(problem), p, solution, solution.iterations)

    def law_of(self, problem: ContactProblem) -> ContactProblem:
        shape = (problem.contacts, 2)
        kinds = np.full(shape, DISC if problem.rows == 2 else self.facets)
        return replace(problem, cone=FrictionCone.from_arrays(kinds, problem.cone.radii))


class Polygonal(NamedTuple):
    """p = corners z, (N, unknowns)."""

    problem: MLCP
    corners: Any


class Group(NamedTuple):
    """Contacts with one kind of friction: the polygon's corners on their rows."""

    contacts: IntArray  # (g,)
    first: int  # the row of a contact that it begins with
    corners: FloatArray  # (facets, 1 or 2), of unit radius
    radii: FloatArray  # (g,), over lengths
    lengths: FloatArray  # (g,)

    @property
    def size(self) -> int:
        return self.contacts.size * len(self.corners)


def _groups(problem: ContactProblem, facets: int) -> list[Group]:
    """Sliding, rolling and spinning, where the law has any."""
    angle = 2.0 * np.pi * np.arange(facets) / facets
    polygon = np.column_stack([np.cos(angle), np.sin(angle)])
    polygon[np.abs(polygon) < 1e-15] = 0.0  # on an axis
    ends = np.array([[1.0], [-1.0]])
    units, radii = problem.scaling.units, problem.scaled_radii
    kinds = [(1, ends if problem.rows == 2 else polygon, 0)]
    if problem.rows > 3:
        kinds.append((3, polygon, 2))
    if problem.rows == 6:
        kinds.append((5, ends, 4))
    found = []
    for first, corners, column in kinds:
        here = np.flatnonzero(radii[:, column] > 0.0)
        if here.size:
            found.append(Group(here, first, corners, radii[here, column], units[here, first]))
    return found


def _corners(problem: ContactProblem, groups: list[Group], column: int) -> Entries:
    """What normal forces, beta and reactions of extra rows, from `column` on, do to reactions."""
    n, m = problem.contacts, problem.extra_rows
    alone = np.append(np.arange(n) * problem.rows, n * problem.rows + np.arange(m))
    rows, columns = [alone], [np.append(np.arange(n), column + np.arange(m))]
    values, column = [np.ones(n + m)], n
    for group in groups:
        g, (facets, k) = group.contacts.size, group.corners.shape
        first = group.contacts * problem.rows + group.first
        rows.append(np.broadcast_to(first[:, None, None] + np.arange(k), (g, facets, k)).ravel())
        columns.append(np.repeat(column + np.arange(g * facets), k))
        values.append((group.lengths[:, None, None] * group.corners).ravel())
        column += group.size
    return Entries(np.concatenate(rows), np.concatenate(columns), np.concatenate(values))


def _limits(groups: list[Group], beta: int, speed: int) -> Entries:
    """Columns of s in the rows of beta, and rows mu r_n - sum beta; `beta` and `speed` are the
    first of them."""
    none = np.zeros(0, int)
    rows, columns, values = [none], [none], [np.zeros(0)]
    for group in groups:
        s = speed + np.arange(group.contacts.size)
        all_beta, all_s = beta + np.arange(group.size), np.repeat(s, len(group.corners))
        rows += [all_beta, all_s, s]
        columns += [all_s, all_beta, group.contacts]
        values += [np.ones(group.size), -np.ones(group.size), group.radii]
        beta, speed = beta + group.size, speed + group.contacts.size
    return Entries(np.concatenate(rows), np.concatenate(columns), np.concatenate(values))
