"""Volume of a ball cut by a box (closed form) or by an upright cylinder (quadrature).

**Box.** By indicators, lengths in radii: 1[l < x < h] = 1[x > l] - 1[x > h] on each axis, so the
volume in a box is a sum of eight volumes three(a, b, c) of the unit ball where x > a, y > b,
z > c. For a, b, c >= 0 and a corner inside the ball, the divergence theorem gives

    3 three = S - a A(a; b, c) - b A(b; c, a) - c A(c; a, b)

with the areas A of the flat faces, parts of circles of radius s_a = sqrt(1 - a^2), and the area S
of the piece of the sphere. That is a triangle of arcs of small circles; by Gauss and Bonnet

    S = 2 pi - sum of arccos(-a b / (s_a s_b)) - sum of a (angle of the arc at x = a)

Two planes give a piece with two corners, likewise. A negative argument is a complement:
three(-a, b, c) = two(b, c) - three(a, b, c).

**Cylinder.** A section at height z is a disc of radius sqrt(r^2 - z^2) cut by a disc, whose area is
known. It is integrated over z by Gauss-Legendre between the heights where the kind of section
changes, in a variable that is smooth there: some 1e-10 of the ball.
"""

from __future__ import annotations

import itertools

import numpy as np

from rollcone._check import FloatArray

_NODES = 40


def in_box(
    position: FloatArray, radius: FloatArray, low: FloatArray, high: FloatArray
) -> FloatArray:
    """Volume (m3) of each ball (n, 3), (n,) that lies between two corners of a box."""
    ends = np.stack([low - position, high - position]) / radius[:, None]  # (2, n, 3)
    volume = 4.0 / 3.0 * np.pi * ((ends[0] <= -1.0) & (ends[1] >= 1.0)).all(axis=1)
    cut = (ends[0] < 1.0).all(axis=1) & (ends[1] > -1.0).all(axis=1) & (volume == 0.0)
    ends = np.clip(ends[:, cut], -1.0, 1.0)
    parts = np.zeros(int(cut.sum()))
    for which in itertools.product((0, 1), repeat=3):
        a, b, c = (ends[side, :, axis] for axis, side in enumerate(which))
        parts += (-1.0) ** sum(which) * _three(a, b, c)
    volume[cut] = np.maximum(parts, 0.0)
    return np.asarray(volume * radius**3)


def _one(a: FloatArray) -> FloatArray:
    """Of the unit ball where x > a, from -1 to 1."""
    return np.asarray(np.pi / 3.0 * (1.0 - a) ** 2 * (2.0 + a))


def _two(a: FloatArray, b: FloatArray) -> FloatArray:
    """Where x > a and y > b."""
    A, B = np.abs(a), np.abs(b)
    volume = _wedge(A, B)
    volume = np.where(a < 0, _one(B) - volume, volume)
    return np.where(b < 0, _one(a) - volume, volume)


def _three(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    """Where x > a, y > b and z > c."""
    A, B, C = np.abs(a), np.abs(b), np.abs(c)
    volume = _corner(A, B, C)
    volume = np.where(a < 0, _two(B, C) - volume, volume)
    volume = np.where(b < 0, _two(a, C) - volume, volume)
    return np.where(c < 0, _two(a, b) - volume, volume)


def _wedge(a: FloatArray, b: FloatArray) -> FloatArray:
    """As `_two`, a and b >= 0."""
    volume = np.zeros(len(a))
    inside = a**2 + b**2 < 1.0
    a, b = a[inside], b[inside]
    area = 2.0 * np.pi - 2.0 * _exterior(a, b)
    flat = np.zeros(len(a))
    for p, q in ((a, b), (b, a)):
        s = np.sqrt(1.0 - p * p)
        half = _arccos(q / s)
        area -= p * 2.0 * half
        flat += p * (s * s * half - q * _root(s * s - q * q))
    volume[inside] = (area - flat) / 3.0
    return volume


def _corner(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    """As `_three`, all >= 0."""
    volume = np.zeros(len(a))
    inside = a**2 + b**2 + c**2 < 1.0
    a, b, c = a[inside], b[inside], c[inside]
    area = 2.0 * np.pi - _exterior(a, b) - _exterior(b, c) - _exterior(c, a)
    flat = np.zeros(len(a))
    for p, q, r in ((a, b, c), (b, c, a), (c, a, b)):
        s = np.sqrt(1.0 - p * p)
        angle = _arccos(q / s) - np.arcsin(np.minimum(r / s, 1.0))
        area -= p * angle
        edges = q * _root(s * s - q * q) + r * _root(s * s - r * r) - 2.0 * q * r
        flat += p * 0.5 * (s * s * angle - edges)
    volume[inside] = (area - flat) / 3.0
    return volume


def _exterior(a: FloatArray, b: FloatArray) -> FloatArray:
    """Angle by which the boundary turns where the circles x = a and y = b meet."""
    return _arccos(-a * b / np.sqrt((1.0 - a * a) * (1.0 - b * b)))


def _arccos(x: FloatArray) -> FloatArray:
    return np.asarray(np.arccos(np.clip(x, -1.0, 1.0)))


def _root(x: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(np.maximum(x, 0.0)))


def in_cylinder(
    position: FloatArray,
    radius: FloatArray,
    axis: FloatArray,
    reach: float,
    low: float,
    high: float,
) -> FloatArray:
    """Volume (m3) of each ball within `reach` of the upright line through `axis` (x, y), between
    two heights."""
    d = np.linalg.norm(position[:, :2] - axis, axis=1)
    bottom = np.clip(low - position[:, 2], -radius, radius)
    top = np.clip(high - position[:, 2], -radius, radius)
    slab = radius**3 * (_one(bottom / radius) - _one(top / radius))
    volume = np.where(d + radius <= reach, slab, 0.0)
    cut = (d + radius > reach) & (d - radius < reach) & (top > bottom)
    r, d, bottom, top = radius[cut], d[cut], bottom[cut], top[cut]
    change = _root(r * r - (reach - d) ** 2)  # the section's radius is |reach - d| or reach + d
    whole = _root(r * r - (reach + d) ** 2)
    ends = np.stack([bottom, top, change, -change, whole, -whole])
    ends = np.sort(np.clip(ends, bottom, top), axis=0)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    smooth, slope = np.sin(0.5 * np.pi * nodes), 0.5 * np.pi * np.cos(0.5 * np.pi * nodes)
    parts = np.zeros(len(r))
    for first, last in itertools.pairwise(ends):
        middle, half = 0.5 * (first + last), 0.5 * (last - first)
        z = middle[:, None] + half[:, None] * smooth
        section = _root(r[:, None] ** 2 - z * z)
        parts += half * (_lens(section, reach, d[:, None]) @ (weights * slope))
    volume[cut] = parts
    return np.asarray(volume)


def _lens(a: FloatArray, b: float, d: FloatArray) -> FloatArray:
    """Area common to discs of radii a and b whose centres are d apart."""
    d = np.broadcast_to(d, a.shape)
    within = d <= np.abs(a - b)
    apart = (d >= a + b) | (a <= 0.0)
    cut = ~within & ~apart
    area = np.where(within, np.pi * np.minimum(a, b) ** 2, 0.0)
    a, d = a[cut], d[cut]
    alpha = _arccos((d * d + a * a - b * b) / (2.0 * d * a))
    beta = _arccos((d * d + b * b - a * a) / (2.0 * d * b))
    kite = 0.5 * _root((a + b - d) * (d + a - b) * (d - a + b) * (d + a + b))
    area[cut] = a * a * alpha + b * b * beta - kite
    return area
