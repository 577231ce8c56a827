"""Kernels of the regular polygon with n facets: resistance, projection, support, derivative.

The polygon lies inside the disc of radius a, with a vertex on t1; its kind is its number of facets.
A point lies in the sector of one facet; in that facet's axes, c along its outward normal and s
along it, with apothem d = a cos(pi/n) and half-length e = a sin(pi/n), the nearest point of y C is
the point itself (c <= d y), a point of the facet (|s| <= e y) or a vertex. Each gives a straight
piece of the resistance; see disc.py for phi, alpha, beta and y = N / D.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import kernel


@kernel
def _facet(facets, l1, l2):
    """Return cosine and sine of the outward normal of the facet whose sector holds l."""
    width = 2.0 * math.pi / facets
    angle = (math.floor(math.atan2(l2, l1) / width) + 0.5) * width
    return math.cos(angle), math.sin(angle)


@kernel
def polygon_line(facets, a, l1, l2, N, D):
    """Return (alpha, beta), the tangent line of the resistance at y = N / D."""
    nx, ny = _facet(facets, l1, l2)
    c = nx * l1 + ny * l2
    s = abs(nx * l2 - ny * l1)
    d = a * math.cos(math.pi / facets)
    e = a * math.sin(math.pi / facets)
    if c * D <= d * N:
        return 0.0, 0.0
    if s * D <= e * N:
        return d * c, d * d
    return d * c + e * s, a * a


@kernel
def polygon_project(facets, a, l1, l2, N, D):
    """Return the nearest point of (N / D) C to l."""
    nx, ny = _facet(facets, l1, l2)
    c = nx * l1 + ny * l2
    s = nx * l2 - ny * l1
    d = a * math.cos(math.pi / facets)
    e = a * math.sin(math.pi / facets)
    if c * D <= d * N:
        return l1, l2
    y = N / D
    c = d * y
    s = min(max(s, -e * y), e * y)
    return nx * c - ny * s, ny * c + nx * s


@kernel
def polygon_support(facets, a, v1, v2):
    """Return max { c . v : c in C }."""
    nx, ny = _facet(facets, v1, v2)
    d = a * math.cos(math.pi / facets)
    e = a * math.sin(math.pi / facets)
    return d * (nx * v1 + ny * v2) + e * abs(nx * v2 - ny * v1)


@kernel
def polygon_slope(facets, a, l1, l2, y):
    """Return (d11, d12, d22), the derivative of the nearest point of y C in l."""
    nx, ny = _facet(facets, l1, l2)
    c = nx * l1 + ny * l2
    s = nx * l2 - ny * l1
    if a * y == 0.0:
        return 0.0, 0.0, 0.0
    if c <= a * math.cos(math.pi / facets) * y:
        return 1.0, 0.0, 1.0
    if abs(s) > a * math.sin(math.pi / facets) * y:
        return 0.0, 0.0, 0.0
    return ny * ny, -nx * ny, nx * nx
