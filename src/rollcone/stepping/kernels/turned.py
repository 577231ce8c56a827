"""Looks for contacts along the turned way of bodies that turn far in a step.

`look_again` (candidate.py) takes bodies straight on: tips of what turns by tenths of a radian in a
step would get through others unseen. Where a body that is no sphere turns by more than FAR, the
way of the step is divided into pieces in which nothing turns by more than _PIECE; at the end of
each, bodies are where their motion has led them, orientations included, and pairs are looked for
that meet in the next piece, or overlap at the end of the step. The earliest that are new become
first touches, with impulses at the start of the step. Their arms are those of the same points at
the start: turned back by the way in which the body's own axis has swung, not by its spin about it,
for which round bodies look alike. The gap is the one that these points have at the start, at least
0. Where a first touch overlaps at the end of the step all the same, since what turns does not go
straight, its gap is made smaller by that. So the row u_n+ >= -gap / h never asks for more than that
the contact stops approaching: no energy comes of it.
"""

from __future__ import annotations

import math

from rollcone._build.intrinsics import by_reference
from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.detect import CONTACTS as ROOM_FOR_CONTACTS
from rollcone.collision.kernels.detect import Outlines, find_all
from rollcone.collision.kernels.shape import SPHERE
from rollcone.collision.kernels.vector import cross, dot, row
from rollcone.mechanics.kernels.motion import DYNAMIC, REMOVED, is_uneven, place_turned
from rollcone.mechanics.kernels.rotation import advance_quaternion, rotate, rotate_back
from rollcone.stepping.kernels.candidate import merge_candidates, return_to_start
from rollcone.stepping.kernels.contact import FIRST_TOUCH, point_velocity
from rollcone.stepping.kernels.rearrange import copy_candidate
from rollcone.stepping.kernels.strike import (
    FAR,
    MET,
    is_missed,
    least_approach,
    turned_by,
    turns_far,
)
from rollcone.stepping.kernels.work import CONTACTS, MEETING, MEETS, MISSED, TURNED

_PIECE = 0.2  # rad that it turns between two looks
_MOST_PLACES = 8
_MOST_LOOKS = 12  # of one step
_OPPOSITE = 1e-6  # an axis that has swung by half a turn has swung no particular way
_NEWTON, _FOUND = 6, 1e-12  # rounds in which a time of impact is found; of a step, its error
_EARLIEST = 0.5  # of the time that was estimated: a round goes back no further
_DEEP = 100.0  # times what counts as touching: overlap at the end of the step that is none


@kernel
def look_along_turns(solids, s, B, m, grid, near, seen, work, pieces, control, numbers, cuts):
    """Add the first pairs that meet on the turned way of the step to the candidates; return how
    many are new or have another gap, or -1 if there was no room. `cuts`: the piece may end where
    the first of them meets, a time that is written to `numbers[MEETS]`."""
    looks = looks_of_turn(s, B, m)
    if looks == 0 or control[TURNED] >= _MOST_LOOKS:
        return 0
    control[TURNED] += 1
    outlines = by_reference(Outlines(B.kind, B.shape, B.size, B.position, B.orientation))
    count, changed = 0, 0
    for j in range(0 if cuts else 1, looks + 1):
        share = j / looks
        horizon = s.h / looks if j < looks else 0.0
        place_on_way(share, s, B, m)
        m.margin[:] = 0.0
        count = find_all(
            solids, outlines, m.v_mean, m.w_mean, horizon, s.h, m.margin, s.touch, grid, seen
        )
        if cuts and count > 0:
            count = meets_on_way(share * s.h, s, B, m, near, seen, count, pieces, control, numbers)
            if numbers[MEETS] > 0.0:
                return_to_start(B, m)
                return 1
        if count >= 0 and j > 0:
            changed = add_turned(share * s.h, s, B, m, grid, near, seen, count, work, control)
        return_to_start(B, m)
        if count < 0 or changed != 0:
            break
    return -1 if count < 0 else changed


@kernel
def meets_on_way(t, s, B, m, near, seen, count, pieces, control, numbers):
    """Write to numbers[MEETS] when the first of the contacts `seen` at the time t of the step meets
    that is new and approaches fast, and to control[MEETING] which; nothing if none does. Leave out
    what meets when the piece ends, and return how many are left."""
    last = s.h - MET * s.whole
    first, j, kept = last, 0, 0
    for i in range(count):
        while j < control[CONTACTS] and near.key[j] < seen.key[i]:
            j += 1
        known = j < control[CONTACTS] and near.key[j] == seen.key[i]
        closing = closing_speed(m, seen, i)
        fast = not known and closing > least_approach(s, B, m, seen.bodies, seen.normal, i)
        when = max(t + seen.gap[i] / closing, _EARLIEST * s.h / _MOST_PLACES) if fast else 0.0
        if fast and is_missed(pieces, control, seen.key[i]):
            when = math.inf
        if fast and when < first:
            first = when
            numbers[MEETS], control[MEETING] = when, seen.key[i]
        if when < last:
            if kept < i:
                copy_candidate(seen, kept, seen, i)
            kept += 1
    return kept


