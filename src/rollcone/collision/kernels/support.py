"""Convex parts: the farthest point in a direction, and the face that looks there.

A part is a core that is rounded by a radius r: all points no farther than r from the core. In
kernels it is an array of numbers and one of whole numbers,

    f   x (3), the axes e_1, e_2, e_3 in the world (9), p (3), r, corners of a triangle (9)
    i   kind, where its hull begins in `places`, the corner that was the farthest last time; of a
        triangle: kind, does it move, the numbers of its corners

with these cores:

    SPHERE     the point x
    CAPSULE    a segment, +- p_3 along e_3
    BOX        half edges p
    DISK       a cylinder about e_3 of radius p_1, +- p_2 along e_3
    CONE       about e_3, base of radius p_1 at -p_2 / 4, tip at 3 p_2 / 4
    ELLIPSOID  semi-axes p
    CONVEX     a hull (parts.py); p_1 its smallest half width, p_3 the radius of the ball around it
    TRIANGLE   three corners, in the world
    OWN + k    what a function of row k of the table tells (_own_functions.py); within +- p
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone._own_functions import OWN, own_farthest
from rollcone.collision.kernels.shape import BOX, CAPSULE, CONE, CONVEX, DISK, ELLIPSOID, SPHERE
from rollcone.collision.kernels.vector import along, cross, direction, dot, minus, norm, times

TRIANGLE = -1
FLOATS, INTS = 25, 5  # in f and i
AROUND = 8  # points of a circle
MOST_POINTS = 256  # of a face
LOST = 1e-10  # sine of the tilt of a circle below which no point of it is the lowest
_CAP = math.sqrt(0.5)  # cosine to the axis beyond which an end of a cylinder faces there


@inlined
def is_round(i):
    """Has the core round edges or sides?"""
    return i[0] in (ELLIPSOID, DISK, CONE) or i[0] >= OWN


@inlined
def place_of(f):
    return f[0], f[1], f[2]


@inlined
def axis_of(f, k):
    return f[3 + 3 * k], f[4 + 3 * k], f[5 + 3 * k]


@inlined
def _inward(f, d):
    """Components of d along the part's axes."""
    return dot(d, axis_of(f, 0)), dot(d, axis_of(f, 1)), dot(d, axis_of(f, 2))


@inlined
def _outward(f, a):
    """The point of the world with components a along the part's axes."""
    x = along(place_of(f), a[0], axis_of(f, 0))
    return along(along(x, a[1], axis_of(f, 1)), a[2], axis_of(f, 2))


@inlined
def _corner(numbers, begin, k):
    return numbers[begin + 3 * k], numbers[begin + 3 * k + 1], numbers[begin + 3 * k + 2]


@kernel
def farthest(f, i, numbers, places, d):
    """A point of the core that is the farthest in the direction d, in the world."""
    kind = i[0]
    if kind == TRIANGLE:
        best, most = 0, -math.inf
        for k in range(3):
            height = d[0] * f[16 + 3 * k] + d[1] * f[17 + 3 * k] + d[2] * f[18 + 3 * k]
            if height > most:
                best, most = k, height
        return f[16 + 3 * best], f[17 + 3 * best], f[18 + 3 * best]
    if kind == SPHERE:
        return place_of(f)
    x, y, z = _inward(f, d)
    if kind == CONVEX:
        return _outward(f, _farthest_corner(i, numbers, places, x, y, z))
    p, q, s = f[12], f[13], f[14]
    if kind == BOX:
        return _outward(f, (p if x >= 0.0 else -p, q if y >= 0.0 else -q, s if z >= 0.0 else -s))
    if kind == CAPSULE:
        return _outward(f, (0.0, 0.0, s if z >= 0.0 else -s))
    if kind == ELLIPSOID:
        length = norm((p * x, q * y, s * z))
        if length == 0.0:
            return place_of(f)
        return _outward(f, (p * p * x / length, q * q * y / length, s * s * z / length))
    if kind >= OWN:
        return _outward(f, own_farthest(kind, p, q, s, x, y, z))
    side = math.sqrt(x * x + y * y)
    c, e = (x / side, y / side) if side > LOST * (side + abs(z)) else (1.0, 0.0)
    if kind == DISK:
        return _outward(f, (p * c, p * e, q if z >= 0.0 else -q))
    if 0.75 * q * z > p * side - 0.25 * q * z:  # of a cone: the tip is above the rim
        return _outward(f, (0.0, 0.0, 0.75 * q))
    return _outward(f, (p * c, p * e, -0.25 * q))


@inlined
def _farthest_corner(i, numbers, places, x, y, z):
    """From the last one along edges, as long as the next corner is farther."""
    head = i[1]
    count, begin = places[head], places[head + 2]
    first, second = places[head + 6], places[head + 7]
    now = i[2] if i[2] < count else 0
    d = (x, y, z)
    most = dot(d, _corner(numbers, begin, now))
    going = True
    while going:
        going = False
        start = now
        for k in range(places[first + start], places[first + start + 1]):
            other = places[second + k]
            height = dot(d, _corner(numbers, begin, other))
            if height > most:
                now, most, going = other, height, True
    i[2] = now
    return _corner(numbers, begin, now)


