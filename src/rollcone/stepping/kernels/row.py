"""What the rows of each contact ask; of the normal one u_n+ >= target, so b_n = -target.

`gap` (m), u_n before the step `y[:, 0]` (m/s), restitution e, `small` the length that counts as
touching, `slow` the speed below which an approach is no impact; (c,) each.
"""

from __future__ import annotations

from rollcone._build.kernels import inlined, kernel
from rollcone.stepping.kernels.contact import LASTING
from rollcone.stepping.kernels.limit import at_limit, is_viscous

_AT_LIMIT = 0.999  # of the limit: friction has reached it


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


@kernel
def gap_ahead_rows(
    h, share, cap, gap, start, bend, restitution, small, slow, loads, state, soft, b
):  # fmt: skip
    """Lasting contacts: u_n+ >= 0 at the end of the step, and overlap or gap undone by a share.
    First touches: u_n+ >= -gap / h, or rebound.

    `bend` (c, d) leads from the rows in the middle of the step to those of its end, `start` (c,)
    is u_n before (gap_ahead.py). `cap` < 0 stands for the default: twice what the loads do. Gaps of
    contacts that are `soft` (c, 4) have been asked for already (kernels/soft.py).
    """
    for i in range(gap.shape[0]):
        most = 2.0 * loads[i] if cap < 0.0 else cap
        if state[i] == LASTING:
            for k in range(b.shape[1]):
                b[i, k] += bend[i, k]
            if is_soft(soft, i):
                continue
            if gap[i] > small[i]:
                b[i, 0] += share * (gap[i] - small[i]) / h
            elif gap[i] < -small[i]:
                b[i, 0] -= recovery_target(gap[i], h, share, most)
        elif not is_soft(soft, i):
            e = restitution[i]
            b[i, 0] -= touch_target(gap[i], h, share, most, start[i], e, slow[i])


@kernel
def mean_friction_rows(
    friction, noise, state, radii, law, kinds, limits, p_known, bend, y_before, y_expected, loads,
    sizes, soft, b,
):  # fmt: skip
    """Friction of lasting contacts opposes the mean velocity (y- + y+) / 2, where sliding or
    rolling goes on: its direction then turns with second order.

    It goes on if in the step before friction was at its limit, and with those reactions, p_known,
    the velocity changes by no more than a third of itself. Where a contact sticks, near a stop, and
    in the first step of a contact friction opposes y+, so that what should stop does. So it does
    below `noise` times what the loads do: errors of a solve would be mirrored from step to step.
    `sizes` (c,) are lengths of the bodies; radii[law] are those of friction, or `kinds` and
    `limits` where the table `friction` of other limits than discs has rows. The spring of a
    contact that is `soft` knows where it has been.
    """
    for i in range(state.shape[0]):
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
