"""The normal of two cores of which one is round, to the last digits.

What kernels/distance.py finds for round cores is good to the root of rounding. With
w(n) = b(-n) + shift - a(n), the farthest points in the direction of n, the normal has
w(n) parallel to n. Farthest points of round cores move by H dn, H the second derivatives of their
support functions; so a tangential step d of Newton's is (H + s) d = w_t, s = w.n. Where an
edge of a core touches, as two of its corners in the simplex tell, n stays at a right
angle to it. A step is taken only if s grows.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone._own_functions import OWN
from rollcone.collision.kernels.shape import CONE, DISK, ELLIPSOID
from rollcone.collision.kernels.support import axis_of, farthest, is_round
from rollcone.collision.kernels.vector import across, along, cross, direction, dot, minus, norm

_ROUNDS = 12
_EDGE = 1e-6  # of its length: how far an edge must reach out of another's direction
_RIM = 1e-9  # sine to the axis below which a circle has no lowest point


@kernel
def sharpened(fa, ia, fb, ib, shift, numbers, places, n, s):
    """The normal near n along which s is largest; `s` is the simplex that n came from."""
    e, edges = _edges(ia, fa, ib, fb, s)
    best = _way(fa, ia, fb, ib, shift, numbers, places, n)
    most = dot(best, n)
    for use in range(2):
        if use == 0 and edges == 0:
            continue
        m = n
        if use == 0:
            m = along(n, -dot(n, e), e)
            m = direction(m, norm(m))
        for _ in range(_ROUNDS):
            w = _way(fa, ia, fb, ib, shift, numbers, places, m)
            here = dot(w, m)
            if here > most:
                n, most = m, here
            step = _step(fa, ia, fb, ib, m, w, here, e, use == 0)
            size = norm(step)
            if not size > 1e-15 or not size < 0.5:
                break
            m = along(m, 1.0, step)
            m = direction(m, norm(m))
    return n


@inlined
def _way(fa, ia, fb, ib, shift, numbers, places, n):
    a = farthest(fa, ia, numbers, places, n)
    b = farthest(fb, ib, numbers, places, (-n[0], -n[1], -n[2]))
    return b[0] + shift[0] - a[0], b[1] + shift[1] - a[1], b[2] + shift[2] - a[2]


@inlined
def _edges(ia, fa, ib, fb, s):
    """(a unit vector along an edge that touches, how many there are), zero or one."""
    best, e = 0.0, (0.0, 0.0, 0.0)
    for side in range(2):
        kind = ia[0] if side == 0 else ib[0]
        first = 3 if side == 0 else 6
        for k in range(1, 4):
            if s[k, 9] <= 0.0 or kind in (ELLIPSOID, CONE) or kind >= OWN:
                continue
            d = minus(
                (s[k, first], s[k, first + 1], s[k, first + 2]),
                (s[0, first], s[0, first + 1], s[0, first + 2]),
            )
            if kind == DISK:  # two points of one rim are no edge
                axis = axis_of(fa, 2) if side == 0 else axis_of(fb, 2)
                height = dot(d, axis)
                half = fa[13] if side == 0 else fb[13]
                d = (
                    (height * axis[0], height * axis[1], height * axis[2])
                    if abs(height) > half
                    else (0.0, 0.0, 0.0)
                )
            if norm(d) > best:
                best = norm(d)
                e = direction(d, best)
    return e, 1 if best > 0.0 else 0


@inlined
def _step(fa, ia, fb, ib, n, w, here, e, along_edge):
    """Newton's, at a right angle to n, and to e if so told."""
    t = cross(n, e) if along_edge else across(n)
    t = direction(t, norm(t))
    u = cross(n, t)
    a, b, c = _bend(fa, ia, n, t, u)
    p, q, r = _bend(fb, ib, n, t, u)
    a, b, c = a + p + here, b + q, c + r + here
    x, y = dot(w, t), dot(w, u)
    if along_edge:
        return (t[0] * x / a, t[1] * x / a, t[2] * x / a) if a > 0.0 else (0.0, 0.0, 0.0)
    det = a * c - b * b
    if not det > 0.0:
        return 0.0, 0.0, 0.0
    x, y = (c * x - b * y) / det, (a * y - b * x) / det
    return t[0] * x + u[0] * y, t[1] * x + u[1] * y, t[2] * x + u[2] * y


@inlined
def _bend(f, i, n, t, u):
    """(t.H t, t.H u, u.H u) of a core's support function at n; even in n."""
    x, y, z = dot(n, axis_of(f, 0)), dot(n, axis_of(f, 1)), dot(n, axis_of(f, 2))
    t = dot(t, axis_of(f, 0)), dot(t, axis_of(f, 1)), dot(t, axis_of(f, 2))
    u = dot(u, axis_of(f, 0)), dot(u, axis_of(f, 1)), dot(u, axis_of(f, 2))
    p, q, s = f[12], f[13], f[14]
    if i[0] == ELLIPSOID:
        h = norm((p * x, q * y, s * z))
        g = (p * p * x, q * q * y, s * s * z)
        at, au = dot(g, t) / h, dot(g, u) / h
        tt = p * p * t[0] * t[0] + q * q * t[1] * t[1] + s * s * t[2] * t[2]
        tu = p * p * t[0] * u[0] + q * q * t[1] * u[1] + s * s * t[2] * u[2]
        uu = p * p * u[0] * u[0] + q * q * u[1] * u[1] + s * s * u[2] * u[2]
        return (tt - at * at) / h, (tu - at * au) / h, (uu - au * au) / h
    side = math.sqrt(x * x + y * y)
    if not is_round(i) or i[0] >= OWN or side < _RIM:  # how an own core bends is not known
        return 0.0, 0.0, 0.0
    # The tip of a cone does not move; which of the two it is, s tells.
    dt, du = (x * t[1] - y * t[0]) / side, (x * u[1] - y * u[0]) / side
    k = p / side
    return k * dt * dt, k * dt * du, k * du * du
