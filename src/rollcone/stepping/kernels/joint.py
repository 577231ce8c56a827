"""Joints within a step: their problem where nothing touches, and positions after the step."""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined
from rollcone._build.signatures import Float1, Float2, Float3, Int1
from rollcone.mechanics.kernels.joint_row import (
    ANGLE,
    FRICTION,
    GIVES,
    HOLD,
    LOWER,
    SECOND,
    SPEED,
    SPRING,
    TRACK,
    UPPER,
    measure,
    measure_row,
    rate_of,
)
from rollcone.mechanics.kernels.joint_work import JointArrays, RowArrays, RowWork
from rollcone.mechanics.kernels.motion import DYNAMIC
from rollcone.mechanics.kernels.rotation import advance_quaternion, exponential, rotate
from rollcone.mechanics.kernels.spring import stiffness_share
from rollcone.solvers.kernels.dense_row import apply_rows, factor, fill_mobility, substitute

SHIFT, _ROUNDS = 1e-9, 3  # of least impulses
# Places in the sums of work: friction, dampers and limits of joints; motors and servos.
TAKEN, DRIVEN = 0, 1


@entry
def load_limits(h: float, R: RowArrays, P: RowWork, p: Float1) -> float:
    """Bounds of friction that grows with the load, from the forces that joints hold; the largest
    change, as a share of the largest bound."""
    largest, change = 0.0, 0.0
    for i in range(R.role.shape[0]):
        if R.role[i] != FRICTION or R.second[i] == 0.0:
            continue
        square = 0.0
        for k in range(R.role.shape[0]):
            same = R.joint[k, 0] == R.joint[i, 0] and R.joint[k, 1] < 0
            if same and R.role[k] in (HOLD, GIVES) and R.code[k, 0] < ANGLE:
                square += p[k] * p[k]
        bound = h * R.first[i] + R.second[i] * math.sqrt(square)
        change, largest = max(change, abs(bound - P.high[i])), max(largest, bound)
        P.low[i], P.high[i] = -bound, bound
    return change / largest if largest > 0.0 else 0.0


@entry
def least_weights(R: RowArrays, P: RowWork, p: Float1, theta: Float1) -> None:
    """The weight of v+ in the motion (see kernels/island.py): for bodies whose joint reaches the
    end of its range in this step, what keeps it there; else 1/2."""
    theta[:] = 0.5
    for i in range(R.role.shape[0]):
        if P.theta[i] > 0.5 and p[i] != 0.0:
            for s in range(4):
                a = P.bodies[i, s]
                if a < theta.shape[0]:
                    theta[a] = max(theta[a], P.theta[i])


@inlined
def is_fixed(R, i):
    """Is row i held or prescribed?"""
    return R.role[i] == HOLD or (R.role[i] == TRACK and R.first[i] == math.inf)


@inlined
def leads_there(tolerance, R, P, i, p, v, w):
    """Is the velocity that of row i, a limit? Reactions may have the last digits of a solver where
    they should be zero."""
    y = P.b[i]
    for s in range(4):
        a = P.bodies[i, s]
        if a < v.shape[0]:
            for k in range(3):
                y += P.G[i, s, k] * v[a, k] + P.G[i, s, 3 + k] * w[a, k]
    return p[i] != 0.0 and abs(y) <= tolerance * P.speeds[i]


@inlined
def way_of(h, J, R, P, i, v, w, v_mean, w_mean):
    """How far the value of a spring's row goes in the step: as bodies move, at mean velocities.
    Where a joint gives way and is too stiff for the step to show it, to where its force has it, the
    more so the stiffer it is: what comes at it stops there, as at one that is rigid."""
    mean = rate_of(J, R, i, P.G, v_mean, w_mean)
    if R.role[i] != GIVES or P.held[i] != 1.0 or P.soft[i] == 0.0:
        return h * mean
    stiff = stiffness_share(1.0 / (P.soft[i] * h * h * R.first[i]))
    after = rate_of(J, R, i, P.G, v, w) + P.bend[i]
    return h * ((1.0 - stiff) * mean + stiff * after)


PACE, PLACE = 2.0, 3.0  # `held` of rows of which only velocities, or only positions, are


