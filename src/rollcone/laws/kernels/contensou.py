"""Kernels of the Coulomb-Contensou set: resistance, projection, support, derivative.

    C = { (l_T, l_n) : (|l_T| / a, |l_n| / s) within the limit curve (xi, eta) },   a = mu,
    s = mu * contact radius

The curve is that of the pressure over the patch (patch.py, with its w, grow and fall).
Let x = |l_T| and z = |l_n|. The nearest point of y C is (a xi, s eta) y with

    a (x - a y xi) = u F,   s (z - s y eta) = F,   F > 0 if l is outside,

one equation for u, or for w = u or 1 / u, whichever is below one: the sign at u = 1 tells which.
Newton's method solves it, kept between bounds, from the root of the cubic that the curve's ends
give. The resistance is phi = F h, and with the tangent's unit vector t and the normal n

    -phi'(y) = beta = (n.c)^2 + (1 - share) (t.c)^2,   share = R / (R + distance),

c being the nearest point over y and R the radius of curvature; t t^T share is the derivative of
the nearest point in the plane (x, z). See disc.py for phi, alpha, beta and y = N / D.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.laws.kernels.disc import disc_line, disc_project, disc_slope
from rollcone.laws.kernels.interval import interval_line, interval_project, interval_slope
from rollcone.laws.kernels.patch import patch, patch_ends

_MAX_STEPS = 200
_CLOSE = 1e-8  # the last step of a method that doubles the digits
_ROUNDING = 2.0**-52


@inlined
def _within_chords(ends, a, s, x, z, y):
    """Return whether l is inside the chords of the curve, as in most contacts that stick."""
    if not y > 0.0:
        return False
    eta0, xi1, eta1, _, _ = ends
    force, torque = x / (a * y), z / (s * y)
    return (
        torque <= eta0 - force * (eta0 - eta1) / xi1 and force <= 1.0 - torque * (1.0 - xi1) / eta1
    )


@inlined
def _cubic_root(c, p, q):
    """Return about the positive root of c w^3 + p w = q for c, q >= 0, at most 1."""
    if p > 0.0:
        w = q / p
        if c * w * w > p:
            w = min(w, (q / c) ** (1.0 / 3.0))
    elif c > 0.0:
        w = max(math.sqrt(-p / c), (q / c) ** (1.0 / 3.0))
    else:
        return 0.0
    for _ in range(2):
        below = 3.0 * c * w * w + p
        if below > 0.0:
            w = (2.0 * c * w * w * w + q) / below
    return min(w, 1.0)


@kernel
def _nearest(kind, a, s, x, z, y):
    """Return (outer, w, grow, fall, share, F) for a, s > 0; F <= 0 where l is inside."""
    ends = patch_ends(kind)
    if _within_chords(ends, a, s, x, z, y):
        return False, 0.0, 0.0, 0.0, 0.0, 0.0
    eta0, xi1, eta1, rise, outer_rise = ends
    Cg, Qg, Cf, Qf, top = a * x, a * a * y, s * z, s * s * y, eta0
    outer = Cg - Qg * xi1 > Cf - Qf * eta1
    if outer:
        Cg, Qg, Cf, Qf, top, rise = Cf, Qf, Cg, Qg, 1.0, outer_rise
    w = _cubic_root(0.5 * rise * Qf, rise * Qg + Cf - Qf * top, Cg)
    low, high, before, last = 0.0, 1.0, 1.0, False
    for _ in range(_MAX_STEPS):
        grow, fall, slope = patch(kind, outer, w)
        F = Cf - Qf * fall
        left, bend = (Cg - Qg * grow) - w * F, slope * (Qg + Qf * w * w)
        noise = _ROUNDING * (Cg + Qg * grow + w * (Cf + Qf * fall))
        if last or abs(left) <= noise:
            break
        if left > 0.0:
            low = w
        else:
            high = w
        step = left / (bend + F) if bend + F > 0.0 else math.inf
        if not low <= w + step <= high or abs(step) > 0.5 * before:
            step = 0.5 * (low + high) - w
        before = abs(step)
        w += step
        last = before <= _CLOSE * w
    if Cg < w * Cf:  # the same in other words, with less rounding
        F = (Cg - Qg * grow) / w
    share = bend / (bend + F) if F > 0.0 else 1.0
    return outer, w, grow, fall, share, F


@inlined
def _frame(outer, a, s, w):
    """Return half-axes along grow and fall, and the parts of the unit tangent along them."""
    first, second = (s, a) if outer else (a, s)
    size = math.sqrt(first * first + second * w * second * w)
    return first, second, first / size, second * w / size


@kernel
def contensou_line(kind, a, s, x, z, N, D):
    """Return (alpha, beta), the tangent line of the resistance, for x = |l_T| and z = |l_n|."""
    if s == 0.0:
        return disc_line(a, x, 0.0, N, D)
    if a == 0.0:
        return interval_line(s * patch_ends(kind)[0], z, N, D)
    y = N / D
    outer, w, grow, fall, share, F = _nearest(kind, a, s, x, z, y)
    if F <= 0.0:
        return 0.0, 0.0
    first, second, along, across = _frame(outer, a, s, w)
    normal = along * second * (w * grow + fall)
    tangent = along * first * grow - across * second * fall
    beta = normal * normal + (1.0 - share) * tangent * tangent
    return F * (w * grow + fall) + beta * y, beta


@kernel
def contensou_project(kind, a, s, l1, l2, l5, N, D):
    """Return the nearest point of (N / D) C to (l1, l2, l5)."""
    if s == 0.0:
        p1, p2 = disc_project(a, l1, l2, N, D)
        return p1, p2, 0.0
    if a == 0.0:
        return 0.0, 0.0, interval_project(s * patch_ends(kind)[0], l5, N, D)
    y = N / D
    x = math.sqrt(l1 * l1 + l2 * l2)
    outer, _, grow, fall, _, F = _nearest(kind, a, s, x, abs(l5), y)
    if F <= 0.0:
        return l1, l2, l5
    xi, eta = (fall, grow) if outer else (grow, fall)
    f = a * y * xi / x if x > 0.0 else 0.0
    return f * l1, f * l2, math.copysign(s * y * eta, l5)


@kernel
def contensou_support(kind, a, s, v1, v2, v5):
    """Return max { c . v : c in C }."""
    force, torque = a * math.sqrt(v1 * v1 + v2 * v2), s * abs(v5)
    most = max(force, torque)
    if most == 0.0:
        return 0.0
    w = min(force, torque) / most
    grow, fall, _ = patch(kind, force > torque, w)
    return most * (w * grow + fall)


@kernel
def contensou_slope(kind, a, s, l1, l2, l5, y):
    """Return (d11, d12, d22, d15, d25, d55), the derivative of the nearest point of y C."""
    if s * y == 0.0:
        d11, d12, d22 = disc_slope(a, l1, l2, y)
        return d11, d12, d22, 0.0, 0.0, 0.0
    if a * y == 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, interval_slope(s * patch_ends(kind)[0], l5, y)
    x = math.sqrt(l1 * l1 + l2 * l2)
    outer, w, grow, fall, share, F = _nearest(kind, a, s, x, abs(l5), y)
    if F <= 0.0:
        return 1.0, 0.0, 1.0, 0.0, 0.0, 1.0
    _, _, along, across = _frame(outer, a, s, w)
    xi, tx, tz = (fall, across, along) if outer else (grow, along, across)
    e1, e2 = (l1 / x, l2 / x) if x > 0.0 else (1.0, 0.0)
    radial = share * tx * tx
    side = a * y * xi / x if x > 0.0 else radial
    mixed = math.copysign(share * tx * tz, -l5)
    return (
        radial * e1 * e1 + side * e2 * e2,
        (radial - side) * e1 * e2,
        radial * e2 * e2 + side * e1 * e1,
        mixed * e1,
        mixed * e2,
        share * tz * tz,
    )
