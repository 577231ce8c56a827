"""A sphere and a box: closest point on a face, an edge or a corner, and their first touch.

In the box's axes the closest point y of the box to the centre x is x cut off at the half edges;
for a centre inside it is the nearest face. The sphere moves past the box along a straight line,
x + t c with c = v_s - v_b - w_b x y, the velocity relative to the box's surface at y when
the step starts. The gap along that line is a convex function of t. So Newton's method for
gap = near, started at t = 0, climbs to the first touch and never passes it, and where the
gap grows the two will not come nearer.

A ball that comes to an edge all but along it, as one that rolls over the seam of two level boxes,
takes the normal of the end of its way, if it is still coming nearer there, and outside of the plane
at a right angle to that normal now. With the gap to that plane closed it touches at the end of its
way, and since the gap is convex, not before: the normal of the edge would only lift it. Where the
edge stands out, so that the ball is below the face next to it now, it is met as it is.
"""

from __future__ import annotations

from rollcone._build.kernels import inlined
from rollcone.collision.kernels.manifold import put_contact
from rollcone.collision.kernels.vector import (
    along,
    cross,
    direction,
    dot,
    loose_cut,
    minus,
    norm,
    to_body,
    to_world,
)

_STEPS = 60
_ROUNDING = 1e-14
_GRAZING = 0.2  # of its speed: how fast a ball comes nearer at most that goes along an edge


@inlined
def sphere_box(xs, r, vs, xb, turn, half, vb, wb, horizon, near, out):
    """The contact, if any; returns their number.

    As for two spheres: beyond `near`, normal and gap along it are those of the first touch.
    """
    x, v, w = to_body(turn, minus(xs, xb)), to_body(turn, minus(vs, vb)), to_body(turn, wb)
    kept, gap, way, y = ball_box(x, r, v, w, half, 0.0, horizon, near)
    if not kept:
        return 0
    normal = to_world(turn, (-way[0], -way[1], -way[2]))
    put_contact(
        out, 0, 0, gap, normal, (r * normal[0], r * normal[1], r * normal[2]), to_world(turn, y)
    )
    return 1


@inlined
def ball_box(x, r, v, w, half, slack, horizon, near):
    """(kept, gap, way out of the box, closest point of its surface), in the box's axes.

    The ball at x moves with v relative to the box's centre, the box turns with w. A face reaches
    over its edges by `slack`.
    """
    y, way, gap = _closest(x, half, r, slack)
    t, still = 0.0, gap
    if gap > near:
        c = minus(v, cross(w, y))
        enough = near + _ROUNDING * (norm(x) + r)
        for _ in range(_STEPS):
            closing = -dot(way, c)
            if still <= enough or not still - near <= closing * (horizon - t):
                break
            t += (still - near) / closing
            y, way, still = _closest(along(x, t, c), half, r, slack)
        gap = still - t * dot(way, c)
        if still > enough:
            return False, gap, way, y
        if -dot(way, c) <= _GRAZING * norm(c):
            gap, way, y = _at_end(x, r, c, half, slack, horizon, near, (gap, way, y))
    return True, gap, way, y


@inlined
def _at_end(x, r, c, half, slack, horizon, near, touch):
    """Return (gap, way, y) of the end of the way of a ball that goes along an edge, if they serve,
    else those of the first touch, `touch`."""
    y, way, still = _closest(along(x, horizon, c), half, r, slack)
    closing = -dot(way, c)
    gap = still + horizon * closing
    turned = norm(minus(way, touch[1])) > 0.0  # not so on a face, where only y would be another
    above = _above_face(x, way, half) >= r - near
    if turned and above and gap >= -near and closing >= -_ROUNDING * norm(c) and still <= near:
        return gap, way, y
    return touch


@inlined
def _above_face(x, way, half):
    """Return how far x is above the face whose normal is most along `way`, in the box's axes."""
    a, b, c = abs(way[0]), abs(way[1]), abs(way[2])
    if a >= b and a >= c:
        return (x[0] if way[0] > 0.0 else -x[0]) - half[0]
    if b >= c:
        return (x[1] if way[1] > 0.0 else -x[1]) - half[1]
    return (x[2] if way[2] > 0.0 else -x[2]) - half[2]


@inlined
def _closest(x, half, r, slack):
    """(closest point of the box's surface, outward direction there, gap), in the box's axes."""
    y = (
        loose_cut(x[0], half[0], slack),
        loose_cut(x[1], half[1], slack),
        loose_cut(x[2], half[2], slack),
    )
    away = minus(x, y)
    distance = norm(away)
    if distance > 0.0:
        return y, direction(away, distance), distance - r
    a, b, c = half[0] - abs(x[0]), half[1] - abs(x[1]), half[2] - abs(x[2])
    if a <= b and a <= c:
        s = 1.0 if x[0] >= 0.0 else -1.0
        return (s * half[0], x[1], x[2]), (s, 0.0, 0.0), -a - r
    if b <= c:
        s = 1.0 if x[1] >= 0.0 else -1.0
        return (x[0], s * half[1], x[2]), (0.0, s, 0.0), -b - r
    s = 1.0 if x[2] >= 0.0 else -1.0
    return (x[0], x[1], s * half[2]), (0.0, 0.0, s), -c - r
