"""A body as convex parts: which it has, where they are, how large."""

from __future__ import annotations

import math
from typing import NamedTuple

from rollcone._build.kernels import inlined, kernel
from rollcone._check import FloatArray, IntArray
from rollcone._own_functions import OWN
from rollcone.collision.kernels.shape import (
    BOX,
    CAPSULE,
    CLUMP,
    COMPOUND,
    CONE,
    CONVEX,
    DISK,
    ELLIPSOID,
    MESH,
    SPHERE,
    rim_of,
)
from rollcone.collision.kernels.support import TRIANGLE
from rollcone.collision.kernels.vector import along, norm, row, to_world


class Described(NamedTuple):
    """All that tells what bodies are made of (parts.py, clumps.py)."""

    shape: IntArray
    size: FloatArray
    first: IntArray
    rows: FloatArray
    kinds: IntArray
    numbers: FloatArray
    places: IntArray
    ball_first: IntArray
    balls: FloatArray


@inlined
def part_count(d, body):
    """Of a body that is no plane and no bowl; a surface counts as its hull."""
    code = d.shape[body]
    if code == CLUMP:
        return d.ball_first[body + 1] - d.ball_first[body]
    if code == COMPOUND:
        return d.first[body + 1] - d.first[body]
    return 1


@kernel
def load_part(d, body, k, x, turn, f, i):
    """Part k of a body at x with the axes `turn` into f and i (kernels/support.py)."""
    code = d.shape[body]
    place, e = x, turn
    p, q, s, r = 0.0, 0.0, 0.0, 0.0
    i[0], i[1] = code, -1
    if code == CLUMP:
        ball = d.ball_first[body] + k
        place = along(x, 1.0, to_world(turn, row(d.balls, ball)))
        i[0], r = SPHERE, d.balls[ball, 3]
    elif code >= CONVEX:
        part = d.first[body] + (k if code != MESH else 1)
        given = d.rows[part]
        i[0], i[1] = d.kinds[part, 0], d.kinds[part, 1]
        p, q, s, r = given[0], given[1], given[2], given[3]
        place = along(x, 1.0, to_world(turn, (given[4], given[5], given[6])))
        e = (
            to_world(turn, (given[7], given[8], given[9])),
            to_world(turn, (given[10], given[11], given[12])),
            to_world(turn, (given[13], given[14], given[15])),
        )
    elif code == SPHERE:
        r = d.size[body, 0]
    elif code == CAPSULE:
        r = d.size[body, 0]
        s = d.size[body, 2] - r
    elif code == DISK:
        p, q, r = rim_of(d.size, body)
    elif code == CONE:  # about its centre of mass, a quarter of the height above the base
        p, q = d.size[body, 0], d.size[body, 2] / 0.75
    else:
        p, q, s = d.size[body, 0], d.size[body, 1], d.size[body, 2]
    for m in range(3):
        f[m] = place[m]
        f[3 + m], f[6 + m], f[9 + m] = e[0][m], e[1][m], e[2][m]
    f[12], f[13], f[14], f[15] = p, q, s, r


@inlined
def part_reach(f, i):
    """Radius of the ball about x that holds a part."""
    if i[0] == SPHERE:
        return f[15]
    if i[0] == CAPSULE:
        return f[14] + f[15]
    if i[0] == DISK:
        return math.sqrt(f[12] * f[12] + f[13] * f[13]) + f[15]
    if i[0] == CONE:
        return max(0.75 * f[13], math.sqrt(f[12] * f[12] + 0.0625 * f[13] * f[13])) + f[15]
    if i[0] == ELLIPSOID:
        return max(f[12], f[13], f[14])
    if i[0] == CONVEX:
        return f[14]
    if i[0] >= OWN:
        return norm((f[12], f[13], f[14])) + f[15]
    return norm((f[12], f[13], f[14]))


@inlined
def part_size(f, i):
    """Its smallest half width, or radius."""
    if i[0] == TRIANGLE:
        return math.inf
    if i[0] == SPHERE or i[0] == CAPSULE:
        return f[15]
    if i[0] == DISK:
        return f[12] + f[15]
    if i[0] >= OWN:
        return min(f[12], f[13], f[14]) + f[15]
    if i[0] == CONE:
        return min(f[12], 0.25 * f[13])
    if i[0] == BOX or i[0] == ELLIPSOID or i[0] == CONVEX:
        return min(f[12], f[13], f[14])
    return math.inf
