"""A bowl with bodies inside it: balls, ends of capsules, corners of boxes, edges of disks.

A bowl is solid outside a sphere of radius R about c = x + R z, x its position and z its axis. A
ball of radius r at p from c, |p| < R - r, is R - r - |p| away from it, and touches it in the
direction of p. All that can touch it first are balls, of radius zero for corners and sharp edges.

A ball that moves along a straight line, at the velocity c relative to the bowl's surface when the
step starts, leaves the sphere of radius R - r about the bowl's centre once, at

    t = ((R - r)^2 - p^2) / (p.c + sqrt((p.c)^2 + c^2 ((R - r)^2 - p^2))).

In kernels a bowl is the tuple (x, z, R, velocity, angular velocity).
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.disk import edge_arm, is_edge_point, lowest_of_circle
from rollcone.collision.kernels.manifold import put_contact
from rollcone.collision.kernels.plane import box_corner
from rollcone.collision.kernels.shape import BOX, CAPSULE, SPHERE, rim_of
from rollcone.collision.kernels.vector import (
    along,
    axes,
    cross,
    direction,
    dot,
    minus,
    norm,
    row,
    times,
    to_world,
)


@inlined
def _leaves(p, c, reach, missing, horizon):
    """When |p + t c| grows to `reach`, at the latest at the end; missing = reach^2 - p^2."""
    outward, square = dot(p, c), dot(c, c)
    root = math.sqrt(outward * outward + square * missing)
    t = missing / (outward + root) if outward > 0.0 else (root - outward) / square
    return min(t, horizon)


@inlined
def _bowl_point(bowl, x, r, v, horizon, near):
    """(kept, gap, way out of the bowl, arm of the bowl) of a ball at x that moves with v."""
    xb, up, R, vb, wb = bowl
    p = minus(x, along(xb, R, up))
    distance, reach = norm(p), R - r
    gap, way = reach - distance, direction(p, distance)
    if gap > near:
        foot = times(R, along(up, 1.0, way))
        c = minus(v, along(vb, 1.0, cross(wb, foot)))
        end = norm(along(p, horizon, c))
        if not reach - end <= near:
            return False, gap, way, foot
        t = _leaves(p, c, reach, gap * (reach + distance), horizon) if end > reach else horizon
        there = along(p, t, c)
        way = direction(there, norm(there))
        gap = reach - dot(way, p)
    return True, gap, way, times(R, along(up, 1.0, way))


@inlined
def ball_bowl(bowl, x, v, w, arm, r, feature, horizon, near, out, found):
    """Adds the contact of a ball that is at `arm` in a body at x; returns how many there are."""
    place, velocity = along(x, 1.0, arm), along(v, 1.0, cross(w, arm))
    kept, gap, way, foot = _bowl_point(bowl, place, r, velocity, horizon, near)
    if not kept:
        return found
    put_contact(out, found, feature, gap, way, along(arm, r, way), foot)
    return found + 1


@kernel
def bowl_contacts(a, shape, size, xa, turn, va, wa, bowl, horizon, near, out):
    """Writes the contacts of a body with a bowl, which is B; returns their number. Features are
    those of the body with a plane."""
    none = (0.0, 0.0, 0.0)
    if shape[a] == SPHERE:
        return ball_bowl(bowl, xa, va, none, none, size[a, 0], 0, horizon, near, out, 0)
    found = 0
    if shape[a] == BOX:
        for corner in range(8):
            arm = to_world(turn, box_corner(row(size, a), corner))
            found = ball_bowl(bowl, xa, va, wa, arm, 0.0, corner, horizon, near, out, found)
        return found
    if shape[a] == CAPSULE:
        r, half = size[a, 0], size[a, 2] - size[a, 0]
        for end in range(2 if half > 0.0 else 1):
            arm = times(half if end else -half, turn[2])
            found = ball_bowl(bowl, xa, va, wa, arm, r, end, horizon, near, out, found)
        return found
    ring, height, edge = rim_of(size, a)
    down = times(1.0 / bowl[2], minus(xa, along(bowl[0], bowl[2], bowl[1])))
    x, y = lowest_of_circle(dot(turn[0], down), dot(turn[1], down))
    lower = dot(turn[2], down)
    for feature in range(6):
        if is_edge_point(feature, height, lower):
            arm = edge_arm(turn, ring, height, x, y, feature)
            found = ball_bowl(bowl, xa, va, wa, arm, edge, feature, horizon, near, out, found)
    return found


@inlined
def bowl_of(size, position, orientation, velocity, omega, i):
    """Body i, a bowl, as kernels take it."""
    up = axes(orientation, i)[2]
    return row(position, i), up, size[i, 0], row(velocity, i), row(omega, i)
