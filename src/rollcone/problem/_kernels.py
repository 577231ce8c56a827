"""Compiled parts of the residual: scaling of contact blocks, errors of the law."""

from __future__ import annotations

import math

from rollcone._jit import kernel
from rollcone.laws._kernels import kind_of, project, project_sets

_MAX_SWEEPS = 30


@kernel
def largest_eigenvalue(A):
    """Of a small symmetric matrix, which is destroyed: Jacobi's rotations, to rounding."""
    d = A.shape[0]
    for _ in range(_MAX_SWEEPS):
        off, size = 0.0, 0.0
        for i in range(d):
            size += A[i, i] * A[i, i]
            for j in range(i):
                off += A[i, j] * A[i, j]
        if off <= 1e-28 * size or not off < math.inf:
            break
        least = 1e-15 * math.sqrt(size)
        for i in range(d):
            for j in range(i):
                if abs(A[i, j]) <= least:
                    continue
                theta = 0.5 * (A[j, j] - A[i, i]) / A[i, j]
                t = 1.0 / (abs(theta) + math.sqrt(theta * theta + 1.0))
                if theta < 0.0:
                    t = -t
                c = 1.0 / math.sqrt(t * t + 1.0)
                s = t * c
                for k in range(d):
                    x, y = A[i, k], A[j, k]
                    A[i, k], A[j, k] = c * x - s * y, s * x + c * y
                for k in range(d):
                    x, y = A[k, i], A[k, j]
                    A[k, i], A[k, j] = c * x - s * y, s * x + c * y
    largest = A[0, 0]
    for i in range(1, d):
        largest = max(largest, A[i, i])
    return largest


@kernel
def largest_eigenvalues(blocks, work, out):
    """Of the symmetric part of every block (n, d, d)."""
    n, d = blocks.shape[0], blocks.shape[1]
    for i in range(n):
        for k in range(d):
            for m in range(d):
                work[k, m] = 0.5 * (blocks[i, k, m] + blocks[i, m, k])
        out[i] = largest_eigenvalue(work)


@kernel
def contact_errors(exact, kinds, radii, units, lambdas, speed, y, p, errors):
    """e_i = |lambda_i p_i - proj_i(lambda_i p_i - y_i)| in rows scaled by `units` (n, d).

    radii are those of the scaled rows. `speed` is divided out before anything is squared.
    """
    n, d = y.shape
    for i in range(n):
        slide, roll = kind_of(kinds, i, 0), kind_of(kinds, i, 1)
        a1, b1, a2, b2, spin = radii[i, 0], radii[i, 1], radii[i, 2], radii[i, 3], radii[i, 4]
        f = lambdas[i] / speed
        p0, p1 = p[i, 0] * f, p[i, 1] * f
        p2 = p[i, 2] * f if d > 2 else 0.0
        p3 = p[i, 3] * f / units[i, 3] if d > 3 else 0.0
        p4 = p[i, 4] * f / units[i, 4] if d > 3 else 0.0
        p5 = p[i, 5] * f / units[i, 5] if d > 5 else 0.0
        x0, x1 = p0 - y[i, 0] / speed, p1 - y[i, 1] / speed
        x2 = p2 - y[i, 2] / speed if d > 2 else 0.0
        x3 = p3 - y[i, 3] * units[i, 3] / speed if d > 3 else 0.0
        x4 = p4 - y[i, 4] * units[i, 4] / speed if d > 3 else 0.0
        x5 = p5 - y[i, 5] * units[i, 5] / speed if d > 5 else 0.0
        if exact:
            normal = max(p0, 0.0)
            x = project_sets(slide, a1, b1, roll, a2, b2, spin, normal, x0, x1, x2, x3, x4, x5)
        else:
            x = project(slide, a1, b1, roll, a2, b2, spin, x0, x1, x2, x3, x4, x5)
        square = (p0 - x[0]) ** 2 + (p1 - x[1]) ** 2 + (p2 - x[2]) ** 2
        square += (p3 - x[3]) ** 2 + (p4 - x[4]) ** 2 + (p5 - x[5]) ** 2
        errors[i] = speed * math.sqrt(square)
