"""Which rows of joints hold what others hold as well: those of two joints in one place, or of a
plane linkage with hinges. On such rows forces can act that do nothing.

Some rows are redundant wherever the bodies are, such as those of several hinges along one axis that
join the same two bodies. Others are only while all joints are closed: where joints are open by a
little, these rows are nearly, but not quite, the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone.mechanics.bodies import DYNAMIC, Bodies
from rollcone.mechanics.kernels import joint_row as row_kernels
from rollcone.mechanics.kernels.joint_work import JointArrays, RowArrays, RowWork
from rollcone.stepping.kernels.joint import hold_errors

_MOST = 400  # rows in loops, up to which the redundant ones among them are found; else all count
_RANK = 1e-7  # of the largest singular value: smaller ones are none
_OPEN = 1e-3  # of the radius of gyration, by which joints are opened to try rows


def redundant_rows(
    state: Bodies, joints: JointArrays, rows: RowArrays, work: RowWork
) -> NDArray[np.bool_]:
    """Return which rows (m,) are redundant where the bodies are now, and would not be if joints
    were open; `work` is written."""
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
    rank = _rank(sizes)
    hold_errors(*_displaced(state), joints, rows, work, free, x)
    if _rank(np.linalg.svd(_matrix(state, work, looped), compute_uv=False)) > rank:
        found[looped] = (np.abs(left[:, rank:]) > _RANK).any(axis=1)
    return found


def _rank(sizes: NDArray[np.floating[Any]]) -> int:
    """Return the rank of a matrix with these singular values, the largest first."""
    return int(np.sum(sizes > _RANK * sizes[0]))


def _displaced(state: Bodies) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return positions (n, 3) and orientations (n, 4) of bodies at which joints are open: each is
    moved by a share of its radius of gyration, and turned by as many rad, in a way of its own."""
    chance = np.random.default_rng(0)
    moves = state.kind == DYNAMIC  # others have no mass
    gyration = np.sqrt(state.inertia.max(axis=1) / np.where(moves, state.mass, 1.0))
    shift = _OPEN * gyration[:, None] * chance.uniform(-1.0, 1.0, (len(state), 3))
    turned = state.orientation + _OPEN * chance.uniform(-1.0, 1.0, (len(state), 4))
    return state.position + shift, turned / np.linalg.norm(turned, axis=1)[:, None]


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
