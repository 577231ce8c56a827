"""A sphere and a box: closest point on a face, an edge or a corner, and their first touch.

In the box's axes the closest point y of the box to the centre x is x cut off at the half edges;
for a centre inside it is the nearest face. The sphere moves past the box along a straight line,
x + t c with c = v_s - v_b - w_b x y, the velocity relative to the box's surface at y when
the step starts. The gap along that line is a convex function of t. So Newton's method for
gap = near, started at t = 0, climbs to the first touch and never passes it, and where the
gap grows the two will not come nearer.
"""

from __future__ import annotations

from rollcone._jit import inlined
from rollcone.collision._vector_kernels import (
    along,
    cross,
    direction,
    dot,
    minus,
    norm,
    to_body,
    to_world,
)

_STEPS = 60
_ROUNDING = 1e-14


@inlined
def sphere_box(xs, r, vs, xb, turn, half, vb, wb, horizon, near):
    """(kept, gap, normal from the sphere to the box, point).

    As for two spheres: beyond `near`, normal and gap along it are those of the first touch.
    """
    x = to_body(turn, minus(xs, xb))
    y, out, gap = _closest(x, half, r)
    t, still = 0.0, gap
    if gap > near:
        slip = minus(minus(vs, vb), cross(wb, to_world(turn, y)))
        c = to_body(turn, slip)
        enough = near + _ROUNDING * (norm(x) + r)
        for _ in range(_STEPS):
            closing = -dot(out, c)
            if still <= enough or not still - near <= closing * (horizon - t):
                break
            t += (still - near) / closing
            y, out, still = _closest(along(x, t, c), half, r)
        gap = still - t * dot(out, c)
        if still > enough:
            return False, gap, out, x
    normal = to_world(turn, (-out[0], -out[1], -out[2]))
    on_sphere = along(xs, r, normal)
    on_box = along(xb, 1.0, to_world(turn, y))
    return True, gap, normal, along(on_sphere, 0.5, minus(on_box, on_sphere))


@inlined
def _closest(x, half, r):
    """(closest point of the box's surface, outward direction there, gap), in the box's axes."""
    y = _cut(x[0], half[0]), _cut(x[1], half[1]), _cut(x[2], half[2])
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


@inlined
def _cut(x, half):
    return min(max(x, -half), half)
