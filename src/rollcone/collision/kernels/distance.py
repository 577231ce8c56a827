"""The shortest way between two convex cores (Gilbert, Johnson and Keerthi 1988).

The differences b - a of points of B and of A are a convex set; the shortest way from A to B is its
point v that is nearest to the origin. A simplex of up to four of its points is kept, with v the
nearest point of the simplex; the point of the set that is the farthest in the direction -v
comes in, until it is no nearer to the origin than v itself.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.shape import CONE
from rollcone.collision.kernels.support import farthest, is_round
from rollcone.collision.kernels.vector import cross, direction, dot, minus, norm

MOST_ROUNDS = 100
# Of v^2: how much nearer a point must be to come in; of round cores the rest is left to
# kernels/sharpen.py, which cannot do it along the side of a cone.
_CLOSE, _CLOSE_ROUND = 1e-14, 1e-7
SIMPLEX = (4, 10)  # rows: point of the set (3), of A (3), of B (3), share in v


@inlined
def _point(s, k):
    return s[k, 0], s[k, 1], s[k, 2]


@kernel
def shortest_way(fa, ia, fb, ib, shift, numbers, places, start, s):
    """(distance, direction, are they apart) from A to B moved by `shift`; `s` (4, 10) is left with
    the simplex. Of all directions that came up it is that along which they are farthest apart.

    start: a direction from A to B, any that is not zero.
    """
    count = 0
    v = start
    square, most, best = math.inf, 0.0, start
    rough = (is_round(ia) or is_round(ib)) and ia[0] != CONE and ib[0] != CONE
    close = _CLOSE_ROUND if rough else _CLOSE
    for _ in range(MOST_ROUNDS):
        a = farthest(fa, ia, numbers, places, v)
        b = farthest(fb, ib, numbers, places, (-v[0], -v[1], -v[2]))
        w = (b[0] + shift[0] - a[0], b[1] + shift[1] - a[1], b[2] + shift[2] - a[2])
        if count > 0:
            inner = dot(v, w)
            if inner > most * math.sqrt(square):
                most = inner / math.sqrt(square)
                best = direction(v, math.sqrt(square))
            if square - inner <= close * square or _is_in(s, count, w):
                break
        for k in range(3):
            s[count, k], s[count, 3 + k], s[count, 6 + k] = w[k], a[k], b[k]
        count = _nearest(s, count + 1)
        if count == 4:
            return 0.0, best, False
        v = (0.0, 0.0, 0.0)
        for k in range(count):
            v = (
                v[0] + s[k, 9] * s[k, 0],
                v[1] + s[k, 9] * s[k, 1],
                v[2] + s[k, 9] * s[k, 2],
            )
        for k in range(count, 4):
            s[k, 9] = 0.0
        last, square = square, dot(v, v)
        if square == 0.0:
            return 0.0, best, False
        if not square < last:  # rounding
            break
    return most, best, most > 0.0


@inlined
def _is_in(s, count, w):
    found = False
    for k in range(count):
        found = found or (s[k, 0] == w[0] and s[k, 1] == w[1] and s[k, 2] == w[2])
    return found


@inlined
def _nearest(s, count):
    """Leaves the rows of the smallest face that has the nearest point, with shares; how many."""
    if count == 1:
        s[0, 9] = 1.0
        return 1
    if count == 2:
        return _of_segment(s)
    if count == 3:
        x, y, z, _ = triangle_shares(_point(s, 0), _point(s, 1), _point(s, 2))
        return _keep(s, x, y, z, 0.0)
    return _of_tetrahedron(s)


@inlined
def _of_segment(s):
    a, b = _point(s, 0), _point(s, 1)
    e = minus(b, a)
    t, square = -dot(a, e), dot(e, e)
    if t <= 0.0:
        return _keep(s, 1.0, 0.0, 0.0, 0.0)
    if t >= square:
        return _keep(s, 0.0, 1.0, 0.0, 0.0)
    return _keep(s, 1.0 - t / square, t / square, 0.0, 0.0)


@inlined
def triangle_shares(a, b, c):
    """(shares of a, b, c in the point of the triangle nearest to the origin, its square)."""
    ab, ac = minus(b, a), minus(c, a)
    d1, d2 = -dot(ab, a), -dot(ac, a)
    if d1 <= 0.0 and d2 <= 0.0:
        return 1.0, 0.0, 0.0, dot(a, a)
    d3, d4 = -dot(ab, b), -dot(ac, b)
    if d3 >= 0.0 and d4 <= d3:
        return 0.0, 1.0, 0.0, dot(b, b)
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        t = d1 / (d1 - d3)
        return 1.0 - t, t, 0.0, _square(a, b, 1.0 - t, t)
    d5, d6 = -dot(ab, c), -dot(ac, c)
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 0.0, 1.0, dot(c, c)
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        t = d2 / (d2 - d6)
        return 1.0 - t, 0.0, t, _square(a, c, 1.0 - t, t)
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return 0.0, 1.0 - t, t, _square(b, c, 1.0 - t, t)
    total = va + vb + vc
    y, z = vb / total, vc / total
    n = cross(ab, ac)
    height = dot(n, a)
    return 1.0 - y - z, y, z, height * height / dot(n, n)


@inlined
def _square(a, b, x, y):
    p = (x * a[0] + y * b[0], x * a[1] + y * b[1], x * a[2] + y * b[2])
    return dot(p, p)


@inlined
def _of_tetrahedron(s):
    """The nearest of the faces that the origin is outside of; all four rows if it is inside."""
    best = math.inf
    x0, x1, x2, x3 = 0.0, 0.0, 0.0, 0.0
    outside = False
    for skip in range(4):
        i = 0 if skip != 0 else 1
        j = i + 1 if i + 1 != skip else i + 2
        k = j + 1 if j + 1 != skip else j + 2
        a, b, c, d = _point(s, i), _point(s, j), _point(s, k), _point(s, skip)
        n = cross(minus(b, a), minus(c, a))
        here, there = -dot(n, a), dot(n, minus(d, a))
        # Also where the four lie in a plane, or nearly.
        flat = abs(there) <= 1e-14 * norm(n) * norm(minus(d, a))
        if here * there > 0.0 and not flat:
            continue
        outside = True
        x, y, z, square = triangle_shares(a, b, c)
        if square < best:
            best = square
            x0 = x if i == 0 else 0.0
            x1 = x if i == 1 else (y if j == 1 else 0.0)
            x2 = y if j == 2 else (z if k == 2 else 0.0)
            x3 = z if k == 3 else 0.0
    if not outside:
        return 4
    return _keep(s, x0, x1, x2, x3)


@inlined
def _keep(s, x0, x1, x2, x3):
    """The rows with a share, moved up; how many."""
    kept = 0
    for k in range(4):
        share = x0 if k == 0 else x1 if k == 1 else x2 if k == 2 else x3
        if share > 0.0:
            for m in range(9):
                s[kept, m] = s[k, m]
            s[kept, 9] = share
            kept += 1
    return kept


@inlined
def begin_of_way(s):
    """The point of A at which v begins, by the shares of the simplex."""
    a = (0.0, 0.0, 0.0)
    for k in range(4):
        a = (a[0] + s[k, 9] * s[k, 3], a[1] + s[k, 9] * s[k, 4], a[2] + s[k, 9] * s[k, 5])
    return a