@entry
def find_held(
    h: float,
    tolerance: float,
    target: Float2,
    J: JointArrays,
    R: RowArrays,
    P: RowWork,
    p: Float1,
    v: Float2,
    w: Float2,
    v_mean: Float2,
    w_mean: Float2,
) -> None:
    """Which rows positions and velocities are to obey after the step (`held`), and how: to be at
    `place`, at the rate `pace`. What is fixed, limits that the step ends at, speeds that motors
    prescribe; and joints that give way, if they are too stiff for the step to show it: these are
    where their row has them by now, not where a straight motion leads what turns."""
    for i in range(R.role.shape[0]):
        role = R.role[i]
        P.place[i] = P.pace[i] = 0.0
        if is_fixed(R, i):
            P.held[i] = 1.0
            if role == TRACK:
                P.place[i], P.pace[i] = target[i, 0], target[i, 1]
        elif role == SPEED and R.first[i] == math.inf:
            P.held[i], P.pace[i] = PACE, target[i, 0]
        elif role == GIVES and P.held[i] == 1.0:
            P.place[i] = P.value[i] + way_of(h, J, R, P, i, v, w, v_mean, w_mean)
            P.pace[i] = rate_of(J, R, i, P.G, v, w) + P.bend[i]
        elif P.held[i] == 1.0:
            P.place[i] = R.first[i]
            P.held[i] = 1.0 if leads_there(tolerance, R, P, i, p, v, w) else 0.0


@inlined
def is_past(R, i, off):
    """Is row i past the end of its range?"""
    return (R.role[i] == LOWER and off < 0.0) or (R.role[i] == UPPER and off > 0.0)


@inlined
def off_target(R, target, i, value):
    """How far row i is from what it holds."""
    if R.role[i] == TRACK:
        return value - target[i, 0]
    if R.role[i] == LOWER or R.role[i] == UPPER:
        return value - R.first[i]
    return value


@inlined
def jump_of(h, begun, target, i):
    """How far a drive leaps in a step: what its rates at both ends do not lead to."""
    led = 0.5 * h * (begun[i, 1] + target[i, 1])
    leap = abs(target[i, 0] - begun[i, 0] - led)
    return leap if leap > 0.501 * h * (abs(begun[i, 1]) + abs(target[i, 1])) else 0.0


@entry
def begin_errors(h: float, begun: Float2, target: Float2, R: RowArrays, P: RowWork) -> float:
    """How far what joints hold, prescribe or end at is off when a step begins (m or rad), from the
    values at its start, and how far drives leap in it; `begun` and `target` (m, 2) are what motors
    prescribe at its ends, and the rates."""
    worst = 0.0
    for i in range(R.role.shape[0]):
        off = off_target(R, begun, i, P.value[i])
        if is_fixed(R, i) or is_past(R, i, off):
            worst = max(worst, abs(off), jump_of(h, begun, target, i))
    return worst


@entry
def held_errors(
    X: Float2, Q: Float2, J: JointArrays, R: RowArrays, P: RowWork, free: Int1, x: Float1
) -> tuple[int, float]:
    """How far joints are open: place - value of the rows that positions obey, listed in `free`, to
    x, and their blocks to G; how many, and the largest (m or rad)."""
    count, worst = 0, 0.0
    for i in range(R.role.shape[0]):
        value = measure_row(J, R, i, X, Q, P.G)
        if P.held[i] == 0.0 and is_past(R, i, value - R.first[i]):
            # From now on: else it would be in and out in turns with its neighbours.
            P.held[i], P.place[i] = PLACE, R.first[i]
        if P.held[i] == 0.0 or P.held[i] == PACE:
            continue
        free[count], x[count] = i, P.place[i] - value
        worst = max(worst, abs(x[count]))
        count += 1
    return count, worst


@entry
def hold_errors(
    X: Float2, Q: Float2, J: JointArrays, R: RowArrays, P: RowWork, free: Int1, x: Float1
) -> tuple[int, float]:
    """Write how far the rows that hold are open, -value, to x, their numbers to `free`, and the
    blocks of all rows to G; return how many, and the largest error (m or rad)."""
    count, worst = 0, 0.0
    for i in range(R.role.shape[0]):
        value = measure_row(J, R, i, X, Q, P.G)
        if R.role[i] == HOLD:
            free[count], x[count] = i, -value
            worst = max(worst, abs(value))
            count += 1
    return count, worst


@entry
def hold_rates(
    v: Float2, w: Float2, J: JointArrays, R: RowArrays, P: RowWork, free: Int1, x: Float1
) -> tuple[int, float]:
    """Write the rates of the rows that hold, with the other sign and the blocks that are there, to
    x; return how many, and the largest as a share of what it is the sum of."""
    count, worst = 0, 0.0
    for i in range(R.role.shape[0]):
        if R.role[i] == HOLD:
            rate = rate_of(J, R, i, P.G, v, w)
            terms = 0.0
            for s in range(4):
                a = P.bodies[i, s]
                if a < v.shape[0]:
                    for k in range(3):
                        terms += abs(P.G[i, s, k] * v[a, k]) + abs(P.G[i, s, 3 + k] * w[a, k])
            free[count], x[count] = i, -rate
            worst = max(worst, abs(rate) / terms if terms > 0.0 else 0.0)
            count += 1
    return count, worst


