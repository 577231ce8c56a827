"""The central path of a contact problem, and Newton's equations on it.

Each contact has its normal reaction r with a dual s, and per friction set a second-order cone:
x = (r, r_T / mu), with a dual z. On the path, for m > 0,

    r s = m,   x o z = m e,   y_T = z_T / mu,   y_n = s (exact law),  s + sum z_0 (associated law),

which for m = 0 is the law: mu u_T and r_T oppose each other where |r_T| = mu r. (Under the exact
law z_0 takes part in nothing: what is left of the shift is that u_n does not see it. So the
equations are smooth, unlike u_n = sum(z_0 - |z_T|), which means nearly the same.) An extra row has
a dual for each of its finite bounds, (p - lower) l = m, (upper - p) u = m, y = l - u.

A direction solves these equations linearised: with Nesterov and Todd's scaling contact by contact
(kernels/path.py) they are dp = -w - T dy, and coupling.py does the rest.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.laws.kernels.box import BOX
from rollcone.problem.contact_problem import ContactProblem
from rollcone.solvers.coupling import Equations, coupling
from rollcone.solvers.kernels import path as kernels
from rollcone.solvers.kernels.newton import move_contacts
from rollcone.solvers.scaled import ScaledProblem

_REFINEMENTS = 8  # of a solution of the linear equations
_REFINED = 1e-9  # what the equations may lack, as a part of the reactions
_HARD = 1e-10  # compliance of the change of bilateral rows, whose equations have none of their own


class Direction(NamedTuple):
    """Changes of reactions (N,), of s (n,), of z (n, 5, 3) and of the duals of bounds (m, 2)."""

    p: FloatArray
    s: FloatArray
    z: FloatArray
    bounds: FloatArray

    def plus(self, factor: float, other: Direction) -> Direction:
        return Direction(*(a + factor * b for a, b in zip(self, other, strict=True)))


class InteriorPath:
    """A point near the path: p (N,), its y, the duals, and m, which part of the path is meant."""

    def __init__(self, scaled: ScaledProblem) -> None:
        problem = scaled.problem
        self._scaled, self._problem = scaled, problem
        self._coupled = 0.0 if scaled.exact else 1.0
        self._map = scaled.velocity_map()
        self._coupling, self._equations = coupling(scaled), Equations(scaled)
        self._slots, self._axes = cones(problem, scaled.radii)
        n = problem.contacts
        self._w, self._c, self._lambda = (np.zeros((n, 5, 3)) for _ in range(3))
        self._eta = np.ones((n, 5))
        self._R = np.zeros(problem.size)
        low, high = scaled.bounds[:, 0], scaled.bounds[:, 1]
        self._fixed = low == high
        self._bounded = np.isfinite(scaled.bounds) & ~self._fixed[:, None]
        self._middle = np.where(self._fixed, low, _between(low, high))
        self.pairs = problem.contacts + np.count_nonzero(self._slots[:, :, 0])
        self.pairs += np.count_nonzero(self._bounded)
        self.begin()

    def begin(self) -> None:
        """A point well inside, the same for all contacts, of the size of the velocities that
        reactions have to stop; more where light bodies carry heavy ones."""
        problem = self._problem
        mobilities = problem.scaling.lambdas
        size = math.sqrt(mobilities.max(initial=0.0) / mobilities.min(initial=np.inf)) or 1.0
        speed = self._scaled.drive / math.sqrt(max(len(mobilities), 1))
        self.unit = speed**2  # of m
        size *= speed
        self.p, self.s = np.zeros(problem.size), np.full(problem.contacts, size)
        contacts, rows = problem.split(self.p)
        contacts[:, 0] = size
        rows[:] = self._middle
        self.z = np.zeros((problem.contacts, 5, 3))
        self.z[:, :, 0] = size
        self.bounds = np.where(self._bounded, size, 0.0)
        self.m = size**2
        self.look()

    def move(self, part: float, way: Direction) -> None:
        self.p = self.p + part * way.p
        self.s = self.s + part * way.s
        self.z = self.z + part * way.z
        self.bounds = self.bounds + part * way.bounds
        self.look()

    def state(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, float]:
        return self.p, self.s, self.z, self.bounds, self.m

    def restore(self, state: tuple[FloatArray, FloatArray, FloatArray, FloatArray, float]) -> None:
        self.p, self.s, self.z, self.bounds, self.m = state
        self.look()

    def look(self) -> None:
        """What follows from a new point: y, and R, by which y differs from what the duals say."""
        self.y = self._map.velocities(self.p)
        y, row_y = self._problem.split(self.y)
        R, row_R = self._problem.split(self._R)
        kernels.dual_defect(self._coupled, self._slots, self._axes, y, self.s, self.z, R)
        row_R[:] = np.where(self._fixed, 0.0, row_y - self.bounds[:, 0] + self.bounds[:, 1])
        rows = self._problem.split(self.p)[1]
        room = np.abs(self._scaled.bounds - rows[:, None])
        self._sizes = np.ones(self._problem.size)
        self._problem.split(self._sizes)[0][:] = self._problem.split(self.p)[0][:, :1]
        self._over = np.where(
            self._bounded, 1.0 / np.where(self._bounded, np.maximum(room, 1e-300), 1.0), 0.0
        )

    def factor(self) -> int:
        """The matrix of Newton's equations here: the sign of its determinant, 0 if singular."""
        soft, row_soft = self._problem.split(self._coupling.soft)
        T, t = self._equations.T, self._equations.t
        p = self._problem.split(self.p)[0]
        cones = (self._slots, self._axes)
        if not kernels.scale_cones(*cones, p, self.s, self.z, self._w, self._eta, self._lambda):
            return 0
        kernels.fill_blocks(self._coupled, *cones, soft, p, self.s, self._w, self._eta, T)
        firm = row_soft + (self.bounds * self._over).sum(axis=1)
        t[:] = np.where(self._fixed, 0.0, 1.0 / np.maximum(firm, _HARD))
        return self._coupling.orientation if self._coupling.factor(self._equations) else 0

    def direction(
        self, target: float, keep: float, second: float = 0.0, other: Direction | None = None
    ) -> Direction:
        """The way to x o z = target e (keep = 1), linearised, with R gone; or the derivative by the
        target (keep = 0). `second` times the product of changes in `other` is taken off."""
        problem, w = self._problem, self._equations.w
        given = self._empty() if other is None else other
        dp, row_dp = problem.split(given.p)
        contacts, row_w = problem.split(w)
        p, R, row_R = problem.split(self.p)[0], *problem.split(self._R)
        soft = problem.split(self._coupling.soft)[0]
        kernels.right_sides(
            self._coupled, self._slots, self._axes, soft, target, keep, second, p, self.s, self._w,
            self._eta, self._lambda, self._equations.T, R, dp, given.s, given.z, self._c,
            contacts,
        )  # fmt: skip
        toward = row_dp[:, None] * (1.0, -1.0)  # of the distances from the bounds
        asked = (target - second * toward * given.bounds) * self._over - keep * self.bounds
        row_w[:] = -self._equations.t * (asked[:, 0] - asked[:, 1] - keep * row_R)
        return self._recovered(keep, *self._solved(), asked)

    def _solved(self) -> tuple[FloatArray, FloatArray]:
        """dp with its dy, W dp, refined: T grows as 1 / m, and digits are lost in the factors."""
        equations, split = self._equations, self._problem.split
        w, due = equations.w.copy(), np.empty_like(equations.w)
        dp, dy, best = np.zeros_like(w), np.zeros_like(w), math.inf
        for _ in range(_REFINEMENTS + 1):
            new = dp + self._coupling.solve(equations)
            new_dy = self._map.changes(new)
            firm, row_firm = split(new_dy - self._coupling.soft * new)  # T has the compliance
            move_contacts(split(w)[0], equations.T, firm, split(due)[0])
            split(due)[1][:] = -split(w)[1] - equations.t * row_firm
            equations.w[:] = new - due
            defect = float(np.abs(equations.w / self._sizes).max(initial=0.0))
            if not math.isfinite(defect) and best == math.inf:
                raise FloatingPointError("numbers too far apart for one problem")
            if not defect < best:
                break
            dp, dy, small = new, new_dy, defect < _REFINED
            if small or defect > 0.5 * best:
                break
            best = defect
        return dp, dy

    def _recovered(
        self, keep: float, dp: FloatArray, dy: FloatArray, asked: FloatArray
    ) -> Direction:
        """ds, dz and those of the bounds that belong to dp."""
        way = Direction(dp, np.empty_like(self.s), np.zeros_like(self.z), np.empty_like(asked))
        contacts, rows = self._problem.split(dp)
        kernels.recover(
            self._coupled, keep, self._slots, self._axes, self._w, self._eta,
            self._problem.split(self._R)[0], self._c, contacts,
            self._problem.split(dy)[0], way.s, way.z,
        )  # fmt: skip
        toward = rows[:, None] * (1.0, -1.0)
        way.bounds[:] = np.where(self._bounded, asked - self.bounds * self._over * toward, 0.0)
        return way

    def _empty(self) -> Direction:
        return Direction(*(np.zeros_like(part) for part in (self.p, self.s, self.z, self.bounds)))

    def way_to_the_edge(self, way: Direction) -> float:
        """How much of the direction leads out of the cones."""
        p, (dp, row_dp) = self._problem.split(self.p)[0], self._problem.split(way.p)
        longest = kernels.way_to_the_edge(
            self._slots, self._axes, p, self.s, self.z, dp, way.s, way.z
        )
        speeds = -np.concatenate(
            [
                (row_dp[:, None] * (1.0, -1.0) * self._over)[self._bounded],
                (way.bounds / np.where(self._bounded, self.bounds, 1.0))[self._bounded],
            ]
        )
        fastest = float(speeds.max(initial=0.0))
        return float(min(longest, 1.0 / fastest) if fastest > 0.0 else longest)

    def mean_product(self, part: float = 0.0, way: Direction | None = None) -> float:
        """The mean of all x.z here, or a part of the way on: m on the path."""
        move = self._empty() if way is None else way
        (p, rows), (dp, row_dp) = self._problem.split(self.p), self._problem.split(move.p)
        total = kernels.products(
            self._slots, self._axes, p, self.s, self.z, part, dp, move.s, move.z
        )
        room = np.where(self._bounded, np.abs(self._scaled.bounds - rows[:, None]), 0.0)
        there = room + part * row_dp[:, None] * (1.0, -1.0)
        pairs = (there * (self.bounds + part * move.bounds))[self._bounded]
        return float(total + pairs.sum()) / self.pairs

    def product(self, first: Direction, other: Direction) -> tuple[float, float]:
        """The inner product of two directions in the metric of this point, in which a cone reaches
        about as far as 1 everywhere; and the largest part of a contact or row in it."""
        p = self._problem.split(self.p)[0]
        one, two = ((self._problem.split(way.p)[0], way.s, way.z) for way in (first, other))
        total, largest = kernels.local_product(
            self._slots, self._axes, self.m, p, self.s, self._w, self._eta, *one, *two
        )
        if self._bounded.any():
            a, b = (self._problem.split(way.p)[1][:, None] * self._over for way in (first, other))
            dual = np.where(self._bounded, self.bounds, 1.0)
            parts = (a * b + first.bounds / dual * other.bounds / dual).sum(axis=1)
            total, largest = total + parts.sum(), max(largest, parts.max())
        return float(total), float(largest)


