"""Candidates: which contacts a step reckons with.

A step begins with the contacts that touch or last. With the velocities that these leave, positions
would move at v_mean: pairs that meet on that way are added, with the normal and the gap at their
time of impact; the problem is solved again, and the bodies are looked at again, until no pair is
new. Only relative motion decides. A candidate stays one, but for those that push and are not met
when no pair is new: they are let go once, and come back if they are met again (not where contacts
are many: there it would take as many passes again).
"""

from __future__ import annotations

import math

from rollcone._build.intrinsics import by_reference
from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Int1
from rollcone.collision.kernels.detect import CONTACTS as ROOM_FOR_CONTACTS
from rollcone.collision.kernels.detect import (
    Found,
    GridWork,
    Outlines,
    Solids,
    find_again,
    find_all,
)
from rollcone.collision.kernels.disk import forget_turned
from rollcone.collision.kernels.vector import copy_rows
from rollcone.mechanics.kernels.motion import DYNAMIC, fly
from rollcone.stepping.kernels.contact import (
    LASTING,
    meet_halfway,
    point_velocity,
)
from rollcone.stepping.kernels.island import find_root
from rollcone.stepping.kernels.rearrange import copy_candidate, copy_marks, keep_candidate
from rollcone.stepping.kernels.strike import first_meeting
from rollcone.stepping.kernels.work import (
    CONTACTS,
    DVI,
    EXPLICIT,
    FREE,
    GAP_AHEAD,
    MEETS,
    MIDDLE,
    MIDPOINT,
    MOREAU_JEAN,
    BodyArrays,
    ContactWork,
    Motion,
    Pieces,
    Settings,
)

# Contacts are found again half a step ahead if they are no farther apart than this share of sizes.
_NEAR = 0.01
MANY = 50  # contacts, from which on looks are made cheaper
_SOON = 1e-6  # of a step: what is met so little later is met at the same time
_MOST_NOISE = 1000.0  # times what counts as touching
_NOISE = 10.0  # gaps that errors of velocities make are at most so many times those of one step


@entry
def find_candidates(
    solids: Solids,
    s: Settings,
    B: BodyArrays,
    m: Motion,
    grid: GridWork,
    near: Found,
    mid: Found,
    work: ContactWork,
    control: Int1,
) -> bool:
    """The contacts that a step begins with; False if there was no room."""
    outlines = by_reference(Outlines(B.kind, B.shape, B.size, B.position, B.orientation))
    m.zero[:] = 0.0
    v, w, horizon = m.zero, m.zero, 0.0
    m.margin[:] = 0.0
    if s.scheme == GAP_AHEAD:
        lasting_margins(s, B, m)
    elif s.scheme == DVI:
        v, w, horizon = m.v_free, m.w_free, s.h
        hover_margins(s, B, m)
    elif s.scheme == MOREAU_JEAN:
        v, w, horizon = B.velocity, B.omega, 0.5 * s.h
    elif s.scheme == MIDPOINT:
        half_a_step(s, B, m)
    elif s.scheme == EXPLICIT:
        v, w, horizon = B.velocity, B.omega, 2.0 * s.h
        lasting_margins(s, B, m)
    count = find_all(solids, outlines, v, w, horizon, s.h, m.margin, s.touch, grid, near)
    control[CONTACTS] = count
    if count > 0 and s.scheme == GAP_AHEAD:
        count = find_middle(solids, s, B, m, grid, near, mid, control)
    for i in range(control[CONTACTS]):
        work.ahead[i], work.fresh[i], work.temper[i] = 0, 1, 1.0
        work.changed[i], work.owed[i] = 0, FREE
    return count >= 0


@kernel
def find_middle(solids, s, B, m, grid, near, mid, control):
    """The candidates again half a step ahead, for lasting contacts; their number, or -1."""
    outlines = by_reference(Outlines(B.kind, B.shape, B.size, B.position, B.orientation))
    for i in range(B.kind.shape[0]):
        least = min(B.size[i, 0], B.size[i, 1], B.size[i, 2])
        m.margin[i] = _NEAR * least if least < math.inf else 0.0
    half_a_step(s, B, m)
    c = control[CONTACTS]
    count = find_again(
        solids, outlines, m.zero, m.zero, 0.0, m.margin, s.touch, near.bodies[:c], grid, mid
    )
    control[MIDDLE] = count
    if count > 0:
        forget_turned(B.shape, B.size, near, c, mid, count)
        rigid = B.law_softness.shape[0] == 0  # else overlap is no error
        for i in range(count if rigid else 0):
            if B.kind[mid.bodies[i, 0]] == DYNAMIC and B.kind[mid.bodies[i, 1]] == DYNAMIC:
                meet_halfway(mid.gap, mid.normal, mid.arms, i)
    return_to_start(B, m)
    return count