@entry
def held_rates(
    v: Float2, w: Float2, J: JointArrays, R: RowArrays, P: RowWork, free: Int1, x: Float1
) -> int:
    """The same of velocities, with the blocks that are there; limits that were not met may open."""
    count = 0
    for i in range(R.role.shape[0]):
        if P.held[i] == 1.0 or P.held[i] == PACE:
            free[count], x[count] = i, P.pace[i] - rate_of(J, R, i, P.G, v, w)
            count += 1
    return count


@entry
def even_weights(group: Int1, W: Float2, soft: Float1, weight: Float1) -> None:
    """What redundant rows share by: the mean mobility of rows that are in one group, as if they
    were equally compliant."""
    for i in range(group.shape[0]):
        total, count = 0.0, 0
        for k in range(group.shape[0]):
            if group[k] == group[i]:
                total += W[k, k] - soft[k]
                count += 1
        weight[i] = total / count


@entry
def least_impulses(
    count: int,
    shift: float,
    group: Int1,
    free: Int1,
    x: Float1,
    inverse: Float2,
    P: RowWork,
    N: Float3,
    W: Float2,
    L: Float2,
) -> None:
    """x <- m of G M^-1 G^T m = x on the rows in `free`, in rounds that bring it nearer, by a
    shift that keeps rounding out where rows are redundant."""
    fill_mobility(P.G, P.bodies, inverse, P.none, N, W)
    even_weights(group, W, P.none, P.weight)
    factor(W, shift, P.weight, free, count, L)
    left, found = P.shift, P.found
    found[:] = 0.0
    for _ in range(_ROUNDS):
        for i in range(count):
            left[i] = x[i]
            for k in range(count):
                left[i] -= W[free[i], free[k]] * found[k]
        substitute(L, count, left)
        for i in range(count):
            found[i] += left[i]
    for i in range(count):
        x[i] = found[i]


@entry
def spread(count: int, free: Int1, x: Float1, P: RowWork, force: Float2, torque: Float2) -> None:
    """Impulses x of some rows on bodies (n, 3)."""
    P.shift[:] = 0.0
    for i in range(count):
        P.shift[free[i]] = x[i]
    apply_rows(P.G, P.bodies, P.shift, force, torque)


@inlined
def turn_of(inverse, torque, a):
    """I^-1 torque of body a."""
    x, y, z = torque[a, 0], torque[a, 1], torque[a, 2]
    return (
        inverse[a, 1] * x + inverse[a, 4] * y + inverse[a, 5] * z,
        inverse[a, 4] * x + inverse[a, 2] * y + inverse[a, 6] * z,
        inverse[a, 5] * x + inverse[a, 6] * y + inverse[a, 3] * z,
    )


@entry
def move_bodies(
    most: float, kind: Int1, inverse: Float2, force: Float2, torque: Float2, X: Float2, Q: Float2,
    w: Float2,
) -> None:  # fmt: skip
    """Move each body by M^-1 times an impulse, or by so much of it that none turns by more than
    `most` (rad): rows are linear up to there. Rates w (n, 3) turn with the bodies, so that they
    keep their kinetic energy; there may be no rows of them."""
    largest = 0.0
    for a in range(kind.shape[0]):
        if kind[a] == DYNAMIC:
            x, y, z = turn_of(inverse, torque, a)
            largest = max(largest, math.sqrt(x * x + y * y + z * z))
    part = min(1.0, most / largest) if largest > 0.0 else 1.0
    for a in range(kind.shape[0]):
        if kind[a] != DYNAMIC:
            continue
        for k in range(3):
            X[a, k] += part * inverse[a, 0] * force[a, k]
        x, y, z = turn_of(inverse, torque, a)
        if x == 0.0 and y == 0.0 and z == 0.0:
            continue
        q = advance_quaternion(Q[a, 0], Q[a, 1], Q[a, 2], Q[a, 3], x, y, z, part)
        Q[a, 0], Q[a, 1], Q[a, 2], Q[a, 3] = q
        if w.shape[0] > 0:
            ew, ex, ey, ez = exponential(x, y, z, part)
            w[a, 0], w[a, 1], w[a, 2] = rotate(ew, ex, ey, ez, w[a, 0], w[a, 1], w[a, 2])


@entry
def push_bodies(
    kind: Int1, inverse: Float2, force: Float2, torque: Float2, v: Float2, w: Float2
) -> None:
    """Velocities changed by M^-1 times an impulse."""
    for a in range(kind.shape[0]):
        if kind[a] == DYNAMIC:
            turn = turn_of(inverse, torque, a)
            for k in range(3):
                v[a, k] += inverse[a, 0] * force[a, k]
                w[a, k] += turn[k]


