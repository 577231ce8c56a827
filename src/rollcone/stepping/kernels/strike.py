"""Steps that are divided at times of impact.

A piece of the step ends where something meets that approaches faster than loads along the normal
could make it in a twentieth of a step. Then comes a strike: positions stay, no load acts, and the
impulses of all that touches change the velocities at once,

    y_n+ >= -e y_n  where the approach is an impact,  y_n+ >= 0  elsewhere, and friction by y+.

The rest of the step follows as another piece. So rebounds have the energy of their law, to rounding
for constant loads, and what turns has the arms of the instant at which it strikes; impulses are
equal and opposite at one point, so that angular momentum is kept, too.

The time of impact is that of parabolas in the direction of the normal; where bodies turn it is
found better in the next piece, which is as short as the first one was wrong. What `pieces` keeps of
the contacts of each piece becomes the step's record: impulses by contact are summed.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.manifold import middle_of
from rollcone.collision.kernels.shape import SPHERE
from rollcone.collision.kernels.vector import copy_rows
from rollcone.stepping.kernels.contact import (
    FIRST_TOUCH,
    LASTING,
    contact_frames,
    meet_halfway,
    point_velocity,
)
from rollcone.stepping.kernels.rearrange import copy_candidate, keep_candidate
from rollcone.stepping.kernels.work import (
    CONTACTS,
    CUTS,
    KNOWN,
    LEFT,
    MEETING,
    MEETS,
    MISSED,
    MOVED,
    ROUNDS,
    SPAN,
    STARTED,
    STRIKE,
    STRIKES,
    TOLD,
)

FAR = 0.02  # rad that a body turns in a step, from which on its turned way is looked along
FEW = 50  # contacts, below which steps are divided
_CUTS = 3  # pieces that an impact may take until its time is found
MET = 1e-6  # of the way of a whole step: what is so near has met
_APPROACH = 0.05  # of what loads do along the normal in a step: slower approaches divide no step
_NOISE = 1e-3  # of what loads do in any direction: likewise
_LAST = 1e-9  # of a step: a piece that would be shorter is none


@inlined
def may_divide(s, c, pieces, control):
    """Return whether a step with c contacts may be divided once more."""
    if control[STRIKES] >= s.most_strikes or c >= FEW:
        return False
    if control[MISSED] >= pieces.missed.shape[0]:
        return False
    if control[KNOWN] > pieces.start_key.shape[0]:
        return False
    return control[CUTS] < _CUTS * s.most_strikes and control[TOLD] + c <= pieces.key.shape[0]


@inlined
def is_missed(pieces, control, key):
    """Return whether a contact has been found not to meet within the piece."""
    found = False
    for k in range(control[MISSED]):
        found = found or pieces.missed[k] == key
    return found


@inlined
def touches(s, near, work, i):
    """Return whether the bodies of contact i touch now."""
    reach = max(work.small[i], MET * s.whole * abs(work.start[i]))
    return work.touch_state[i] == LASTING or near.gap[i] <= reach


@kernel
def strikes_now(s, B, m, near, work):
    """Return whether a contact that touches approaches too fast to last."""
    for i in range(near.gap.shape[0]):
        if work.touch_state[i] != FIRST_TOUCH or work.ahead[i] or not touches(s, near, work, i):
            continue
        if work.start[i] < -least_approach(s, B, m, near.bodies, near.normal, i):
            return True
    return False


@inlined
def pair_touches(s, near, work, count, i):
    """Return whether the bodies of contact i touch now at any of the first `count` contacts."""
    found = False
    for k in range(count):
        same = near.bodies[k, 0] == near.bodies[i, 0] and near.bodies[k, 1] == near.bodies[i, 1]
        found = found or (same and touches(s, near, work, k))
    return found


@kernel
def drop_apart(s, near, work, control):
    """Leave out the contacts of bodies that do not touch each other now, as a strike has it; return
    whether there were any. Of two bodies that touch all contacts count: they land flat, or would at
    once meet again beside the first point."""
    kept = 0
    for i in range(control[CONTACTS]):
        work.met[i] = pair_touches(s, near, work, control[CONTACTS], i)
    for i in range(control[CONTACTS]):
        if work.met[i]:
            keep_candidate(near, work, kept, i)
            kept += 1
    dropped = kept < control[CONTACTS]
    control[CONTACTS] = kept
    return dropped


@kernel
def begin_strike(s, m, near, work, control):
    """Make an impact of the contacts of a piece that has just begun; impulses come at once."""
    longer = s.whole / s.h
    copy_rows(near.normal, work.normal)
    copy_rows(near.arms, work.arms)
    contact_frames(work.normal, work.frames)
    for i in range(near.gap.shape[0]):
        meet_halfway(near.gap, work.normal, work.arms, i)
        work.slow[i] *= longer
        work.touch_state[i] = FIRST_TOUCH
        work.temper[i], work.changed[i], work.fresh[i], work.pushed[i] = 1.0, 0, 0, 0.0
        for k in range(work.p.shape[1]):
            work.p[i, k] = work.bend[i, k] = 0.0
    m.kick[:] = 0.0
    control[STRIKE] = control[MOVED] = 1
    control[ROUNDS] = 0


@kernel
def strike_targets(work):
    """Write what the normal rows of an impact ask for to `work.b`."""
    for i in range(work.b.shape[0]):
        before, e = work.start[i], work.restitution[i] * work.temper[i]
        if e > 0.0 and before < -work.slow[i]:
            work.b[i, 0] += e * before


@inlined
def approach(s, B, m, seen, i):
    """Return how fast the bodies of contact i approach each other when they meet (m/s), on
    parabolas along the normal that begin at the velocities of the start of the piece and end where
    the bodies do, and when (s). The speed is 0 where they do not meet, or too slowly to divide the
    step."""
    n1, n2, n3 = seen.normal[i, 0], seen.normal[i, 1], seen.normal[i, 2]
    x, y, z = point_velocity(seen.bodies, i, seen.arms, B.velocity, m.kick_rate)
    before = n1 * x + n2 * y + n3 * z
    x, y, z = point_velocity(seen.bodies, i, seen.arms, m.v_mean, m.w_mean)
    pull = 2.0 * (n1 * x + n2 * y + n3 * z - before) / s.h
    gap = max(seen.gap[i], 0.0)
    least = least_approach(s, B, m, seen.bodies, seen.normal, i)
    square = before * before - 2.0 * pull * gap
    if square <= least * least:
        return 0.0, 0.0
    speed = math.sqrt(square)
    if speed <= before:
        return 0.0, 0.0
    return speed, 2.0 * gap / (speed - before)


@inlined
def least_approach(s, B, m, bodies, normal, i):
    """Return the speed (m/s) at which the bodies of contact i must approach each other to divide
    the step: a share of what loads do to the two along the normal in a whole step. What errors of a
    solve leave of velocities must not divide steps: they are small next to all that loads do."""
    along, most = 0.0, 0.0
    for side in range(2):
        a, part = bodies[i, side], 0.0
        for k in range(3):
            change = m.v_free[a, k] - B.velocity[a, k]
            part += normal[i, k] * change
            most = max(most, abs(change))
        along += abs(part)
    return max(_APPROACH * along, _NOISE * most) * s.whole / s.h


@inlined
def turned_by(h, m, i):
    """Return a bound of the angle (rad) by which body i turns in a time h."""
    before = m.kick_rate[i, 0] ** 2 + m.kick_rate[i, 1] ** 2 + m.kick_rate[i, 2] ** 2
    after = m.w_new[i, 0] ** 2 + m.w_new[i, 1] ** 2 + m.w_new[i, 2] ** 2
    return h * math.sqrt(max(before, after))


@inlined
def turns_far(s, B, m, seen, i):
    """Return whether a body of contact i turns far in the step."""
    for side in range(2):
        a = seen.bodies[i, side]
        if B.shape[a] != SPHERE and turned_by(s.h, m, a) > FAR:
            return True
    return False


@kernel
def first_meeting(s, B, m, seen, count, pieces, control, numbers):
    """Write to numbers[MEETS] the earliest time (s) at which one of the first `count` contacts in
    `seen` meets within the piece, and to control[MEETING] which, or else 0; return how many of them
    are left. What meets when the piece ends is left out: then it touches. So is what turns far,
    for which the turned way is looked along (kernels/turned.py)."""
    numbers[MEETS] = 0.0
    first, kept = s.h - MET * s.whole, 0
    for i in range(count):
        if turns_far(s, B, m, seen, i) or is_missed(pieces, control, seen.key[i]):
            continue
        speed, t = approach(s, B, m, seen, i)
        if speed > 0.0 and _LAST * s.whole < t < first:
            first = t
            numbers[MEETS], control[MEETING] = t, seen.key[i]
        if speed == 0.0 or t < s.h - MET * s.whole:
            if kept < i:
                copy_candidate(seen, kept, seen, i)
            kept += 1
    return kept


@kernel
def remember_start(B, known, pieces, control, numbers):
    """Keep what a step begins with that is about to be divided."""
    for i in range(B.kind.shape[0]):
        for k in range(3):
            pieces.start[i, k], pieces.start[i, 7 + k] = B.position[i, k], B.velocity[i, k]
            pieces.start[i, 10 + k] = B.omega[i, k]
        for k in range(4):
            pieces.start[i, 3 + k] = B.orientation[i, k]
    for k in range(numbers.shape[0]):
        pieces.start_numbers[k] = numbers[k]
    control[STARTED] = control[KNOWN]
    for i in range(control[KNOWN]):
        pieces.start_key[i] = known.key[i]
        for k in range(3):
            pieces.start_force[i, k] = known.force[i, k]
            pieces.start_moment[i, k] = known.moment[i, k]


@kernel
def cut_piece(s, known, control, numbers):
    """End the present piece of the step where something meets, `numbers[MEETS]` after its start."""
    share = numbers[MEETS] / s.h
    scale_known(share, known, control)
    numbers[SPAN] *= share
    numbers[MEETS] = 0.0
    control[CUTS] += 1


@inlined
def scale_known(share, known, control):
    """Scale the reactions of the step before, which stand for forces, to another time."""
    for i in range(control[KNOWN]):
        for k in range(3):
            known.force[i, k] *= share
            known.moment[i, k] *= share


@kernel
def next_piece(known, control, numbers):
    """Go on after a piece of the step; return whether the step, or part of it, is finished. The
    next piece takes all that is left."""
    span = numbers[SPAN]
    numbers[LEFT] -= span
    finished = numbers[LEFT] < 0.5 * _LAST
    if finished:
        numbers[LEFT] = 1.0
    numbers[SPAN] = numbers[LEFT]
    if span != numbers[SPAN]:
        scale_known(numbers[SPAN] / span, known, control)
    return finished


@kernel
def tell_contacts(period, m, near, work, pieces, control):
    """Add the contacts of a piece to those of the step: impulses are summed by contact, all else is
    that of the last piece in which it was there."""
    for i in range(near.key.shape[0]):
        j = 0
        while j < control[TOLD] and pieces.key[j] != near.key[i]:
            j += 1
        if j == control[TOLD]:
            control[TOLD] += 1
            for k in range(3):
                pieces.force[j, k] = pieces.moment[j, k] = 0.0
        pieces.key[j], pieces.gap[j] = near.key[i], near.gap[i]
        pieces.bodies[j, 0], pieces.bodies[j, 1] = near.bodies[i, 0], near.bodies[i, 1]
        a, b, c = middle_of(near.bodies, m.start_position, near.arms, period, i)
        pieces.point[j, 0], pieces.point[j, 1], pieces.point[j, 2] = a, b, c
        for k in range(3):
            pieces.normal[j, k] = near.normal[i, k]
            pieces.arms[j, k], pieces.arms[j, 3 + k] = work.arms[i, k], work.arms[i, 3 + k]
            pieces.force[j, k] += work.force[i, k]
            pieces.moment[j, k] += work.moment[i, k]
            for r in range(3):
                pieces.frames[j, k, r] = work.frames[i, k, r]
        for r in range(work.bend.shape[1]):
            pieces.bend[j, r] = work.bend[i, r]
