"""Contact modes as cells of accelerations, and whether a cell holds a motion: conic programs.

Every motion lies in one cell, by its own accelerations alone:

    a contact   opens, a_n > 0, and has no force; or stays, a_n = 0, p_n >= 0
    a block     rests, a = 0, |p| <= r p_n; or moves, and p = -r p_n a / |a|

Of an interval (each row of a pyramid is one) moving is a > 0 or a < 0. A disc moves in a sector
of directions |angle - middle| <= half, of which the convex hull is used:

    a in the sector's cone,   |p| <= r p_n,   -p . middle >= r p_n cos(half)

so that a cell without a point holds no motion, for sure; where sectors are narrow it is sharp. What
is not decided yet has a_n >= 0, p_n >= 0, |p| <= r p_n. "> 0" is >= s, and s is maximised: a
cell is empty if s is not above `ABOVE`. "= 0" is |a| <= `ZERO`, which is more: cells overlap, so
that nothing is lost between them. A cell is thin if s is not above `THIN`, a millionth of what
loads do to the contact: at rest, cells that hardly move are many, and hard to tell from empty ones.

Forces and accelerations are in the units of scaled.py.

Friction of blocks that begin to move takes power, and opening takes none, so that all motions obey

    x . (A x + b) <= 0

whatever their cell: a convex bound if A + A^T is positive semidefinite, as it is where nothing
moves yet. Without it, cells at rest are told from cells that hardly move only by narrow sectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.program_rows import ProgramRows
from rollcone.analysis.acceleration.scaled import Scaled
from rollcone.solvers.conic_form import clarabel_settings, import_clarabel

ABOVE, THIN = 5e-10, 1e-6
_TOLERANCE = 1e-10  # Clarabel's
_EASED = 1e-9  # of a second attempt, where Clarabel loses accuracy on the way to the first
_ROUNDING = 1e-12
_NO_LOAD = 1e-8  # of the largest
_SOLVED, _ALMOST, _EMPTY = "Solved", "AlmostSolved", "PrimalInfeasible"


class Mode(Enum):
    """Of a contact."""

    OPENS = "opens"
    STAYS = "stays"


class Rest(NamedTuple):
    """A block that does not move."""


class Free(NamedTuple):
    """A block that moves and whose force is only bounded: nothing to decide."""


class Axis(NamedTuple):
    """The way in which an interval moves: 1 or -1."""

    sign: int


class Sector(NamedTuple):
    """Directions in which a disc moves: the middle, and half the width (rad)."""

    middle: float
    half: float


Choice = Rest | Free | Axis | Sector


@dataclass(frozen=True)
class Cell:
    """What is decided of contacts and of the blocks of `Scaled`; None where nothing is."""

    contacts: tuple[Mode | None, ...]
    blocks: tuple[Choice | None, ...]

    def with_contact(self, i: int, mode: Mode) -> Cell:
        return Cell((*self.contacts[:i], mode, *self.contacts[i + 1 :]), self.blocks)

    def with_block(self, k: int, choice: Choice) -> Cell:
        return Cell(self.contacts, (*self.blocks[:k], choice, *self.blocks[k + 1 :]))

    def opened(self, form: Scaled, k: int) -> bool:
        """Is the contact of block k known to open?"""
        return self.contacts[form.of[k]] is Mode.OPENS


class Point(NamedTuple):
    """Of a cell: unknowns x, and how far inside they are."""

    x: FloatArray
    depth: float

    @property
    def thin(self) -> bool:
        return self.depth <= THIN


class Side(NamedTuple):
    """row . v' >= least, asked of motions besides."""

    row: FloatArray
    least: float


