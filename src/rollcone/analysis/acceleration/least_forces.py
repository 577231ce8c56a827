"""Of all forces with the same motion, the least.

Redundant contacts (four corners of a box, a body that a joint holds on the floor) can share their
forces in many ways without a difference to any acceleration: forces are then a convex set, the
modes and directions of the motion being given,

    opens p = 0;   slides p = -r p_n e;   rests |p| <= r p_n;   p_n >= 0;   N H^T p as it is

and the least of it, sum (p / row_scale)^2, is what a person expects: no friction where none is
needed, loads shared evenly.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.conic import ConicProgram
from rollcone.analysis.acceleration.motion import Motion, units
from rollcone.analysis.acceleration.scaled import Scaled, scaled

_MOVES = 1e-7  # of the largest acceleration: one that is not zero
_RANK = 1e-10
_LITTLE = 1e-6  # of the largest force: what the program leaves of none
_EXACT = 1e-10  # residual up to which the least forces are taken


def least_forces(motion: Motion) -> Motion:
    """The same motion with its least forces; as it is where these are unique."""
    form = scaled(motion.problem, motion.model)
    D, Z, rests = _free_forces(form, motion)
    if not Z.shape[1]:
        return motion
    x = form.unknowns(motion.forces)
    start = np.asarray(np.linalg.lstsq(D, x, rcond=None)[0], dtype=float)
    y = _least(form, D, Z, rests, start)
    if y is None:
        return motion
    for rounding in (_LITTLE * max(1.0, float(np.abs(y).max())), 0.0):
        cut = np.where(np.abs(y) <= rounding, 0.0, y)
        found = replace(motion, forces=form.reduced.forces(form.unit * (D @ cut)))
        if found.residual <= max(_EXACT, 2.0 * motion.residual):
            return found
    return motion


def redundancy(motion: Motion) -> int:
    """In how many independent ways forces can change and accelerations stay."""
    return int(_free_forces(scaled(motion.problem, motion.model), motion)[1].shape[1])


def _free_forces(form: Scaled, motion: Motion) -> tuple[FloatArray, FloatArray, list[int]]:
    """x = D y, y being normal forces of contacts that stay and forces of blocks that rest; the
    y = Z z that make no difference; and these blocks."""
    problem = motion.problem
    _, most = units(problem, motion.forces, motion.contact_accelerations)
    a = (problem.row_scale * motion.contact_accelerations).ravel()[form.reduced.pick] / most
    stays = a[form.normals] <= _MOVES
    columns = [_column(form.size, n) for n in form.normals[stays]]
    slot, rests = np.cumsum(stays) - 1, []
    for k, pair in enumerate(form.pairs):
        own = pair[pair < form.size]
        if not stays[form.of[k]]:
            continue
        speed = float(np.linalg.norm(a[own]))
        if speed > _MOVES:
            columns[slot[form.of[k]]][own] = -form.radii[k] * a[own] / speed
        else:
            rests.append(k)
            columns += [_column(form.size, row) for row in own]
    D = np.array(columns).reshape(len(columns), form.size).T
    if not D.size:
        return D, np.zeros((D.shape[1], 0)), rests
    _, size, V = np.linalg.svd(form.effect() @ D)
    rank = int((size > _RANK).sum())
    return D, V[rank:].T, rests


def _column(n: int, k: int) -> FloatArray:
    column = np.zeros(n)
    column[k] = 1.0
    return column


def _least(
    form: Scaled, D: FloatArray, Z: FloatArray, rests: list[int], y: FloatArray
) -> FloatArray | None:
    """y + Z z with the least forces in the cones."""
    weight = form.unit / form.reduced.scale
    weight = weight / weight.max()
    R, r = weight[:, None] * (D @ Z), weight * (D @ y)
    full, base = D @ Z, D @ y
    touch = form.normals[np.any(D[form.normals] != 0.0, axis=1)]
    discs, h = [], []
    for k in rests:
        normal, (i, j) = form.normals[form.of[k]], form.pairs[k]
        side = np.zeros_like(full[i]) if j == form.size else full[j]
        discs += [form.radii[k] * full[normal], full[i], side]
        h += [form.radii[k] * base[normal], base[i], 0.0 if j == form.size else base[j]]
    G = np.array([*full[touch], *discs]).reshape(-1, Z.shape[1])
    program = ConicProgram(R.T @ R, R.T @ r, G, len(touch))
    z = program.solve(np.concatenate([base[touch], h]))
    return None if z is None else y + Z @ z
