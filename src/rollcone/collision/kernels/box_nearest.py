"""The nearest points of two boxes that are apart, and the contacts there.

Either one of the points is a corner, and the other the point of the other box that is nearest to
it, or both lie on edges, along A_i and B_j. Then the distance is the s of the axis A_i x B_j
(box_box.py), and the two edges are those of their boxes that are farthest along it. So 16 corners
and nine pairs of edges are tried. The normal is the direction from one point to the other.

    feature            the points lie on
    0 to 7, 8 to 15    a corner of A, or of B, and a face
    16 to 159          two edges
    160 to 223         two corners
    224 to 319         a corner of A and an edge of B
    320 to 415         an edge of A and a corner of B

Corners whose own shortest way has all but the direction of the normal are contacts, too: two of
edges that are parallel, four of faces.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.box_face import (
    MOST,
    comes_near,
    cycled,
    cycled_axes,
    edge_code,
    edge_feature,
    reach,
)
from rollcone.collision.kernels.manifold import MANIFOLD_SHAPE, put_contact
from rollcone.collision.kernels.plane import box_corner
from rollcone.collision.kernels.vector import (
    along,
    cross,
    cut,
    direction,
    dot,
    minus,
    norm,
    times,
    to_body,
    to_world,
)

PARALLEL = 1e-8  # sine of the angle between edges below which their product says nothing
ALIKE = 1e-3  # sine of the angle between normals that are all but alike
_CORNERS = 8
_TWO_CORNERS, _CORNER_EDGE, _EDGE_CORNER = 160, 224, 320
_AT_END = 6e-6  # of the smallest half edge: so near to a corner or an edge a point is named by it
# So exactly the nearest points are among contacts: of the smallest half edge, and of the gap.
_EXACT, _SAME = 1e-10, 1e-6
_BISECTIONS = 40


@inlined
def edges_towards(pair, n, boxes):
    """Return (both middles, both directions, both half lengths, feature) of the edges along axes i
    of A and j of B, pair = 3 i + j, that are farthest along n and against it. Middles are relative
    to the centres of their boxes."""
    turn_a, half_a, turn_b, half_b = boxes
    a, b = cycled_axes(turn_a, pair // 3), cycled_axes(turn_b, pair % 3)
    ha, hb = cycled(half_a, pair // 3), cycled(half_b, pair % 3)
    p, p_first, p_second = _edge_towards(a, ha, n)
    q, q_first, q_second = _edge_towards(b, hb, (-n[0], -n[1], -n[2]))
    feature = edge_feature(
        edge_code(pair // 3, p_first, p_second), edge_code(pair % 3, q_first, q_second)
    )
    return p, q, a[0], b[0], ha[0], hb[0], feature


@inlined
def _edge_towards(frame, half, n):
    """Return (middle of the edge along frame[0] that is farthest along n, its two bits)."""
    first, second = dot(frame[1], n) >= 0.0, dot(frame[2], n) >= 0.0
    y = half[1] if first else -half[1]
    z = half[2] if second else -half[2]
    middle = along((y * frame[1][0], y * frame[1][1], y * frame[1][2]), z, frame[2])
    return middle, int(first), int(second)


@inlined
def crossing(p, q, u, w):
    """Return (x, y): the points p + x u and q + y w of two lines are nearest to each other."""
    r = minus(q, p)
    cosine, f, g = dot(u, w), dot(r, u), dot(r, w)
    square = norm(cross(u, w)) ** 2
    return (f - cosine * g) / square, (cosine * f - g) / square


@kernel
def nearest_points(d, boxes, small):
    """Return (distance, point of A, point of B, feature) of the nearest points, both relative to
    the centre of A; B's is at d. The distance is 0 where a corner is inside, at least."""
    length, p, q, feature = math.inf, d, d, 0
    for number in range(2 * _CORNERS):
        x, y, name = _corner_way(number, d, boxes, small)
        here = norm(minus(y, x))
        if here < length:
            length, p, q, feature = here, x, y, name
    for pair in range(9):
        x, y, name = _edge_way(pair, d, boxes)
        here = norm(minus(y, x))
        if here < length:
            length, p, q, feature = here, x, y, name
    return length, p, q, feature


