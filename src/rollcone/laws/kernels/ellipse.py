"""Kernels of the ellipse: resistance, projection, support, derivative.

    (l_1 / a)^2 + (l_2 / b)^2 <= 1

For l outside y C the resistance phi is the root of the secular equation

    sum w_i^2 = 1,   w_i = a_i |l_i| / d_i,   d_i = phi + a_i^2 y,

the nearest point is p_i = a_i^2 y l_i / d_i, and the slope -beta of phi is
minus the mean of the a_i^2 with weights w_i^2 / d_i. Newton's method on
1 / sqrt(left side), which is concave and almost straight, climbs to the root;
it starts from lower bounds of phi, which is convex: its tangent at y = 0, and the
resistance of each axis alone. `secular_root` takes three axes, because ellipsoid.py calls it too.
See disc.py for phi, alpha, beta and y = N / D.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel

ELLIPSE = 1
_MAX_STEPS = 100
_ONE = 1.0 + 2.0**-51  # as near as the left side can come by rounding


@kernel
def secular_root(a, b, c, l1, l2, l3, y):
    """Return phi and the weights w_i^2 / d_i of three axes.

    phi = 0 if l is inside y C, or beside a set of no width.
    """
    c1, c2, c3 = a * abs(l1), b * abs(l2), c * abs(l3)
    aa, bb, cc = a * a, b * b, c * c
    s = math.sqrt(c1 * c1 + c2 * c2 + c3 * c3)
    if s == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    w1, w2, w3 = c1 / s, c2 / s, c3 / s
    phi = max(0.0, s - (aa * w1 * w1 + bb * w2 * w2 + cc * w3 * w3) * y)
    phi = max(phi, max(c1 - aa * y, max(c2 - bb * y, c3 - cc * y)))
    q1, q2, q3 = 0.0, 0.0, 0.0
    for _ in range(_MAX_STEPS):
        if c1 > 0.0:
            w1 = c1 / (phi + aa * y)
            q1 = w1 * w1 / (phi + aa * y)
        if c2 > 0.0:
            w2 = c2 / (phi + bb * y)
            q2 = w2 * w2 / (phi + bb * y)
        if c3 > 0.0:
            w3 = c3 / (phi + cc * y)
            q3 = w3 * w3 / (phi + cc * y)
        square = w1 * w1 + w2 * w2 + w3 * w3
        if not square > _ONE:
            break
        phi += (math.sqrt(square) - 1.0) * square / (q1 + q2 + q3)
    return phi, q1, q2, q3


@inlined
def shrink(a, phi, y):
    """Return a^2 y / d, the factor from l to the nearest point along a half-axis a."""
    return a * a * y / (phi + a * a * y) if a * a * y > 0.0 else 0.0


@kernel
def ellipse_line(a, b, l1, l2, N, D):
    """Return (alpha, beta), the tangent line of the resistance at y = N / D."""
    y = N / D
    phi, q1, q2, _ = secular_root(a, b, 0.0, l1, l2, 0.0, y)
    if phi == 0.0:
        return 0.0, 0.0
    beta = (a * a * q1 + b * b * q2) / (q1 + q2)
    return phi + beta * y, beta


@kernel
def ellipse_project(a, b, l1, l2, N, D):
    """Return the nearest point of (N / D) C to l."""
    y = N / D
    phi, _, _, _ = secular_root(a, b, 0.0, l1, l2, 0.0, y)
    p1 = l1 if a > 0.0 else 0.0
    p2 = l2 if b > 0.0 else 0.0
    if phi > 0.0:
        p1 *= shrink(a, phi, y)
        p2 *= shrink(b, phi, y)
    return p1, p2


@kernel
def ellipse_support(a, b, v1, v2):
    """Return max { c . v : c in C }."""
    return math.sqrt(a * v1 * a * v1 + b * v2 * b * v2)


@kernel
def ellipse_slope(a, b, l1, l2, y):
    """Return (d11, d12, d22), the derivative of the nearest point of y C in l.

    It is diag(g) - y c c^T / (q_1 + q_2) with g_i = a_i^2 y / d_i and c_i = a_i^2 l_i / d_i^2.
    """
    aa, bb = a * a, b * b
    if aa * y == 0.0 and bb * y == 0.0:
        return 0.0, 0.0, 0.0
    phi, q1, q2, _ = secular_root(a, b, 0.0, l1, l2, 0.0, y)
    g1, g2 = shrink(a, phi, y), shrink(b, phi, y)
    if phi == 0.0:
        return g1, 0.0, g2
    d1, d2 = phi + aa * y, phi + bb * y
    c1, c2 = aa * l1 / (d1 * d1), bb * l2 / (d2 * d2)
    f = y / (q1 + q2)
    return g1 - f * c1 * c1, -f * c1 * c2, g2 - f * c2 * c2
