"""The reduced problem without units, as the solvers of the friction cone see it.

With x = beta S xi and y = beta S^-1 eta, S one number per contact times `Reduced.scale`,

    eta = (S A~ S) xi + S b~ / beta,

so that a contact is about as easy to move as any other, by forces as by moments, and the largest
entry of the load is one. Cones stay cones: radii are divided by the length of their rows. A block
of one row is kept as one of two whose second row is always zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from rollcone._check import FloatArray, IntArray
from rollcone.analysis.acceleration.motion import Model, Motion
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.reduced import Reduced, reduced

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Scaled:
    """A (n, n), b (n,) and what is what: see the module.

    normals  (c,) unknowns that are normal forces
    pairs    (k, 2) unknowns of each resting block; n, which is none, as the second of an interval
    of       (k,) the contact of each block
    radii    (k,) of the blocks
    model    'cone', or 'pyramid': every row of a block is an interval of its own
    """

    reduced: Reduced
    unit: FloatArray  # (n,) beta S: x over xi
    A: FloatArray
    b: FloatArray
    normals: IntArray
    pairs: IntArray
    of: IntArray
    radii: FloatArray
    model: Model = "cone"

    @property
    def size(self) -> int:
        return len(self.b)

    @property
    def wide(self) -> BoolArray:
        """(k,): the blocks of two rows."""
        return self.pairs[:, 1] < self.size

    def accelerations(self, x: FloatArray) -> FloatArray:
        """eta (n,)."""
        return self.A @ x + self.b

    def in_blocks(self, x: FloatArray) -> FloatArray:
        """(k, 2) of a vector of unknowns."""
        return np.append(x, 0.0)[self.pairs]

    def limits(self, x: FloatArray) -> FloatArray:
        """(k,): radius times normal force, none where that is negative."""
        return self.radii * np.maximum(x[self.normals], 0.0)[self.of]

    def motion(self, x: FloatArray, solver: str) -> Motion:
        """Of the unknowns xi."""
        return Motion(self.reduced.problem, self.reduced.forces(self.unit * x), self.model, solver)

    def unknowns(self, p: FloatArray) -> FloatArray:
        """xi of forces p (c, d)."""
        return self.reduced.unknowns(p) / self.unit

    def effect(self) -> FloatArray:
        """Accelerations of all bodies by the unknowns, in the metric of the masses, over what they
        would be if no row were given: what is below rounding is nothing."""
        problem = self.reduced.problem
        L = np.linalg.cholesky(problem.mass)
        forces = problem.flat_rows.T @ self.reduced.T * self.unit
        most = float(np.linalg.norm(solve_triangular(L, forces, lower=True))) or 1.0
        return np.asarray(L.T @ problem.mobility @ forces / most)

    def error(self, x: FloatArray) -> float:
        """The largest entry of xi - proj(xi - eta), proj on what the normal forces admit."""
        y = self.accelerations(x)
        normal = np.abs(np.minimum(x[self.normals], y[self.normals])).max(initial=0.0)
        q, g = self.in_blocks(x), self.in_blocks(y)
        length = np.linalg.norm(q - g, axis=1)
        share = np.minimum(self.limits(x) / np.maximum(length, 1e-300), 1.0)
        return max(float(normal), float(np.abs(q - share[:, None] * (q - g)).max(initial=0.0)))


def scaled(problem: AccelerationProblem, model: Model = "cone") -> Scaled:
    """The reduced problem in these units."""
    form = reduced(problem)
    n = len(form.pick)
    ease = problem.ease[form.pick] * form.scale**2
    contact = form.pick // problem.rows_per_contact
    each = np.bincount(contact, ease, problem.contacts) / np.bincount(
        contact, minlength=problem.contacts
    )
    least = 1e-12 * float(each.max(initial=0.0)) or 1.0  # contacts that nothing moves
    S = form.scale / np.sqrt(np.maximum(each, least))[contact]
    beta = float(np.abs(S * form.b).max(initial=0.0)) or 1.0
    whole = [(block, block.rows) for block in form.blocks]
    if model == "pyramid":
        whole = [(block, rows[[j]]) for block, rows in whole for j in range(len(rows))]
    pairs = np.full((len(whole), 2), n, dtype=np.int64)
    for i, (_, rows) in enumerate(whole):
        pairs[i, : len(rows)] = rows
    of = np.array([block.contact for block, _ in whole], dtype=np.int64)
    radii = np.array([block.radius / form.scale[block.rows[0]] for block, _ in whole])
    A = form.A * S[:, None] * S
    return Scaled(form, beta * S, A, S * form.b / beta, form.normals, pairs, of, radii, model)
