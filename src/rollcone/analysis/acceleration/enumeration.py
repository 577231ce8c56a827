"""All motions of a small problem: which contact modes can be, found by dividing cells.

Modes are decided one after the other (cells.py); what a cell without a point would become is not
looked at. If all cells have been decided, the list is complete: an empty one proves that there is
no motion, and one entry that there is only one. With pyramids, and where all discs move, a cell
of modes is a polyhedron and that is all. With discs, sectors of directions are halved down to a
quarter of a degree; that there is no motion is proven all the same, and two motions nearer to each
other than that would count as one. Sectors of thin cells, in which some acceleration is above zero
by less than a millionth, are not halved where they lead to a motion; if that one is in the cell
beside it, in which what hardly moves is at rest, the thin cell is left out. All is to the accuracy
of the conic solver: a motion whose forces are more than some 1e7 times what loads alone would take
may be missed.

A cell may hold a family of motions: forces that are not determined and do make a difference. Then
two of it are given, as far from each other in the direction in which they differ most as the cell
allows, or as forces ten times the load do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rollcone._check import FloatArray, one_of, whole_number
from rollcone.analysis.acceleration.cells import (
    Cell,
    CellProgram,
    Mode,
    Point,
    Sector,
    Side,
    directions,
)
from rollcone.analysis.acceleration.divide import WIDTH, divided, undecided
from rollcone.analysis.acceleration.mode_newton import polish
from rollcone.analysis.acceleration.motion import ROOT, Model, Motion
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.program_rows import ZERO
from rollcone.analysis.acceleration.scaled import scaled

MOST_CELLS = 5_000
_SAME = 1e-6  # of the largest acceleration: two motions are one
_LEFT_OPEN = 1e3
_REACH = 10.0  # times the load: as far as the ends of a family are sought
_NULL = 1e-9  # singular values below this share of the largest are zero

Pattern = tuple[object, ...]
Verdict = Literal["none", "unique", "several", "unknown"]


@dataclass(frozen=True, eq=False)
class Enumeration:
    """motions     all that were found, each with other accelerations
    families    pairs of motions, the ends of a family; both are among `motions`
    complete    has every cell been decided, and each that seems to hold a motion given one?
    cells       how many were looked at
    """

    motions: tuple[Motion, ...]
    families: tuple[tuple[Motion, Motion], ...]
    complete: bool
    cells: int
    model: Model

    @property
    def verdict(self) -> Verdict:
        """none and unique only if the enumeration is complete."""
        if len(self.motions) > 1:
            return "several"
        if not self.complete:
            return "unknown"
        return "unique" if self.motions else "none"


def enumerate_motions(
    problem: AccelerationProblem,
    model: Model = "pyramid",
    *,
    side: tuple[FloatArray, float] | None = None,
    most_cells: int = MOST_CELLS,
    most_motions: int | None = None,
) -> Enumeration:
    """Every motion with other accelerations, of the pyramid's or the cone's problem.

    side           (row (n,), least): only motions with row.v' >= least
    most_cells     at which the search ends, `complete` being False
    most_motions   likewise, if given
    """
    one_of("model", model, ("pyramid", "cone"))
    most = math.inf
    if most_motions is not None:
        most = whole_number("most_motions", most_motions, least=1)
    search = _Search(problem, model, None if side is None else Side(*side))
    complete = search.run(whole_number("most_cells", most_cells, least=1), most)
    motions, families = search.finish()
    return Enumeration(motions, families, complete and not search.doubtful, search.cells, model)


class _Search:
    """Depth first."""

    def __init__(self, problem: AccelerationProblem, model: Model, side: Side | None) -> None:
        self.problem, self.side = problem, side
        self.form = scaled(problem, model)
        self.program = CellProgram(self.form, side)
        self.effect = self.form.effect()
        self.found: dict[Pattern, list[Motion]] = {}  # each with other accelerations
        self.spread: set[Pattern] = set()  # those that hold families
        self.cells = self.doubtful = 0

    def run(self, most_cells: int, most_motions: float) -> bool:
        stack = [undecided(self.form)]
        while stack:
            if self.cells >= most_cells or len(self.found) >= most_motions:
                return False
            cell = stack.pop()
            self.cells += 1
            point = self.program.solve(cell)
            if point is None:
                continue
            width = WIDTH
            if point.thin:
                leads = self._leads_to(point.x)
                if leads is not None and self.program.clearance(cell, leads) <= ZERO:
                    continue  # to a cell beside it, in which what hardly moves here is at rest
                width = WIDTH if leads is None else math.pi
            further = divided(self.form, cell, point.x, width)
            if further:
                stack += further
            else:
                self._leaf(cell, point)
        return True

    def finish(self) -> tuple[tuple[Motion, ...], tuple[tuple[Motion, Motion], ...]]:
        """All motions, of families their ends, and those ends. Sectors that are next to each other
        hold parts of one family: the ends are those of all sectors with the same modes."""
        motions: list[Motion] = []
        families = []
        for pattern, found in self.found.items():
            if pattern in self.spread:
                far = max(found, key=lambda one: acceleration_distance(one, found[0]))
                end = max(found, key=lambda one: acceleration_distance(one, far))
                families.append((far, end))
                found = [far, end]
            motions += [one for one in found if not _listed(one, motions)]
        return tuple(motions), tuple(families)

    def _leads_to(self, x: FloatArray) -> FloatArray | None:
        """Unknowns of the motion near x."""
        y = polish(self.form, x)
        return y if self.form.motion(y, "enumeration").certified else None

    def _leaf(self, cell: Cell, point: Point) -> None:
        motion = self._exact(point.x)
        if motion is None:
            self.doubtful += 1
            return
        pattern = _pattern(cell)
        ends = self._ends(cell, point.x)
        if ends is None:
            self._add(pattern, motion)
        else:
            self.spread.add(pattern)
            for end in ends:
                self._add(pattern, end)

    def _exact(self, x: FloatArray) -> Motion | None:
        """The motion near x, if its residual proves it."""
        motion = self.form.motion(polish(self.form, x), "enumeration")
        return motion if motion.certified and self._asked_for(motion) else None

    def _in_cell(self, cell: Cell, x: FloatArray) -> Motion | None:
        """The motion at x, brought to where the equations of the cell hold; they are curved where
        discs move: then the one nearby."""
        rows, right = self._equations(cell)
        x = x + np.linalg.lstsq(rows, right - rows @ x, rcond=_NULL)[0]
        x[self.form.normals] = np.maximum(x[self.form.normals], 0.0)  # but for rounding
        motion = self.form.motion(x, "enumeration")
        return motion if motion.certified and self._asked_for(motion) else self._exact(x)

    def _asked_for(self, motion: Motion) -> bool:
        if self.side is None:
            return True
        found = float(self.side.row @ motion.accelerations)
        return found >= self.side.least - _SAME * abs(self.side.least)

    def _add(self, pattern: Pattern, motion: Motion) -> None:
        listed = self.found.setdefault(pattern, [])
        if not _listed(motion, listed):
            listed.append(motion)

    def _ends(self, cell: Cell, x: FloatArray) -> tuple[Motion, Motion] | None:
        """Two motions of a family; None if accelerations are determined."""
        Z = _null_space(self._equations(cell)[0])
        moved = self.effect @ Z
        if not Z.size or np.abs(moved).max() <= _NULL:
            return None
        _, _, V = np.linalg.svd(moved)
        along = Z @ V[0]
        found, reach = [], _REACH * max(1.0, float(np.abs(x).max(initial=0.0)))
        for sign in (-1.0, 1.0):
            end = self.program.farthest(cell, sign * along, reach)
            motion = None if end is None else self._in_cell(cell, end)
            if motion is not None:
                found.append(motion)
            elif not any(isinstance(choice, Sector) for choice in cell.blocks):
                self.doubtful += 1
        if len(found) < 2 or _listed(found[0], found[1:]):
            return None
        return found[0], found[1]

    def _equations(self, cell: Cell) -> tuple[FloatArray, FloatArray]:
        """R and r, R x = r in a decided cell; sectors count as the direction in their middle."""
        form, eye = self.form, np.eye(self.form.size)
        rows: list[tuple[FloatArray, float]] = []
        for i, normal in enumerate(form.normals):
            opens = cell.contacts[i] is Mode.OPENS
            rows.append((eye[normal], 0.0) if opens else (form.A[normal], -form.b[normal]))
        for k, pair in enumerate(form.pairs):
            own, along = pair[pair < form.size], directions(cell.blocks[k])
            limit = form.radii[k] * eye[form.normals[form.of[k]]]
            if cell.opened(form, k):
                rows += [(eye[row], 0.0) for row in own]
            elif along is not None:
                rows += [(eye[row] + e * limit, 0.0) for row, e in zip(own, along, strict=True)]
            else:
                rows += [(form.A[row], -form.b[row]) for row in own]
        R = np.array([row for row, _ in rows]).reshape(len(rows), form.size)
        return R, np.array([right for _, right in rows])


def _listed(motion: Motion, motions: list[Motion]) -> bool:
    return any(same_motion(motion, other) for other in motions)


def same_motion(one: Motion, other: Motion) -> bool:
    """Do they differ by less than a millionth, or than what their residuals leave open? With discs,
    near the limit of friction, accelerations are off by the root of these."""
    residual = one.residual + other.residual
    error = ROOT * math.sqrt(residual) if one.model == "cone" else _LEFT_OPEN * residual
    return acceleration_distance(one, other) <= max(_SAME, error)


def _pattern(cell: Cell) -> Pattern:
    """The modes of a cell, sectors being alike."""
    blocks = ("moves" if isinstance(one, Sector) else one for one in cell.blocks)
    return (*cell.contacts, *blocks)


def acceleration_distance(one: Motion, other: Motion) -> float:
    """How different two motions are: |v' - v''| over the largest of them, over that without
    contacts, or over what contacts ask for, in the metric of the masses."""
    L = np.linalg.cholesky(one.problem.mass)
    a, b = (L.T @ motion.accelerations for motion in (one, other))
    free = L.T @ one.problem.free_accelerations
    size = max(float(np.linalg.norm(x)) for x in (a, b, free))
    size = max(size, _by_contacts(one.problem))
    return float(np.linalg.norm(a - b)) / size if size > 0.0 else 0.0


def _by_contacts(problem: AccelerationProblem) -> float:
    """What bodies would have to do to undo b at a contact, in the metric of the masses."""
    moved = problem.ease > 0.0
    return float((np.abs(problem.b[moved]) / np.sqrt(problem.ease[moved])).max(initial=0.0))


def _null_space(rows: FloatArray) -> FloatArray:
    if not len(rows):
        return np.eye(rows.shape[1])
    _, size, V = np.linalg.svd(rows)
    rank = int((size > _NULL * size.max(initial=0.0)).sum())
    return V[rank:].T
