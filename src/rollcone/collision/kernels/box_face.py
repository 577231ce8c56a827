"""A face of one box, the reference, with the face of the other box that looks at it.

In the reference face's axes u, v and its outward normal, the incident face is the parallelogram
q + alpha e_1 + beta e_2. The contacts are the corners of what both faces have in common, seen along
the normal: corners of either face within the other, and crossings of their edges; each is known
by its (alpha, beta). Within a tolerance, corners of the incident face come first, then those of the
reference, then crossings, so that equal boxes exactly on top of each other meet in four corners.
Which box is the reference does not matter to features: corner 0 to 7 of A, 8 to 15 of B, or a
pair of edges. Of more than four contacts those are kept that span the most.
"""

from __future__ import annotations

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.manifold import MANIFOLD_SHAPE, put_contact
from rollcone.collision.kernels.vector import along, cross, cut, dot, minus

_CORNERS = 8
_CANDIDATES = 24  # four corners, four corners, sixteen crossings
MOST = 4  # contacts of a pair
# Tolerances, of the smallest half edge. What a later one leaves out an earlier one must let in.
_CROSSING, _REFERENCE, _INCIDENT = 6e-6, 2.5e-5, 1e-4
_EVEN = 1e-5  # gaps that are as good as equal, of the smallest half edge
_MORE = 1.0 + 1e-6  # by so much must a later contact be better than an earlier one


@inlined
def cycled(three, k):
    """Return the numbers k, k + 1, k + 2 modulo 3 of a vector."""
    if k == 0:
        return three[0], three[1], three[2]
    if k == 1:
        return three[1], three[2], three[0]
    return three[2], three[0], three[1]


@inlined
def cycled_axes(turn, k):
    """Return the axes k, k + 1, k + 2 modulo 3 of a box."""
    if k == 0:
        return turn[0], turn[1], turn[2]
    if k == 1:
        return turn[1], turn[2], turn[0]
    return turn[2], turn[0], turn[1]


@inlined
def reach(turn, half, n):
    """How far a box extends from its centre along the unit vector n."""
    return (
        half[0] * abs(dot(turn[0], n))
        + half[1] * abs(dot(turn[1], n))
        + half[2] * abs(dot(turn[2], n))
    )


@inlined
def edge_code(axis, first, second):
    """Number (0 to 11) of a box's edge along `axis`; bits: on the + side of the next two axes."""
    return 4 * axis + first + 2 * second


@inlined
def edge_feature(edge_a, edge_b):
    return 2 * _CORNERS + 12 * edge_a + edge_b


@inlined
def comes_near(gap, n, arm_a, arm_b, c, wa, wb, horizon, near):
    """gap + horizon * min(0, u_n) <= near, with rotation in u_n."""
    u = dot(n, minus(along(c, 1.0, cross(wb, arm_b)), cross(wa, arm_a)))
    return gap + horizon * min(0.0, u) <= near