@entry
def half_a_step(s: Settings, B: BodyArrays, m: Motion) -> None:
    """Move all bodies on by h / 2 at their present velocities."""
    fly(0.5 * s.h, B.kind, B.inertia, B.principal, B.position, B.orientation, B.velocity, B.omega)


@kernel
def return_to_start(B, m):
    """Positions as they were when the step began."""
    copy_rows(m.start_position, B.position)
    copy_rows(m.start_orientation, B.orientation)


@kernel
def lasting_margins(s, B, m):
    """Where gaps of lasting contacts can be: what loads do in a step."""
    for i in range(B.kind.shape[0]):
        x, y, z = (
            m.v_free[i, 0] - B.velocity[i, 0],
            m.v_free[i, 1] - B.velocity[i, 1],
            m.v_free[i, 2] - B.velocity[i, 2],
        )
        m.margin[i] = s.h * math.sqrt(x * x + y * y + z * z)


@kernel
def hover_margins(s, B, m):
    """How far from a neighbour each body may hover and still be held: h S(y) at most, and
    never more than its own size, which bounds the search."""
    for i in range(B.kind.shape[0]):
        size = max(B.size[i, 0], B.size[i, 1], B.size[i, 2])
        size = size if size < math.inf else 0.0
        x, y, z = B.omega[i, 0], B.omega[i, 1], B.omega[i, 2]
        rate = math.sqrt(x * x + y * y + z * z)
        x, y, z = B.velocity[i, 0], B.velocity[i, 1], B.velocity[i, 2]
        speed = math.sqrt(x * x + y * y + z * z) + rate * size
        hover = 2.0 * s.h * (s.hover_slide * speed + s.hover_turn * rate)
        m.margin[i] = min(hover, size)


@kernel
def drop_near(s, near, work, control):
    """Leave out candidates that are near, but neither touch nor last.

    What a solve to the tolerance leaves of velocities opens gaps of contacts at rest, which would
    be candidates anew in each step: they count as touching.
    """
    kept = 0
    for i in range(control[CONTACTS]):
        noise = min(_NOISE * s.tolerance * s.h * work.loads[i], _MOST_NOISE * work.small[i])
        lasts = work.touch_state[i] == LASTING or near.gap[i] <= max(work.small[i], noise)
        if lasts or work.ahead[i]:
            keep_candidate(near, work, kept, i)
            kept += 1
    dropped = kept < control[CONTACTS]
    control[CONTACTS] = kept
    return dropped


@kernel
def let_go(near, work, control):
    """Leave out candidates that push although, at the velocities that came of it, their bodies do
    not meet: one that was stopped before it got there, or that is turned away by another.
    What is met without them comes back, for good."""
    kept = 0
    for i in range(control[CONTACTS]):
        rebounds = work.restitution[i] > 0.0 and work.start[i] < -work.slow[i]
        if not work.ahead[i] or work.met[i] or rebounds or work.p[i, 0] <= 0.0:
            keep_candidate(near, work, kept, i)
            kept += 1
    gone = kept < control[CONTACTS]
    control[CONTACTS] = kept
    return gone


@kernel
def look_ahead(solids, s, B, m, grid, near, seen, work, pieces, control, numbers):
    """Where contacts are many, a first look along the motion without contacts, before any solve;
    False if there was no room."""
    if s.scheme != GAP_AHEAD or control[CONTACTS] < MANY:
        return True
    copy_rows(m.v_free, m.v_mean)
    copy_rows(m.w_free, m.w_mean)
    fresh = look_again(
        solids, s, B, m, grid, near, seen, work, pieces, control, numbers, False, False
    )
    if fresh > 0:
        begin_islands(B, m, near, work, control[CONTACTS])
    return fresh >= 0


@kernel
def begin_islands(B, m, near, work, c):
    """Contacts of bodies that hang together with one that meets another in this step are all first
    touches, and impulses come at the start of the step for their bodies: which of them would be, is
    otherwise found in as many passes."""
    n = B.kind.shape[0]
    for i in range(n):
        m.parent[i], m.gain[i, 0] = i, 0.0
    for i in range(c):
        A, C = near.bodies[i, 0], near.bodies[i, 1]
        if B.kind[A] == DYNAMIC and B.kind[C] == DYNAMIC:
            A, C = find_root(m.parent, A), find_root(m.parent, C)
            m.parent[max(A, C)] = min(A, C)
    for marking in range(2):
        for i in range(c):
            body = near.bodies[i, 0]
            root = find_root(m.parent, body if B.kind[body] == DYNAMIC else near.bodies[i, 1])
            if marking == 0 and work.ahead[i]:
                m.gain[root, 0] = 1.0
            elif marking == 1 and m.gain[root, 0] > 0.0:
                work.ahead[i] = 1
                m.kick[near.bodies[i, 0]] = m.kick[near.bodies[i, 1]] = 0.0


