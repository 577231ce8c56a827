"""Narrow phase: from pairs of bodies to contacts; the one place that knows which pair is whose.

A pair is kept if its bodies touch, gap <= near with

    near = touch * min(size_A, size_B) + margin_A + margin_B,

or will within the horizon if both go on with the velocities given (in the files of the pairs).
Only relative motion decides. In a periodic box (`period`, (3,): its lengths, 0 where it has none)
a pair is that of the nearest images, but for planes and bowls, which have no end.
"""

from __future__ import annotations

import numpy as np

from rollcone._build.intrinsics import address_to_read
from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.bowl import bowl_contacts, bowl_of
from rollcone.collision.kernels.box_box import box_box
from rollcone.collision.kernels.capsule import capsule_capsule, capsule_plane, capsule_sphere
from rollcone.collision.kernels.capsule_box import capsule_box
from rollcone.collision.kernels.clump import BALL_BITS, clump_contacts
from rollcone.collision.kernels.disk import disk_plane
from rollcone.collision.kernels.ellipsoid import ellipsoid_plane
from rollcone.collision.kernels.general import general_contacts
from rollcone.collision.kernels.grid import is_periodic
from rollcone.collision.kernels.manifold import move_contact
from rollcone.collision.kernels.plane import plane_box, sphere_plane
from rollcone.collision.kernels.shape import (
    BOWL,
    CAPSULE,
    CLUMP,
    DISK,
    ELLIPSOID,
    PLANE,
    SPHERE,
    is_endless,
    rim_of,
    smallest_size,
)
from rollcone.collision.kernels.sphere_box import sphere_box
from rollcone.collision.kernels.sphere_sphere import sphere_sphere
from rollcone.collision.kernels.vector import axes, row

_PARTNER_BITS = 24
FEATURE_BITS = 2 * BALL_BITS
BODY_LIMIT = 2**_PARTNER_BITS
UNTREATED = -1  # and below: two bodies near each other whose shapes no function treats


@inlined
def _manifold(a, b, xa, xb, shape, size, orientation, velocity, omega, horizon, near, out):
    """Writes the contacts of two bodies, shape of a <= shape of b; returns their number."""
    va, vb = row(velocity, a), row(velocity, b)
    if shape[b] == SPHERE:
        return sphere_sphere(xa, size[a, 0], va, xb, size[b, 0], vb, horizon, near, out)
    turn_b, wb = axes(orientation, b), row(omega, b)
    if shape[b] == PLANE:
        return sphere_plane(xa, size[a, 0], va, xb, turn_b[2], vb, wb, horizon, near, out)
    if shape[b] == CAPSULE:
        return _with_capsule(
            a, shape, size, xa, axes(orientation, a), va, row(omega, a),
            xb, turn_b[2], size[b, 0], size[b, 2] - size[b, 0], vb, wb, horizon, near, out,
        )  # fmt: skip
    turn_a, wa, half_b = axes(orientation, a), row(omega, a), row(size, b)
    if shape[a] == SPHERE:
        return sphere_box(xa, size[a, 0], va, xb, turn_b, half_b, vb, wb, horizon, near, out)
    if shape[a] == PLANE:
        up = turn_a[2]
        return plane_box(xa, up, va, wa, xb, turn_b, half_b, vb, wb, horizon, near, out)
    half_a = row(size, a)
    return box_box(xa, turn_a, half_a, va, wa, xb, turn_b, half_b, vb, wb, horizon, near, out)


@inlined
def _image(xa, xb, period):
    """The image of xb that is nearest to xa."""
    return (
        _nearest(xa[0], xb[0], period[0]),
        _nearest(xa[1], xb[1], period[1]),
        _nearest(xa[2], xb[2], period[2]),
    )


@inlined
def _nearest(a, b, length):
    return b + length * np.rint((a - b) / length) if length > 0.0 else b


@inlined
def _with_capsule(a, shape, size, xa, turn, va, wa, xb, u, r, half, vb, wb, horizon, near, out):
    """The same for b a capsule of radius r whose core is 2 half long, along u."""
    if shape[a] == SPHERE:
        return capsule_sphere(xa, size[a, 0], va, xb, u, r, half, vb, wb, horizon, near, out)
    if shape[a] == PLANE:
        return capsule_plane(xa, turn[2], va, wa, xb, u, r, half, vb, wb, horizon, near, out)
    if shape[a] == CAPSULE:
        ra, half_a = size[a, 0], size[a, 2] - size[a, 0]
        return capsule_capsule(
            xa, turn[2], ra, half_a, va, wa, xb, u, r, half, vb, wb, horizon, near, out
        )
    return capsule_box(xa, turn, row(size, a), va, wa, xb, u, r, half, vb, wb, horizon, near, out)


