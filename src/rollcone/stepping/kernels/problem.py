"""The problem of a step in the form that solvers outside of it take: blocks of H A^T for both
bodies of each contact, with M^-1 = A^T A."""

from __future__ import annotations

import math

from rollcone._build.kernels import entry
from rollcone._build.signatures import Float2, Float3, Float4, Int2
from rollcone.stepping.kernels.contact import moment_row


@entry
def body_factors(inverse: Float2, v: Float2, w: Float2, factor: Float3, z: Float2) -> None:
    """A (n, 6, 6): the roots of 1 / m, and L^T of the inverse inertia L L^T; z (n, 6) is
    A^-T (v, w). Of bodies that are not dynamic A is the unit matrix, z zero."""
    for i in range(inverse.shape[0]):
        for k in range(6):
            z[i, k] = 0.0
            for j in range(6):
                factor[i, j, k] = 1.0 if j == k else 0.0
        if inverse[i, 0] == 0.0:
            continue
        root = math.sqrt(inverse[i, 0])
        for k in range(3):
            factor[i, k, k] = root
            z[i, k] = v[i, k] / root
        a = math.sqrt(inverse[i, 1])
        b, c = inverse[i, 4] / a, inverse[i, 5] / a
        d = math.sqrt(inverse[i, 2] - b * b)
        e = (inverse[i, 6] - b * c) / d
        f = math.sqrt(inverse[i, 3] - c * c - e * e)
        factor[i, 3, 3], factor[i, 3, 4], factor[i, 3, 5] = a, b, c
        factor[i, 4, 4], factor[i, 4, 5], factor[i, 5, 5] = d, e, f
        z[i, 3] = w[i, 0] / a
        z[i, 4] = (w[i, 1] - b * z[i, 3]) / d
        z[i, 5] = (w[i, 2] - c * z[i, 3] - e * z[i, 4]) / f


@entry
def contact_blocks(
    rows: int, movers: Int2, frames: Float3, arms: Float2, factor: Float3, blocks: Float4
) -> None:
    """blocks (c, 2, 6, d) = (H A^T)^T; zero for a side that is not dynamic."""
    n = factor.shape[0]
    for i in range(movers.shape[0]):
        e = frames[i]
        for s in range(2):
            body, sign = movers[i, s], 2.0 * s - 1.0
            for j in range(6):
                for k in range(rows):
                    blocks[i, s, j, k] = 0.0
            if body == n:
                continue
            F = factor[body]
            for k in range(3):
                m1, m2, m3 = moment_row(
                    e, k, arms[i, 3 * s], arms[i, 3 * s + 1], arms[i, 3 * s + 2]
                )
                turn = 5 if k == 0 else 2 + k
                for j in range(3):
                    f1, f2, f3 = sign * F[3 + j, 3], sign * F[3 + j, 4], sign * F[3 + j, 5]
                    blocks[i, s, j, k] = F[j, j] * sign * e[k, j]
                    blocks[i, s, 3 + j, k] = f1 * m1 + f2 * m2 + f3 * m3
                    if rows > 3:
                        blocks[i, s, 3 + j, turn] = f1 * e[k, 0] + f2 * e[k, 1] + f3 * e[k, 2]


@entry
def row_blocks(G: Float3, bodies: Int2, factor: Float3, pairs: Int2, blocks: Float3) -> bool:
    """blocks (m, 2, 6) of rows on up to four bodies, pairs (m, 2) those that they are on; False if
    one is on more than two."""
    n, two = factor.shape[0], True
    for i in range(G.shape[0]):
        pairs[i, 0] = pairs[i, 1] = n
        for s in range(2):
            for j in range(6):
                blocks[i, s, j] = 0.0
        for s in range(4):
            body = bodies[i, s]
            if body == n:
                continue
            side = 0 if pairs[i, 0] == n or pairs[i, 0] == body else 1
            if side == 1 and pairs[i, 1] != n and pairs[i, 1] != body:
                two = False
                continue
            pairs[i, side] = body
            for j in range(6):
                for k in range(6):
                    blocks[i, side, j] += factor[body, j, k] * G[i, s, k]
    return two
