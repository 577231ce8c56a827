"""The relaxed model: as near to Coulomb's law as there is a motion (Pang and Trinkle 1996, (46) to
(48)).

Where contacts slide there may be no motion at all. The relaxed model lets friction of blocks that
move have any force in the cone (or pyramid, (45)) that gives no power, v.p <= 0, and asks for the
least

    f = sum over moving blocks  | r v p_n + |v| p |^2,

the square of what (9) lacks. f = 0 is a motion by Coulomb's law. Normal forces and resting blocks
keep their complementarities, so that this is a mathematical program with equilibrium constraints,
(48): it is divided into cells (cells.py), in each of which f has a least value by a convex program;
that of a cell with undecided modes bounds all of its parts from below. Depth first, what cannot be
better than the best is left out: if all is looked at the answer is the best there is, by proof;
if the search ends early it is a local one, with the bound that was reached.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rollcone._check import FloatArray, one_of, whole_number
from rollcone.analysis.acceleration.cells import Cell, CellProgram, Free, Sector
from rollcone.analysis.acceleration.divide import divided, undecided
from rollcone.analysis.acceleration.mode_newton import polish
from rollcone.analysis.acceleration.motion import Model, Motion, units
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.scaled import Scaled, scaled

MOST_CELLS = 5_000
_GAP = 1e-9  # of the largest f that forces of size one have: not worth looking for
_NARROW = 1e-10  # rad, sectors of the answer


@dataclass(frozen=True, eq=False)
class Relaxed:
    """motion      of the relaxed model; None if none was found
    distance    its f, in W^2
    bound       no motion of the model has a smaller f than this
    complete    has everything been looked at? Then bound and distance are the same, and None
                means that the model has no motion
    departure   the largest |p + r p_n v / |v|| over r p_n of moving blocks: 0 is Coulomb's law
    cells       how many were looked at
    """

    motion: Motion | None
    distance: float
    bound: float
    complete: bool
    departure: float
    cells: int
    model: Model


def relaxed_motion(
    problem: AccelerationProblem, model: Model = "pyramid", *, most_cells: int = MOST_CELLS
) -> Relaxed:
    """The motion of (48), or of (46) with model = 'cone'."""
    one_of("model", model, ("pyramid", "cone"))
    search = _Search(problem, model)
    complete = search.run(whole_number("most_cells", most_cells, least=1))
    motion = search.motion()
    complete &= not search.doubtful and (motion is None or motion.certified)
    unit = search.unit**2
    distance = np.inf if motion is None else motion.distance
    bound = distance if complete else min(search.bound * unit, distance)
    away = np.nan if motion is None else _departure(motion)
    return Relaxed(motion, distance, bound, complete, away, search.cells, model)


class _Search:
    def __init__(self, problem: AccelerationProblem, model: Model) -> None:
        self.problem, self.model = problem, model
        # The same contacts as if nothing moved have every force as an unknown.
        self.form = scaled(replace(problem, velocity=np.zeros_like(problem.velocity)), model)
        self.root, self.unit, half_spaces = _departures(problem, self.form)
        self.program = CellProgram(self.form, half_spaces=half_spaces)
        self.best, self.cell = np.inf, undecided(self.form)
        self.x: FloatArray | None = None
        self._unsolved: set[Cell] = set()  # their least value is not known
        self.bound, self.cells, self.doubtful = np.inf, 0, 0

    def run(self, most: int) -> bool:
        first = undecided(self.form)
        moves = _moving_blocks(self.problem, self.form)
        first = Cell(first.contacts, tuple(Free() if moved else None for moved in moves))
        stack = self._solved([first])
        while stack:
            value, cell, x = stack.pop()
            if value >= self.best - _GAP:
                continue
            if self.cells >= most:
                self.bound = min(value, *(entry[0] for entry in stack), self.best)
                return False
            further = divided(self.form, cell, x)
            if further:
                stack += self._solved(further)
            elif cell in self._unsolved:
                self.doubtful += 1
            else:
                self.best, self.x, self.cell = value, x, cell
        self.bound = self.best
        return True

    def _solved(self, cells: list[Cell]) -> list[tuple[float, Cell, FloatArray]]:
        """Those that are not empty, the best last."""
        found = []
        for cell in cells:
            self.cells += 1
            answer = self.program.least(cell, self.root)
            if answer is None:
                continue
            x, value, solved = answer
            found.append((value, cell, x))
            if not solved:
                self._unsolved.add(cell)
        return sorted(found, key=lambda entry: -entry[0])

    def motion(self) -> Motion | None:
        """The best, its sectors narrowed down."""
        if self.x is None:
            return None
        x, cell = self.x, self.cell
        while any(isinstance(choice, Sector) and choice.half > _NARROW for choice in cell.blocks):
            parts = self._solved(divided(self.form, cell, x, _NARROW))
            if not parts:
                break
            _, cell, x = parts[-1]
        p = self.form.reduced.forces(self.form.unit * x)
        p = self._by_coulomb(p) if self.best <= _GAP else p
        found = Motion(self.problem, p, self.model, "relaxed", relaxed=True)
        return replace(found, distance=_distance(found))

    def _by_coulomb(self, p: FloatArray) -> FloatArray:
        """Where f is as good as zero it is so flat that half of the digits are lost: those of a
        motion by Coulomb's law nearby, if there is one."""
        form = scaled(self.problem, self.model)
        motion = form.motion(polish(form, form.unknowns(p)), "relaxed")
        return motion.forces if motion.certified else p