@inlined
def _corner_way(number, d, boxes, small):
    """Return (point of A, point of B, feature) of the shortest way from a corner of A, or to one
    of B, whose number is 8 to 15."""
    turn_a, half_a, turn_b, half_b = boxes
    if number < _CORNERS:
        x = to_world(turn_a, box_corner(half_a, number))
        local = to_body(turn_b, minus(x, d))
        y = along(d, 1.0, to_world(turn_b, _cut_off(local, half_b)))
        return x, y, _name(number, local, half_b, _AT_END * small)
    x = along(d, 1.0, to_world(turn_b, box_corner(half_b, number - _CORNERS)))
    local = to_body(turn_a, x)
    y = to_world(turn_a, _cut_off(local, half_a))
    return y, x, _name(number, local, half_a, _AT_END * small)


@inlined
def _cut_off(x, half):
    """Return the point of a box that is nearest to x, in its axes."""
    return cut(x[0], half[0]), cut(x[1], half[1]), cut(x[2], half[2])


@inlined
def _name(number, x, half, tolerance):
    """Return the feature of a corner by number (8 to 15: of B) that is nearest to a point of the
    other box's surface: the corner is at x, in that box's axes."""
    i, j, k = (
        abs(x[0]) > half[0] - tolerance,
        abs(x[1]) > half[1] - tolerance,
        abs(x[2]) > half[2] - tolerance,
    )
    a, b, c = int(x[0] > 0.0), int(x[1] > 0.0), int(x[2] > 0.0)
    of_a, corner = number < _CORNERS, number % _CORNERS
    if i and j and k:
        other = a | b << 1 | c << 2
        both = _CORNERS * corner + other if of_a else _CORNERS * other + corner
        return _TWO_CORNERS + both
    if (i and j) or (j and k) or (k and i):
        edge = edge_code(0, b, c) if not i else edge_code(1, c, a) if not j else edge_code(2, a, b)
        return (_CORNER_EDGE if of_a else _EDGE_CORNER) + 12 * corner + edge
    return number