@kernel
def facing(f, i, numbers, places, d, poly):
    """The face or edge of the core that looks in the direction d: its points, in order, as rows
    (x, y, z, name) of `poly`; returns (how many, does a face's outward unit normal follow,
    normal). An edge has two points, a corner or a round place one."""
    kind, none = i[0], (0.0, 0.0, 0.0)
    if kind == TRIANGLE:
        for k in range(3):
            _put(poly, k, (f[16 + 3 * k], f[17 + 3 * k], f[18 + 3 * k]), i[2 + k])
        n = _triangle_normal(f)
        return 3, True, n
    if kind in (SPHERE, ELLIPSOID) or kind >= OWN:
        _put(poly, 0, farthest(f, i, numbers, places, d), 0)
        return 1, False, none
    x, y, z = _inward(f, d)
    if kind == BOX:
        return _box_face(f, x, y, z, poly)
    if kind == CONVEX:
        return _hull_face(f, i, numbers, places, (x, y, z), poly)
    p, q, s = f[12], f[13], f[14]
    if kind == CAPSULE:
        if abs(z) > _CAP:
            _put(poly, 0, _outward(f, (0.0, 0.0, s if z >= 0.0 else -s)), 1 if z >= 0.0 else 0)
            return 1, False, none
        _put(poly, 0, _outward(f, (0.0, 0.0, -s)), 0)
        _put(poly, 1, _outward(f, (0.0, 0.0, s)), 1)
        return 2, False, none
    side = math.sqrt(x * x + y * y)
    c, e = (x / side, y / side) if side > LOST else (1.0, 0.0)
    if kind == DISK:
        if abs(z) > _CAP:
            up = 1.0 if z >= 0.0 else -1.0
            return AROUND, True, _circle(f, p, up * q, up, c, e, 16 if up > 0.0 else 32, poly)
        _put(poly, 0, _outward(f, (p * c, p * e, -q)), 0)
        _put(poly, 1, _outward(f, (p * c, p * e, q)), 1)
        return (2 if q > 0.0 else 1), False, none
    if -z > _CAP:
        return AROUND, True, _circle(f, p, -0.25 * q, -1.0, c, e, 32, poly)
    _put(poly, 0, _outward(f, (p * c, p * e, -0.25 * q)), 0)
    _put(poly, 1, _outward(f, (0.0, 0.0, 0.75 * q)), 1)
    return 2, False, none


@inlined
def _put(poly, k, x, name):
    poly[k, 0], poly[k, 1], poly[k, 2], poly[k, 3] = x[0], x[1], x[2], name


@inlined
def _triangle_normal(f):
    a, b, c = (f[16], f[17], f[18]), (f[19], f[20], f[21]), (f[22], f[23], f[24])
    n = cross(minus(b, a), minus(c, a))
    return direction(n, norm(n))


@inlined
def _circle(f, radius, height, up, c, e, name, poly):
    """Points of a circle about e_3, the first in the direction (c, e), counterclockwise as seen
    from its side `up`; returns the normal there."""
    for k in range(AROUND):
        angle = up * 2.0 * math.pi * k / AROUND
        a, b = math.cos(angle), math.sin(angle)
        _put(
            poly,
            k,
            _outward(f, (radius * (c * a - e * b), radius * (e * a + c * b), height)),
            name + k,
        )
    return times(up, axis_of(f, 2))


@inlined
def _box_face(f, x, y, z, poly):
    """Corners are named by bits, as in kernels/plane.py."""
    ax, ay, az = abs(x), abs(y), abs(z)
    k = 0 if ax >= ay and ax >= az else (1 if ay >= az else 2)
    m, n = (k + 1) % 3, (k + 2) % 3
    sign = 1.0 if (x if k == 0 else y if k == 1 else z) >= 0.0 else -1.0
    middle = along(place_of(f), sign * f[12 + k], axis_of(f, k))
    for corner in range(4):
        a = 1.0 if corner == 0 or corner == 3 else -1.0
        b = sign * (1.0 if corner < 2 else -1.0)
        name = (
            (1 << k if sign > 0.0 else 0) | (1 << m if a > 0.0 else 0) | (1 << n if b > 0.0 else 0)
        )
        point = along(along(middle, a * f[12 + m], axis_of(f, m)), b * f[12 + n], axis_of(f, n))
        _put(poly, corner, point, name)
    return 4, True, times(sign, axis_of(f, k))


@inlined
def face_count(i, places):
    """Faces of a hull, or six axes."""
    return places[i[1] + 1] if i[0] == CONVEX else 1 if i[0] == TRIANGLE else 6


@inlined
def face_normal(f, i, numbers, places, k):
    """Outward, of face k."""
    if i[0] == CONVEX:
        return _turned(f, _corner(numbers, places[i[1] + 3], k))
    if i[0] == TRIANGLE:
        return _triangle_normal(f)
    return times(1.0 if k < 3 else -1.0, axis_of(f, k % 3))


@inlined
def _turned(f, a):
    """The vector of the world with components a along the part's axes."""
    return along(along(times(a[0], axis_of(f, 0)), a[1], axis_of(f, 1)), a[2], axis_of(f, 2))


@inlined
def _hull_face(f, i, numbers, places, d, poly):
    """The face whose normal is the nearest to d; of very many corners every other, and so on."""
    head = i[1]
    faces, corners, normals = places[head + 1], places[head + 2], places[head + 3]
    starts, loops = places[head + 4], places[head + 5]
    best, most = 0, -math.inf
    for k in range(faces):
        cosine = dot(d, _corner(numbers, normals, k))
        if cosine > most:
            best, most = k, cosine
    begin, end = places[starts + best], places[starts + best + 1]
    stride = (end - begin + MOST_POINTS - 1) // MOST_POINTS
    count = 0
    for k in range(begin, end, stride):
        corner = places[loops + k]
        _put(poly, count, _outward(f, _corner(numbers, corners, corner)), corner)
        count += 1
    return count, True, _turned(f, _corner(numbers, normals, best))
