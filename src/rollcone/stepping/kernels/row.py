"""What the rows of each contact ask; of the normal one u_n+ >= target, so b_n = -target.

`gap` (m), u_n before the step `y[:, 0]` (m/s), restitution e, `small` the length that counts as
touching, `slow` the speed below which an approach is no impact; (c,) each.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.shape import DISK, SPHERE
from rollcone.mechanics.kernels.motion import DYNAMIC
from rollcone.stepping.kernels.contact import LASTING
from rollcone.stepping.kernels.limit import at_limit, is_viscous
from rollcone.stepping.kernels.work import FREE, OPPOSED, OWED, PAID, REFUSED, UNSEEN

_AT_LIMIT = 0.999  # of the limit: friction has reached it
# Overlap is undone for nothing where bodies turn by less than this in a step (rad), and overlap by
# less than this share of half their thickness.
_TUMBLES, _SLIGHT = 0.1, 1e-3
_RESTS = 0.01  # rad: what turns less in a step may use what contacts have taken before
_OVERLAP = 1e-3  # of what counts as touching: less is rounding


@inlined
def is_soft(soft, i):
    """Is contact i compliant?"""
    return soft.shape[0] > 0 and soft[i, 0] > 0.0


@inlined
def recovery_target(gap, h, share, cap):
    """The speed at which an overlap is undone: a share of it per step, at most `cap`."""
    return min(-share * gap / h, cap) if gap < 0.0 else 0.0


@inlined
def touch_target(gap, h, share, cap, before, e, slow):
    """For a contact that may close within the step: close the gap, or rebound."""
    target = -gap / h if gap > 0.0 else recovery_target(gap, h, share, cap)
    if before < -slow:
        target = max(target, -e * before) if e > 0.0 else target
    return target


@inlined
def lies_still(h, far, B, m, bodies, work, i):
    """Return whether the bodies of contact i turn by less than `far` (rad) in a time h, and strike
    at no more than what loads give them."""
    for side in range(2):
        a = bodies[i, side]
        x, y, z = h * m.kick_rate[a, 0], h * m.kick_rate[a, 1], h * m.kick_rate[a, 2]
        if B.shape[a] != SPHERE and x * x + y * y + z * z > far * far:
            return False
    return work.touch_state[i] == LASTING or work.start[i] >= -work.slow[i]


@inlined
def thickness(B, i):
    """Return half of the least extent of body i (m); for a disk without thickness, its radius."""
    if B.shape[i] == DISK and B.size[i, 1] > B.size[i, 0]:
        return B.size[i, 1] - B.size[i, 0]
    return min(B.size[i, 0], B.size[i, 1], B.size[i, 2])


@inlined
def is_free(whole, B, m, near, work, i):
    """Return whether undoing the overlap of contact i may give energy: among balls, which do not
    sink in by turning; and where bodies lie still and overlap but little, or no deeper than they
    did in their first step."""
    a, b = near.bodies[i, 0], near.bodies[i, 1]
    turning = (B.kind[a] == DYNAMIC and B.shape[a] != SPHERE) or (
        B.kind[b] == DYNAMIC and B.shape[b] != SPHERE
    )
    if not turning:
        return True
    slight = _SLIGHT * min(thickness(B, a), thickness(B, b))
    new = m.sunk[a] == UNSEEN or m.sunk[b] == UNSEEN
    if not new and -near.gap[i] > max(slight, m.sunk[a], m.sunk[b]):
        return False
    return lies_still(whole, _TUMBLES, B, m, near.bodies, work, i)


@inlined
def friction_pays(radii, law, y, i):
    """Return the speed (m/s) that times the normal force of contact i is half of what its friction
    takes at the velocity y."""
    k = law[i]
    speed = radii[k, 0] * math.sqrt(y[i, 1] ** 2 + y[i, 2] ** 2)
    if y.shape[1] > 3:
        speed += radii[k, 2] * math.sqrt(y[i, 3] ** 2 + y[i, 4] ** 2)
        speed += radii[k, 4] * abs(y[i, 5])
    return 0.5 * speed


@inlined
def recovery_speed(s, B, m, near, work, i, spare):
    """Return the speed at which the overlap of contact i may be undone at most, and what is then
    left of the energy `spare` (J). Who gives the energy is written to `work.owed`."""
    most = 2.0 * work.loads[i] if s.cap < 0.0 else s.cap
    if near.gap[i] >= 0.0 or work.owed[i] == REFUSED:
        return 0.0, spare
    if is_free(s.whole, B, m, near, work, i):
        work.owed[i] = FREE
        return most, spare
    price = work.p_known[i, 0] * recovery_target(near.gap[i], s.h, s.recovery, most)
    rests = work.start[i] <= work.slow[i] and lies_still(
        s.whole, _RESTS, B, m, near.bodies, work, i
    )
    if rests and 0.0 < price <= spare:
        work.owed[i] = PAID
        return most, spare - price
    work.owed[i] = OWED
    return min(most, friction_pays(B.law_radii, work.law, work.y_before, i)), spare


@kernel
def gap_ahead_rows(s, B, m, near, work):
    """Lasting contacts: u_n+ >= 0 at the end of the step, and overlap or gap undone by a share;
    a contact that was opening may close as fast: its normal force then adds no energy. Not so where
    an overlap is being undone: what opens it, up to the largest speed of recovery, is that of the
    step before, which would be taken back. First touches: u_n+ >= -gap / h, or rebound.

    `work.bend` (c, d) leads from the rows in the middle of the step to those of its end,
    `work.start` (c,) is u_n before (gap_ahead.py). `s.cap` < 0 stands for the default: twice what
    the loads do. Gaps of contacts that are `soft` (c, 4) have been asked for already
    (kernels/soft.py). Written are `work.b`, `work.pushed`, the speed at which overlap is undone,
    and `work.owed`.
    """
    gap, b, small, start = near.gap, work.b, work.small, work.start
    spare = s.spare
    for i in range(gap.shape[0]):
        most, spare = recovery_speed(s, B, m, near, work, i, spare)
        if work.touch_state[i] == LASTING:
            for k in range(b.shape[1]):
                b[i, k] += work.bend[i, k]
            if is_soft(work.soft, i):
                continue
            opening = max(start[i], 0.0)
            overlaps = gap[i] < -_OVERLAP * small[i]
            if overlaps and work.owed[i] != OWED and s.recovery > 0.0:
                work.pushed[i] = min(opening, most)
            b[i, 0] += opening - work.pushed[i]
            if gap[i] > small[i]:
                b[i, 0] += s.recovery * (gap[i] - small[i]) / s.h
            elif gap[i] < -small[i]:
                target = recovery_target(gap[i], s.h, s.recovery, most)
                work.pushed[i] += target
                b[i, 0] -= target
        elif not is_soft(work.soft, i):
            e, slow = work.restitution[i], work.slow[i]
            target = touch_target(gap[i], s.h, s.recovery, most, start[i], e, slow)
            if gap[i] < 0.0 and not (e > 0.0 and start[i] < -slow):
                work.pushed[i] = target
            b[i, 0] -= target


@kernel
def mean_friction_rows(
    friction, noise, state, changed, radii, law, kinds, limits, p_known, bend, y_before, y_expected,
    loads, sizes, soft, b,
):  # fmt: skip
    """Friction of lasting contacts opposes the mean velocity (y- + y+) / 2, where sliding or
    rolling goes on: its direction then turns with second order.

    It goes on if in the step before friction was at its limit, and with those reactions, p_known,
    the velocity changes by no more than a third of itself. Where a contact sticks, near a stop, and
    in the first step of a contact friction opposes y+, so that what should stop does. So it does
    below `noise` times what the loads do: errors of a solve would be mirrored from step to step.
    `sizes` (c,) are lengths of the bodies; radii[law] are those of friction, or `kinds` and
    `limits` where the table `friction` of other limits than discs has rows. The spring of a
    contact that is `soft` knows where it has been. Where it is `changed` (c,) to OPPOSED, all of
    its friction opposes the mean velocity: the energy check (kernels/passive.py) wants it so.
    """
    for i in range(state.shape[0]):
        if changed[i] == OPPOSED and state[i] == LASTING and not is_soft(soft, i):
            viscous = friction.shape[0] > 0 and is_viscous(friction, law[i])
            for k in range(1, b.shape[1]):
                if not (viscous and (k == 3 or k == 4)):
                    b[i, k] += y_before[i, k] - bend[i, k]
            continue
        if state[i] != LASTING or p_known[i, 0] <= 0.0 or is_soft(soft, i):
            continue
        for k in range(1, b.shape[1] - 1, 2):  # sliding, then rolling
            if not goes_on(friction, radii, law, kinds, limits, i, p_known, k):
                continue
            speed = y_before[i, k] ** 2 + y_before[i, k + 1] ** 2
            least = noise * loads[i] / (1.0 if k == 1 else sizes[i])
            change = (y_expected[i, k] - y_before[i, k]) ** 2
            change += (y_expected[i, k + 1] - y_before[i, k + 1]) ** 2
            if speed > least * least and 9.0 * change <= speed:
                b[i, k] += y_before[i, k] - bend[i, k]
                b[i, k + 1] += y_before[i, k + 1] - bend[i, k + 1]
                if k == 1 and with_spin(friction, kinds, i):
                    b[i, 5] += y_before[i, 5] - bend[i, 5]


@inlined
def goes_on(friction, radii, law, kinds, limits, i, p, k):
    """Is friction of the rows from k on at its limit?"""
    if friction.shape[0] == 0:
        limit = _AT_LIMIT * radii[law[i], k - 1] * p[i, 0]
        return p[i, k] ** 2 + p[i, k + 1] ** 2 >= limit * limit
    # The limit of viscous rolling is made by its speed, which must not be mirrored.
    return not (k == 3 and is_viscous(friction, law[i])) and at_limit(
        kinds, limits, i, _AT_LIMIT, p, k
    )


@inlined
def with_spin(friction, kinds, i):
    """Is sliding coupled with spinning?"""
    if friction.shape[0] == 0:
        return False
    return kinds[i, 0] < 0


@kernel
def gap_rows(h, share, cap, gap, y, restitution, slow, soft, b):
    """u_n+ >= -gap / h for all (Tasora and Anitescu 2013, (18)), or rebound."""
    for i in range(gap.shape[0]):
        before, e = y[i, 0], restitution[i]
        if not is_soft(soft, i):
            b[i, 0] -= touch_target(gap[i], h, share, cap, before, e, slow[i])


@kernel
def explicit_rows(h, share, cap, gap, y, restitution, slow, b):
    """Positions are known already: gap + h u_n is what v+ finds, u_n+ >= -(gap + h u_n) / h."""
    for i in range(gap.shape[0]):
        before, e = y[i, 0], restitution[i]
        b[i, 0] -= touch_target(gap[i] + h * before, h, share, cap, before, e, slow[i])


@kernel
def newton_rows(h, share, cap, gap, y, restitution, b):
    """u_n+ >= -e u_n (Acary and Bourrier 2021), and recovery of overlap where it is wanted."""
    for i in range(gap.shape[0]):
        target = -restitution[i] * y[i, 0]
        if gap[i] < 0.0 and share > 0.0:
            target = max(target, recovery_target(gap[i], h, share, cap))
        b[i, 0] -= target
