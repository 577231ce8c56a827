"""From contact points to the matrix H of rigid bodies with six velocities (v, w).

At a contact of bodies A and B with frame (n, t1, t2) and arms s from the centres to
the contact point, the velocity of B relative to A along e is e.(v + w x s), so a row
of H is +-(e, s x e) for forces and +-(0, e) for moments (Tasora and Anitescu 2013,
appendix B).
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from rollcone._check import FloatArray, IntArray
from rollcone.problem.contact_problem import rows_per_contact

GROUND = -1
GRAVITY, STEP = 9.81, 5e-3  # m/s2, s


def frames(normals: FloatArray) -> FloatArray:
    """(n, 3, 3): rows n, t1, t2, right-handed, from unit normals (n, 3)."""
    helper = np.where(np.abs(normals[:, :1]) < 0.6, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    t1 = np.cross(helper, normals)
    t1 /= np.linalg.norm(t1, axis=1, keepdims=True)
    return np.stack([normals, t1, np.cross(normals, t1)], axis=1)


def contact_matrix(
    bodies: int,
    pairs: IntArray,
    normals: FloatArray,
    points: FloatArray,
    centers: FloatArray,
    rows: int,
) -> sp.csr_matrix:
    """H (contacts * rows, bodies * 6); pairs (n, 2) are A and B, GROUND for none."""
    rows = rows_per_contact(rows)
    axes = frames(normals)
    blocks, group, columns = [], [], []
    for side, sign in ((0, -1.0), (1, 1.0)):
        real = np.flatnonzero(pairs[:, side] != GROUND)
        body = pairs[real, side]
        e = axes[real]
        arms = points[real] - centers[body]
        force = np.concatenate([e, np.cross(arms[:, None, :], e)], axis=2)
        moment = np.concatenate([np.zeros_like(e), e], axis=2)[:, [1, 2, 0]]
        blocks.append(sign * np.concatenate([force, moment], axis=1)[:, :rows])
        group.append(real)
        columns.append(body)
    data, row, column = np.concatenate(blocks), np.concatenate(group), np.concatenate(columns)
    order = np.lexsort((column, row))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(pairs)))])
    H = sp.bsr_matrix((data[order], column[order], indptr), shape=(len(pairs) * rows, bodies * 6))
    return H.tocsr()


def sphere_masses(radii: FloatArray, density: float | FloatArray) -> FloatArray:
    """Mass blocks (n, 6, 6) of solid spheres."""
    mass = density * 4.0 / 3.0 * np.pi * radii**3
    return mass_blocks(mass, (0.4 * mass * radii**2)[:, None] * np.ones(3))


def box_moments(mass: FloatArray, size: tuple[float, float, float]) -> FloatArray:
    """Moments of inertia (n, 3) of solid boxes with the edges `size` along x, y, z."""
    squares = np.square(size)
    return np.outer(mass, squares.sum() - squares) / 12.0


def mass_blocks(mass: FloatArray, moments: FloatArray) -> FloatArray:
    """Mass blocks (n, 6, 6) from masses (n,) and moments of inertia (n, 3) about x, y, z."""
    diagonal = np.column_stack([mass, mass, mass, moments])
    return diagonal[:, :, None] * np.eye(6)


def falling(bodies: int) -> FloatArray:
    """Velocities (bodies, 6) of bodies at rest after one step of free fall."""
    velocity = np.zeros((bodies, 6))
    velocity[:, 2] = -GRAVITY * STEP
    return velocity
