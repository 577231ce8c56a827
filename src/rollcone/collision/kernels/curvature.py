"""How far a contact point runs over two surfaces as they roll on each other.

With n the unit normal from A to B, and K_A, K_B the curvature tensors of the surfaces where they
touch (of the tangent plane; convex bodies positive, a bowl -1 / R, a plane 0), the normal turns as
the contact point moves over A with u_A and over B with u_B,

    dn/dt = w_A x n + K_A u_A = w_B x n - K_B u_B,

so that the mean of the two velocities that is weighted by curvature,

    g = (K_A + K_B)^-1 (K_A u_A + K_B u_B) = (K_A + K_B)^-1 (w x n),    w = w_B - w_A,

depends on rolling alone. On a plane it is the velocity of the contact point on the body: for
a thin disk Le Saux, Leine and Glocker 2005 (2.23). Rolling about a unit axis e that has a principal
direction at right angles moves the point by a length, 1 / k along n x e.

Where K_A + K_B is zero (a side of a capsule along itself, a disk that lies flat, a box on a plane)
all of a line or a face touches, and where it is infinite (across a sharp rim, on an edge
or a corner of a box) the point stays: both have the length 0, as (2.25) for flat disks.
Bodies are described by (t, k_t, k_h), a unit tangent t and the curvatures along t and n x t.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined
from rollcone._build.signatures import Float2, Int1, Short2
from rollcone.collision.kernels.disk import FLAT
from rollcone.collision.kernels.shape import (
    BOWL,
    BOX,
    CAPSULE,
    CLUMP,
    CONE,
    DISK,
    ELLIPSOID,
    PLANE,
    rim_of,
    smallest_size,
)
from rollcone.collision.kernels.vector import (
    across,
    along,
    axes,
    cross,
    direction,
    dot,
    norm,
    row,
    times,
    to_body,
)

_LEVEL = 1e-9  # sine of the angle to a face or an edge of a box, up to which n is at a right angle
# Share of the two curvatures: what is left of a rim's in a bowl where all of it touches, to within
# a gap that counts as touching.
_EQUAL = 1e-6


@entry
def contour_axes(
    shape: Int1,
    size: Float2,
    orientation: Float2,
    bodies: Short2,
    i: int,
    normal: Float2,
    arms: Float2,
) -> tuple[float, float, float, float, float]:
    """(e_x, e_y, e_z, first, second): a unit axis e in the tangent plane of contact i, and by how
    much the contact point moves (m per rad) as B rolls on A about e, along n x e, and about n x e,
    along e; first >= second. Both are zero for clumps, whose contacts do not tell their balls, and
    for what is made of parts."""
    A, B = bodies[i, 0], bodies[i, 1]
    n = row(normal, i)
    if shape[A] == CLUMP or shape[B] == CLUMP or shape[A] >= CONE or shape[B] >= CONE:
        e = across(n)
        return e[0], e[1], e[2], 0.0, 0.0
    t, k_t, k_h = _curvatures(shape, size, orientation, A, n)
    s, k_s, k_q = _curvatures(shape, size, orientation, B, times(-1.0, n))
    if k_q == math.inf or (k_h < math.inf and k_s != k_q):  # the sharp or unequal one is first
        t, k_t, k_h, s, k_s, k_q = s, k_s, k_q, t, k_t, k_h
    h = cross(n, t)
    c, d = dot(s, t), dot(s, h)
    least = min(smallest_size(shape, size, A), smallest_size(shape, size, B))
    if k_q == math.inf:  # two edges that cross
        k_1, k_2 = math.inf, math.inf
    else:
        k_1 = _sum(k_t, k_s * c * c + k_q * d * d)
        k_2 = _sum(k_h, k_s * d * d + k_q * c * c)
        mixed = (k_s - k_q) * c * d
        if k_2 < math.inf and mixed != 0.0:
            t, k_1, k_2 = _principal(t, h, k_1, k_2, mixed)
    first, second = _length(k_1, least), _length(k_2, least)
    if first == 0.0 and (shape[A] == DISK or shape[B] == DISK):
        second = 0.0  # flat on its face or its whole rim
    if first < second:
        return t[0], t[1], t[2], second, first
    e = cross(n, t)
    return e[0], e[1], e[2], first, second


@inlined
def _sum(a, b):
    """Zero where the two cancel."""
    return a + b if a + b > _EQUAL * (abs(a) + abs(b)) else 0.0


@inlined
def _length(k, least):
    return 1.0 / k if k * least > FLAT else 0.0


@inlined
def _principal(t, h, k_1, k_2, mixed):
    """(direction, curvature along it, curvature across) of a tensor in the axes t, h."""
    angle = 0.5 * math.atan2(2.0 * mixed, k_1 - k_2)
    c, s = math.cos(angle), math.sin(angle)
    more = 2.0 * mixed * c * s
    return (
        along(times(c, t), s, h),
        k_1 * c * c + more + k_2 * s * s,
        k_1 * s * s - more + k_2 * c * c,
    )


@inlined
def _curvatures(shape, size, orientation, i, n):
    """(t, k_t, k_h) of body i where n is its outward normal; k_h alone may be infinite, unless
    both are."""
    if shape[i] == BOWL:
        return across(n), -1.0 / size[i, 0], -1.0 / size[i, 0]
    if shape[i] == PLANE:
        return across(n), 0.0, 0.0
    turn = axes(orientation, i)
    if shape[i] == BOX:
        return _of_box(turn, n)
    if shape[i] == CAPSULE and size[i, 2] > size[i, 0] and abs(dot(turn[2], n)) <= FLAT:
        t = along(turn[2], -dot(turn[2], n), n)
        return direction(t, norm(t)), 0.0, 1.0 / size[i, 0]
    if shape[i] == DISK:
        return _of_disk(turn, rim_of(size, i), n)
    if shape[i] == ELLIPSOID:
        return _of_ellipsoid(turn, row(size, i), n)
    return across(n), 1.0 / size[i, 0], 1.0 / size[i, 0]


@inlined
def _of_disk(turn, rim, n):
    """A torus about circles of radius a: k = sin / (a + e sin) along, 1 / e across, with sin the
    part of n in the disk's plane. What lies on its side touches all along it."""
    ring, height, edge = rim
    t = cross(turn[2], n)
    sine = norm(t)
    if sine <= FLAT:
        return across(n), 0.0, 0.0
    k = sine / (ring + edge * sine)
    if height > 0.0 and abs(dot(turn[2], n)) <= FLAT:
        return direction(t, sine), k, 0.0
    return direction(t, sine), k, 1.0 / edge if edge > 0.0 else math.inf


