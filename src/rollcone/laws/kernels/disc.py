"""Kernels of the disc |l| <= a: resistance, projection, support, derivative.

With y > 0 the set grows to y C; its resistance is the increase of half the squared distance as the
set shrinks,

    phi(y) = support(l - P(l)) = a max(0, |l| - a y),

a straight line in y while l is outside: phi = alpha - beta y with alpha = a |l| and beta = a^2
(Tasora and Anitescu 2013, (31)). Kernels take y as a fraction N / D, so that the hot path divides
only once. Each set has four kernels:

    line      (alpha, beta), the tangent line of phi at y = N / D; (0, 0) where l is inside y C
    project   the nearest point of y C to l, y = N / D
    support   max { c . v : c in C }
    slope     the derivative in l of the nearest point of y C
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined

DISC = 0


@inlined
def disc_line(a, l1, l2, N, D):
    """Return (alpha, beta), the tangent line of the resistance at y = N / D."""
    r = math.sqrt(l1 * l1 + l2 * l2)
    if r * D > a * N:
        return a * r, a * a
    return 0.0, 0.0


@inlined
def disc_project(a, l1, l2, N, D):
    """Return the nearest point of (N / D) C to l."""
    r = math.sqrt(l1 * l1 + l2 * l2)
    if r * D > a * N:
        f = a * N / (D * r)
        return f * l1, f * l2
    return l1, l2


@inlined
def disc_support(a, v1, v2):
    """Return max { c . v : c in C }."""
    return a * math.sqrt(v1 * v1 + v2 * v2)


@inlined
def disc_slope(a, l1, l2, y):
    """Return (d11, d12, d22), the derivative of the nearest point of y C in l."""
    if a * y == 0.0:
        return 0.0, 0.0, 0.0
    r = math.sqrt(l1 * l1 + l2 * l2)
    if r <= a * y:
        return 1.0, 0.0, 1.0
    f, e1, e2 = a * y / r, l1 / r, l2 / r
    return f * e2 * e2, -f * e1 * e2, f * e1 * e1
