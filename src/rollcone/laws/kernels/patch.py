"""Friction of a circular patch that slides and spins at once: force and torque for three pressures.

Coulomb's law at every point of the patch (Contensou 1963; Le Saux, Leine and Glocker 2005, section
2.3.2), whose pressure p has the mean E[.] over the patch of radius 1. For a sliding speed u and the
spin 1 force and torque are

    xi(u) = h'(u),   eta(u) = h(u) - u xi(u),   h(u) = E | u e + r |,

the point of the limit curve with the outward normal (u, 1), where eta' = -u xi'. So for a sliding
speed 1 and the spin v = 1 / u, h(v) = xi + v eta, eta = h'(v) and xi' = -v eta'. Both halves read
alike if one number w in [0, 1] stands for u (inner) or v (outer), `grow` for xi or eta and `fall`
for the other one:

    grow' = slope,   fall' = -w slope,   normal (w, 1) in the plane (grow, fall).

    Hertz      p ~ sqrt(1 - r^2)   polynomials inside, asin outside
    uniform    p ~ 1               B(m), D(m), m = w^2
    quadratic  p ~ 1 - r^2         likewise

with the complete elliptic integrals B = (E - (1 - m) K) / m and D = (K - E) / m. Outside they
cancel for small w, so for w < 1/2 the series h = sum binom(1/2, k)^2 E[r^2k] w^2k is taken.
Relative errors are below 2e-15, those of `slope` below 1e-14.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined, kernel

HERTZ, UNIFORM, QUADRATIC = -1, -2, -3
_PI = math.pi
_TERMS = 26  # enough for w = 1/2: 4^-26 is 2e-16, and the coefficients fall as well


def _series(moments):
    """Coefficients binom(1/2, k)^2 E[r^2k] for the moments E[r^2k], k = 0, 1, ..."""
    made, binomial = [], 1.0
    for k, moment in enumerate(moments):
        made.append(binomial * binomial * moment)
        binomial *= (0.5 - k) / (k + 1.0)
    return tuple(made)


def _hertz_moments():
    """E[r^2k] = (3/2) B(k + 1, 3/2)."""
    moment = 1.0
    for k in range(_TERMS):
        yield moment
        moment *= (k + 1.0) / (k + 2.5)


_HERTZ_SERIES = _series(_hertz_moments())
_UNIFORM_SERIES = _series(1.0 / (k + 1.0) for k in range(_TERMS))
_QUADRATIC_SERIES = _series(2.0 / ((k + 1.0) * (k + 2.0)) for k in range(_TERMS))


@inlined
def patch_ends(kind):
    """eta(0), then xi(1) and eta(1), then grow'(0) inside and outside."""
    if kind == HERTZ:
        return 3.0 * _PI / 16.0, 9.0 * _PI / 32.0, 9.0 * _PI / 128.0, 3.0 * _PI / 8.0, 0.2
    if kind == UNIFORM:
        return 2.0 / 3.0, 8.0 / (3.0 * _PI), 8.0 / (9.0 * _PI), 1.0, 0.25
    return 8.0 / 15.0, 128.0 / (45.0 * _PI), 128.0 / (225.0 * _PI), 4.0 / 3.0, 1.0 / 6.0


@entry
def patch(kind: int, outer: bool, w: float) -> tuple[float, float, float]:
    """(grow, fall, slope) of the unit patch, 0 <= w <= 1."""
    if kind == HERTZ:
        return _hertz(outer, w)
    if kind == UNIFORM:
        return _uniform(outer, w)
    return _quadratic(outer, w)


@inlined
def _sum(series, w):
    """eta, xi and eta' by h = xi + w eta and eta = h'."""
    m = w * w
    eta, xi, slope = 0.0, 0.0, 0.0
    for j in range(1, _TERMS):
        k = _TERMS - j
        eta = eta * m + 2.0 * k * series[k]
        xi = xi * m + (1.0 - 2.0 * k) * series[k]
        slope = slope * m + 2.0 * k * (2.0 * k - 1.0) * series[k]
    return eta * w, 1.0 + xi * m, slope


@inlined
def _hertz(outer, w):
    m = w * w
    if not outer:
        grow, fall = w * (4.0 - m), (8.0 - 8.0 * m + 3.0 * m * m) / 4.0
        f = 3.0 * _PI / 32.0
        return f * grow, f * fall, f * (4.0 - 3.0 * m)
    if w < 0.5:
        return _sum(_HERTZ_SERIES, w)
    angle, other = math.asin(w), w * math.sqrt((1.0 - w) * (1.0 + w))
    xi = 3.0 / (16.0 * m * w) * ((4.0 * m - 1.0) * angle + (1.0 + 2.0 * m) * other)
    eta = 3.0 / (64.0 * m * m) * ((3.0 - 8.0 * m + 8.0 * m * m) * angle - (3.0 - 6.0 * m) * other)
    slope = 3.0 / (16.0 * m * m * w) * ((4.0 * m - 3.0) * angle + (3.0 - 2.0 * m) * other)
    return eta, xi, slope


@inlined
def _uniform(outer, w):
    if outer and w < 0.5:
        return _sum(_UNIFORM_SERIES, w)
    m, f = w * w, 4.0 / (9.0 * _PI)
    B, T = _elliptic(w)
    if not outer:
        fall = (3.0 - m) * B + (3.0 - 2.0 * m) * T
        return 3.0 * f * w * (2.0 * B + T), f * fall, 3.0 * f * (B + 2.0 * T)
    eta = (f / w) * ((3.0 * m - 1.0) * B + T)
    return eta, 3.0 * f * (2.0 * B + T), (3.0 * f / m) * (B - T)


@inlined
def _quadratic(outer, w):
    if outer and w < 0.5:
        return _sum(_QUADRATIC_SERIES, w)
    m, f = w * w, 16.0 / (225.0 * _PI)
    B, T = _elliptic(w)
    if not outer:
        grow = (9.0 - m) * B + (6.0 - 2.0 * m) * T
        fall = (15.0 - 11.0 * m + 4.0 * m * m) * B + (15.0 - 19.0 * m + 8.0 * m * m) * T
        slope = (6.0 - 4.0 * m) * B + (9.0 - 8.0 * m) * T
        return 5.0 * f * w * grow, f * fall, 5.0 * f * slope
    eta = (4.0 - 11.0 * m + 15.0 * m * m) * B - (4.0 - 8.0 * m) * T
    xi = (9.0 * m - 1.0) * B + (1.0 + 3.0 * m) * T
    slope = (6.0 * m - 4.0) * B + (4.0 - 3.0 * m) * T
    return f / (m * w) * eta, 5.0 * f / m * xi, 5.0 * f / (m * m) * slope


@kernel
def _elliptic(w):
    """B(m) and (1 - m) D(m) for m = w^2, by the arithmetic-geometric mean.

    The integrals of cos^2 and sin^2 go through the same means (Bulirsch 1965, cel2); only
    positive numbers are added.
    """
    m1 = (1.0 - w) * (1.0 + w)
    geometric = math.sqrt(max(m1, 1e-300))
    mean, c, cos_part, b, sin_c, sin_part, sin_b = 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0
    while True:
        b = 2.0 * (c * geometric + b)
        sin_b = 2.0 * (sin_c * geometric + sin_b)
        c, sin_c = cos_part, sin_part
        before = mean
        mean += geometric
        cos_part += b / mean
        sin_part += sin_b / mean
        if abs(before - geometric) <= 1e-8 * before:
            return 0.25 * _PI * cos_part / mean, 0.25 * _PI * m1 * sin_part / mean
        geometric = 2.0 * math.sqrt(geometric * before)