def cones(problem: ContactProblem, radii: FloatArray) -> tuple[IntArray, FloatArray]:
    """The rows of the cones of each contact (n, 5, 2), 0 for none, and the half axes (n, d), 1 in
    rows that none has. A box is two cones; a set with a half axis of zero has one row alone."""
    n, d = problem.contacts, problem.rows
    axes = np.column_stack([np.ones(n), radii[:, : d - 1]])
    slots = np.zeros((n, 5, 2), dtype=np.int64)
    kinds = problem.cone.kinds
    for slot, first, kind in ((0, 1, kinds[:, 0]), (2, 3, kinds[:, 1]), (4, 5, None)):
        if first >= d:
            break
        one = np.where(axes[:, first] > 0.0, first, 0)
        two = np.zeros(n, dtype=np.int64)
        if kind is not None and first + 1 < d:
            two = np.where(axes[:, first + 1] > 0.0, first + 1, 0)
            apart = kind == BOX
            slots[:, slot + 1, 0] = np.where(apart, two, 0)
            two = np.where(apart, 0, two)
        slots[:, slot, 0] = np.where(one > 0, one, two)
        slots[:, slot, 1] = np.where(one > 0, two, 0)
    axes[axes == 0.0] = 1.0
    return slots, axes


def _between(low: FloatArray, high: FloatArray) -> FloatArray:
    """A number well between bounds, not far from zero."""
    low, high = np.maximum(low, -1e300), np.minimum(high, 1e300)
    width = np.minimum(0.5 * (high - low), 1.0)
    return np.asarray(np.clip(0.0, low + width, high - width))
