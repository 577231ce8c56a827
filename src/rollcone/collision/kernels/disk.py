"""A disk with a plane, by points of its edges (Le Saux, Leine and Glocker 2005, 2.2).

The edges of a disk of radius R, thickness 2 H and edge radius e are balls of radius e about
points of two circles, a (cos f, sin f, 0) +- h z in body axes with a = R - e and h = H - e. Where h
is zero, as it is for a thin disk, there is one circle. With down = (p, q, .) the direction into the
plane, in these axes, the lowest point of both circles has (cos f, sin f) = (p, q) / |(p, q)|.

    features 0, 1, 2   of the circle at -h: the lowest, and 120 degrees to either side of it
    features 3, 4, 5   the same of the circle at +h

Of the higher circle the lowest point alone is a contact. So a disk can lie flat, (2.14), and
a cylinder on its side, where circles change from lower to higher and back without another feature.

|(p, q)| is the sine of the angle between the disk and the plane. The three points of a disk that
comes to lie flat stay where they are: their direction is kept as long as it is one, down to
sines of LOST. Below, where rounding would choose it anew in every step, it is the body's x axis, so
that the points stay on the body, as the paper's 2.2.1 has it. Continuity there cannot be had
from a position alone.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.manifold import put_contact
from rollcone.collision.kernels.plane import plane_point
from rollcone.collision.kernels.shape import CONE, DISK
from rollcone.collision.kernels.vector import along, cross, dot, times

# Sine up to which a disk counts as flat: heights of its points differ by a tenth of what counts as
# touching, and it rolls no more.
FLAT = 1e-7
LOST = 1e-10  # sine up to which no point of a circle is its lowest
_COSINE, _SINE = -0.5, math.sqrt(0.75)  # of 120 degrees


@inlined
def lowest_of_circle(p, q):
    """(cos f, sin f) where (p, q) are components of a downward vector of length 1 or so."""
    sine = math.sqrt(p * p + q * q)
    return (p / sine, q / sine) if sine > LOST else (1.0, 0.0)


@inlined
def is_edge_point(feature, height, lower):
    """Is the point with this number a candidate? The lower circle is on the side `lower`."""
    if height == 0.0:
        return feature < 3
    return feature % 3 == 0 or (feature >= 3) == (lower > 0.0)


@inlined
def edge_arm(turn, ring, height, x, y, feature):
    """From the centre of a disk to a point of its circles; (x, y) is where they are lowest."""
    point = feature % 3
    c = 1.0 if point == 0 else _COSINE
    s = 0.0 if point == 0 else (_SINE if point == 1 else -_SINE)
    arm = along(times(ring * (c * x - s * y), turn[0]), ring * (s * x + c * y), turn[1])
    return along(arm, height if feature >= 3 else -height, turn[2])


@inlined
def disk_plane(xp, up, vp, wp, xd, turn, rim, vd, wd, horizon, near, out):
    """The points, by number; returns how many of them are contacts. `rim` is that of `rim_of`."""
    ring, height, edge = rim
    x, y = lowest_of_circle(-dot(turn[0], up), -dot(turn[1], up))
    lower = -dot(turn[2], up)
    found = 0
    for feature in range(6):
        if not is_edge_point(feature, height, lower):
            continue
        arm = edge_arm(turn, ring, height, x, y, feature)
        place, velocity = along(xd, 1.0, arm), along(vd, 1.0, cross(wd, arm))
        kept, gap, foot = plane_point(xp, up, vp, wp, place, edge, velocity, horizon, near)
        if kept:
            put_contact(out, found, feature, gap, up, foot, along(arm, -edge, up))
            found += 1
    return found


@kernel
def forget_turned(shape, size, near, c, mid, count):
    """Contacts of disks and cones that are others half a step ahead have no normal there.

    Where a disk falls flat, the point that is the lowest by then is one of the other side. Rows
    for that point would throw the disk back. Points as far apart as the radius, 60 degrees of
    a rim, are others.
    """
    j = 0
    for i in range(count):
        while j < c and near.key[j] < mid.key[i]:
            j += 1
        if j == c or near.key[j] != mid.key[i]:
            continue
        for s in range(2):
            body = near.bodies[j, s]
            if shape[body] != DISK and shape[body] != CONE:
                continue
            square = 0.0
            for k in range(3 * s, 3 * s + 3):
                square += (mid.arms[i, k] - near.arms[j, k]) ** 2
            if square > size[body, 0] * size[body, 0]:
                for k in range(3):
                    mid.normal[i, k] = 0.0
