"""The energy check: no island of a step may gain energy that loads, drives or recovery did not
give.

With y- before and y+ after the impulses, at the orientations that the bodies have then, contacts
change the energy of an island by

    sum of p.(y- + y+) / 2  -  sum of (theta - 1/2) h F.(v+ - v)

where F are the constant loads of its bodies: the second sum is what positions that move at more
than the mean velocity miss of the work of the loads. Recovery of overlap at the speed c gives p_n c
/ 2 where a contact lasts, p_n c where it begins; where it is free (kernels/row.py) that is allowed
for. What is beyond that, and beyond the solver's tolerance, is taken away by another solve of the
step:

    recovery that friction owes
                    the overlap stays as it is
    a rebound       its restitution is lowered (Newton's law with friction can make energy)
    all lasts       friction of lasting contacts opposes the mean velocity y- + y+; then no row of
                    the island adds energy
    something begins
                    all contacts become first touches, with impulses at the start, the law asked of
                    y+ and positions moved at v+: with p.y+ <= 0 the change is at most
                    -|H^T p + h F|^2 / 2 in the metric of the inverse masses
"""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Int1
from rollcone.mechanics.kernels.motion import DYNAMIC, is_uneven
from rollcone.stepping.kernels.contact import FIRST_TOUCH, LASTING
from rollcone.stepping.kernels.island import find_root, island_of
from rollcone.stepping.kernels.row import is_soft
from rollcone.stepping.kernels.work import (
    FREE,
    IMPLICIT,
    OPPOSED,
    OWED,
    PAID,
    REFUSED,
    ROUNDS,
    STRIKE,
    TEMPERED,
    BodyArrays,
    ContactWork,
    Motion,
    Settings,
)

# Contacts of an island that add this share of the energy they turn over have made some.
_GAIN = 1e-9
_ROUNDING = 1e-12  # of the kinetic energy of an island: what rounding may add
_MORE = 4.0  # times a gain of energy, and again with each round, rebounds are lowered
_LEAST = 1e-6  # rebounds are lowered at least by a share of this size


@kernel
def kick_at_start(s, B, m):
    """Let impulses come at the start of the step for bodies of islands that move at more than the
    mean velocity; return how many that concerns for whose motion it matters: those of unequal
    moments, and those that joints hold."""
    count, joined = 0, m.joint_theta.shape[0] > 0
    for i in range(B.kind.shape[0] if s.unequal or joined else 0):
        matters = joined or is_uneven(B.inertia, i)
        if matters and m.theta[i] > 0.5 and m.kick[i] > 0.0 and B.kind[i] == DYNAMIC:
            m.kick[i] = 0.0
            count += 1
    return count


@kernel
def begin_contacts(B, m, work, bodies):
    """Make first touches of the contacts of bodies for which impulses come at the start of the
    step; `bodies` (c, 2) are the contacts'."""
    for i in range(bodies.shape[0]):
        for side in range(2):
            a = bodies[i, side]
            if B.kind[a] == DYNAMIC and m.kick[a] == 0.0 and is_uneven(B.inertia, a):
                work.ahead[i] = 1


@inlined
def recovery_work(work, i):
    """Return the energy (J) that undoing the overlap of contact i gives."""
    share = 0.5 if work.touch_state[i] == LASTING else 1.0
    return share * work.p[i, 0] * work.pushed[i]


@kernel
def island_gains(s, B, m, work):
    """Write to m.gain (n, 3), at the root of each island: the energy that its contacts add beyond
    what recovery may, the energy that they turn over, and a bound of its kinetic energy (J).

    Contacts that bear the loads turn over at least p_n times what the loads do to u_n in a step:
    a solve leaves errors of velocities of that size times its tolerance."""
    n, d = B.kind.shape[0], work.p.shape[1]
    m.gain[:] = 0.0
    for i in range(work.p.shape[0]):
        if work.p[i, 0] <= 0.0 or is_soft(work.soft, i):
            continue
        root = island_of(m.parent, work.movers, i, n)
        m.gain[root, 1] += work.p[i, 0] * work.loads[i]
        if work.owed[i] == FREE or work.owed[i] == PAID:
            m.gain[root, 0] -= recovery_work(work, i)
        for k in range(d):
            before = 0.5 * work.p[i, k] * work.y_before[i, k]
            after = 0.5 * work.p[i, k] * work.y_after[i, k]
            m.gain[root, 0] += before + after
            m.gain[root, 1] += abs(before) + abs(after)
    for i in range(n):
        if B.kind[i] != DYNAMIC:
            continue
        root, missed = find_root(m.parent, i), 0.0
        for k in range(3):
            load = s.h * (B.mass[i] * B.gravity[k] + m.force[i, k])
            missed += load * (m.v_new[i, k] - B.velocity[i, k])
            m.gain[root, 2] += 0.5 * B.mass[i] * B.velocity[i, k] ** 2
            largest = max(B.inertia[i, 0], B.inertia[i, 1], B.inertia[i, 2])
            m.gain[root, 2] += 0.5 * largest * m.kick_rate[i, k] ** 2
        m.gain[root, 0] -= (m.theta[i] - 0.5) * missed
        m.gain[root, 1] += abs((m.theta[i] - 0.5) * missed)


