"""When two convex parts that move along touch first, and with which normal.

Along the normal n of their distance two convex parts come nearer no faster than -n.c, where B moves
at c: so they are apart at least as long as that takes, and once more from there, until they touch.
"""

from __future__ import annotations

from rollcone._build.kernels import kernel
from rollcone.collision.kernels.separation import separation
from rollcone.collision.kernels.vector import dot

_MOST_ADVANCES = 40


@kernel
def first_touch(fa, ia, fb, ib, numbers, places, small, guess, c, horizon, near, wider, s, poly):
    """(do they come near, when, distance of the surfaces then, normal then); B moves at c.

    B is left where it is at that time. Near is: touching now (gap <= near, time 0), touching on the
    way, or no farther apart than `wider` when closest (as they turn they may touch). Those
    that graze, by less than a small share of their size, slide past each other.
    """
    slop = min(1e-6 * small, near)
    t = 0.0
    gap, n = 0.0, guess
    for advance in range(_MOST_ADVANCES):
        gap, n = separation(fa, ia, fb, ib, numbers, places, small, n, s, poly)
        gap -= fa[15] + fb[15]
        closing = -dot(n, c)
        if advance == 0 and gap <= near:
            return True, t, gap, n
        rest = horizon - t
        if closing * rest < gap:  # never there on this way
            return gap - max(closing, 0.0) * rest <= wider, t, gap, n
        if gap <= 0.0:
            return True, t, gap, n
        step = min((gap + 0.5 * slop) / closing, rest)
        t += step
        for k in range(3):
            fb[k] += step * c[k]
        if ib[0] < 0:  # a triangle
            for k in range(9):
                fb[16 + k] += step * c[k % 3]
    return gap <= wider, t, gap, n