@inlined
def _of_box(turn, n):
    """A face, an edge or a corner, by how many of its axes n is not at a right angle to."""
    p, q, s = to_body(turn, n)
    slanted = (abs(p) > _LEVEL) + (abs(q) > _LEVEL) + (abs(s) > _LEVEL)
    if slanted == 1:
        return across(n), 0.0, 0.0
    if slanted == 3:
        return across(n), math.inf, math.inf
    axis = turn[0] if abs(p) <= _LEVEL else (turn[1] if abs(q) <= _LEVEL else turn[2])
    t = along(axis, -dot(axis, n), n)
    return direction(t, norm(t)), 0.0, math.inf


@inlined
def _of_ellipsoid(turn, semi, n):
    """K = |A n| P A^-2 P, with A the semi-axes and P on the tangent plane."""
    m = to_body(turn, n)
    scale = norm((semi[0] * m[0], semi[1] * m[1], semi[2] * m[2]))
    t = across(n)
    h = cross(n, t)
    p, q = to_body(turn, t), to_body(turn, h)
    k_1, k_2, mixed = 0.0, 0.0, 0.0
    for k in range(3):
        weight = scale / (semi[k] * semi[k])
        k_1 += weight * p[k] * p[k]
        k_2 += weight * q[k] * q[k]
        mixed += weight * p[k] * q[k]
    return _principal(t, h, k_1, k_2, mixed)
