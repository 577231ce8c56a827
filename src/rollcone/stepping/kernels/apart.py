"""Positions moved back to where nothing overlaps, velocities untouched (Le Saux, Leine and Glocker
2005, section 3.3), within the compiled step.

    minimise |dx|^2 / 2  subject to  gap + N dx >= 0

repeated at the new positions while something overlaps. In the metric of the mass matrix this is
over all contacts that touch: the inequality does not pull bodies together where they part, nor push
one contact in to free another. In the metric of coordinates it is as the paper has it: gap = 0 of
the contacts that overlap, |dx|^2 that of three positions and four Euler parameters, which turning
by d changes by |d|^2 / 4.

Gauss-Seidel by contacts: l_i <- l_i - (gap + N dx) / W_i, with W_i the mobility of the normal row.
By mass, contacts give way by a hundredth of that: where a body has no room (jammed between two
walls) overlaps are shared, and elsewhere the next round does the rest.
"""

from __future__ import annotations

from rollcone._build.intrinsics import by_reference
from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.detect import Outlines, find_all
from rollcone.mechanics.kernels.motion import DYNAMIC
from rollcone.mechanics.kernels.rotation import advance_quaternion
from rollcone.stepping.kernels.contact import point_velocity
from rollcone.stepping.kernels.work import BY_COORDINATES, KEPT

_ROUNDS, _SWEEPS = 10, 500
_SOFT = 0.01
_ENOUGH = 1e-6  # of the deepest overlap: what a round may leave
_ONCE = 1e-7  # of sizes: what is left of overlaps up to this, about their square, is none
_ROUNDING = 1e-13  # of sizes: overlaps that are none, in the metric of coordinates


@inlined
def weigh(metric, inverse, i, k):
    """Entry k of (1 / m, inverse inertia xx, yy, zz, xy, xz, yz) of body i in this metric."""
    if metric != BY_COORDINATES:
        return inverse[i, k]
    return 1.0 if k == 0 else 4.0 if k < 4 else 0.0


@inlined
def arm_moment(found, i, s):
    """r x n of one side."""
    r1, r2, r3 = found.arms[i, 3 * s], found.arms[i, 3 * s + 1], found.arms[i, 3 * s + 2]
    n1, n2, n3 = found.normal[i, 0], found.normal[i, 1], found.normal[i, 2]
    return r2 * n3 - r3 * n2, r3 * n1 - r1 * n3, r1 * n2 - r2 * n1


@inlined
def mobility(metric, kind, inverse, found, i):
    """W_i of the normal row of contact i."""
    total = 0.0
    for s in range(2):
        a = found.bodies[i, s]
        if kind[a] != DYNAMIC:
            continue
        x, y, z = arm_moment(found, i, s)
        total += weigh(metric, inverse, a, 0) + weigh(metric, inverse, a, 1) * x * x
        total += weigh(metric, inverse, a, 2) * y * y + weigh(metric, inverse, a, 3) * z * z
        total += 2.0 * weigh(metric, inverse, a, 4) * x * y
        total += 2.0 * weigh(metric, inverse, a, 5) * x * z
        total += 2.0 * weigh(metric, inverse, a, 6) * y * z
    return total


@inlined
def push(metric, kind, inverse, found, i, change, dx, turn):
    """dx and turn after a change of the multiplier of contact i."""
    for s in range(2):
        a, sign = found.bodies[i, s], (2.0 * s - 1.0) * change
        if kind[a] != DYNAMIC:
            continue
        x, y, z = arm_moment(found, i, s)
        xy, xz = weigh(metric, inverse, a, 4), weigh(metric, inverse, a, 5)
        yz = weigh(metric, inverse, a, 6)
        for k in range(3):
            dx[a, k] += sign * weigh(metric, inverse, a, 0) * found.normal[i, k]
        turn[a, 0] += sign * (weigh(metric, inverse, a, 1) * x + xy * y + xz * z)
        turn[a, 1] += sign * (xy * x + weigh(metric, inverse, a, 2) * y + yz * z)
        turn[a, 2] += sign * (xz * x + yz * y + weigh(metric, inverse, a, 3) * z)


@inlined
def deepest_overlap(metric, touch, size, found, count):
    """The deepest of those that count, and the largest over sizes; 0 if there is none."""
    worst, part = 0.0, 0.0
    for i in range(count):
        A, B = found.bodies[i, 0], found.bodies[i, 1]
        least = min(size[A, 0], size[A, 1], size[A, 2], size[B, 0], size[B, 1], size[B, 2])
        share = _ROUNDING if metric == BY_COORDINATES else touch
        if found.gap[i] < -share * least:
            worst, part = max(worst, -found.gap[i]), max(part, -found.gap[i] / least)
    return worst, part


@inlined
def sweep(metric, kind, inverse, found, count, multiplier, dx, turn):
    """One sweep; the largest change of a gap. Contacts push, but those of the paper pull, too."""
    largest = 0.0
    for i in range(count):
        if metric == BY_COORDINATES and found.gap[i] >= 0.0:
            continue
        W = mobility(metric, kind, inverse, found, i)
        if W == 0.0:
            continue
        x, y, z = point_velocity(found.bodies, i, found.arms, dx, turn)
        gap = found.gap[i] + found.normal[i, 0] * x + found.normal[i, 1] * y
        gap += found.normal[i, 2] * z
        if metric == BY_COORDINATES:
            new = multiplier[i] - gap / W
        else:
            new = max(multiplier[i] - (gap + _SOFT * W * multiplier[i]) / ((1.0 + _SOFT) * W), 0.0)
        change = new - multiplier[i]
        multiplier[i] = new
        largest = max(largest, abs(change) * W)
        push(metric, kind, inverse, found, i, change, dx, turn)
    return largest


@inlined
def shift_bodies(B, dx, turn):
    """Bodies by dx, turn; the work of gravity on the way."""
    work = 0.0
    for i in range(B.kind.shape[0]):
        if B.kind[i] != DYNAMIC:
            continue
        for k in range(3):
            B.position[i, k] += dx[i, k]
            work += B.mass[i] * B.gravity[k] * dx[i, k]
        q = advance_quaternion(
            B.orientation[i, 0], B.orientation[i, 1], B.orientation[i, 2], B.orientation[i, 3],
            turn[i, 0], turn[i, 1], turn[i, 2], 1.0,
        )  # fmt: skip
        for k in range(4):
            B.orientation[i, k] = q[k]
    return work


@kernel
def move_apart(solids, metric, touch, h, B, inverse, margin, dx, turn, grid, found, multiplier):
    """Returns what that did to the potential energy, and whether there was room to look.

    Nothing is done if `metric` is KEPT. margin (n,), dx and turn (n, 3) and multiplier (contacts,)
    are scratch.
    """
    gain = 0.0
    if metric == KEPT:
        return gain, True
    outlines = by_reference(Outlines(B.kind, B.shape, B.size, B.position, B.orientation))
    margin[:] = 0.0
    for _ in range(_ROUNDS):
        count = find_all(solids, outlines, B.velocity, B.omega, 0.0, h, margin, touch, grid, found)
        if count < 0:
            return gain, False
        deepest, part = deepest_overlap(metric, touch, B.size, found, count)
        if deepest == 0.0:
            break
        dx[:], turn[:] = 0.0, 0.0
        for i in range(count):
            multiplier[i] = 0.0
        for _ in range(_SWEEPS):
            changed = sweep(metric, B.kind, inverse, found, count, multiplier, dx, turn)
            if changed <= _ENOUGH * deepest:
                break
        gain -= shift_bodies(B, dx, turn)
        if part < _ONCE:
            break
    return gain, True