@kernel
def face_contacts(
    k, flipped, t, sure, d, c, turn_a, half_a, wa, turn_b, half_b, wb, horizon, near, small, slop,
    out,
):  # fmt: skip
    """Contacts of face k of a box X, which is A, or B if `flipped`, with the other box Y at time t;
    returns their number. Unless it is `sure` that the boxes overlap, they must along all face
    normals but the two that meet.
    """
    turn_y, half_y = (turn_a, half_a) if flipped else (turn_b, half_b)
    x = cycled_axes(turn_b if flipped else turn_a, k)
    hx = cycled(half_b if flipped else half_a, k)
    if flipped:
        d = (-d[0], -d[1], -d[2])
    up = x[0] if dot(x[0], d) >= 0.0 else (-x[0][0], -x[0][1], -x[0][2])
    m = _incident_axis(turn_y, up)
    y, hy = cycled_axes(turn_y, m), cycled(half_y, m)
    if not sure:
        for n in (x[1], x[2], y[1], y[2]):
            if abs(dot(n, d)) - (reach(x, hx, n) + reach(y, hy, n)) > -slop:
                return 0
    side = -hy[0] if dot(y[0], up) > 0.0 else hy[0]
    base = (side * y[0][0], side * y[0][1], side * y[0][2])
    centre = along(d, 1.0, base)
    q = (dot(centre, x[1]), dot(centre, x[2]), dot(centre, up) - hx[0])
    e1 = (dot(y[1], x[1]), dot(y[1], x[2]), dot(y[1], up))
    e2 = (dot(y[2], x[1]), dot(y[2], x[2]), dot(y[2], up))
    normal = (-up[0], -up[1], -up[2]) if flipped else up
    above, across = int(dot(x[0], up) > 0.0), int(side > 0.0)
    found = 0
    for number in range(_CANDIDATES + 1):
        if number < _CANDIDATES:
            ok, feature, alpha, beta = _candidate(
                number, k, above, m, across, flipped, q, e1, e2, hx, hy, small
            )
        else:  # boxes that overlap always have a contact: the deepest corner
            ok = sure and found == 0
            first, second = int(e1[2] < 0.0), int(e2[2] < 0.0)
            alpha, beta = (hy[1] if first else -hy[1]), (hy[2] if second else -hy[2])
            feature = _corner_feature(m, across, first, second, not flipped)
        if not ok:
            continue
        arm_y = along(along(base, alpha, y[1]), beta, y[2])
        height = q[2] + alpha * e1[2] + beta * e2[2]
        foot_u = cut(q[0] + alpha * e1[0] + beta * e2[0], hx[1])
        foot_v = cut(q[1] + alpha * e1[1] + beta * e2[1], hx[2])
        arm_x = along(
            along((hx[0] * up[0], hx[0] * up[1], hx[0] * up[2]), foot_u, x[1]), foot_v, x[2]
        )
        gap = height - t * dot(normal, c)
        arm_a, arm_b = (arm_y, arm_x) if flipped else (arm_x, arm_y)
        if comes_near(gap, normal, arm_a, arm_b, c, wa, wb, horizon, near):
            put_contact(out, found, feature, gap, normal, arm_a, arm_b)
            found += 1
            if found == MANIFOLD_SHAPE[0]:
                break
    return found


@inlined
def _incident_axis(turn, up):
    """The axis of a box that is most along `up`; so its part along it is at least 1 / sqrt(3)."""
    a, b, c = abs(dot(turn[0], up)), abs(dot(turn[1], up)), abs(dot(turn[2], up))
    return 0 if a >= b and a >= c else 1 if b >= c else 2


@inlined
def _corner_feature(axis, side, first, second, of_b):
    """Of the corner of a box's face across `axis`, as plane_box counts them; B's are 8 to 15."""
    corner = side << axis | first << (axis + 1) % 3 | second << (axis + 2) % 3
    return corner + (_CORNERS if of_b else 0)


@inlined
def _face_edge(axis, side, along_first, sign):
    """Number of the edge of a box's face across `axis`: along the next axis, or the one after."""
    if along_first:
        return edge_code((axis + 1) % 3, sign, side)
    return edge_code((axis + 2) % 3, side, sign)


@inlined
def _candidate(number, k, above, m, across, flipped, q, e1, e2, hx, hy, small):
    """(is it a contact, feature, alpha, beta) of the corners and crossings by number."""
    if number < 8:
        first, second = number & 1, number >> 1 & 1
        if number < 4:
            ok, alpha, beta = _incident_corner(first, second, q, e1, e2, hx, hy, _INCIDENT * small)
            return ok, _corner_feature(m, across, first, second, not flipped), alpha, beta
        ok, alpha, beta = _reference_corner(first, second, q, e1, e2, hx, hy, _REFERENCE * small)
        return ok, _corner_feature(k, above, first, second, flipped), alpha, beta
    sign, along_u, sign_y, along_1 = (
        number & 1,
        number >> 1 & 1 == 1,
        number >> 2 & 1,
        (number - 8) >> 3 == 1,
    )
    edge = _face_edge(k, above, along_u, sign)
    edge_y = _face_edge(m, across, along_1, sign_y)
    feature = edge_feature(edge_y, edge) if flipped else edge_feature(edge, edge_y)
    tolerance = _CROSSING * small
    if along_1:
        other = hy[2] if sign_y else -hy[2]
        ok, alpha = _crossing(along_u, sign, other, q, e1, e2, hx, hy[1], tolerance)
        return ok, feature, alpha, other
    other = hy[1] if sign_y else -hy[1]
    ok, beta = _crossing(along_u, sign, other, q, e2, e1, hx, hy[2], tolerance)
    return ok, feature, other, beta


