"""An ellipsoid with a plane: where its outward normal is that into the plane.

With A the semi-axes as a diagonal matrix, and n the outward normal in body axes, the point of the
surface is A^2 n / |A n|, and |A n| its distance from the centre along n.
"""

from __future__ import annotations

from rollcone._build.kernels import inlined
from rollcone.collision.kernels.manifold import put_contact
from rollcone.collision.kernels.plane import plane_point
from rollcone.collision.kernels.vector import along, cross, norm, to_body, to_world


@inlined
def ellipsoid_point(turn, semi, n):
    """From the centre to the point with the outward normal n, in world axes."""
    p, q, s = to_body(turn, n)
    a, b, c = semi[0] * p, semi[1] * q, semi[2] * s
    length = norm((a, b, c))
    return to_world(turn, (semi[0] * a / length, semi[1] * b / length, semi[2] * c / length))


@inlined
def ellipsoid_plane(xp, up, vp, wp, xe, turn, semi, ve, we, horizon, near, out):
    """The contact, if any; returns their number."""
    arm = ellipsoid_point(turn, semi, (-up[0], -up[1], -up[2]))
    place, velocity = along(xe, 1.0, arm), along(ve, 1.0, cross(we, arm))
    kept, gap, foot = plane_point(xp, up, vp, wp, place, 0.0, velocity, horizon, near)
    if not kept:
        return 0
    put_contact(out, 0, 0, gap, up, foot, arm)
    return 1
