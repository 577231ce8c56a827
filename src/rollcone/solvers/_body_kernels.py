"""Compiled products with A = (D H L^-T)^T, kept as two blocks per contact (scaled.py)."""

from __future__ import annotations

from rollcone._jit import kernel


@kernel
def add_reactions(blocks, bodies, p, z):
    """z += A p: what the reactions p (n, d) do to the scaled body velocities."""
    n, _, size, d = blocks.shape
    for i in range(n):
        for side in range(2):
            body = bodies[i, side]
            for j in range(size):
                total = 0.0
                for k in range(d):
                    total += blocks[i, side, j, k] * p[i, k]
                z[body, j] += total


@kernel
def add_velocities(blocks, bodies, z, y):
    """y += A^T z: the velocities (n, d) that the bodies' make at the contacts."""
    n, _, size, d = blocks.shape
    for i in range(n):
        for side in range(2):
            body = bodies[i, side]
            for j in range(size):
                speed = z[body, j]
                for k in range(d):
                    y[i, k] += blocks[i, side, j, k] * speed