@inlined
def has_gained(tolerance, gain, root):
    """Return whether the contacts of an island add more energy than a solve to this tolerance
    may."""
    allowed = max(_GAIN, tolerance) * gain[root, 1] + _ROUNDING * gain[root, 2]
    return gain[root, 0] > allowed


@inlined
def rebounds(work, i):
    """Return whether contact i pushes in a rebound that can be lowered."""
    acts = work.p[i, 0] > 0.0 and work.restitution[i] > 0.0
    return acts and work.touch_state[i] == FIRST_TOUCH and work.start[i] < -work.slow[i]


@entry
def make_passive(s: Settings, B: BodyArrays, m: Motion, work: ContactWork, control: Int1) -> int:
    """Change what contacts of islands ask that have gained energy; return how many, for which the
    step is solved once more. `work.temper`, `owed`, `changed` and `ahead` are written."""
    island_gains(s, B, m, work)
    lowered = lower_rebounds(s.tolerance, _MORE ** (control[ROUNDS] + 1), m, work)
    control[ROUNDS] += 1
    control[TEMPERED] = max(control[TEMPERED], lowered)
    if lowered > 0 or control[STRIKE] == 1:
        return lowered
    refused = refuse_recovery(s.tolerance, m, work)
    if refused > 0:
        return refused
    return change_islands(s.tolerance, m, work)


@kernel
def change_islands(tolerance, m, work):
    """Let friction oppose the mean velocity in islands that have gained energy, if all that acts
    there lasts; make first touches of it otherwise, with impulses at the start. Return how many
    contacts change."""
    n, changed = m.parent.shape[0], 0
    beginning = m.gain[:, 1]  # how much was turned over: not needed any more where it is below 0
    for i in range(work.p.shape[0]):
        root = island_of(m.parent, work.movers, i, n)
        begins = work.touch_state[i] == FIRST_TOUCH or m.theta[root] > 0.5
        if begins and work.p[i, 0] > 0.0 and has_gained(tolerance, m.gain, root):
            m.gain[root, 0], beginning[root] = math.inf, -1.0
    for i in range(work.p.shape[0]):
        root = island_of(m.parent, work.movers, i, n)
        if work.p[i, 0] <= 0.0 or is_soft(work.soft, i) or not has_gained(tolerance, m.gain, root):
            continue
        if beginning[root] < 0.0 and work.changed[i] != IMPLICIT:
            work.changed[i], work.ahead[i] = IMPLICIT, 1
            changed += 1
        elif beginning[root] >= 0.0 and work.changed[i] == 0:
            work.changed[i] = OPPOSED
            changed += 1
    return changed


@kernel
def refuse_recovery(tolerance, m, work):
    """Leave the overlap of contacts as it is whose friction does not give the energy to undo it, in
    islands that have gained energy; return how many."""
    n, refused = m.parent.shape[0], 0
    for i in range(work.p.shape[0]):
        if work.owed[i] == OWED and work.pushed[i] > 0.0 and work.p[i, 0] > 0.0:
            root = island_of(m.parent, work.movers, i, n)
            if has_gained(tolerance, m.gain, root):
                work.owed[i] = REFUSED
                refused += 1
    return refused


@kernel
def lower_rebounds(tolerance, more, m, work):
    """Lower the restitution of impacts in islands that have gained energy, by `more` times the
    share of it that was gained; return how many.

    Newton's law keeps or takes energy at one contact without friction, or at many if all rebound
    alike. With friction, or where a struck body meets a third one within the step, it can make
    energy.
    """
    n, lowered = m.parent.shape[0], 0
    for i in range(work.p.shape[0]):
        if not rebounds(work, i):
            continue
        root = island_of(m.parent, work.movers, i, n)
        if has_gained(tolerance, m.gain, root):
            share = m.gain[root, 0] / m.gain[root, 1] if m.gain[root, 1] > 0.0 else math.inf
            work.temper[i] *= max(0.0, 1.0 - more * max(share, _LEAST))
            lowered += 1
    return lowered