@inlined
def _with_rarer(
    context, a, b, xa, xb, shape, size, position, orientation, velocity, omega,
    horizon, near, out,
):  # fmt: skip
    """The same for b a disk or what has a higher code, and a no clump if b is a bowl; UNTREATED
    if it is so."""
    va, wa, vb, wb = row(velocity, a), row(omega, a), row(velocity, b), row(omega, b)
    turn_a, turn_b = axes(orientation, a), axes(orientation, b)
    if shape[b] == BOWL and shape[a] <= DISK:
        bowl = bowl_of(size, position, orientation, velocity, omega, b)
        return bowl_contacts(a, shape, size, xa, turn_a, va, wa, bowl, horizon, near, out)
    if shape[a] == PLANE and shape[b] <= ELLIPSOID:
        up = turn_a[2]
        if shape[b] == DISK:
            rim = rim_of(size, b)
            return disk_plane(xa, up, va, wa, xb, turn_b, rim, vb, wb, horizon, near, out)
        semi = row(size, b)
        return ellipsoid_plane(xa, up, va, wa, xb, turn_b, semi, vb, wb, horizon, near, out)
    return general_contacts(context, a, b, xb[0], xb[1], xb[2], horizon, near)


@inlined
def show_look(context, shape, size, position, orientation, velocity, omega, manifold):
    """Where kernels/general.py finds the bodies at this look."""
    context[1] = shape.shape[0]
    context[2], context[3] = address_to_read(shape), address_to_read(size)
    context[4], context[5] = address_to_read(position), address_to_read(orientation)
    context[6], context[7] = address_to_read(velocity), address_to_read(omega)
    context[8] = manifold.ctypes.data


@inlined
def among(keys, key):
    """Is `key` one of the keys, which are in order?"""
    low, high = 0, keys.shape[0]
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low < keys.shape[0] and keys[low] == key


@kernel
def find_contacts(
    first, balls, context, period, apart, ends, partners, shape, size, position, orientation,
    velocity, omega, horizon, margin, touch, manifold, bodies, key, gap, normal, arms,
):  # fmt: skip
    """Contacts of the grouped pairs, in the order of their keys; returns their number, also of
    those for which there was no room; or UNTREATED - (i << 32 | j).

    first, balls: those of clumps (kernels/clump.py).
    context: addresses of convex parts and surfaces, whose places 1 to 8 are written here.
    period (3,): lengths of the periodic box (m), 0 along axes where it has none.
    apart: keys i << 32 | j of pairs that do not touch, ascending.
    manifold: scratch for the contacts of one pair.
    """
    found, start, periodic = 0, 0, is_periodic(period)
    show_look(context, shape, size, position, orientation, velocity, omega, manifold)
    for i in range(ends.shape[0]):
        for p in range(start, ends[i]):
            j = np.int64(partners[p])
            if apart.shape[0] > 0 and among(apart, (i << 32) | j):
                continue
            swapped = shape[i] > shape[j]
            a, b = (j, i) if swapped else (i, j)
            near = touch * min(smallest_size(shape, size, a), smallest_size(shape, size, b))
            near += margin[a] + margin[b]
            xa, xb = row(position, a), row(position, b)
            if periodic and not (is_endless(shape[a]) or is_endless(shape[b])):
                xb = _image(xa, xb, period)
            prefix = (i << _PARTNER_BITS | j) << FEATURE_BITS
            if shape[b] >= DISK and (shape[a] != CLUMP or shape[b] != BOWL):
                count = _with_rarer(
                    context, a, b, xa, xb, shape, size, position, orientation,
                    velocity, omega, horizon, near, manifold,
                )  # fmt: skip
                if count < 0:
                    return UNTREATED - (i << 32 | j)
            elif shape[a] == CLUMP or shape[b] == CLUMP:
                turned = shape[b] != CLUMP  # with a bowl, whose code is the higher one
                other, clump = (xb, xa) if turned else (xa, xb)
                found = clump_contacts(
                    first, balls, i, j, swapped != turned, other, clump, shape,
                    size, position, orientation, velocity, omega, horizon, near, manifold, prefix,
                    bodies, key, gap, normal, arms, found,
                )  # fmt: skip
                continue
            else:
                count = _manifold(
                    a, b, xa, xb, shape, size, orientation, velocity, omega,
                    horizon, near, manifold,
                )  # fmt: skip
            for k in range(count):
                if found < key.shape[0]:
                    key[found] = prefix | int(manifold[k, 0])
                    move_contact(manifold, k, i, j, swapped, bodies, gap, normal, arms, found)
                found += 1
        start = ends[i]
    return found