@inlined
def _incident_corner(first, second, q, e1, e2, hx, hy, tolerance):
    """(is it within the reference face, alpha, beta)."""
    alpha, beta = (hy[1] if first else -hy[1]), (hy[2] if second else -hy[2])
    u = q[0] + alpha * e1[0] + beta * e2[0]
    v = q[1] + alpha * e1[1] + beta * e2[1]
    return abs(u) <= hx[1] + tolerance and abs(v) <= hx[2] + tolerance, alpha, beta


@inlined
def _reference_corner(first, second, q, e1, e2, hx, hy, tolerance):
    """(is it within the incident face and not at a corner of it, alpha, beta)."""
    u, v = (hx[1] if first else -hx[1]) - q[0], (hx[2] if second else -hx[2]) - q[1]
    det = e1[0] * e2[1] - e1[1] * e2[0]
    alpha, beta = (u * e2[1] - v * e2[0]) / det, (e1[0] * v - e1[1] * u) / det
    out_1, out_2 = abs(alpha) - hy[1], abs(beta) - hy[2]
    ok = max(out_1, out_2) <= tolerance and min(out_1, out_2) < -tolerance
    return ok, cut(alpha, hy[1]), cut(beta, hy[2])


@inlined
def _crossing(along_u, sign, other, q, free, fixed, hx, limit, tolerance):
    """(is it one, place on the incident edge) of an edge of the reference face with one of the
    incident face, which lies at `other` along `fixed` and runs up to `limit` along `free`.

    It is none if an end of an edge lies on the other edge's line: then that corner is a contact.
    """
    if along_u:
        line, x, slope = (hx[2] if sign else -hx[2]), q[1] + other * fixed[1], free[1]
    else:
        line, x, slope = (hx[1] if sign else -hx[1]), q[0] + other * fixed[0], free[0]
    if slope == 0.0:
        return False, 0.0
    place = (line - x) / slope
    if along_u:
        room = hx[1] - abs(q[0] + other * fixed[0] + place * free[0])
    else:
        room = hx[2] - abs(q[1] + other * fixed[1] + place * free[1])
    return abs(slope) * min(limit - abs(place), room) > tolerance, place


@inlined
def keep_four(out, count, small):
    """Of more than four contacts, the farthest from the middle or the deepest, the farthest from
    that, and those that make the triangle and then the quadrangle largest; in the order of their
    features. Returns how many."""
    if count > MOST:
        count = _spread(out, count, _EVEN * small)
    for i in range(1, count):
        for j in range(i, 0, -1):
            if out[j - 1, 0] <= out[j, 0]:
                break
            for m in range(MANIFOLD_SHAPE[1]):
                out[j - 1, m], out[j, m] = out[j, m], out[j - 1, m]
    return count


@inlined
def _place(out, i):
    """Of contact i, on A."""
    return out[i, 5], out[i, 6], out[i, 7]


@inlined
def _area(n, p, q, r):
    """Twice the area of a triangle, seen along n."""
    return dot(n, cross(minus(q, p), minus(r, p)))


@inlined
def _spread(out, count, even):
    """The four, in front of all others."""
    n, sum_of = (out[0, 2], out[0, 3], out[0, 4]), (0.0, 0.0, 0.0)
    for i in range(count):
        sum_of = along(sum_of, 1.0, _place(out, i))
    first, p, best = 0, sum_of, 0.0
    for i in range(count):
        away = along(sum_of, -float(count), _place(out, i))
        if dot(away, away) > best * _MORE:
            first, best = i, dot(away, away)
    for i in range(count):
        if out[i, 1] < out[first, 1] - even:
            first = i
        if i == first:
            p = _place(out, i)
    second, q, best = first, p, 0.0
    for i in range(count):
        x = _place(out, i)
        way = minus(x, p)
        if dot(way, way) > best * _MORE:
            second, q, best = i, x, dot(way, way)
    third, r, best = first, p, 0.0
    for i in range(count):
        x = _place(out, i)
        area = abs(_area(n, p, q, x))
        if area > best * _MORE:
            third, r, best = i, x, area
    turn = -1.0 if _area(n, p, q, r) > 0.0 else 1.0
    fourth, best = first, 0.0
    for i in range(count):
        x = _place(out, i)
        outside = max(turn * _area(n, p, q, x), turn * _area(n, q, r, x), turn * _area(n, r, p, x))
        if outside > best * _MORE:
            fourth, best = i, outside
    kept = 0
    for i in range(count):
        if i in (first, second, third, fourth):
            for m in range(MANIFOLD_SHAPE[1]):
                out[kept, m] = out[i, m]
            kept += 1
    return kept