@inlined
def closing_speed(m, seen, i):
    """Return how fast the bodies of contact i approach at their mean velocities (m/s)."""
    speed = point_velocity(seen.bodies, i, seen.arms, m.v_mean, m.w_mean)
    return -dot(row(seen.normal, i), speed)


@inlined
def closing_at(share, B, m, seen, i):
    """Return how fast the bodies of contact i approach at a share of the piece (m/s), at the rates
    m.w_mean and velocities between those of the start and of the end."""
    n = row(seen.normal, i)
    start = dot(n, point_velocity(seen.bodies, i, seen.arms, B.velocity, m.w_mean))
    end = dot(n, point_velocity(seen.bodies, i, seen.arms, m.v_new, m.w_mean))
    return -(1.0 - share) * start - share * end


@kernel
def refine_meeting(solids, s, B, m, grid, seen, pieces, control, numbers):
    """Find the time numbers[MEETS] at which the contact control[MEETING] meets more closely, by
    Newton's method on the way that its bodies go in a piece that ends there. If that is not within
    the piece, the contact is noted in `pieces.missed`, and numbers[MEETS] becomes 0. Return 1, or
    -1 if there was no room."""
    outlines = by_reference(Outlines(B.kind, B.shape, B.size, B.position, B.orientation))
    t = numbers[MEETS]
    for _ in range(_NEWTON):
        place_on_way(t / s.h, s, B, m)
        for i in range(B.kind.shape[0]):
            for k in range(3):
                pull = 2.0 * (m.v_mean[i, k] - B.velocity[i, k]) / s.h
                B.position[i, k] += t * (B.velocity[i, k] + 0.5 * t * pull - m.v_mean[i, k])
        m.margin[:] = 0.0
        count = find_all(
            solids, outlines, m.v_mean, m.w_mean, 0.5 * s.h, s.h, m.margin, s.touch, grid, seen
        )
        if count < 0:
            numbers[MEETS] = 0.0
            return -1
        change = 0.0
        for i in range(count):
            if seen.key[i] == control[MEETING]:
                closing = closing_at(t / s.h, B, m, seen, i)
                change = seen.gap[i] / closing if closing > 0.0 else 0.0
        return_to_start(B, m)
        t = min(max(t + change, _EARLIEST * t), 2.0 * s.h)
        if abs(change) <= _FOUND * s.whole:
            break
    numbers[MEETS] = t
    if t >= s.h - MET * s.whole:
        pieces.missed[control[MISSED]] = control[MEETING]
        control[MISSED] += 1
        numbers[MEETS] = 0.0
    return 1


@kernel
def looks_of_turn(s, B, m):
    """Return at how many places along the way of the step is looked; 0 if nothing turns far."""
    largest = 0.0
    for i in range(B.kind.shape[0]):
        if B.kind[i] == REMOVED or B.shape[i] == SPHERE:
            continue
        largest = max(largest, turned_by(s.h, m, i))
    if largest <= FAR:
        return 0
    return int(min(math.ceil(largest / _PIECE), _MOST_PLACES))


@kernel
def place_on_way(share, s, B, m):
    """Move all bodies to where they are after a share of the step, and write their rates there to
    m.w_mean (n, 3)."""
    for i in range(B.kind.shape[0]):
        if B.kind[i] == REMOVED:
            continue
        for k in range(3):
            B.position[i, k] += share * s.h * m.v_mean[i, k]
        if B.kind[i] == DYNAMIC and is_uneven(B.inertia, i):
            place_turned(
                s.h, share, i, B.inertia, B.principal, m.start_orientation, B.omega, m.w_new,
                m.kick,
                m.kick_place, B.orientation, m.w_mean,
            )  # fmt: skip
            continue
        for k in range(3):
            m.w_mean[i, k] = (1.0 - m.theta[i]) * m.kick_rate[i, k] + m.theta[i] * m.w_new[i, k]
        q = advance_quaternion(
            B.orientation[i, 0], B.orientation[i, 1], B.orientation[i, 2], B.orientation[i, 3],
            m.w_mean[i, 0], m.w_mean[i, 1], m.w_mean[i, 2], share * s.h,
        )  # fmt: skip
        B.orientation[i, 0], B.orientation[i, 1], B.orientation[i, 2], B.orientation[i, 3] = q