@inlined
def _edge_way(pair, d, boxes):
    """Return (point of A, point of B, feature) of the edges that are farthest along the normal of
    a pair of axes; points far away if the boxes overlap along it, or the edges do not cross."""
    turn_a, turn_b = boxes[0], boxes[2]
    far = (math.inf, math.inf, math.inf)
    n = cross(cycled_axes(turn_a, pair // 3)[0], cycled_axes(turn_b, pair % 3)[0])
    if not norm(n) > PARALLEL:
        return d, far, 0
    n = times(1.0 if dot(n, d) >= 0.0 else -1.0, n)
    p, q, u, w, hu, hw, feature = edges_towards(pair, n, boxes)
    q = along(d, 1.0, q)
    x, y = crossing(p, q, u, w)
    if not dot(n, minus(q, p)) > 0.0 or abs(x) > hu or abs(y) > hw:
        return d, far, 0
    p = along(p, x, u)
    return p, along(q, cut(dot(minus(p, q), w), hw), w), feature


@inlined
def closest_approach(d, c, horizon, boxes, small):
    """Return the time from 0 to `horizon` at which boxes that move on with c, and do not touch on
    the way, are nearest to each other: from then on the normal does not lead them together."""
    begin, end = 0.0, horizon
    for _ in range(_BISECTIONS):
        t = 0.5 * (begin + end)
        _, p, q, _ = nearest_points(along(d, t, c), boxes, small)
        if dot(minus(q, p), c) < 0.0:
            begin = t
        else:
            end = t
    return end


@kernel
def nearest_contacts(d, c, boxes, spin, horizon, near, small, slop, first, out):
    """Write the contact at the nearest points of boxes that are within `near` now, and do not
    touch on the way, to row `first` of `out`, and if that is 0 those of corners whose normals are
    all but alike to the next; return how many. There is none where boxes are nearer than `slop`.

    If the boxes pass each other, and the normal of now were in their way, that of their closest
    approach is taken.
    """
    t, there = 0.0, d
    length, p, q, feature = nearest_points(d, boxes, small)
    if not slop < length <= near:
        return 0
    if length + horizon * dot(minus(q, p), c) / length < 0.0:
        t = closest_approach(d, c, horizon, boxes, small)
        there = along(d, t, c)
        length, p, q, feature = nearest_points(there, boxes, small)
        if not slop < length:
            return 0
    n = direction(minus(q, p), length)
    put_contact(out, first, feature, length - t * dot(n, c), n, p, minus(q, there))
    found = 1
    for number in range(2 * _CORNERS if first == 0 else 0):
        p, q, feature = _corner_way(number, there, boxes, small)
        way = minus(q, p)
        new = not norm(cross(way, n)) > ALIKE * norm(way)
        for k in range(found):
            apart = norm(minus(row_arm(out, k), p)) > _AT_END * small
            new = new and apart and out[k, 0] != feature
        gap, arm = dot(n, way) - t * dot(n, c), minus(q, there)
        if new and comes_near(gap, n, p, arm, c, spin[0], spin[1], horizon, near):
            put_contact(out, found, feature, gap, n, p, arm)
            found += 1
    return found


@inlined
def least_gap(out, found):
    """Return the least gap of the first `found` contacts."""
    least = math.inf
    for k in range(found):
        least = min(least, out[k, 1])
    return least


@kernel
def shows_nearest(out, found, d, boxes, small, slop):
    """Are the nearest points of boxes that are apart among these contacts, as far as they show it?
    They are if the way between the points of one, or between the middles of the deepest, is no
    longer than the boxes are apart along the normal; or if the boxes touch, to `slop`."""
    least = least_gap(out, found)
    if least <= slop:
        return True
    if found == 0:
        return False
    turn_a, half_a, turn_b, half_b = boxes
    n = (out[0, 2], out[0, 3], out[0, 4])
    enough = dot(n, d) - reach(turn_a, half_a, n) - reach(turn_b, half_b, n) + _EXACT * small
    middle, count = (0.0, 0.0, 0.0), 0.0
    for k in range(found):
        way = minus(along(d, 1.0, (out[k, 8], out[k, 9], out[k, 10])), row_arm(out, k))
        if norm(way) <= enough:
            return True
        if out[k, 1] <= enough:
            middle, count = along(middle, 1.0, way), count + 1.0
    return count > 0.0 and norm(middle) <= count * enough


@inlined
def row_arm(out, k):
    """Return the arm of contact k on A."""
    return out[k, 5], out[k, 6], out[k, 7]


@kernel
def with_nearest(out, found, more, c, horizon, small):
    """Join the contact at the nearest points, row `found` if `more` is not 0, to the `found`
    others, unless one of them has its gap. Left out are those that are nearer than is possible,
    since their corner lies beside the face, those that are in the way of boxes that pass each
    other, one of the same feature, and of four the one next to it. Return how many there are."""
    if found == 0 or more == 0:
        return found + more
    gap = out[found, 1]
    enough = _EXACT * small + _SAME * gap
    if abs(least_gap(out, found) - gap) <= enough:
        return found
    kept = 0
    for k in range(found):
        end = out[k, 1] + horizon * dot((out[k, 2], out[k, 3], out[k, 4]), c)
        if out[k, 1] >= gap - enough and end >= 0.0 and out[k, 0] != out[found, 0]:
            copy_row(out, kept, k)
            kept += 1
    if kept == MOST:
        kept = _without_next(out, kept, row_arm(out, found))
    copy_row(out, kept, found)
    return kept + 1


@inlined
def _without_next(out, count, place):
    """Leave out the contact that is nearest to a place on A; return how many are left."""
    least, closest = math.inf, 0
    for k in range(count):
        away = norm(minus(row_arm(out, k), place))
        if away < least:
            least, closest = away, k
    for k in range(closest + 1, count):
        copy_row(out, k - 1, k)
    return count - 1


@inlined
def copy_row(out, to, k):
    """Copy contact k to row `to`."""
    for m in range(MANIFOLD_SHAPE[1]):
        out[to, m] = out[k, m]
