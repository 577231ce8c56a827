"""A sphere and a box: closest point on a face, an edge or a corner, and their first touch.

In the box's axes the closest point y of the box to the centre x is x cut off at the half edges;
for a centre inside it is the nearest face. The sphere moves past the box along a straight line,
x + t c with c = v_s - v_b - w_b x y, the velocity relative to the box's surface at y when
the step starts. The gap along that line is a convex function of t. So Newton's method for
gap = near, started at t = 0, climbs to the first touch and never passes it, and where the
gap grows the two will not come nearer.
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
    return True, gap, way, y


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
