"""Vectors in kernels: three numbers in a tuple, which stays in registers."""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined
from rollcone.mechanics.kernels.rotation import rotate


@inlined
def row(array, i):
    """Row i of an (n, 3) array."""
    return array[i, 0], array[i, 1], array[i, 2]


@inlined
def copy_rows(source, to):
    """The rows of one (n, k) array to another, which may have more."""
    for i in range(source.shape[0]):
        for k in range(source.shape[1]):
            to[i, k] = source[i, k]


@inlined
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def norm(a):
    return math.sqrt(dot(a, a))


@inlined
def cross(a, b):
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@inlined
def minus(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined
def along(a, s, b):
    """a + s b."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


@inlined
def cut(x, limit):
    """The number nearest to x from -limit to limit."""
    return min(max(x, -limit), limit)


@inlined
def loose_cut(x, limit, slack):
    """The same, but x itself if it is outside by no more than `slack`."""
    return x if abs(x) <= limit + slack else cut(x, limit)


@inlined
def times(s, a):
    return s * a[0], s * a[1], s * a[2]


@inlined
def direction(a, length):
    """a / length; the z axis where the length is zero, so that a normal is never NaN."""
    if length > 0.0:
        return a[0] / length, a[1] / length, a[2] / length
    return 0.0, 0.0, 1.0


@inlined
def across(u):
    """A unit vector at a right angle to u."""
    x, y, z = abs(u[0]), abs(u[1]), abs(u[2])
    if x <= y and x <= z:
        other = (1.0, 0.0, 0.0)
    elif y <= z:
        other = (0.0, 1.0, 0.0)
    else:
        other = (0.0, 0.0, 1.0)
    m = cross(u, other)
    return direction(m, norm(m))


@inlined
def axes(orientation, i):
    """Body axes x, y, z of body i in the world."""
    w, x, y, z = orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3]
    return (
        rotate(w, x, y, z, 1.0, 0.0, 0.0),
        rotate(w, x, y, z, 0.0, 1.0, 0.0),
        rotate(w, x, y, z, 0.0, 0.0, 1.0),
    )


@inlined
def to_world(turn, a):
    """The vector with components a along the axes `turn`."""
    return (
        turn[0][0] * a[0] + turn[1][0] * a[1] + turn[2][0] * a[2],
        turn[0][1] * a[0] + turn[1][1] * a[1] + turn[2][1] * a[2],
        turn[0][2] * a[0] + turn[1][2] * a[1] + turn[2][2] * a[2],
    )


@inlined
def to_body(turn, a):
    """The components of the vector a along the axes `turn`."""
    return dot(turn[0], a), dot(turn[1], a), dot(turn[2], a)