@entry
def look_again(
    solids: Solids,
    s: Settings,
    B: BodyArrays,
    m: Motion,
    grid: GridWork,
    near: Found,
    seen: Found,
    work: ContactWork,
    pieces: Pieces,
    control: Int1,
    numbers: Float1,
    last: bool,
    cuts: bool,
) -> int:
    """Add the pairs that meet on the way at v_mean, w_mean, but for the last look; return their
    number, or -1 without room. `cuts`: the piece may end where the first of them meets, a time that
    is written to `numbers[MEETS]`."""
    outlines = by_reference(Outlines(B.kind, B.shape, B.size, B.position, B.orientation))
    m.margin[:] = 0.0
    count = find_all(solids, outlines, m.v_mean, m.w_mean, s.h, s.h, m.margin, s.touch, grid, seen)
    if count < 0:
        return -1
    c, fresh, j = control[CONTACTS], 0, 0
    for i in range(c):
        work.met[i] = 0
    for i in range(count):
        while j < c and near.key[j] < seen.key[i]:
            j += 1
        if j < c and near.key[j] == seen.key[i]:
            work.met[j] = 1
        else:
            if fresh < i:
                copy_candidate(seen, fresh, seen, i)
            fresh += 1
    if last:
        return fresh
    if cuts and fresh > 0:
        fresh = first_meeting(s, B, m, seen, fresh, pieces, control, numbers)
        if numbers[MEETS] > 0.0:
            return fresh
    if c + fresh < MANY:
        fresh = keep_earliest(s, B, m, seen, fresh)
    if c + fresh > near.key.shape[0]:
        grid.needs[ROOM_FOR_CONTACTS] = c + fresh
        return -1
    merge_candidates(near, c, seen, fresh, work)
    control[CONTACTS] = c + fresh
    return fresh


@kernel
def keep_earliest(s, B, m, seen, count):
    """Of the pairs met on the way, those that are the first for both of their bodies: what a body
    meets later, it may not meet at all. The next look finds the others. Their number."""
    first = m.gain  # scratch
    for i in range(B.kind.shape[0]):
        first[i, 0] = s.h
    for i in range(count):
        time = impact_time(s, m, seen, i)
        for side in range(2):
            body = seen.bodies[i, side]
            first[body, 0] = min(first[body, 0], time)
    kept = 0
    for i in range(count):
        time, early = impact_time(s, m, seen, i), True
        for j in range(count):  # points of one pair stay together
            if seen.bodies[j, 0] == seen.bodies[i, 0] and seen.bodies[j, 1] == seen.bodies[i, 1]:
                time = min(time, impact_time(s, m, seen, j))
        for side in range(2):
            body = seen.bodies[i, side]
            if B.kind[body] == DYNAMIC and time > first[body, 0] + _SOON * s.h:
                early = False
        if early:
            if kept < i:
                copy_candidate(seen, kept, seen, i)
            kept += 1
    return kept


@inlined
def impact_time(s, m, seen, i):
    """When contact i closes its gap at v_mean, no later than the end of the step."""
    x, y, z = point_velocity(seen.bodies, i, seen.arms, m.v_mean, m.w_mean)
    closing = -(seen.normal[i, 0] * x + seen.normal[i, 1] * y + seen.normal[i, 2] * z)
    return min(max(seen.gap[i], 0.0) / closing, s.h) if closing > 0.0 else s.h


@kernel
def merge_candidates(near, c, seen, fresh, work):
    """The first `fresh` of `seen` in among the first c of `near`, in the order of keys: from the
    end on, so that nothing is in the way."""
    i, j = c - 1, fresh - 1
    for place in range(c + fresh - 1, -1, -1):
        if j < 0:
            return
        if i >= 0 and near.key[i] > seen.key[j]:
            copy_candidate(near, place, near, i)
            copy_marks(work, place, i)
            for k in range(work.p.shape[1]):
                work.p[place, k] = work.p[i, k]
            i -= 1
        else:
            copy_candidate(near, place, seen, j)
            work.ahead[place] = work.fresh[place] = 1
            work.temper[place], work.changed[place], work.owed[place] = 1.0, 0, FREE
            j -= 1
