"""A thin disk with a plane, by three points of its rim (Le Saux, Leine and Glocker 2005, 2.2).

In body axes the rim is R (cos f, sin f, 0). With up = (p, q, .) the plane's normal in these axes,
the lowest point of the rim has (cos f, sin f) = -(p, q) / |(p, q)|. It is contact 0; contacts 1 and
2 are 120 degrees to either side of it, so that the disk can lie flat. |(p, q)| is the sine
of the angle between the disk and the plane. Where that is zero to rounding all points are alike,
and contact 0 is the one on the body's x axis.

A disk touches nothing but planes yet; what comes near the ball around it is not treated.
"""

from __future__ import annotations

import math

from rollcone._jit import inlined, stage
from rollcone.collision._manifold_kernels import put_contact
from rollcone.collision._plane_kernels import plane_point
from rollcone.collision._shape_kernels import BOX, DISK
from rollcone.collision._sphere_box_kernels import sphere_box
from rollcone.collision._sphere_sphere_kernels import sphere_sphere
from rollcone.collision._vector_kernels import along, axes, cross, dot, row, times

# Sine up to which a disk is flat on a plane: heights of its points differ by a tenth of what counts
# as touching, so that what a solve leaves of velocities does not decide which is the lowest.
FLAT = 1e-7
_COSINE, _SINE = -0.5, math.sqrt(0.75)  # of 120 degrees
_SAME = 0.5  # cosine: half a step ahead the lowest point is the same if it has turned no farther


@inlined
def disk_plane(xp, up, vp, wp, xd, turn, r, vd, wd, horizon, near, out):
    """The three points, by number; returns how many of them are contacts."""
    p, q = dot(turn[0], up), dot(turn[1], up)
    sine = math.sqrt(p * p + q * q)
    x, y = (-p / sine, -q / sine) if sine > FLAT else (1.0, 0.0)
    found = 0
    for point in range(3):
        c = 1.0 if point == 0 else _COSINE
        s = 0.0 if point == 0 else (_SINE if point == 1 else -_SINE)
        arm = along(times(r * (c * x - s * y), turn[0]), r * (s * x + c * y), turn[1])
        place, velocity = along(xd, 1.0, arm), along(vd, 1.0, cross(wd, arm))
        kept, gap, foot = plane_point(xp, up, vp, wp, place, 0.0, velocity, horizon, near)
        if kept:
            put_contact(out, found, point, gap, up, foot, arm)
            found += 1
    return found


@inlined
def near_disk(
    boxes, a, shape, size, orientation, xa, va, wa, xd, r, vd, horizon, near, out
):  # fmt: skip
    """Is body a, no plane, near the ball around a disk, or will it be within the horizon?"""
    if boxes is not None and shape[a] == BOX:
        turn, half = axes(orientation, a), row(size, a)
        return sphere_box(xd, r, vd, xa, turn, half, va, wa, horizon, near, out) > 0
    # The ball around a sphere, capsule, clump or disk has the radius size[2].
    return sphere_sphere(xa, size[a, 2], va, xd, r, vd, horizon, near, out) > 0


@stage
def forget_turned(shape, near, c, mid, count):
    """Contacts of disks that are others half a step ahead have no normal there.

    Where a disk falls flat, the point that is the lowest by then is one of the other side. Rows
    for that point would throw the disk back.
    """
    j = 0
    for i in range(count):
        while j < c and near.key[j] < mid.key[i]:
            j += 1
        if j == c or near.key[j] != mid.key[i]:
            continue
        for s in range(2):
            if shape[near.bodies[j, s]] != DISK:
                continue
            product, square = 0.0, 0.0
            for k in range(3 * s, 3 * s + 3):
                product += mid.arms[i, k] * near.arms[j, k]
                square += near.arms[j, k] * near.arms[j, k]
            if product < _SAME * square:
                for k in range(3):
                    mid.normal[i, k] = 0.0
