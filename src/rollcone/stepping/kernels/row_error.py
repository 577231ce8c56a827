"""What errors of the rows of joints are compared with, and rows that contradict each other."""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined
from rollcone._build.signatures import Float1, Float2
from rollcone.mechanics.kernels.joint_row import mobility
from rollcone.mechanics.kernels.joint_work import RowWork

_ROUNDING, _WRONG = 1e-15, 1e-6  # of velocities: errors that are none, and that are too large
_MOST, _COARSE = 1e3, 1e-3  # times the velocities that there are, but for coarse tolerances
_HUGE = 1e9  # times the velocities that there are


@inlined
def size_of(x, y, z):
    return math.sqrt(x * x + y * y + z * z)


@entry
def body_changes(
    v: Float2,
    w: Float2,
    v_free: Float2,
    w_free: Float2,
    inverse: Float2,
    p: Float1,
    P: RowWork,
    change: Float2,
) -> None:
    """What loads and each row of joints, with its impulse p, change of the velocities of bodies in
    a step, summed by size: (n, 2), of velocity and turning."""
    for a in range(v.shape[0]):
        change[a, 0] = size_of(
            v_free[a, 0] - v[a, 0], v_free[a, 1] - v[a, 1], v_free[a, 2] - v[a, 2]
        )
        change[a, 1] = size_of(
            w_free[a, 0] - w[a, 0], w_free[a, 1] - w[a, 1], w_free[a, 2] - w[a, 2]
        )
    for i in range(p.shape[0]):
        for s in range(4):
            a = P.bodies[i, s]
            if a == v.shape[0]:
                continue
            g = P.G[i, s]
            x, y, z = g[3], g[4], g[5]
            change[a, 0] += abs(p[i]) * inverse[a, 0] * size_of(g[0], g[1], g[2])
            change[a, 1] += abs(p[i]) * size_of(
                inverse[a, 1] * x + inverse[a, 4] * y + inverse[a, 5] * z,
                inverse[a, 4] * x + inverse[a, 2] * y + inverse[a, 6] * z,
                inverse[a, 5] * x + inverse[a, 6] * y + inverse[a, 3] * z,
            )


@inlined
def largest_speed(v):
    """The largest component of a velocity."""
    largest = 0.0
    for i in range(v.shape[0]):
        for k in range(3):
            largest = max(largest, abs(v[i, k]))
    return largest


@inlined
def row_speed(P, i, largest, w_free):
    """How large the velocities are that the rate of row i is made of, in whatever direction: what
    is across is there by rounding; and what it asks for."""
    size = max(largest, abs(P.b[i]), abs(P.rate[i]))
    for s in range(4):
        a, g = P.bodies[i, s], P.G[i, s]
        if a < w_free.shape[0]:
            turning = size_of(w_free[a, 0], w_free[a, 1], w_free[a, 2])
            size = max(size, turning * size_of(g[3], g[4], g[5]))
    return size


@inlined
def given_speed(P, p, inverse):
    """The largest speed that rows make whose impulse is bounded, or that of a spring."""
    largest = 0.0
    for i in range(p.shape[0]):
        if P.soft[i] > 0.0 or (P.low[i] > -math.inf and P.high[i] < math.inf):
            largest = max(largest, abs(p[i]) * mobility(P.G, i, P.bodies, inverse))
    return largest


@entry
def contradicts(
    tolerance: float,
    P: RowWork,
    p: Float1,
    errors: Float1,
    inverse: Float2,
    v_free: Float2,
    w_free: Float2,
) -> bool:
    """Do rows ask for what cannot be? Then some of them push without bound against others, with
    impulses p that would make speeds many times those that there are, and are wrong all the same.
    `errors` (m,) are those of their rates."""
    largest = max(largest_speed(v_free), given_speed(P, p, inverse))
    for i in range(p.shape[0]):
        size = row_speed(P, i, largest, w_free)
        wrong = abs(errors[i]) > max(tolerance * P.speeds[i], _WRONG * size)
        if wrong and abs(p[i]) * mobility(P.G, i, P.bodies, inverse) > _HUGE * size:
            return True
    return False


@entry
def error_speeds(
    v_free: Float2,
    w_free: Float2,
    tolerance: float,
    inverse: Float2,
    p: Float1,
    change: Float2,
    P: RowWork,
) -> None:
    """What errors of rows are compared with: the present rate, and the `change` of the velocities
    of their bodies, in whatever direction: a row may have no load of its own and bear what others
    pass on, as those of gears and motors do. No row is asked for less than the rounding of
    velocities; one that nothing moves has 1. Reactions of rows that contradict each other grow
    without bound: no row may be wrong by a share that matters of the velocities that there are."""
    largest = max(largest_speed(v_free), given_speed(P, p, inverse))
    for i in range(P.speeds.shape[0]):
        size, moved = row_speed(P, i, largest, w_free), 0.0
        for s in range(4):
            a, g = P.bodies[i, s], P.G[i, s]
            if a < v_free.shape[0]:
                moved += size_of(g[0], g[1], g[2]) * change[a, 0]
                moved += size_of(g[3], g[4], g[5]) * change[a, 1]
        speed = moved + abs(P.rate[i])
        if tolerance > 0.0 and size > 0.0:
            most = min(_MOST, max(1.0, _COARSE / tolerance))
            speed = min(max(speed, _ROUNDING * size / tolerance), most * size)
        P.speeds[i] = speed
        if P.speeds[i] == 0.0:
            P.speeds[i] = 1.0
