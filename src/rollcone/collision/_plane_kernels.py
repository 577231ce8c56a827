"""A plane with a sphere or with the corners of a box.

A plane is flat and has no end, so its normal does not depend on when they touch: one rule
for all, gap + horizon * min(0, u_n) <= near, with u_n the normal velocity of the other
body relative to the plane at the contact, rotation included. (What turns about an arm along the
normal adds nothing to u_n, so the spin of a sphere does not count.)
"""

from __future__ import annotations

from rollcone._jit import inlined
from rollcone.collision._vector_kernels import along, cross, dot, minus, to_world


@inlined
def plane_sphere(xp, normal, vp, wp, xs, r, vs, horizon, near):
    """(kept, gap, point); the normal of the contact, from the plane on, is the plane's."""
    gap = dot(minus(xs, xp), normal) - r
    point = along(xs, -(r + 0.5 * gap), normal)
    u = dot(minus(vs, along(vp, 1.0, cross(wp, minus(point, xp)))), normal)
    return gap + horizon * min(0.0, u) <= near, gap, point


@inlined
def plane_corner(xp, normal, vp, wp, xb, turn, half, vb, wb, corner, horizon, near):
    """The same for one corner of a box; bits 0, 1, 2 of its number: on the side of +x, +y, +z."""
    x = half[0] if corner & 1 else -half[0]
    y = half[1] if corner & 2 else -half[1]
    z = half[2] if corner & 4 else -half[2]
    arm = to_world(turn, (x, y, z))
    place = along(xb, 1.0, arm)
    velocity = along(vb, 1.0, cross(wb, arm))
    return plane_sphere(xp, normal, vp, wp, place, 0.0, velocity, horizon, near)
