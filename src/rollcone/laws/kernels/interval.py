"""Kernels of the interval |l| <= a: resistance, projection, support, derivative.

The interval is the one-dimensional disc: phi(y) = a max(0, |l| - a y). See disc.py for the
resistance phi, its tangent line (alpha, beta) and y = N / D.
"""

from __future__ import annotations

from rollcone._build.kernels import inlined

INTERVAL = 3


@inlined
def interval_line(a, x, N, D):
    """Return (alpha, beta), the tangent line of the resistance at y = N / D."""
    r = abs(x)
    if r * D > a * N:
        return a * r, a * a
    return 0.0, 0.0


@inlined
def interval_project(a, x, N, D):
    """Return the nearest point of (N / D) C to x."""
    if abs(x) * D > a * N:
        return a * N / D if x > 0.0 else -(a * N / D)
    return x


@inlined
def interval_support(a, v):
    """Return max { c . v : c in C }."""
    return a * abs(v)


@inlined
def interval_slope(a, x, y):
    """Return the derivative of the nearest point of y C in x."""
    return 1.0 if a * y > 0.0 and abs(x) <= a * y else 0.0
