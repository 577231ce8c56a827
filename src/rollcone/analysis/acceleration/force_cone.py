"""Which contact forces friction allows, and which accelerations oppose none of them.

A force p of a contact has p_n >= 0 and in each block of friction a part in radius p_n G, where G is

    cone          the disc |g| <= 1                    (7)
    pyramid       the box |g_t| <= 1                   (45)
    frictionless  nothing
    half          of blocks that move, the part of G with v.g <= 0, v their velocity     (46), (47)

(Pang and Trinkle 1996). Those y with y.p >= 0 for every such p, the dual cone F*, have

    y_n >= sum over blocks of radius h(y),    h(y) = - min of y.g over G,

which is |y| for a disc, sum |y_t| for a box, and for a half of them the least of |y + l v|, l >= 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.problem import AccelerationProblem

Shape = Literal["cone", "pyramid", "frictionless"]
Moving = Literal["half", "none"]


@dataclass(frozen=True, eq=False)
class ForceCone:
    """F of all contacts.

    blocks   the rows of each block
    radius   (c, k)
    against  (c, d): unit velocities of blocks that have half a set, zero of others
    box      are the sets boxes?
    """

    blocks: tuple[tuple[int, ...], ...]
    radius: FloatArray
    against: FloatArray
    box: bool

    def scaled(self, scale: FloatArray) -> ForceCone:
        """Of forces p / scale (c, d)."""
        units = [scale[:, rows[0]] for rows in self.blocks]
        unit = np.array(units).reshape(self.radius.T.shape).T
        return replace(self, radius=self.radius / unit)

    @property
    def carries(self) -> FloatArray:
        """(c, d): 1 for rows that can have a force, 0 for others."""
        rows = np.zeros_like(self.against)
        rows[:, 0] = 1.0
        for k, own in enumerate(self.blocks):
            rows[:, list(own)] = self.radius[:, [k]] > 0.0
        return rows

    def pulled(self, p: FloatArray) -> FloatArray:
        """Forces in F near p (c, d): p itself, if it is one."""
        p = p * self.carries
        p[:, 0] = np.maximum(p[:, 0], 0.0)
        for k, rows in enumerate(self.blocks):
            own = list(rows)
            limit, d = self.radius[:, [k]] * p[:, :1], self.against[:, own]
            part = p[:, own]
            part = part - np.maximum(np.sum(part * d, axis=1, keepdims=True), 0.0) * d
            size = np.abs(part).max(axis=1) if self.box else np.linalg.norm(part, axis=1)
            p[:, own] = part * np.minimum(1.0, limit[:, 0] / np.maximum(size, 1e-300))[:, None]
        return p

    def outside(self, p: FloatArray) -> float:
        """How far p is from F at the most, over its largest entry."""
        return float(np.abs(p - self.pulled(p)).max(initial=0.0) / (np.abs(p).max(initial=0) or 1))

    def margin(self, y: FloatArray) -> FloatArray:
        """(c,): y_n - sum of radius h(y), not negative if y (c, d) is in F*."""
        left = y[:, 0].copy()
        for k, rows in enumerate(self.blocks):
            own = list(rows)
            left -= self.radius[:, k] * self._reach(y[:, own], self.against[:, own])
        return left

    def _reach(self, y: FloatArray, d: FloatArray) -> FloatArray:
        """h(y): the least norm of y + l d, l >= 0."""
        if not self.box:
            along = np.maximum(-np.sum(y * d, axis=1, keepdims=True), 0.0)
            return np.asarray(np.linalg.norm(y + along * d, axis=1))
        # The sum of |y_t + l d_t| bends where a term is zero: its least is there or at l = 0.
        least = np.abs(y).sum(axis=1)
        for t in range(y.shape[1]):
            along = np.maximum(-y[:, t] * d[:, t], 0.0) / np.maximum(d[:, t] ** 2, 1e-300)
            least = np.minimum(least, np.abs(y + along[:, None] * d).sum(axis=1))
        return np.asarray(least)


def force_cone(problem: AccelerationProblem, shape: Shape, moving: Moving = "half") -> ForceCone:
    """F with sets of this shape; blocks that move have half a set, or no force."""
    radius = problem.friction.copy()
    against = np.zeros((problem.contacts, problem.rows_per_contact))
    if shape == "frictionless":
        radius[:] = 0.0
    elif moving == "none":
        radius[problem.moves] = 0.0
    else:
        for i, k in zip(*np.nonzero(problem.moves), strict=True):
            own = list(problem.blocks[k])
            against[i, own] = problem.velocity[i, own] / problem.slip[i, k]
    return ForceCone(problem.blocks, radius, against, shape == "pyramid")