@kernel
def add_turned(t, s, B, m, grid, near, seen, count, work, control):
    """Take over the contacts `seen` at the time t of the step that are new, and make gaps of first
    touches smaller that overlap at its end; return how many, or -1 if there was no room."""
    c, fresh, changed, j = control[CONTACTS], 0, 0, 0
    for i in range(count):
        while j < c and near.key[j] < seen.key[i]:
            j += 1
        known = j < c and near.key[j] == seen.key[i]
        deep = seen.gap[i] < -_DEEP * s.touch * least_size(B, seen, i)
        if not turns_far(s, B, m, seen, i) or (t >= s.h and not deep):
            continue
        if known:
            if t >= s.h and work.touch_state[j] == FIRST_TOUCH and near.gap[j] > 0.0:
                near.gap[j] = max(near.gap[j] + seen.gap[i], 0.0)
                changed += 1
            continue
        put_at_start(t, B, m, seen, i)
        if fresh < i:
            copy_candidate(seen, fresh, seen, i)
        fresh += 1
    if c + fresh > near.key.shape[0]:
        grid.needs[ROOM_FOR_CONTACTS] = c + fresh
        return -1
    merge_candidates(near, c, seen, fresh, work)
    control[CONTACTS] = c + fresh
    return fresh + changed


@inlined
def put_at_start(t, B, m, seen, i):
    """Write the arms and the gap that contact i, found at the time t, has at the start of the step
    for the same points; impulses are to come then."""
    gap, n = seen.gap[i], row(seen.normal, i)
    for side in range(2):
        a, sign = seen.bodies[i, side], 2.0 * side - 1.0
        r = (seen.arms[i, 3 * side], seen.arms[i, 3 * side + 1], seen.arms[i, 3 * side + 2])
        x, y, z = swing_back(B, m, a, r[0], r[1], r[2])
        way = n[0] * (r[0] - x + t * m.v_mean[a, 0]) + n[1] * (r[1] - y + t * m.v_mean[a, 1])
        way += n[2] * (r[2] - z + t * m.v_mean[a, 2])
        gap -= sign * way
        seen.arms[i, 3 * side], seen.arms[i, 3 * side + 1], seen.arms[i, 3 * side + 2] = x, y, z
        m.kick[a] = 0.0
    seen.gap[i] = max(gap, 0.0)


@inlined
def swing_back(B, m, i, x, y, z):
    """Return an arm of body i, found at its present orientation, as it was at the start of the
    step, but for the spin about the axis whose moment of inertia differs most from the others."""
    here, start = B.orientation, m.start_orientation
    if not is_uneven(B.inertia, i):
        x, y, z = rotate_back(here[i, 0], here[i, 1], here[i, 2], here[i, 3], x, y, z)
        return rotate(start[i, 0], start[i, 1], start[i, 2], start[i, 3], x, y, z)
    a = own_axis(B, i, start)
    b = own_axis(B, i, here)
    # The quaternion of the least turn from a to b: (1 + a.b, a x b), made of unit length.
    w = 1.0 + dot(a, b)
    u = cross(a, b)
    length = math.sqrt(w * w + dot(u, u))
    if length < _OPPOSITE:
        return x, y, z
    return rotate_back(w / length, u[0] / length, u[1] / length, u[2] / length, x, y, z)


@inlined
def own_axis(B, i, orientation):
    """Return the principal axis of body i, in world axes, whose moment differs most from the
    others."""
    j1, j2, j3 = B.inertia[i, 0], B.inertia[i, 1], B.inertia[i, 2]
    mean = (j1 + j2 + j3) / 3.0
    x, y, z = 0.0, 0.0, 1.0
    if abs(j1 - mean) > max(abs(j2 - mean), abs(j3 - mean)):
        x, z = 1.0, 0.0
    elif abs(j2 - mean) > abs(j3 - mean):
        y, z = 1.0, 0.0
    x, y, z = rotate(
        B.principal[i, 0], B.principal[i, 1], B.principal[i, 2], B.principal[i, 3], x, y, z
    )
    return rotate(
        orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3], x, y, z
    )


@inlined
def least_size(B, seen, i):
    """Return the smallest size of the bodies of contact i (m)."""
    a, b = seen.bodies[i, 0], seen.bodies[i, 1]
    return min(B.size[a, 0], B.size[a, 1], B.size[a, 2], B.size[b, 0], B.size[b, 1], B.size[b, 2])
