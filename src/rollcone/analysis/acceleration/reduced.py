"""The problem less the forces of blocks that move (Pang and Trinkle 1996, (23), (24)).

A block that moves has the force -radius (velocity / speed) p_n, (11), so unknowns x are the normal
force and the forces of resting blocks of each contact; what is asked of their rows is

    y = A~ x + b~,   A~ = P A T,   b~ = P b,   p = T x,

P taking the rows of unknowns from all. A~ is not symmetric where something moves. Blocks without
friction have no force and no unknowns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.analysis.acceleration.problem import AccelerationProblem


class Block(NamedTuple):
    """A resting block of friction."""

    contact: int
    number: int  # 0 sliding, 1 rolling, 2 spinning
    normal: int  # the unknown that is its contact's normal force
    rows: IntArray  # its own unknowns
    radius: float


@dataclass(frozen=True, eq=False)
class Reduced:
    """A~, b~ and which unknown is what; see `reduced`."""

    problem: AccelerationProblem
    T: FloatArray  # (c d, x)
    pick: IntArray  # rows of y among all
    normals: IntArray  # (c,), the unknowns that are normal forces
    blocks: tuple[Block, ...]

    @cached_property
    def A(self) -> FloatArray:
        return self.problem.A[self.pick] @ self.T

    @cached_property
    def b(self) -> FloatArray:
        return self.problem.b[self.pick]

    @cached_property
    def scale(self) -> FloatArray:
        """Of each unknown: that of its row (AccelerationProblem.row_scale)."""
        return self.problem.row_scale.ravel()[self.pick]

    def forces(self, x: FloatArray) -> FloatArray:
        """p (c, d)."""
        return (self.T @ x).reshape(self.problem.contacts, self.problem.rows_per_contact)

    def unknowns(self, p: FloatArray) -> FloatArray:
        """x of forces p (c, d)."""
        return np.asarray(p.ravel()[self.pick])


def reduced(problem: AccelerationProblem) -> Reduced:
    """Unknowns in the order of contacts: normal force, then resting blocks."""
    d = problem.rows_per_contact
    pick: list[int] = []
    blocks: list[Block] = []
    normals = np.zeros(problem.contacts, dtype=np.int64)
    for i in range(problem.contacts):
        normals[i] = len(pick)
        pick.append(i * d)
        for k, rows in enumerate(problem.blocks):
            if problem.moves[i, k] or problem.friction[i, k] == 0.0:
                continue
            own = np.arange(len(pick), len(pick) + len(rows))
            blocks.append(Block(i, k, int(normals[i]), own, float(problem.friction[i, k])))
            pick += [i * d + row for row in rows]
    T = np.zeros((problem.contacts * d, len(pick)))
    T[pick, np.arange(len(pick))] = 1.0
    for i, k in zip(*np.nonzero(problem.moves), strict=True):
        own = np.array(problem.blocks[k])
        direction = problem.velocity[i, own] / problem.slip[i, k]
        T[i * d + own, normals[i]] = -problem.friction[i, k] * direction
    return Reduced(problem, T, np.array(pick, dtype=np.int64), normals, tuple(blocks))
