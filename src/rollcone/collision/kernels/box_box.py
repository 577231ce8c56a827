"""Two boxes: first touch and normal by separating axes, and the contact of two edges.

Boxes are apart if and only if they are along one of 15 axes n: the face normals A_i and B_j and the
products A_i x B_j. With d = x_B - x_A, c = v_B - v_A and reach = sum_k h_k |e_k.n| of both,

    s(t) = |n.(d + t c)| - reach

is a convex function of t; the boxes touch as long as s <= 0 on all axes. The axis of largest s at
the first touch is the normal. Faces are preferred to edges where the two are all but alike, so that
boxes that rest on each other do so on faces. Where gap <= near, the bodies touch now, t = 0.

Boxes that pass each other along a common edge or corner, with less than `slop` of overlap, are not
in each other's way: a contact needs some overlap along all axes but that of its normal.

Boxes that are apart, but within `near`, always have a contact. If the nearest points are not among
the contacts along the axis of largest s, the boxes are taken where they touch on the way; if they
do not, the nearest points are added (box_nearest.py), with the direction from one to the other as
normal.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.box_face import (
    comes_near,
    face_contacts,
    keep_four,
    reach,
)
from rollcone.collision.kernels.box_nearest import (
    ALIKE,
    PARALLEL,
    crossing,
    edges_towards,
    least_gap,
    nearest_contacts,
    nearest_points,
    shows_nearest,
    with_nearest,
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
_FACE_FIRST = 0.01  # an edge's s must be larger than a face's by this share
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
    boxes, spin = (turn_a, half_a, turn_b, half_b), (wa, wb)
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
                number - _FACES, t, sure, there, c, boxes, spin, horizon, near, slop, out
            )
        if sure or t > 0.0 or apart > near or shows_nearest(out, found, d, boxes, small, slop):
            return keep_four(out, found, small)
        if touch < 0.0:
            found = keep_four(out, found, small)
            more = nearest_contacts(d, c, boxes, spin, horizon, near, small, slop, found, out)
            return keep_four(out, with_nearest(out, found, more, c, horizon, small), small)
        if found > 0 and _is_about(out, found, d, boxes, small, slop):
            return keep_four(out, found, small)
        t = touch


@inlined
def _is_about(out, found, d, boxes, small, slop):
    """Is the least gap of these contacts the distance of the boxes, but for a hundredth?"""
    return least_gap(out, found) <= (1.0 + _FACE_FIRST) * nearest_points(d, boxes, small)[0] + slop


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
    return length > PARALLEL, direction(n, length)


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
    return face if between * max(way, small) <= ALIKE * small else edge


@inlined
def _edge_contact(pair, t, sure, d, c, boxes, spin, horizon, near, slop, out):
    """A's edge along its axis i with B's along its axis j: closest points of the two lines."""
    n = _axis(_FACES + pair, boxes[0], boxes[2])[1]
    if dot(n, d) < 0.0:
        n = (-n[0], -n[1], -n[2])
    p, q, u, w, hu, hw, feature = edges_towards(pair, n, boxes)
    r = minus(along(d, 1.0, q), p)
    x, y = crossing(p, along(d, 1.0, q), u, w)
    if not sure and (abs(x) > hu - slop or abs(y) > hw - slop):
        return 0
    arm_a, arm_b = along(p, cut(x, hu), u), along(q, cut(y, hw), w)
    gap = dot(n, r) - t * dot(n, c)
    if not comes_near(gap, n, arm_a, arm_b, c, spin[0], spin[1], horizon, near):
        return 0
    put_contact(out, 0, feature, gap, n, arm_a, arm_b)
    return 1
