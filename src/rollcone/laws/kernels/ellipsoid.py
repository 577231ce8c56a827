"""Kernels of the ellipsoid over all friction rows: resistance, projection, support, derivative.

    (|l_T| / mu)^2 + (|l_R| / rho)^2 + (l_n / sigma)^2 <= 1

Sliding, rolling and spinning share one limit, as in MuJoCo's contacts with six rows and an elliptic
cone. The resistance is the root of the secular equation of ellipse.py with one axis per group of
rows; a half-axis of zero leaves its rows without reaction. See disc.py for phi, alpha, beta and
y = N / D.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.laws.kernels.ellipse import secular_root, shrink

ELLIPSOID = -4


@inlined
def _sizes(l1, l2, l3, l4):
    """Return |l_T| and |l_R|."""
    return math.sqrt(l1 * l1 + l2 * l2), math.sqrt(l3 * l3 + l4 * l4)


@kernel
def ellipsoid_line(mu, rho, sigma, l1, l2, l3, l4, l5, N, D):
    """Return (alpha, beta), the tangent line of the resistance at y = N / D."""
    y = N / D
    slide, roll = _sizes(l1, l2, l3, l4)
    phi, q1, q2, q3 = secular_root(mu, rho, sigma, slide, roll, l5, y)
    if phi == 0.0:
        return 0.0, 0.0
    beta = (mu * mu * q1 + rho * rho * q2 + sigma * sigma * q3) / (q1 + q2 + q3)
    return phi + beta * y, beta


@kernel
def ellipsoid_project(mu, rho, sigma, l1, l2, l3, l4, l5, N, D):
    """Return the nearest point of (N / D) C to l."""
    y = N / D
    slide, roll = _sizes(l1, l2, l3, l4)
    phi, _, _, _ = secular_root(mu, rho, sigma, slide, roll, l5, y)
    g1, g2, g3 = shrink(mu, phi, y), shrink(rho, phi, y), shrink(sigma, phi, y)
    return g1 * l1, g1 * l2, g2 * l3, g2 * l4, g3 * l5


@kernel
def ellipsoid_support(mu, rho, sigma, v1, v2, v3, v4, v5):
    """Return max { c . v : c in C }."""
    slide, roll = _sizes(v1, v2, v3, v4)
    first, second, third = mu * slide, rho * roll, sigma * v5
    return math.sqrt(first * first + second * second + third * third)


@kernel
def ellipsoid_slope(mu, rho, sigma, x, y, D):
    """Write the derivative of the nearest point of y C in x to rows and columns 1 to 5 of D.

    It is diag(g) - y c c^T / sum q with g, c and q of `ellipse_slope`. Also writes column 0 of D.
    """
    slide, roll = _sizes(x[1], x[2], x[3], x[4])
    phi, q1, q2, q3 = secular_root(mu, rho, sigma, slide, roll, x[5], y)
    total = q1 + q2 + q3
    for k in range(1, 6):
        D[k, k] = shrink(mu if k < 3 else rho if k < 5 else sigma, phi, y)
    if phi == 0.0:
        return
    for k in range(1, 6):  # column 0 holds c for now
        a = mu if k < 3 else rho if k < 5 else sigma
        d = phi + a * a * y
        D[k, 0] = a * a * x[k] / (d * d)
    for k in range(1, 6):
        for m in range(1, 6):
            D[k, m] -= y / total * D[k, 0] * D[m, 0]
