"""The largest eigenvalue of small symmetric matrices, to rounding.

Householder's reflections make the matrix tridiagonal. Its largest eigenvalue is the largest
root of a polynomial whose roots are all real, so Laguerre's steps from above go down to it
without passing it, third order at the end (Parlett, The Symmetric Eigenvalue Problem). With
q_i the ratios of successive leading minors of x - A,

    q_i = x - a_i - e_i^2 / q_(i-1),   G = sum q'/q,   H = sum (q'/q)^2 - q''/q
    x <- x - m / (G + sqrt((m - 1) (m H - G^2)))

for a part of m rows without a zero beside its diagonal. Matrices are destroyed.
"""

from __future__ import annotations

import math

import numpy as np

from rollcone._build.kernels import entry, kernel
from rollcone._build.signatures import Float2

_ROUNDING = 1e-15  # of the largest entry: smaller ones are zero
_MAX_STEPS = 60


@entry
def largest_eigenvalue(A: Float2) -> float:
    """Of the symmetric A, of which the lower triangle is read."""
    d = A.shape[0]
    size = 0.0
    for i in range(d):
        for j in range(i + 1):
            size = max(size, abs(A[i, j]))
    if not 0.0 < size < math.inf:
        return size
    for i in range(d):
        for j in range(i + 1):
            A[i, j] = A[i, j] / size if abs(A[i, j]) > _ROUNDING * size else 0.0
    _make_tridiagonal(A)
    largest = -math.inf
    first = np.int64(0)  # not the literal 0, for which a part would be compiled a second time
    while first < d:
        last = first
        while last + 1 < d and abs(A[last + 1, last]) > 10.0 * _ROUNDING:
            last += 1
        largest = max(largest, _largest_of_part(A, first, last))
        first = last + 1
    return size * largest


@kernel
def _make_tridiagonal(A):
    """Reflections x - v (v.x) / half, v below the diagonal; entries above it are workspace."""
    d = A.shape[0]
    for c in range(d - 2):
        rest = 0.0
        for i in range(c + 2, d):
            rest += A[i, c] * A[i, c]
        if rest <= _ROUNDING * _ROUNDING:
            continue
        x = A[c + 1, c]
        beta = -math.copysign(math.sqrt(x * x + rest), x)
        half = beta * (beta - x)
        A[c + 1, c] = x - beta
        along = 0.0
        for i in range(c + 1, d):
            w = 0.0
            for j in range(c + 1, i + 1):
                w += A[i, j] * A[j, c]
            for j in range(i + 1, d):
                w += A[j, i] * A[j, c]
            A[c, i] = w / half
            along += A[c, i] * A[i, c]
        along *= 0.5 / half
        for i in range(c + 1, d):
            A[c, i] -= along * A[i, c]
        for i in range(c + 1, d):
            for j in range(c + 1, i + 1):
                A[i, j] -= A[i, c] * A[c, j] + A[c, i] * A[j, c]
        A[c + 1, c] = beta


@kernel
def _largest_of_part(A, first, last):
    """Of rows first to last of a tridiagonal A, none of which stands alone unless it is one."""
    m = last - first + 1
    if m == 1:
        return A[first, first]
    if m == 2:
        mean, half = (
            0.5 * (A[first, first] + A[last, last]),
            0.5 * (A[first, first] - A[last, last]),
        )
        return mean + math.sqrt(half * half + A[last, first] * A[last, first])
    x, size = -math.inf, 0.0
    for i in range(first, last + 1):
        radius = abs(A[i, i - 1]) if i > first else 0.0
        radius += abs(A[i + 1, i]) if i < last else 0.0
        x, size = max(x, A[i, i] + radius), max(size, abs(A[i, i]) + radius)
    for _ in range(_MAX_STEPS):
        G, H = 0.0, 0.0
        r, r1, r2 = 0.0, 0.0, 0.0  # e^2 / q and its derivatives
        for i in range(first, last + 1):
            q = x - A[i, i] - r
            if not q > 0.0:  # at the root, or beyond by rounding
                return x
            slope, bend = (1.0 - r1) / q, -r2 / q
            G += slope
            H += slope * slope - bend
            if i < last:
                r = A[i + 1, i] * A[i + 1, i] / q
                r1, r2 = -r * slope, r * (2.0 * slope * slope - bend)
        step = m / (G + math.sqrt(max(0.0, (m - 1) * (m * H - G * G))))
        x -= step
        if step <= 2e-16 * size:
            break
    return x
