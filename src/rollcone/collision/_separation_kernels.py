"""How far apart two convex parts are, along which normal.

For a unit vector n the cores are apart by s(n) = min over B of b.n - max over A of a.n, and the
distance of the two is the largest s; where they overlap, a largest s < 0 near by is minus the
depth. Apart, n is the shortest way (_distance_kernels.py). Where they touch or overlap that is not
to be had: B is moved away until it is apart, which gives a normal, and again along that normal, as
long as s grows. So no state is kept, and flat faces are found to the last digit: of
normals with all but the same s that of a face is taken.
"""

from __future__ import annotations

from rollcone._jit import inlined, kernel, stage
from rollcone.collision._distance_kernels import shortest_way
from rollcone.collision._support_kernels import facing, farthest
from rollcone.collision._vector_kernels import direction, dot, norm, times

_APART = 1e-4  # of the smaller size: cores that are farther apart need no shift
_SHIFT = 1e-3  # likewise: the first shift
_CLEAR = 1e-8  # likewise: apart after a shift
_FACE_FIRST = 1e-7  # likewise: how much more s must be along another normal than a face's
_MOST_SHIFTS, _MOST_TURNS = 60, 12


@inlined
def spread(fa, ia, fb, ib, numbers, places, n):
    """s(n) of the cores."""
    a = farthest(fa, ia, numbers, places, n)
    b = farthest(fb, ib, numbers, places, (-n[0], -n[1], -n[2]))
    return dot(n, (b[0] - a[0], b[1] - a[1], b[2] - a[2]))


@kernel
def separation(fa, ia, fb, ib, numbers, places, small, guess, s, poly):
    """(distance of the cores, normal from A to B). `guess`: a direction from A to B, which may be
    wrong; `small`: the smaller size. s and poly are scratch; s is left with a simplex."""
    none = (0.0, 0.0, 0.0)
    v, apart = shortest_way(fa, ia, fb, ib, none, numbers, places, guess, s)
    length = norm(v)
    if apart and length > _APART * small:
        n = direction(v, length)
        most = spread(fa, ia, fb, ib, numbers, places, n)
    else:
        n, most = _pushed_apart(fa, ia, fb, ib, numbers, places, small, guess, s)
    for side in range(2):
        f, i = (fa, ia) if side == 0 else (fb, ib)
        sign = 1.0 if side == 0 else -1.0
        _, flat, m = facing(f, i, numbers, places, times(sign, n), poly)
        if flat:
            m = times(sign, m)
            here = spread(fa, ia, fb, ib, numbers, places, m)
            if here >= most - _FACE_FIRST * small:
                n, most = m, here
    return most, n


@stage
def _pushed_apart(fa, ia, fb, ib, numbers, places, small, guess, s):
    """(normal, s along it) of cores that touch or overlap."""
    n, shift = guess, _SHIFT * small
    for _ in range(_MOST_SHIFTS):
        v, apart = shortest_way(fa, ia, fb, ib, times(shift, guess), numbers, places, guess, s)
        length = norm(v)
        if apart and length > _CLEAR * small:
            n = direction(v, length)
            break
        shift *= 4.0
    most = spread(fa, ia, fb, ib, numbers, places, n)
    for _ in range(_MOST_TURNS):
        shift = max(_SHIFT * small, -2.0 * most)
        v, apart = shortest_way(fa, ia, fb, ib, times(shift, n), numbers, places, n, s)
        length = norm(v)
        if not apart or not length > _CLEAR * small:
            break
        m = direction(v, length)
        here = spread(fa, ia, fb, ib, numbers, places, m)
        if not here > most + 1e-12 * small:
            break
        n, most = m, here
    return n, most
