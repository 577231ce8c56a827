"""Codes of the shapes, and what the broad phase asks of a shape."""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined
from rollcone.collision.kernels.vector import axes, norm, row

SPHERE, PLANE, BOX, CAPSULE, CLUMP, DISK, BOWL, ELLIPSOID = 0, 1, 2, 3, 4, 5, 6, 7
CONE, CONVEX, COMPOUND, MESH = 8, 9, 10, 11  # with half edges of a box around them as their size


@inlined
def is_endless(code):
    """Planes and bowls: solid without an end, fixed or driven."""
    return code in (PLANE, BOWL)


@inlined
def rim_of(size, i):
    """(a, h, e) of a disk: its edges are all that is no farther than e from two circles of radius
    a, at +-h along its axis; one circle where h is zero."""
    edge = size[i, 2] - size[i, 0]
    return size[i, 0] - edge, size[i, 1] - size[i, 2], edge


@inlined
def ball_around(shape, size, i):
    """Radius of the ball about the position that holds a body, not an endless one."""
    if shape[i] == BOX or shape[i] >= CONE:
        return norm(row(size, i))
    if shape[i] == DISK:
        ring, height, edge = rim_of(size, i)
        return math.sqrt(ring * ring + height * height) + edge
    if shape[i] == ELLIPSOID:
        return max(size[i, 0], size[i, 1], size[i, 2])
    return size[i, 2]


@inlined
def smallest_size(shape, size, i):
    """Radius, smallest radius, or smallest half edge; planes and bowls have no end."""
    if is_endless(shape[i]):
        return math.inf
    return min(size[i, 0], size[i, 1], size[i, 2])


@inlined
def turning_radius(shape, size, i):
    """How far from the body's position are the points that leave its outline as it turns."""
    if shape[i] == BOX or shape[i] >= CONE:
        return norm(row(size, i))
    if shape[i] == CAPSULE or shape[i] == CLUMP:
        return size[i, 2] - size[i, 0]
    if shape[i] == DISK:
        return ball_around(shape, size, i) - (size[i, 2] - size[i, 0])
    if shape[i] == ELLIPSOID:
        return ball_around(shape, size, i)
    return 0.0


@inlined
def half_extent(shape, size, orientation, i):
    """Half the edges of the box along the world's axes that holds a body, not an endless
    one."""
    if shape[i] == SPHERE:
        return row(size, i)
    if shape[i] == CLUMP:
        return size[i, 2], size[i, 2], size[i, 2]
    a, b, c = axes(orientation, i)
    if shape[i] == CAPSULE:
        r, half = size[i, 0], size[i, 2] - size[i, 0]
        return r + half * abs(c[0]), r + half * abs(c[1]), r + half * abs(c[2])
    if shape[i] == DISK:
        # For each axis k: a |k - (k.c) c| of a circle, without the difference 1 - (k.c)^2.
        ring, height, edge = rim_of(size, i)
        return (
            ring * math.sqrt(a[0] * a[0] + b[0] * b[0]) + height * abs(c[0]) + edge,
            ring * math.sqrt(a[1] * a[1] + b[1] * b[1]) + height * abs(c[1]) + edge,
            ring * math.sqrt(a[2] * a[2] + b[2] * b[2]) + height * abs(c[2]) + edge,
        )
    if shape[i] == ELLIPSOID:
        x, y, z = row(size, i)
        return (
            norm((x * a[0], y * b[0], z * c[0])),
            norm((x * a[1], y * b[1], z * c[1])),
            norm((x * a[2], y * b[2], z * c[2])),
        )
    return (
        abs(a[0]) * size[i, 0] + abs(b[0]) * size[i, 1] + abs(c[0]) * size[i, 2],
        abs(a[1]) * size[i, 0] + abs(b[1]) * size[i, 1] + abs(c[1]) * size[i, 2],
        abs(a[2]) * size[i, 0] + abs(b[2]) * size[i, 1] + abs(c[2]) * size[i, 2],
    )