@entry
def count_turns(h: float, X: Float2, Q: Float2, w: Float2, J: JointArrays, G: Float3) -> None:
    """Angles at the end of a step that began with `turns`, whatever the number of full turns:
    the one nearest to where the mean rate w leads. G (1, 4, 6) is scratch."""
    for j in range(J.base.shape[0]):
        for k in range(2):
            if J.counted[j, k]:
                measure(J, j, ANGLE if k == 0 else SECOND, 1.0, X, Q, G, 0, 0)
                for side in range(2):
                    body = J.base[j] if side == 0 else J.body[j]
                    if body >= 0:
                        for c in range(3):
                            J.turns[j, k] += h * G[0, side, 3 + c] * w[body, c]
                J.turns[j, k] = measure(J, j, ANGLE if k == 0 else SECOND, 1.0, X, Q, G, 0, 0)


@entry
def joint_work(
    h: float,
    target: Float2,
    J: JointArrays,
    R: RowArrays,
    P: RowWork,
    p: Float1,
    v_new: Float2,
    w_new: Float2,
    v_mean: Float2,
    w_mean: Float2,
    sums: Float1,
) -> None:
    """Work of friction, dampers and limits, and of motors, p (u- + u+) / 2, added to `sums`; also
    of what holds, which takes energy where velocities did not fit. Of springs it is what they do
    not have at the end: of their dampers, and of those that a step does not resolve."""
    for i in range(R.role.shape[0]):
        role = R.role[i]
        mean = 0.5 * (P.before[i] + rate_of(J, R, i, P.G, v_new, w_new))
        if role in (HOLD, FRICTION, LOWER, UPPER):
            sums[TAKEN] += p[i] * mean
        elif role in (SPEED, TRACK):
            sums[DRIVEN] += p[i] * mean
        elif R.passive[i]:  # what it has done, and has not kept
            off = P.value[i] - target[i, 0]
            way = way_of(h, J, R, P, i, v_new, w_new, v_mean, w_mean)
            sums[TAKEN] += p[i] * mean + R.first[i] * way * (off + 0.5 * way)
        elif role == SPRING:
            sums[DRIVEN] += p[i] * mean


@entry
def closing_work(
    J: JointArrays, R: RowArrays, P: RowWork, v: Float2, w: Float2, sums: Float1
) -> None:
    """Add half the work of the impulses `shift`, which close velocities after a step: once with
    those before, once with those after."""
    for i in range(R.role.shape[0]):
        work = 0.5 * P.shift[i] * rate_of(J, R, i, P.G, v, w)
        sums[DRIVEN if R.role[i] in (TRACK, SPEED) else TAKEN] += work


@entry
def elastic_energy(
    gives: bool, X: Float2, Q: Float2, target: Float2, J: JointArrays, R: RowArrays, G: Float3
) -> float:
    """k (value - rest)^2 / 2 of all springs that keep energy (J), `gives`: and of joints that give
    way; G (m, 4, 6) is scratch."""
    total = 0.0
    for i in range(R.role.shape[0]):
        if R.passive[i] and (gives or R.role[i] != GIVES):
            off = measure_row(J, R, i, X, Q, G) - target[i, 0]
            total += 0.5 * R.first[i] * off * off
    return total


@entry
def joint_wrenches(
    h: float, J: JointArrays, R: RowArrays, P: RowWork, p: Float1, axes: Float3, wrench: Float2
) -> None:
    """Forces and torques on the body of each joint (j, 6), at its point on the body, in the axes
    (j, 3, 3) of its base: those of all its rows, over the step, added to `wrench`."""
    for i in range(R.role.shape[0]):
        j = R.joint[i, 0]
        if R.joint[i, 1] >= 0:
            continue  # a gear acts on two joints, and has no point for a wrench
        g = P.G[i, 1]
        r1, r2, r3 = P.arm[j, 0], P.arm[j, 1], P.arm[j, 2]
        # From the centre of mass to the joint's point.
        t1 = g[3] - (r2 * g[2] - r3 * g[1])
        t2 = g[4] - (r3 * g[0] - r1 * g[2])
        t3 = g[5] - (r1 * g[1] - r2 * g[0])
        for k in range(3):
            e1, e2, e3 = axes[j, k, 0], axes[j, k, 1], axes[j, k, 2]
            wrench[j, k] += p[i] / h * (e1 * g[0] + e2 * g[1] + e3 * g[2])
            wrench[j, 3 + k] += p[i] / h * (e1 * t1 + e2 * t2 + e3 * t3)
