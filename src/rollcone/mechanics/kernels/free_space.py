"""Where balls have room beside the bodies of a world and beside each other.

Balls no larger than `reach` are kept in cubic cells, a little wider than 2 reach, hashed to
buckets: those that overlap lie in neighbouring cells. Larger ones and other shapes are looked at
one by one, as far as they come near the region at all.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Float2, Float3, Int1
from rollcone.collision.kernels.grid import _bucket, _cell, _name
from rollcone.collision.kernels.shape import (
    BOWL,
    BOX,
    CAPSULE,
    CONE,
    PLANE,
    SPHERE,
    ball_around,
    is_endless,
)
from rollcone.collision.kernels.vector import along, cut, norm, row
from rollcone.mechanics.kernels.motion import REMOVED
from rollcone.mechanics.kernels.rotation import rotate_back

BALLS, BUCKETS, OTHERS = 0, 1, 2  # places in `counts`
_WIDER = 1.0 + 1e-9  # against rounding


class Space(NamedTuple):
    """The bodies near a region, and the balls that were placed there."""

    shape: Int1  # of all bodies of the world, and so on
    size: Float2
    position: Float2
    orientation: Float2
    centers: Float2  # (b, 3) of balls in cells
    radii: Float1
    others: Int1  # numbers of bodies that are not in cells
    heads: Int1  # the last ball of each bucket, or -1
    before: Int1  # the ball before each in its bucket, or -1
    counts: Int1  # (3,)
    shifts: Float2  # (s, 3): to the images of a ball in a periodic box, the ball itself first


@entry
def enter_bodies(
    space: Space, kind: Int1, low: Float1, high: Float1, reach: float, more: int, cells: int
) -> None:
    """All bodies that a ball of radius `reach` with its centre between the corners could touch.
    `more` balls are to come, in a region of so many cells."""
    balls, others = 0, 0
    for i in range(kind.shape[0]):
        if kind[i] == REMOVED or not is_near(space, i, low, high, reach):
            continue
        if space.shape[i] == SPHERE and space.size[i, 0] <= reach:
            put_ball(space, balls, row(space.position, i), space.size[i, 0])
            balls += 1
        else:
            space.others[others] = i
            others += 1
    buckets = 1
    while buckets < 2 * min(balls + more, cells):
        buckets *= 2
    for k in range(buckets):
        space.heads[k] = -1
    space.counts[BALLS], space.counts[BUCKETS], space.counts[OTHERS] = balls, buckets, others
    for k in range(balls):
        link_ball(space, reach, k)


@inlined
def is_near(space, i, low, high, reach):
    """Is the ball around body i near the region?"""
    if is_endless(space.shape[i]):
        return True
    around = ball_around(space.shape, space.size, i)
    if space.shape[i] != SPHERE:
        around *= _WIDER
    square = 0.0
    for k in range(3):
        x = space.position[i, k]
        square += (x - min(max(x, low[k]), high[k])) ** 2
    return math.sqrt(square) < around + reach


@inlined
def put_ball(space, k, point, radius):
    space.centers[k, 0], space.centers[k, 1], space.centers[k, 2] = point
    space.radii[k] = radius


@inlined
def link_ball(space, reach, k):
    """Ball k into its bucket."""
    edge = 2.0 * reach * _WIDER
    x, y, z = row(space.centers, k)
    name = _name(_cell(x, edge), _cell(y, edge), _cell(z, edge))
    bucket = _bucket(name, space.counts[BUCKETS])
    space.before[k] = space.heads[bucket]
    space.heads[bucket] = k


@inlined
def take(space, reach, point, radius):
    """A ball is placed here, and its images."""
    for s in range(space.shifts.shape[0]):
        k = space.counts[BALLS]
        put_ball(space, k, along(point, 1.0, row(space.shifts, s)), radius)
        link_ball(space, reach, k)
        space.counts[BALLS] = k + 1


@kernel
def has_room(space, reach, x, y, z, radius):
    """Nothing is nearer to the point than `radius`."""
    edge, buckets = 2.0 * reach * _WIDER, space.counts[BUCKETS]
    i, j, k = _cell(x, edge), _cell(y, edge), _cell(z, edge)
    for a in range(i - 1, i + 2):
        for b in range(j - 1, j + 2):
            for c in range(k - 1, k + 2):
                ball = space.heads[_bucket(_name(a, b, c), buckets)]
                while ball >= 0:
                    if distance(row(space.centers, ball), x, y, z) < space.radii[ball] + radius:
                        return False
                    ball = space.before[ball]
    for o in range(space.counts[OTHERS]):
        if not is_beside(space, space.others[o], x, y, z, radius):
            return False
    return True


@inlined
def distance(center, x, y, z):
    return norm((x - center[0], y - center[1], z - center[2]))


@inlined
def is_beside(space, i, x, y, z, radius):
    """Is body i no nearer to the point than `radius`? Disks and ellipsoids count as the balls
    around them, what is made of parts as boxes."""
    position, size, shape = space.position, space.size, space.shape[i]
    if shape == SPHERE:
        return not distance(row(position, i), x, y, z) < size[i, 0] + radius
    q, x, y, z = space.orientation, x - position[i, 0], y - position[i, 1], z - position[i, 2]
    x, y, z = rotate_back(q[i, 0], q[i, 1], q[i, 2], q[i, 3], x, y, z)
    if shape == PLANE:
        return not z < radius
    if shape == BOX or shape >= CONE:
        x, y, z = abs(x) - size[i, 0], abs(y) - size[i, 1], abs(z) - size[i, 2]
        return not norm((max(x, 0.0), max(y, 0.0), max(z, 0.0))) < radius
    if shape == BOWL:
        return not size[i, 0] - norm((x, y, z - size[i, 0])) < radius
    if shape == CAPSULE:
        return not norm((x, y, z - cut(z, size[i, 2] - size[i, 0]))) - size[i, 0] < radius
    return not norm((x, y, z)) < ball_around(space.shape, size, i) + radius


@entry
def place_balls(space: Space, reach: float, radii: Float1, points: Float3, places: Float2) -> int:
    """Each ball in turn at the first of its points (b, tries, 3) that has room, up to one that
    finds none; how many there are."""
    for ball in range(radii.shape[0]):
        found = False
        for t in range(points.shape[1]):
            x, y, z = points[ball, t, 0], points[ball, t, 1], points[ball, t, 2]
            if has_room(space, reach, x, y, z, radii[ball]):
                take(space, reach, (x, y, z), radii[ball])
                places[ball, 0], places[ball, 1], places[ball, 2] = x, y, z
                found = True
                break
        if not found:
            return ball
    return radii.shape[0]


@entry
def pack_balls(
    space: Space,
    reach: float,
    least: float,
    most: float,
    low: Float1,
    high: Float1,
    tries: int,
    stream: Float1,
    used: int,
    radii: Float1,
    places: Float2,
    first: int,
) -> tuple[int, bool, int]:
    """Balls from `first` on, each of a random radius at the first random point with room.

    `stream` are random numbers from 0 to 1, of which the first `used` have been used. Returns the
    number of the ball at which it stopped, whether that one finds no room (else the stream is too
    short for it), and the numbers used.
    """
    for ball in range(first, radii.shape[0]):
        if used + 1 + 3 * tries > stream.shape[0]:
            return ball, False, used
        radius = min(least + (most - least) * stream[used], most)
        used += 1
        found = False
        for _ in range(tries):
            x = low[0] + (high[0] - low[0]) * stream[used]
            y = low[1] + (high[1] - low[1]) * stream[used + 1]
            z = low[2] + (high[2] - low[2]) * stream[used + 2]
            used += 3
            if has_room(space, reach, x, y, z, radius):
                take(space, reach, (x, y, z), radius)
                radii[ball] = radius
                places[ball, 0], places[ball, 1], places[ball, 2] = x, y, z
                found = True
                break
        if not found:
            return ball, True, used
    return radii.shape[0], False, used