class CellProgram:
    """Programs of one problem; `solve` of a cell."""

    def __init__(
        self, form: Scaled, side: Side | None = None, half_spaces: FloatArray | None = None
    ) -> None:
        """half_spaces: (k, n) rows.x >= 0, of blocks that move with unknown forces, as in the
        relaxed model; the bound on power does not hold for these."""
        self.form = form
        self._side = self._scaled_side(side)
        self._half_spaces = np.zeros((0, form.size)) if half_spaces is None else half_spaces
        self._root = _root(form.A) if half_spaces is None else None
        self._speed = _speeds(form)
        self._clarabel = import_clarabel("the enumeration of contact modes")

    def _scaled_side(self, side: Side | None) -> tuple[FloatArray, float] | None:
        if side is None:
            return None
        problem, T = self.form.reduced.problem, self.form.reduced.T
        row = (side.row @ problem.mobility @ problem.flat_rows.T @ T) * self.form.unit
        least = side.least - float(side.row @ problem.free_accelerations)
        size = max(float(np.abs(row).max(initial=0.0)), abs(least), 1e-300)
        return row / size, least / size

    def solve(self, cell: Cell) -> Point | None:
        """A point well inside the cell, or None if it is empty; its depth is s."""
        cost = np.zeros(self.form.size + 1)
        cost[-1] = -1.0
        status, x = self._run(cell, cost, -1.0)
        depth = float(x[-1])
        if status == _EMPTY or (status == _SOLVED and depth <= ABOVE):
            return None
        if status == _SOLVED or (status == _ALMOST and depth > ABOVE):
            return Point(x[:-1], depth)
        # Unclear: programs of empty cells are hard on interior points.
        second, pivoted = self._rows(cell, -1.0).by_pivots(cost)
        if second == _EMPTY or (second == _SOLVED and pivoted[-1] <= ABOVE):
            return None
        if status == _ALMOST:
            return Point(x[:-1], depth)
        return Point(pivoted[:-1], float(pivoted[-1]) if second == _SOLVED else np.inf)

    def clearance(self, cell: Cell, x: FloatArray) -> float:
        """The least of the accelerations that are above zero in the cell, at x; infinite if there
        are none."""
        y, least = self.form.accelerations(x), np.inf
        for i, normal in enumerate(self.form.normals):
            if cell.contacts[i] is Mode.OPENS:
                least = min(least, float(y[normal]) / self._speed[i])
        for k, choice in enumerate(cell.blocks):
            along = directions(choice)
            if along is not None and not cell.opened(self.form, k):
                own = self.form.pairs[k][: len(along)]
                least = min(least, float(along @ y[own]) / self._speed[self.form.of[k]])
        return least

    def farthest(self, cell: Cell, direction: FloatArray, reach: float) -> FloatArray | None:
        """The x of a cell that is farthest along a direction, up to |x| = reach."""
        cost = -np.append(direction, 0.0)
        status, x = self._run(cell, cost, 0.0, reach=reach)
        if status not in (_SOLVED, _ALMOST):
            status, x = self._rows(cell, 0.0, reach).by_pivots(cost)
        return x[:-1] if status in (_SOLVED, _ALMOST) else None

    def least(self, cell: Cell, root: FloatArray) -> tuple[FloatArray, float, bool] | None:
        """x of the least |root x|^2, a bound that is not above it, and whether it is that least;
        None if the cell is empty. Accelerations above zero in the cell may be zero here."""
        n = self.form.size
        P = np.zeros((n + 1, n + 1))
        P[:n, :n] = root.T @ root
        status, x = self._run(cell, np.zeros(n + 1), 0.0, P)
        if status == _ALMOST:
            second, eased = self._run(cell, np.zeros(n + 1), 0.0, P, tolerance=_EASED)
            status, x = (second, eased) if second == _SOLVED else (status, x)
        if status == _EMPTY:
            return None
        if status == _SOLVED:
            return x[:-1], float(np.sum((root @ x[:-1]) ** 2)), True
        second, pivoted = self._rows(cell, 0.0).by_pivots(np.zeros(n + 1))
        if second == _EMPTY:
            return None
        return (x if status == _ALMOST else pivoted)[:-1], 0.0, False

    def _rows(self, cell: Cell, lowest: float, reach: float | None = None) -> ProgramRows:
        """What is asked of (x, s), lowest <= s <= 1."""
        rows = ProgramRows(self.form.size)
        if reach is not None:
            rows.within(reach)
        self._put_contacts(rows, cell)
        self._put_blocks(rows, cell)
        if self._side is not None:
            rows.at_least(self._side[0], self._side[1])
        if self._root is not None:
            rows.below(self._root, -self.form.b)
        for row in self._half_spaces:
            rows.at_least(row, 0.0)
        rows.between(lowest)
        return rows

    def _run(
        self, cell: Cell, cost: FloatArray, lowest: float, P: FloatArray | None = None,
        reach: float | None = None, tolerance: float = _TOLERANCE,
    ) -> tuple[str, FloatArray]:  # fmt: skip
        """Minimise 1/2 X.P X + cost.X of X = (x, s): Clarabel's status, and X."""
        A, b, sizes = self._rows(cell, lowest, reach).finish()
        c = self._clarabel
        cones = [c.ZeroConeT(sizes[0]), c.NonnegativeConeT(sizes[1])]
        cones += [c.SecondOrderConeT(k) for k in sizes[2:]]
        size = self.form.size + 1
        quadratic = sp.csc_matrix((size, size)) if P is None else sp.csc_matrix(np.triu(P))
        settings = clarabel_settings(c, tolerance)
        answer = c.DefaultSolver(quadratic, cost, A, b, cones, settings).solve()
        return str(answer.status), np.nan_to_num(np.array(answer.x))

    def _put_contacts(self, rows: ProgramRows, cell: Cell) -> None:
        form = self.form
        for i, normal in enumerate(form.normals):
            mode = cell.contacts[i]
            p, (y, b) = _unit(form.size, normal), self._acceleration(i, normal)
            rows.at_least(p, 0.0)
            if mode is Mode.OPENS:
                rows.at_least(y, -b, strict=True)
                rows.zero(p)
            elif mode is Mode.STAYS:
                rows.near(y, -b)
            else:
                rows.at_least(y, -b)

    def _acceleration(self, contact: int, row: int) -> tuple[FloatArray, float]:
        """A x + b of a row, in the contact's unit."""
        unit = self._speed[contact]
        return self.form.A[row] / unit, float(self.form.b[row] / unit)

    def _put_blocks(self, rows: ProgramRows, cell: Cell) -> None:
        form = self.form
        for k, pair in enumerate(form.pairs):
            own = pair[pair < form.size]
            limit = form.radii[k] * _unit(form.size, form.normals[form.of[k]])
            p = [_unit(form.size, row) for row in own]
            if cell.opened(form, k):
                for row in p:
                    rows.zero(row)
                continue
            if len(p) == 1:
                rows.at_least(limit - p[0], 0.0)
                rows.at_least(limit + p[0], 0.0)
            else:
                rows.second_order([limit, *p])
            choice = cell.blocks[k]
            if choice is not None:
                y = [self._acceleration(form.of[k], row) for row in own]
                _put_choice(rows, choice, limit, p, y)


