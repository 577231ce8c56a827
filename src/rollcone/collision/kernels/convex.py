"""Contacts of two convex parts: the faces, edges or points with which they look at each other.

Along the normal n at the time of touch (kernels/separation.py) each part shows a face, an edge or
a point. Where the two cover each other, seen along n, lie the candidates: corners of one within the
other, and where edges cross. Each has its own gap, measured along n from surface to surface, and is
kept if gap + horizon * min(0, u_n) <= near, rotation included; of more than four those that span
most. So a box stands on four points, tilted on two or one, and which they are does not depend on
a tolerance for angles.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.box_face import comes_near, keep_four
from rollcone.collision.kernels.clip import CUT, clip, mixed, point_of
from rollcone.collision.kernels.distance import begin_of_way
from rollcone.collision.kernels.manifold import put_contact
from rollcone.collision.kernels.support import TRIANGLE, facing, place_of
from rollcone.collision.kernels.touch import first_touch
from rollcone.collision.kernels.vector import along, dot, minus, norm

_PARALLEL = 1e-3  # sine of the angle of two edges that touch all along
_NAMES = 0x3FFF  # features have 14 bits
_SLOP = 1e-6  # of the smaller size
_EDGE_ON = 0.1  # cosine to the normal below which a face tells nothing of heights


@kernel
def convex_contacts(
    numbers, places, small, guess, xa, wa, xb, wb, c, reach, horizon, near, salt, work
):
    """Of the parts in work.fa and work.fb; writes to work.rows, returns how many, four at most.

    B moves at c relative to A; xa, xb, wa, wb are the centres and angular velocities of the bodies;
    reach: how fast turning can bring the parts together, m/s. `salt` goes into all features.
    """
    wider = near + horizon * reach
    close, t, gap, n = first_touch(
        work.fa, work.ia, work.fb, work.ib, numbers, places, small, guess, c, horizon, near, wider,
        work.simplex, work.mine,
    )  # fmt: skip
    found = 0
    if close:
        core = gap + work.fa[15] + work.fb[15]
        found = touching_points(
            work.fa, work.ia, work.fb, work.ib, numbers, places, small, xa, wa, along(xb, t, c), wb,
            c, t, n, core, horizon, near, (salt, salt), False, work,
        )  # fmt: skip
    return found


@kernel
def touching_points(
    fa, ia, fb, ib, numbers, places, small, xa, wa, xb, wb, c, t, n, core, horizon, near,
    salt, only_faces, work,
):  # fmt: skip
    """The same for the normal n at time t, where B is by then, with its centre at xb; `core` is the
    distance of the cores along n. salt: for corners of the parts, and for others. only_faces: B is
    a triangle, and n its normal."""
    back = (-n[0], -n[1], -n[2])
    mine, flat_a, up_a = facing(fa, ia, numbers, places, n, work.mine)
    other, flat_b, up_b = facing(fb, ib, numbers, places, back, work.other)
    way = -t * dot(n, c)  # by which gaps were larger when the step began
    body = (xa, wa, xb, wb, c, n, fa[15], fb[15], way, horizon, near, salt)
    ground = ib[0] == TRIANGLE and ib[1] == 0  # on which the corners of the other stay the same
    lean_a = dot(up_a, n) if flat_a else 0.0
    lean_b = dot(up_b, back) if flat_b else 0.0
    found = 0
    if mine == 1:
        p = point_of(work.mine, 0)
        if not only_faces or _within(work.other, other, back, p, small):
            found = _add(work.rows, 0, body, p, core, work.mine[0, 3])
    elif other == 1:
        p = along(point_of(work.other, 0), -core, n)
        found = _add(work.rows, 0, body, p, core, work.other[0, 3])
    elif mine == 2 and other == 2:
        found = _edges(work, body)
    elif lean_a > _EDGE_ON and not lean_b > (_EDGE_ON if ground else lean_a):
        count = clip(work.mine, mine, n, work.other, other, _SLOP * small, work.one, work.two)
        for k in range(count):
            q = point_of(work.one, k)
            height = _height(work.mine, up_a, q, n)
            found = _add(work.rows, found, body, along(q, -height, n), height, work.one[k, 3])
    elif lean_b > _EDGE_ON:
        count = clip(work.other, other, back, work.mine, mine, _SLOP * small, work.one, work.two)
        for k in range(count):
            p = point_of(work.one, k)
            height = -_height(work.other, up_b, p, n)
            found = _add(work.rows, found, body, p, height, work.one[k, 3])
    if not only_faces and not _reaches(work.rows, found, core + way - fa[15] - fb[15], small):
        found = _nearest_points(work, body, core, found)
    return keep_four(work.rows, found, small)


@inlined
def _height(poly, up, x, n):
    """How far x is along n from the face through the first of these points, with normal `up`."""
    return dot(minus(x, point_of(poly, 0)), up) / dot(n, up)


@inlined
def _within(poly, count, up, p, small):
    """Is p over the face, seen along its normal?"""
    inside = True
    for k in range(count):
        a, b = point_of(poly, k), point_of(poly, (k + 1) % count)
        e, d = minus(b, a), minus(p, a)
        out = (
            e[1] * up[2] - e[2] * up[1],
            e[2] * up[0] - e[0] * up[2],
            e[0] * up[1] - e[1] * up[0],
        )
        inside = inside and dot(d, out) <= _SLOP * small * norm(out)
    return inside


@inlined
def _add(rows, found, body, p, height, name):
    """The contact at p of A's core, if it is one, with B's core `height` away; how many there
    are."""
    xa, wa, xb, wb, c, n, ra, rb, way, horizon, near, salt = body
    gap = height - ra - rb
    arm_a = minus(along(p, ra, n), xa)
    arm_b = minus(along(p, height - rb, n), xb)
    if not comes_near(gap + way, n, arm_a, arm_b, c, wa, wb, horizon, near):
        return found
    for k in range(found):  # corners of two faces at one place
        d = minus((rows[k, 5], rows[k, 6], rows[k, 7]), arm_a)
        if dot(d, d) < 1e-16 * dot(arm_a, arm_a):
            return found
    code = int(name)
    feature = mixed(code, salt[1] if code & CUT else salt[0]) & _NAMES
    put_contact(rows, found, feature, gap + way, n, arm_a, arm_b)
    return min(found + 1, rows.shape[0] - 1)


@kernel
def _edges(work, body):
    """Two edges: where they cross, or if they are parallel the ends of what they share."""
    n = body[5]
    a, b = point_of(work.mine, 0), point_of(work.other, 0)
    e, g = minus(point_of(work.mine, 1), a), minus(point_of(work.other, 1), b)
    u, w = along(e, -dot(e, n), n), along(g, -dot(g, n), n)
    d = minus(b, a)
    uu, ww, uw = dot(u, u), dot(w, w), dot(u, w)
    if uu == 0.0 or ww == 0.0:
        return 0
    # |u x w|^2 = u^2 w^2 - (u.w)^2, without the difference
    z = dot(n, (u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]))
    if z * z <= _PARALLEL * _PARALLEL * uu * ww:
        begin, end = dot(d, u) / uu, dot(along(d, 1.0, w), u) / uu
        low, high = max(min(begin, end), 0.0), min(max(begin, end), 1.0)
        found = 0
        for k in range(2):
            s = low if k == 0 else high
            p = along(a, s, e)
            t = min(max(dot(minus(p, b), w) / ww, 0.0), 1.0)
            height = dot(minus(along(b, t, g), p), n)
            if low <= high and (k == 0 or high > low):
                found = _add(work.rows, found, body, p, height, float(k))
        return found
    s = min(max((dot(d, u) * ww - dot(d, w) * uw) / (z * z), 0.0), 1.0)
    p = along(a, s, e)
    t = min(max(dot(minus(p, b), w) / ww, 0.0), 1.0)
    return _add(work.rows, 0, body, p, dot(minus(along(b, t, g), p), n), 2.0)


@inlined
def _reaches(rows, found, gap, small):
    """Is one of the contacts the nearest that there is?"""
    reached = False
    for k in range(found):
        reached = reached or rows[k, 1] <= gap + _SLOP * small
    return reached


@inlined
def _nearest_points(work, body, core, found):
    """The begin of the shortest way, where faces do not tell."""
    return _add(work.rows, found, body, begin_of_way(work.simplex), core, 3.0)


@inlined
def guess_of(fa, fb):
    """A direction from A to B."""
    d = minus(place_of(fb), place_of(fa))
    length = norm(d)
    if length > 0.0 and length < math.inf:
        return d[0] / length, d[1] / length, d[2] / length
    return 0.0, 0.0, 1.0
