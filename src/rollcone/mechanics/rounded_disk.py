"""Volume and moments of a disk with thickness and rounded edges, a solid of revolution.

A disk of radius R, thickness 2 H and edge radius e has |z| <= H where r <= a = R - e, and beyond,
at r = a + s, |z| <= b + q with b = H - e and q = sqrt(e^2 - s^2). So

    V             = 2 pi (a^2 H       + 2 F(1, 1))
    integral r^2  = pi (a^4 H         + 4 F(3, 1))
    integral z^2  = 2/3 pi (a^2 H^3   + 2 F(1, 3))

with F(i, k) = integral over s from 0 to e of (a + s)^i (b + q)^k, by the binomial theorem a sum of
beta functions, since the integral of s^i q^k is e^(i+k+1) B((i+1)/2, (k+2)/2) / 2.
"""

from __future__ import annotations

import math

import numpy as np

from rollcone._check import FloatArray
from rollcone.mechanics.inertia import disk_moments


def rounded_volume(radius: FloatArray, half: FloatArray, edge: FloatArray) -> FloatArray:
    """m3, of half a thickness H and an edge radius e."""
    a = radius - edge
    return np.asarray(2.0 * np.pi * (a**2 * half + 2.0 * _edges(radius, half, edge, 1, 1)))


def rounded_moments(radius: FloatArray, half: FloatArray, edge: FloatArray) -> FloatArray:
    """About x, y and z, per kilogram; those of a thin disk where there is no thickness."""
    thin = half == 0.0
    a, volume = radius - edge, np.where(thin, 1.0, rounded_volume(radius, half, edge))
    r_square = np.pi * (a**4 * half + 4.0 * _edges(radius, half, edge, 3, 1)) / volume
    z_square = 2.0 / 3.0 * np.pi * (a**2 * half**3 + 2.0 * _edges(radius, half, edge, 1, 3))
    across = 0.5 * r_square + z_square / volume
    moments = np.stack([across, across, r_square], axis=-1)
    return np.where(thin[..., None], disk_moments(radius), moments)


def _edges(radius: FloatArray, half: FloatArray, edge: FloatArray, i: int, k: int) -> FloatArray:
    """F(i, k)."""
    a, b, total = radius - edge, half - edge, np.zeros_like(radius)
    for m in range(i + 1):
        for n in range(k + 1):
            part = math.comb(i, m) * math.comb(k, n) * _quarter(m, n)
            total += part * a ** (i - m) * b ** (k - n) * edge ** (m + n + 1)
    return total


def _quarter(i: int, k: int) -> float:
    """Integral of s^i (1 - s^2)^(k/2) from 0 to 1."""
    p, q = 0.5 * (i + 1), 0.5 * (k + 2)
    return 0.5 * math.gamma(p) * math.gamma(q) / math.gamma(p + q)
