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
import scipy.sparse as sp

from rollcone._check import FloatArray, IntArray
from rollcone.errors import InputError
from rollcone.friction_models.answer import Answer
from rollcone.friction_models.linear_solver import LinearSolver
from rollcone.friction_models.mobility import mobility
from rollcone.friction_models.model import Before, FrictionModel, check_discs
from rollcone.laws.cone import FrictionCone
from rollcone.laws.disc import DISC
from rollcone.laws.polygon import FEWEST_FACETS
from rollcone.lcp.problem import MLCP
from rollcone.problem.contact_problem import ContactProblem

MOST_FACETS = 256  # each is an unknown of every contact


@dataclass(frozen=True, kw_only=True)
class PolygonalFriction(FrictionModel):
    """facets  of the polygon: even, 4 (the pyramid), 8 or 16 as a rule"""

    facets: int = 8

    name: ClassVar[str] = "polygonal"
    solvers: ClassVar[tuple[str, ...]] = ("lemke", "newton")

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
        rows, columns, values = _corners(problem, groups)
        extra = np.arange(m)
        used = n + sum(group.size for group in groups)
        B = sp.csr_array(
            (
                np.concatenate([np.ones(n), values, np.ones(m)]),
                (
                    np.concatenate([np.arange(n) * problem.rows, rows, n * problem.rows + extra]),
                    np.concatenate([np.arange(n), columns, used + extra]),
                ),
            ),
            (problem.size, used + m),
        )
        W = mobility(problem)
        speeds, limits = _limits(groups, n, used, m)
        free = np.zeros(speeds.shape[1])
        if sp.issparse(W):
            M = sp.block_array([[B.T @ W @ B, speeds], [limits, None]], format="csc")
        else:
            dense = (B.T @ (B.T @ W).T).T
            M = np.block(
                [[dense, speeds.toarray()], [limits.toarray(), np.zeros((free.size,) * 2)]]
            )
        lower, upper = np.zeros(used + m), np.full(used + m, np.inf)
        lower[used:], upper[used:] = problem.bounds.T
        q = np.concatenate([B.T @ problem.q, free])
        mlcp = MLCP(M, q, np.append(lower, free), np.append(upper, free + np.inf))
        return Polygonal(mlcp, B)

    def solve(
        self, problem: ContactProblem, before: Before, solver: LinearSolver, begin: FloatArray
    ) -> Answer:
        made = self.linearise(problem)
        solution = solver(made.problem, None)
        p = np.asarray(made.corners @ solution.z[: made.corners.shape[1]])
        return Answer(p, self.law_of(problem), p, solution, solution.iterations)

    def law_of(self, problem: ContactProblem) -> ContactProblem:
        shape = (problem.contacts, 2)
        kinds = np.full(shape, DISC if problem.rows == 2 else self.facets)
        return replace(problem, cone=FrictionCone.from_arrays(kinds, problem.cone.radii))


class Polygonal(NamedTuple):
    """p = corners z of the first unknowns, (N, unknowns)."""

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


def _corners(problem: ContactProblem, groups: list[Group]) -> tuple[IntArray, IntArray, FloatArray]:
    """Rows, columns and values of what beta does to reactions."""
    rows, columns, values = [np.zeros(0, int)], [np.zeros(0, int)], [np.zeros(0)]
    column = problem.contacts
    for group in groups:
        g, (facets, k) = group.contacts.size, group.corners.shape
        first = group.contacts * problem.rows + group.first
        rows.append(np.broadcast_to(first[:, None, None] + np.arange(k), (g, facets, k)).ravel())
        columns.append(np.repeat(column + np.arange(g * facets), k))
        values.append((group.lengths[:, None, None] * group.corners).ravel())
        column += group.size
    return np.concatenate(rows), np.concatenate(columns), np.concatenate(values)


def _limits(groups: list[Group], n: int, used: int, extra: int) -> tuple[Any, Any]:
    """Columns of the speeds s in the rows of beta, and rows mu r_n - sum beta."""
    number, column, count = [], n, 0
    radii, contacts = [np.zeros(0)], [np.zeros(0, int)]
    for group in groups:
        number.append(np.repeat(count + np.arange(group.contacts.size), len(group.corners)))
        radii.append(group.radii)
        contacts.append(group.contacts)
        column, count = column + group.size, count + group.contacts.size
    of = np.concatenate([np.zeros(0, int), *number])
    beta = np.arange(n, used)
    shape = (count, used + extra)
    sums = sp.csr_array((np.ones(beta.size), (of, beta)), shape)
    normal = sp.csr_array(
        (np.concatenate(radii), (np.arange(count), np.concatenate(contacts))), shape
    )
    return sp.csr_array(sums.T), sp.csr_array(normal - sums)
