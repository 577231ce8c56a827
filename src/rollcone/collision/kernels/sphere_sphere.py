"""Two spheres: closest points, and the first touch of their straight relative motion.

With d = x_B - x_A, c = v_B - v_A and reach = r_A + r_B, the spheres touch when
|d + t c| = reach, at

    t = (d^2 - reach^2) / (-d.c + sqrt(c^2 reach^2 - |d x c|^2)),

which cancels nowhere: the root is that of the distance at which they pass each other.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined
from rollcone.collision.kernels.manifold import put_contact
from rollcone.collision.kernels.vector import along, cross, direction, dot, minus, norm


@inlined
def sphere_sphere(xa, ra, va, xb, rb, vb, horizon, near, out):
    """The contact, if any; returns their number.

    A gap up to `near` counts as touching. Others are kept if they come that near within the
    horizon, with the normal and the gap along it at their first touch, so that gap + t u_n = 0;
    at their closest if they pass each other, or stay apart till the end, by less than `near`.
    """
    d = minus(xb, xa)
    distance, reach = norm(d), ra + rb
    gap = distance - reach
    normal = direction(d, distance)
    if gap > near:
        c = minus(vb, va)
        kept, t = _first_touch(d, c, gap, reach, horizon, near)
        if not kept:
            return 0
        there = along(d, t, c)
        normal = direction(there, norm(there))
        gap = dot(normal, d) - reach
    x, y, z = normal
    put_contact(out, 0, 0, gap, normal, (ra * x, ra * y, ra * z), (-rb * x, -rb * y, -rb * z))
    return 1


@inlined
def _first_touch(d, c, gap, reach, horizon, near):
    """(do they come nearer than `near`, when)."""
    closing, square = -dot(d, c), dot(c, c)
    if closing <= 0.0:
        return False, 0.0
    t = closing / square if closing < horizon * square else horizon  # when they are closest
    least = norm(along(d, t, c))
    if least > reach + near:
        return False, 0.0
    if least <= reach:
        miss = cross(d, c)
        root = math.sqrt(max(square * reach * reach - dot(miss, miss), 0.0))
        t = min(gap * (gap + 2.0 * reach) / (closing + root), t)
    return True, t