def _speeds(form: Scaled) -> FloatArray:
    """What loads do to each contact, the unit of its accelerations; 1 where that is nothing."""
    contact = form.reduced.pick // form.reduced.problem.rows_per_contact
    squares = np.bincount(contact, form.b**2, form.reduced.problem.contacts)
    return np.where(squares > _NO_LOAD**2, np.sqrt(squares), 1.0)


def directions(choice: Choice | None) -> FloatArray | None:
    """The direction in which a block moves, the middle of its sector; None if it does not."""
    if isinstance(choice, Axis):
        return np.array([float(choice.sign)])
    if isinstance(choice, Sector):
        return np.array([np.cos(choice.middle), np.sin(choice.middle)])
    return None


def _put_choice(
    rows: ProgramRows, choice: Choice, limit: FloatArray, p: list[FloatArray],
    y: list[tuple[FloatArray, float]],
) -> None:  # fmt: skip
    along = directions(choice)
    if isinstance(choice, Rest):
        for row, b in y:
            rows.near(row, -b)
    elif isinstance(choice, Axis):
        (row, b), sign = y[0], float(choice.sign)
        rows.at_least(sign * row, -sign * b, strict=True)
        rows.zero(p[0] + sign * limit)
    elif isinstance(choice, Sector) and along is not None:
        rows.at_least(-along[0] * p[0] - along[1] * p[1] - np.cos(choice.half) * limit, 0.0)
        forward, b = along[0] * y[0][0] + along[1] * y[1][0], float(along @ [y[0][1], y[1][1]])
        rows.at_least(forward, -b, strict=True)
        for side in (-1.0, 1.0):  # a within both edges of the sector
            edge = choice.middle + side * choice.half
            inward = side * np.array([np.sin(edge), -np.cos(edge)])
            row = inward[0] * y[0][0] + inward[1] * y[1][0]
            rows.at_least(row, -float(inward @ [y[0][1], y[1][1]]))


def _root(A: FloatArray) -> FloatArray | None:
    """C with C^T C = (A + A^T) / 2, or None."""
    size, V = np.linalg.eigh(0.5 * (A + A.T))
    if not len(size) or size[0] < -_ROUNDING * size[-1]:
        return None
    used = size > _ROUNDING * size[-1]
    return np.asarray(np.sqrt(size[used])[:, None] * V[:, used].T)


def _unit(n: int, k: int) -> FloatArray:
    row = np.zeros(n)
    row[k] = 1.0
    return row
