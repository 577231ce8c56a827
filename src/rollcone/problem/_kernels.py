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
def largest_eigenvalues(blocks, lengths, work, out):
    """Of the symmetric part of every block (n, d, d), rows and columns 3.. times lengths_i."""
    n, d = blocks.shape[0], blocks.shape[1]
    for i in range(n):
        for k in range(d):
            for m in range(d):
                entry = 0.5 * (blocks[i, k, m] + blocks[i, m, k])
                if k > 2:
                    entry *= lengths[i]
                if m > 2:
                    entry *= lengths[i]
                work[k, m] = entry
        out[i] = largest_eigenvalue(work)


@kernel
def contact_errors(exact, kinds, radii, lengths, lambdas, unit, y, p, errors):
    """e_i = |lambda_i p_i - proj(lambda_i p_i - y_hat_i)|, moments scaled by L_i.

    `unit` is a speed that is divided out before anything is squared.
    """
    n, d = y.shape
    for i in range(n):
        slide, roll = kind_of(kinds, i, 0), kind_of(kinds, i, 1)
        a1, b1 = radii[i, 0], radii[i, 1]
        a2, b2 = radii[i, 2] / lengths[i], radii[i, 3] / lengths[i]
        spin = radii[i, 4] / lengths[i]
        turn = lengths[i] / unit
        y0, y1 = y[i, 0] / unit, y[i, 1] / unit
        y2 = y[i, 2] / unit if d > 2 else 0.0
        y3 = y[i, 3] * turn if d > 3 else 0.0
        y4 = y[i, 4] * turn if d > 3 else 0.0
        y5 = y[i, 5] * turn if d > 5 else 0.0
        force = lambdas[i] / unit
        moment = force / lengths[i]
        p0, p1 = p[i, 0] * force, p[i, 1] * force
        p2 = p[i, 2] * force if d > 2 else 0.0
        p3 = p[i, 3] * moment if d > 3 else 0.0
        p4 = p[i, 4] * moment if d > 3 else 0.0
        p5 = p[i, 5] * moment if d > 5 else 0.0
        x0, x1, x2 = p0 - y0, p1 - y1, p2 - y2
        x3, x4, x5 = p3 - y3, p4 - y4, p5 - y5
        if exact:
            x = project_sets(
                slide, a1, b1, roll, a2, b2, spin, max(p0, 0.0), x0, x1, x2, x3, x4, x5
            )
        else:
            x = project(slide, a1, b1, roll, a2, b2, spin, x0, x1, x2, x3, x4, x5)
        square = (p0 - x[0]) ** 2 + (p1 - x[1]) ** 2 + (p2 - x[2]) ** 2
        square += (p3 - x[3]) ** 2 + (p4 - x[4]) ** 2 + (p5 - x[5]) ** 2
        errors[i] = unit * math.sqrt(square)