def _moving_blocks(problem: AccelerationProblem, form: Scaled) -> list[bool]:
    """Of each block of the form: does it move?"""
    d = problem.rows_per_contact
    row = form.reduced.pick[form.pairs[:, 0]] % d
    number = [next(k for k, rows in enumerate(problem.blocks) if r in rows) for r in row]
    return [bool(problem.moves[i, k]) for i, k in zip(form.of, number, strict=True)]


def _departures(problem: AccelerationProblem, form: Scaled) -> tuple[FloatArray, float, FloatArray]:
    """R with f = |R x|^2 unit^2, the unit, and rows of -v.p >= 0."""
    rows, halves = [], []
    for block in form.reduced.blocks:
        if not problem.moves[block.contact, block.number]:
            continue
        v = problem.velocity[block.contact, list(problem.blocks[block.number])]
        speed, half = np.linalg.norm(v), np.zeros(form.size)
        for j, row in enumerate(block.rows):
            lacks = np.zeros(form.size)
            lacks[block.normal] = block.radius * v[j] * form.unit[block.normal]
            lacks[row] = speed * form.unit[row]
            half[row] = -v[j] * form.unit[row]
            rows.append(lacks)
        halves.append(half / np.abs(half).max())
    R = np.array(rows).reshape(-1, form.size)
    unit = float(np.abs(R).max(initial=0.0)) or 1.0
    return R / unit, unit, np.array(halves).reshape(-1, form.size)


def _distance(motion: Motion) -> float:
    """f of (46)."""
    return float(sum(speed**2 * lack @ lack for speed, lack, _ in _lacks(motion)))


def _departure(motion: Motion) -> float:
    F, _ = units(motion.problem, motion.forces, motion.contact_accelerations)
    shares = [np.linalg.norm(lack) / limit for _, lack, limit in _lacks(motion) if limit > _GAP * F]
    return float(max(shares, default=0.0))


def _lacks(motion: Motion) -> list[tuple[float, FloatArray, float]]:
    """Of moving blocks: speed, p + r p_n v / |v|, r p_n."""
    problem, p, found = motion.problem, motion.forces, []
    for i, k in zip(*np.nonzero(problem.moves), strict=True):
        own, speed = list(problem.blocks[k]), float(problem.slip[i, k])
        limit = float(problem.friction[i, k] * max(p[i, 0], 0.0))
        found.append((speed, p[i, own] + limit * problem.velocity[i, own] / speed, limit))
    return found
