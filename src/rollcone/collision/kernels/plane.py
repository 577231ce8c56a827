"""A plane with a sphere or with the corners of a box.

A plane is flat and has no end, so its normal does not depend on when they touch: one rule
for all, gap + horizon * min(0, u_n) <= near, with u_n the normal velocity of the other
body relative to the plane at the contact, rotation included. (What turns about an arm along the
normal adds nothing to u_n, so the spin of a sphere does not count.)
"""

from __future__ import annotations

from rollcone._build.kernels import inlined
from rollcone.collision.kernels.manifold import put_contact
from rollcone.collision.kernels.vector import along, cross, dot, minus, to_world


@inlined
def plane_point(xp, up, vp, wp, x, r, v, horizon, near):
    """(kept, gap, arm of the plane) of a ball of radius r >= 0 at x that moves with v."""
    d = minus(x, xp)
    height = dot(d, up)
    gap, arm = height - r, along(d, -height, up)
    slip = minus(v, along(vp, 1.0, cross(wp, arm)))
    u = dot(slip, up)
    if gap > near:
        if not gap + horizon * u <= near:
            return False, gap, arm
        arm = along(arm, min(-gap / u, horizon), along(slip, -u, up))
    return True, gap, arm


@inlined
def sphere_plane(xs, r, vs, xp, up, vp, wp, horizon, near, out):
    """The contact, if any; returns their number."""
    kept, gap, arm = plane_point(xp, up, vp, wp, xs, r, vs, horizon, near)
    if not kept:
        return 0
    put_contact(out, 0, 0, gap, (-up[0], -up[1], -up[2]), (-r * up[0], -r * up[1], -r * up[2]), arm)
    return 1


@inlined
def plane_box(xp, up, vp, wp, xb, turn, half, vb, wb, horizon, near, out):
    """Corners, by number; bits 0, 1, 2 of it: on the side of +x, +y, +z. Returns how many."""
    found = 0
    for corner in range(8):
        arm = to_world(turn, box_corner(half, corner))
        place, velocity = along(xb, 1.0, arm), along(vb, 1.0, cross(wb, arm))
        kept, gap, foot = plane_point(xp, up, vp, wp, place, 0.0, velocity, horizon, near)
        if kept:
            put_contact(out, found, corner, gap, up, foot, arm)
            found += 1
    return found


@inlined
def box_corner(half, corner):
    """In the box's axes."""
    x = half[0] if corner & 1 else -half[0]
    y = half[1] if corner & 2 else -half[1]
    z = half[2] if corner & 4 else -half[2]
    return x, y, z
