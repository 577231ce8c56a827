"""How far apart two convex parts are, along which normal.

For a unit vector n the cores are apart by s(n) = min over B of b.n - max over A of a.n, and the
distance of the two is the largest s; where they overlap, a largest s < 0 near by is minus the
depth. Apart, n is the shortest way (kernels/distance.py). Where they touch or overlap that is not
to be had: B is moved away until it is apart, which gives a normal, and again along that normal, as
long as s grows. So no state is kept, and flat faces are found to the last digit: of
normals with all but the same s that of a face is taken.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.distance import shortest_way
from rollcone.collision.kernels.sharpen import sharpened
from rollcone.collision.kernels.support import (
    axis_of,
    face_count,
    face_normal,
    facing,
    farthest,
    is_round,
)
from rollcone.collision.kernels.vector import dot, times

_APART = 1e-4  # of the smaller size: cores that are farther apart need no shift
_SHIFT = 1e-3  # likewise: the first shift
_CLEAR = 1e-8  # likewise: apart after a shift
_OVERLAP = 1e-8  # likewise: from which on another way out may be shorter
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
    length, n, apart = shortest_way(fa, ia, fb, ib, none, numbers, places, guess, s)
    if apart and length > _APART * small:
        if is_round(ia) or is_round(ib):
            n = sharpened(fa, ia, fb, ib, none, numbers, places, n, s)
        most = spread(fa, ia, fb, ib, numbers, places, n)
    else:
        n, most = _pushed_apart(fa, ia, fb, ib, numbers, places, small, guess, s)
        if most < -_OVERLAP * small:
            m, here = _best_face(fa, ia, fb, ib, numbers, places)
            if here > most:
                m, here = _pushed_apart(fa, ia, fb, ib, numbers, places, small, m, s)
            if here > most:
                n, most = m, here
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


@inlined
def _best_face(fa, ia, fb, ib, numbers, places):
    """(normal, s) of the face, or the axis, of one of the parts along which s is largest."""
    best, most = axis_of(fa, 0), -math.inf
    for side in range(2):
        f, i = (fa, ia) if side == 0 else (fb, ib)
        for k in range(face_count(i, places)):
            n = times(1.0 if side == 0 else -1.0, face_normal(f, i, numbers, places, k))
            here = spread(fa, ia, fb, ib, numbers, places, n)
            if here > most:
                best, most = n, here
    return best, most


@kernel
def _pushed_apart(fa, ia, fb, ib, numbers, places, small, guess, s):
    """(normal, s along it) of cores that touch or overlap."""
    n, shift = guess, _SHIFT * small
    for _ in range(_MOST_SHIFTS):
        length, m, apart = shortest_way(
            fa, ia, fb, ib, times(shift, guess), numbers, places, guess, s
        )
        if apart and length > _CLEAR * small:
            n = m
            break
        shift *= 4.0
    most = spread(fa, ia, fb, ib, numbers, places, n)
    for _ in range(_MOST_TURNS):
        shift = max(_SHIFT * small, -2.0 * most)
        away = times(shift, n)
        length, m, apart = shortest_way(fa, ia, fb, ib, away, numbers, places, n, s)
        if not apart or not length > _CLEAR * small:
            break
        if is_round(ia) or is_round(ib):
            m = sharpened(fa, ia, fb, ib, away, numbers, places, m, s)
        here = spread(fa, ia, fb, ib, numbers, places, m)
        if not here > most + 1e-12 * small:
            break
        n, most = m, here
    return n, most
