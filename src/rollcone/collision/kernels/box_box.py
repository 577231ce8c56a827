"""Two boxes: first touch and normal by separating axes, and the contact of two edges.

Boxes are apart if and only if they are along one of 15 axes n: the face normals A_i and B_j and the
products A_i x B_j. With d = x_B - x_A, c = v_B - v_A and reach = sum_k h_k |e_k.n| of both,

    s(t) = |n.(d + t c)| - reach

is a convex function of t; the boxes touch as long as s <= 0 on all axes. The axis of largest s at
the first touch is the normal. Faces are preferred to edges where the two are all but alike, so that
boxes that rest on each other do so on faces. Where gap <= near, the bodies touch now, t = 0.

Boxes that pass each other along a common edge or corner, with less than `slop` of overlap, are not
in each other's way: a contact needs some overlap along all axes but that of its normal.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.box_face import (
    comes_near,
    cycled,
    cycled_axes,
    edge_code,
    edge_feature,
    face_contacts,
    keep_four,
    reach,
)
from rollcone.collision.kernels.manifold import put_contact
from rollcone.collision.kernels.vector import (
    along,
    cross,
    cut,
    direction,
    dot,
    minus,
    norm,
)

_SLOP = 1e-6  # of the smallest half edge
_PARALLEL = 1e-8  # sine of the angle between edges below which their product says nothing
_FACE_FIRST = 0.01  # an edge's s must be larger than a face's by this share
_ALIKE = 1e-3  # sine of the angle between normals that are all but alike
_AXES, _FACES = 15, 6


@kernel
def box_box(xa, turn_a, half_a, va, wa, xb, turn_b, half_b, vb, wb, horizon, near, out):
    """Writes up to four contacts; returns their number."""
    d, c = minus(xb, xa), minus(vb, va)
    small = min(half_a[0], half_a[1], half_a[2], half_b[0], half_b[1], half_b[2])
    slop = min(_SLOP * small, near)
    wider = near + horizon * (norm(wa) * norm(half_a) + norm(wb) * norm(half_b))
    apart, touch, close = _sweep(d, c, turn_a, half_a, turn_b, half_b, horizon, slop, wider)
    if close < 0.0:
        return 0
    t = 0.0 if apart <= near else touch if touch >= 0.0 else close
    way = horizon * norm(c)
    while True:
        sure, there = t == touch, along(d, t, c)
        number = _normal_axis(there, way, turn_a, half_a, turn_b, half_b, small, slop)
        if number < _FACES:
            found = face_contacts(
                number % 3, number >= 3, t, sure, there, c, turn_a, half_a, wa, turn_b, half_b, wb,
                horizon, near, small, slop, out,
            )  # fmt: skip
        else:
            found = _edge_contact(
                number - _FACES, t, sure, there, c, turn_a, half_a, wa, turn_b, half_b, wb,
                horizon, near, slop, out,
            )  # fmt: skip
        if found > 0 or touch <= t:
            return keep_four(out, found, small)
        t = touch


@inlined
def _pick(three, k):
    return three[0] if k == 0 else three[1] if k == 1 else three[2]


@inlined
def _axis(number, turn_a, turn_b):
    """(is there one, unit vector): three of A's faces, three of B's, nine of edges."""
    if number < 3:
        return True, _pick(turn_a, number)
    if number < _FACES:
        return True, _pick(turn_b, number - 3)
    i, j = (number - _FACES) // 3, (number - _FACES) % 3
    n = cross(_pick(turn_a, i), _pick(turn_b, j))
    length = norm(n)
    return length > _PARALLEL, direction(n, length)


@inlined
def _window(x, v, r, begin, end):
    """The part of the times from `begin` to `end` with |x + t v| <= r; r > 0."""
    if v == 0.0:
        return begin, end if abs(x) <= r else -math.inf
    one, other = (-r - x) / v, (r - x) / v
    return max(begin, min(one, other)), min(end, max(one, other))


@inlined
def _sweep(d, c, turn_a, half_a, turn_b, half_b, horizon, slop, wider):
    """(largest s now, first time of overlap by `slop`, first time not farther apart than `wider`).

    Times are -1 if it does not come to that within the horizon.
    """
    apart = -math.inf
    touch, touch_end, close, close_end = 0.0, horizon, 0.0, horizon
    for number in range(_AXES):
        there, n = _axis(number, turn_a, turn_b)
        if not there:
            continue
        x, v = dot(n, d), dot(n, c)
        r = reach(turn_a, half_a, n) + reach(turn_b, half_b, n)
        apart = max(apart, abs(x) - r)
        touch, touch_end = _window(x, v, r - slop, touch, touch_end)
        close, close_end = _window(x, v, r + wider, close, close_end)
        if close > close_end:
            return apart, -1.0, -1.0
    return apart, touch if touch <= touch_end else -1.0, close


@inlined
def _normal_axis(d, way, turn_a, half_a, turn_b, half_b, small, slop):
    """Number of the axis of largest s, with A's faces before B's and faces before edges.

    An edge's normal all but along the face's is taken for it, if that makes no difference over
    the `way` of the step: the corners of the clipped face lie where the edges cross.
    """
    face, edge = 0, 0
    face_s, edge_s = -math.inf, -math.inf
    face_n, edge_n = d, d
    for number in range(_AXES):
        there, n = _axis(number, turn_a, turn_b)
        if not there:
            continue
        s = abs(dot(n, d)) - (reach(turn_a, half_a, n) + reach(turn_b, half_b, n))
        if number < _FACES:
            if s > face_s + (slop if number == 3 or (number > 3 and face < 3) else 0.0):
                face, face_s, face_n = number, s, n
        elif s > edge_s:
            edge, edge_s, edge_n = number, s, n
    if edge_s <= face_s + slop + _FACE_FIRST * abs(face_s):
        return face
    between = norm(cross(face_n, edge_n))
    return face if between * max(way, small) <= _ALIKE * small else edge


@inlined
def _edge_towards(frame, half, n):
    """(middle of the edge along frame[0] that is farthest along n, its two bits)."""
    first, second = dot(frame[1], n) >= 0.0, dot(frame[2], n) >= 0.0
    y = half[1] if first else -half[1]
    z = half[2] if second else -half[2]
    middle = along((y * frame[1][0], y * frame[1][1], y * frame[1][2]), z, frame[2])
    return middle, int(first), int(second)


@inlined
def _edge_contact(
    pair, t, sure, d, c, turn_a, half_a, wa, turn_b, half_b, wb, horizon, near, slop, out
):
    """A's edge along its axis i with B's along its axis j: closest points of the two lines."""
    i, j = pair // 3, pair % 3
    n = _axis(_FACES + pair, turn_a, turn_b)[1]
    if dot(n, d) < 0.0:
        n = (-n[0], -n[1], -n[2])
    a, b = cycled_axes(turn_a, i), cycled_axes(turn_b, j)
    ha, hb = cycled(half_a, i), cycled(half_b, j)
    p, p_first, p_second = _edge_towards(a, ha, n)
    q, q_first, q_second = _edge_towards(b, hb, (-n[0], -n[1], -n[2]))
    r = minus(along(d, 1.0, q), p)
    cosine, f, g = dot(a[0], b[0]), dot(r, a[0]), dot(r, b[0])
    square = norm(cross(a[0], b[0])) ** 2
    x, y = (f - cosine * g) / square, (cosine * f - g) / square
    if not sure and (abs(x) > ha[0] - slop or abs(y) > hb[0] - slop):
        return 0
    arm_a, arm_b = along(p, cut(x, ha[0]), a[0]), along(q, cut(y, hb[0]), b[0])
    feature = edge_feature(edge_code(i, p_first, p_second), edge_code(j, q_first, q_second))
    gap = dot(n, r) - t * dot(n, c)
    if not comes_near(gap, n, arm_a, arm_b, c, wa, wb, horizon, near):
        return 0
    put_contact(out, 0, feature, gap, n, arm_a, arm_b)
    return 1
