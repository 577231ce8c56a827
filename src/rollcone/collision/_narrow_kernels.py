"""Narrow phase: from pairs of bodies to contacts; the one place that knows which pair is whose.

A pair is kept if its bodies touch, gap <= near with

    near = touch * min(size_A, size_B) + margin_A + margin_B,

or will within the horizon if both go on with the velocities given (in the files of the pairs).
Only relative motion decides.
"""

from __future__ import annotations

from rollcone._jit import inlined, kernel
from rollcone.collision._box_box_kernels import boxes_meet
from rollcone.collision._plane_kernels import plane_corner, plane_sphere
from rollcone.collision._shape_kernels import (
    BOX,
    PLANE,
    SPHERE,
    half_extent,
    smallest_size,
    turning_radius,
)
from rollcone.collision._sphere_box_kernels import sphere_box
from rollcone.collision._sphere_sphere_kernels import sphere_sphere
from rollcone.collision._vector_kernels import axes, minus, norm, row

BODY_LIMIT = 2**27
_FEATURE_BITS = 8
_PARTNER_BITS = 28


@inlined
def _points(first, second):
    """How many contacts a pair of shapes can have, first <= second; 0 if it is not available."""
    if second == BOX:
        return 8 if first == PLANE else 1 if first == SPHERE else 0
    return 1


@inlined
def _contact(a, b, feature, shape, size, position, orientation, velocity, omega, horizon, near):
    """(kept, gap, normal from a to b, point) of two bodies, shape of a <= shape of b."""
    xa, va, xb, vb = row(position, a), row(velocity, a), row(position, b), row(velocity, b)
    if shape[b] == SPHERE:
        return sphere_sphere(xa, size[a, 0], va, xb, size[b, 0], vb, horizon, near)
    turn = axes(orientation, b)
    wb = row(omega, b)
    if shape[b] == PLANE:
        up = turn[2]
        kept, gap, point = plane_sphere(xb, up, vb, wb, xa, size[a, 0], va, horizon, near)
        return kept, gap, (-up[0], -up[1], -up[2]), point
    half = row(size, b)
    if shape[a] == SPHERE:
        return sphere_box(xa, size[a, 0], va, xb, turn, half, vb, wb, horizon, near)
    up, wa = axes(orientation, a)[2], row(omega, a)
    kept, gap, point = plane_corner(xa, up, va, wa, xb, turn, half, vb, wb, feature, horizon, near)
    return kept, gap, up, point


@inlined
def _may_meet(a, b, shape, size, position, orientation, velocity, omega, horizon, near):
    """For two bodies whose contact is not available."""
    turning = norm(row(omega, a)) * turning_radius(shape, size, a)
    turning += norm(row(omega, b)) * turning_radius(shape, size, b)
    return boxes_meet(
        minus(row(position, b), row(position, a)),
        minus(row(velocity, b), row(velocity, a)),
        half_extent(shape, size, orientation, a),
        half_extent(shape, size, orientation, b),
        near + horizon * turning,
        horizon,
    )


@kernel
def find_contacts(
    ends, partners, shape, size, position, orientation, velocity, omega, horizon, margin, touch,
    bodies, key, gap, normal, point, refused,
):  # fmt: skip
    """Contacts of the grouped pairs, in the order of their keys.

    Returns their number, also of those for which there was no room, and the number of pairs
    of shapes that are not available; the first of those pairs is put in `refused`.
    """
    found, missing, start = 0, 0, 0
    for i in range(ends.shape[0]):
        for p in range(start, ends[i]):
            j = partners[p]
            a, b, sign = i, j, 1.0
            if shape[i] > shape[j]:
                a, b, sign = j, i, -1.0
            points = _points(shape[a], shape[b])
            near = touch * min(smallest_size(shape, size, a), smallest_size(shape, size, b))
            near += margin[a] + margin[b]
            if points == 0 and _may_meet(
                a, b, shape, size, position, orientation, velocity, omega, horizon, near
            ):
                if missing == 0:
                    refused[0], refused[1] = i, j
                missing += 1
            for feature in range(points):
                kept, far, n, x = _contact(
                    a, b, feature, shape, size, position, orientation, velocity, omega,
                    horizon, near,
                )  # fmt: skip
                if not kept:
                    continue
                if found < key.shape[0]:
                    bodies[found, 0], bodies[found, 1] = i, j
                    key[found] = ((i << _PARTNER_BITS | j) << _FEATURE_BITS) | feature
                    gap[found] = far
                    for k in range(3):
                        normal[found, k] = sign * n[k]
                        point[found, k] = x[k]
                found += 1
        start = ends[i]
    return found, missing
