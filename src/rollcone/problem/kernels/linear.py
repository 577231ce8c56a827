"""Compiled linear algebra: products with A = (H L^-T)^T, which is kept as two blocks per
contact (bodies.py), and of vectors."""

from __future__ import annotations

from rollcone._build.kernels import entry
from rollcone._build.signatures import Float1, Float2, Float3, Float4, Int2


@entry
def add_reactions(blocks: Float4, bodies: Int2, p: Float2, z: Float2) -> None:
    """z += A p: what the reactions p (n, d) do to the scaled body velocities."""
    size, d = blocks.shape[2], blocks.shape[3]
    for i in range(blocks.shape[0]):
        for side in range(2):
            body = bodies[i, side]
            for j in range(size):
                total = 0.0
                for k in range(d):
                    total += blocks[i, side, j, k] * p[i, k]
                z[body, j] += total


@entry
def add_velocities(blocks: Float4, bodies: Int2, z: Float2, y: Float2) -> None:
    """y += A^T z: the velocities (n, d) that the bodies' make at the contacts."""
    size, d = blocks.shape[2], blocks.shape[3]
    for i in range(blocks.shape[0]):
        for side in range(2):
            body = bodies[i, side]
            for j in range(size):
                speed = z[body, j]
                for k in range(d):
                    y[i, k] += blocks[i, side, j, k] * speed


@entry
def pair_products(blocks: Float4, out: Float3) -> None:
    """A_i^T A_i of every contact (n, d, d): the diagonal blocks of W."""
    size, d = blocks.shape[2], blocks.shape[3]
    for i in range(blocks.shape[0]):
        for k in range(d):
            for m in range(k + 1):
                total = 0.0
                for side in range(2):
                    for j in range(size):
                        total += blocks[i, side, j, k] * blocks[i, side, j, m]
                out[i, k, m] = total
                out[i, m, k] = total


@entry
def dot(a: Float1, b: Float1) -> float:
    """a . b, always in the same order: BLAS splits long vectors among its threads, which then
    wait for each other on a busy machine, and gives other bits for other numbers of them.
    """
    n = a.shape[0]
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0  # four sums, so that additions do not wait
    for k in range(0, n - 3, 4):
        s0 += a[k] * b[k]
        s1 += a[k + 1] * b[k + 1]
        s2 += a[k + 2] * b[k + 2]
        s3 += a[k + 3] * b[k + 3]
    for k in range(n - n % 4, n):
        s0 += a[k] * b[k]
    return (s0 + s1) + (s2 + s3)
