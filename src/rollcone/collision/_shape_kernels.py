"""Codes of the shapes, and what the broad phase asks of a shape."""

from __future__ import annotations

import math

from rollcone._jit import inlined
from rollcone.collision._vector_kernels import axes, norm, row

SPHERE, PLANE, BOX, CAPSULE, CLUMP, DISK = 0, 1, 2, 3, 4, 5


@inlined
def smallest_size(shape, size, i):
    """Radius, smallest radius, or smallest half edge; a plane has no end."""
    if shape[i] == PLANE:
        return math.inf
    return min(size[i, 0], size[i, 1], size[i, 2])


@inlined
def turning_radius(shape, size, i):
    """How far from the body's position are the points that leave its outline as it turns."""
    if shape[i] == BOX:
        return norm(row(size, i))
    if shape[i] == CAPSULE or shape[i] == CLUMP:
        return size[i, 2] - size[i, 0]
    if shape[i] == DISK:
        return size[i, 0]
    return 0.0


@inlined
def half_extent(shape, size, orientation, i):
    """Half the edges of the box along the world's axes that holds a body, not a plane."""
    if shape[i] == SPHERE:
        return row(size, i)
    if shape[i] == CLUMP:
        return size[i, 2], size[i, 2], size[i, 2]
    a, b, c = axes(orientation, i)
    if shape[i] == CAPSULE:
        r, half = size[i, 0], size[i, 2] - size[i, 0]
        return r + half * abs(c[0]), r + half * abs(c[1]), r + half * abs(c[2])
    if shape[i] == DISK:
        # R |e - (e.c) c| for each axis e, without the difference 1 - (e.c)^2.
        r = size[i, 0]
        return (
            r * math.sqrt(a[0] * a[0] + b[0] * b[0]),
            r * math.sqrt(a[1] * a[1] + b[1] * b[1]),
            r * math.sqrt(a[2] * a[2] + b[2] * b[2]),
        )
    return (
        abs(a[0]) * size[i, 0] + abs(b[0]) * size[i, 1] + abs(c[0]) * size[i, 2],
        abs(a[1]) * size[i, 0] + abs(b[1]) * size[i, 1] + abs(c[1]) * size[i, 2],
        abs(a[2]) * size[i, 0] + abs(b[2]) * size[i, 1] + abs(c[2]) * size[i, 2],
    )
