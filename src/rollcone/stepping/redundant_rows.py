"""Which rows of joints hold what others hold as well: those of two joints in one place, or of a
plane linkage with hinges. On such rows forces can act that do nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rollcone.mechanics.bodies import DYNAMIC, Bodies
from rollcone.mechanics.kernels import joint_row as row_kernels
from rollcone.mechanics.kernels.joint_work import JointArrays, RowArrays, RowWork
from rollcone.stepping.kernels.joint import hold_errors

_MOST = 400  # rows in loops, up to which the redundant ones among them are found; else all count
_RANK = 1e-7  # of the largest singular value: smaller ones are none


def redundant_rows(
    state: Bodies, joints: JointArrays, rows: RowArrays, work: RowWork
) -> NDArray[np.bool_]:
    """Return which rows (m,) are redundant where the bodies are now; `work` is written."""
    m = len(rows.role)
    looped = np.flatnonzero(in_loops(state.kind, joints, rows) & (rows.role == row_kernels.HOLD))
    found = np.zeros(m, dtype=bool)
    if len(looped) > _MOST:
        found[looped] = True
    if not 0 < len(looped) <= _MOST:
        return found
    row_kernels.find_bodies(state.kind, joints, rows, work)
    free, x = np.zeros(m, dtype=np.int64), np.zeros(m)
    hold_errors(state.position, state.orientation, joints, rows, work, free, x)
    left, sizes, _ = np.linalg.svd(_matrix(state, work, looped))
    rank = int(np.sum(sizes > _RANK * sizes[0]))
    found[looped] = (np.abs(left[:, rank:]) > _RANK).any(axis=1)
    return found


def _matrix(state: Bodies, work: RowWork, looped: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the rows (r, 6 b) of the b bodies concerned, turning by radii of gyration."""
    bodies, inverse = np.unique(work.bodies[looped], return_inverse=True)
    places = inverse.reshape(len(looped), 4)
    scale = np.ones((len(bodies), 6))
    moving = bodies < len(state)
    found = bodies[moving]
    gyration = np.sqrt(state.inertia[found].max(axis=1) / state.mass[found])
    scale[moving, 3:] = 1.0 / gyration[:, None]
    scale[~moving] = 0.0  # what is none
    blocks = np.zeros((len(looped), len(bodies), 6))
    for k in range(4):
        which = places[:, k]
        blocks[np.arange(len(looped)), which] += work.G[looped, k] * scale[which]
    return blocks.reshape(len(looped), -1)


def in_loops(kind: NDArray[np.int64], joints: JointArrays, rows: RowArrays) -> NDArray[np.bool_]:
    """Return which rows (m,) belong to loops of joints; bodies that are not dynamic are one. What
    hangs on a loop, or on nothing, is left out by cutting off ends, one after the other."""
    used = np.unique(rows.joint[rows.joint[:, 1] < 0, 0])
    gears = np.unique(rows.joint[rows.joint[:, 1] >= 0], axis=0)
    pairs = np.concatenate([
        np.stack([joints.base[used], joints.body[used]], axis=1),
        np.stack([joints.body[gears[:, 0]], joints.body[gears[:, 1]]], axis=1),
    ])  # fmt: skip
    moves = (pairs >= 0) & (kind[pairs] == DYNAMIC)
    pairs = np.where(moves, pairs, len(kind))
    kept, ends = np.ones(len(pairs), dtype=bool), np.arange(len(pairs))
    while len(ends):
        count = np.bincount(pairs[kept].ravel(), minlength=len(kind) + 1)
        ends = np.flatnonzero(kept & (count[pairs] == 1).any(axis=1))
        kept[ends] = False
    in_loop = np.zeros(len(joints.base), dtype=bool)
    in_loop[used[kept[: len(used)]]] = True
    return np.where(rows.joint[:, 1] < 0, in_loop[rows.joint[:, 0]], True)
