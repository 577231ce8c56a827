"""Coordinates of joints and the rows that hold or drive them.

A joint joins `base` and `body` (the world is the body -1) by a frame on each: a point and a triad,
e = (e1, e2, e3) on the base and f on the body. With d from the base's point to the body's, what a
row measures is one of

    ALONG + k        e_k.d                                    a slide, m
    ANGLE            the turn of f about e3                   rad, counted on over full turns
    SECOND           that about f1 (the second axis of a universal joint)
    LENGTH           |d|
    DOT + 3 i + j    e_i.f_j, zero where the two are at right angles

or, in a gear, the difference of two such coordinates. Its rate is linear in the velocities of the
bodies, G v: for a force along e at the body's point, e on the body and -e on the base, both at that
point; for a torque t = e3, f1 or f_j x e_i, +t and -t.
"""

from __future__ import annotations

import math

import numpy as np

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Float2, Float3, Int1, Int2
from rollcone._check import IntArray
from rollcone.mechanics.kernels.joint_work import JointArrays, RowArrays, RowWork
from rollcone.mechanics.kernels.motion import DYNAMIC, is_uneven
from rollcone.mechanics.kernels.rotation import advance_quaternion, multiply, rotate
from rollcone.mechanics.kernels.spring import RESOLVED, spring_weights

ALONG, ANGLE, SECOND, LENGTH, DOT = 0, 3, 4, 5, 6
# What a row is for; GIVES holds by a spring, where a joint has a compliance.
HOLD, LOWER, UPPER, FRICTION, SPEED, TRACK, SPRING, GIVES = range(8)
_TURN = 2.0 * math.pi
_SHORT = 1e-12  # m: a link of no length has no direction


def turning(code: IntArray) -> IntArray:
    """Of rows with these codes (m, 2): 1 for those that act by torques, else 0."""
    return np.asarray((code[:, 0] >= ANGLE) & (code[:, 0] != LENGTH), dtype=np.int64)


@inlined
def frame_axes(Q, body, frame, j):
    """The three axes of a joint's frame on a body, in world axes."""
    qw, qx, qy, qz = frame[j, 0], frame[j, 1], frame[j, 2], frame[j, 3]
    if body >= 0:
        qw, qx, qy, qz = multiply(Q[body, 0], Q[body, 1], Q[body, 2], Q[body, 3], qw, qx, qy, qz)
    return (
        rotate(qw, qx, qy, qz, 1.0, 0.0, 0.0),
        rotate(qw, qx, qy, qz, 0.0, 1.0, 0.0),
        rotate(qw, qx, qy, qz, 0.0, 0.0, 1.0),
    )


@inlined
def frame_point(X, Q, body, point, j):
    """A joint's point on a body in the world, and the arm to it from the centre of mass."""
    x, y, z = point[j, 0], point[j, 1], point[j, 2]
    if body < 0:
        return (x, y, z), (x, y, z)
    r = rotate(Q[body, 0], Q[body, 1], Q[body, 2], Q[body, 3], x, y, z)
    return (X[body, 0] + r[0], X[body, 1] + r[1], X[body, 2] + r[2]), r


@inlined
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def put(G, i, side, sign, force, torque):
    """A block of G: how the rate of row i depends on the velocity of one body."""
    for k in range(3):
        G[i, side, k] = sign * force[k]
        G[i, side, 3 + k] = sign * torque[k]


@inlined
def pick(triad, k):
    return triad[0] if k == 0 else triad[1] if k == 1 else triad[2]


@entry
def measure(
    J: JointArrays,
    j: int,
    code: int,
    factor: float,
    X: Float2,
    Q: Float2,
    G: Float3,
    i: int,
    side: int,
) -> float:
    """The coordinate `code` of joint j; `factor` times its blocks go to G[i, side], of the base,
    and G[i, side + 1], of the body."""
    base, body = J.base[j], J.body[j]
    none = (0.0, 0.0, 0.0)
    if code < ANGLE or code == LENGTH:
        at_base, arm = frame_point(X, Q, base, J.base_point, j)
        at_body, r = frame_point(X, Q, body, J.body_point, j)
        d = at_body[0] - at_base[0], at_body[1] - at_base[1], at_body[2] - at_base[2]
        if code == LENGTH:
            length = max(math.sqrt(dot(d, d)), _SHORT)
            e, value = (d[0] / length, d[1] / length, d[2] / length), length
        else:
            e = pick(frame_axes(Q, base, J.base_frame, j), code)
            value = dot(e, d)
        whole = arm[0] + d[0], arm[1] + d[1], arm[2] + d[2]
        put(G, i, side, -factor, e, cross(whole, e))
        put(G, i, side + 1, factor, e, cross(r, e))
        return value
    e, f = frame_axes(Q, base, J.base_frame, j), frame_axes(Q, body, J.body_frame, j)
    if code == ANGLE:
        axis, value = (
            e[2],
            math.atan2(dot(f[0], e[1]) - dot(f[1], e[0]), dot(f[0], e[0]) + dot(f[1], e[1])),
        )
        value += _TURN * math.floor((J.turns[j, 0] - value) / _TURN + 0.5)
    elif code == SECOND:
        axis, value = f[0], math.atan2(dot(e[2], f[1]), dot(e[2], f[2]))
        value += _TURN * math.floor((J.turns[j, 1] - value) / _TURN + 0.5)
    else:
        a, b = pick(e, (code - DOT) // 3), pick(f, (code - DOT) % 3)
        axis, value = cross(b, a), dot(a, b)
    put(G, i, side, -factor, none, axis)
    put(G, i, side + 1, factor, none, axis)
    return value


@entry
def joint_coordinates(
    J: JointArrays,
    codes: Int2,
    X: Float2,
    Q: Float2,
    v: Float2,
    w: Float2,
    G: Float3,
    values: Float2,
    rates: Float2,
) -> None:
    """Values and rates (j, 2) of the coordinates `codes` (j, 2) of all joints; -1 for none.
    G (1, 4, 6) is scratch."""
    for j in range(codes.shape[0]):
        for k in range(2):
            if codes[j, k] < 0:
                continue
            values[j, k] = measure(J, j, codes[j, k], 1.0, X, Q, G, 0, 0)
            rates[j, k] = 0.0
            for side in range(2):
                body = J.base[j] if side == 0 else J.body[j]
                if body >= 0:
                    for c in range(3):
                        rates[j, k] += G[0, side, c] * v[body, c] + G[0, side, 3 + c] * w[body, c]


@kernel
def measure_row(J, R, i, X, Q, G):
    """The value of row i, less where it is at zero; its blocks go to G[i]."""
    value = R.factor[i, 0] * measure(J, R.joint[i, 0], R.code[i, 0], R.factor[i, 0], X, Q, G, i, 0)
    if R.joint[i, 1] >= 0:
        other = measure(J, R.joint[i, 1], R.code[i, 1], R.factor[i, 1], X, Q, G, i, 2)
        value += R.factor[i, 1] * other
    return value - R.zero[i]


@inlined
def body_of(J, R, i, s):
    """The body of block s of row i, or -1."""
    j = R.joint[i, s // 2]
    if j < 0:
        return -1
    return J.base[j] if s % 2 == 0 else J.body[j]


@inlined
def rate_of(J, R, i, G, v, w):
    """G[i] v."""
    total = 0.0
    for s in range(4):
        body = body_of(J, R, i, s)
        if body >= 0:
            for k in range(3):
                total += G[i, s, k] * v[body, k] + G[i, s, 3 + k] * w[body, k]
    return total


@inlined
def mobility(G, i, bodies, inverse):
    """G M^-1 G^T of row i, which has its bodies in different blocks."""
    n, total = inverse.shape[0], 0.0
    for s in range(4):
        a = bodies[i, s]
        if a == n:
            continue
        x, y, z = G[i, s, 3], G[i, s, 4], G[i, s, 5]
        for k in range(3):
            total += inverse[a, 0] * G[i, s, k] ** 2
        total += inverse[a, 1] * x * x + inverse[a, 2] * y * y + inverse[a, 3] * z * z
        total += 2.0 * (inverse[a, 4] * x * y + inverse[a, 5] * x * z + inverse[a, 6] * y * z)
    return total


@entry
def place_frames(J: JointArrays, X: Float2, Q: Float2, arm: Float2, axes: Float3) -> None:
    """The arm (j, 3) to each joint's point on its body, and the axes (j, 3, 3) of its base."""
    for j in range(J.base.shape[0]):
        _, r = frame_point(X, Q, J.body[j], J.body_point, j)
        e = frame_axes(Q, J.base[j], J.base_frame, j)
        for k in range(3):
            arm[j, k] = r[k]
            axes[j, 0, k], axes[j, 1, k], axes[j, 2, k] = e[0][k], e[1][k], e[2][k]


@entry
def move_to_kick(
    h: float,
    kind: Int1,
    inertia: Float2,
    kick: Float1,
    kick_place: Float2,
    kick_rate: Float2,
    position: Float2,
    orientation: Float2,
    v: Float2,
    ahead: Float3,
    X: Float2,
    Q: Float2,
) -> None:
    """Write where bodies are when the impulses of a step come, after the share `kick` (n,) of it.

    Positions X (n, 3) and orientations Q (n, 4) are those of the free motion (`kick_place`, where
    moments are unequal), moved on by half of what the velocities `ahead` (2, n, 3), expected after
    the impulses, differ from those before: that is nearer to the middle of a motion which bends.
    """
    for i in range(kind.shape[0]):
        t = kick[i] * h
        for k in range(3):
            X[i, k] = position[i, k] + 0.5 * t * (v[i, k] + ahead[0, i, k])
        uneven = kind[i] == DYNAMIC and is_uneven(inertia, i)
        for k in range(4):
            Q[i, k] = kick_place[i, k] if uneven else orientation[i, k]
        if not uneven:
            advance(Q, i, kick_rate[i, 0], kick_rate[i, 1], kick_rate[i, 2], t)
        advance(
            Q, i, ahead[1, i, 0] - kick_rate[i, 0], ahead[1, i, 1] - kick_rate[i, 1],
            ahead[1, i, 2] - kick_rate[i, 2], 0.5 * t,
        )  # fmt: skip


@inlined
def advance(Q, i, x, y, z, t):
    """Turn the orientation Q[i] on by the rate (x, y, z) for a time t."""
    q = advance_quaternion(Q[i, 0], Q[i, 1], Q[i, 2], Q[i, 3], x, y, z, t)
    Q[i, 0], Q[i, 1], Q[i, 2], Q[i, 3] = q


@entry
def find_bodies(kind: Int1, J: JointArrays, R: RowArrays, P: RowWork) -> None:
    """Write the dynamic bodies of each row to P.bodies (m, 4); n for what is none."""
    n = kind.shape[0]
    for i in range(R.role.shape[0]):
        for s in range(4):
            body = body_of(J, R, i, s)
            P.bodies[i, s] = body if body >= 0 and kind[body] == DYNAMIC else n


@entry
def prepare_rows(
    bend: bool,
    kind: Int1,
    position: Float2,
    orientation: Float2,
    X: Float2,
    Q: Float2,
    v: Float2,
    w: Float2,
    kick_rate: Float2,
    v_free: Float2,
    w_free: Float2,
    J: JointArrays,
    R: RowArrays,
    P: RowWork,
) -> None:
    """Write values and rates of all rows at the start of the step, and their blocks at (X, Q),
    where forces act: when impulses come (`bend`: rates are then asked for at the end), or at the
    start.

    b is what bodies that are not dynamic add to the rate at the end, and the bend
    G_m (v, kick_rate) - G_s (v, w) (gap_ahead.py); `terms` is what rates are sums of, by size.
    """
    for i in range(R.role.shape[0]):
        P.value[i] = measure_row(J, R, i, position, orientation, P.G)
        P.rate[i] = rate_of(J, R, i, P.G, v, w)
        measure_row(J, R, i, X, Q, P.G)
        P.before[i] = rate_of(J, R, i, P.G, v, kick_rate)
        P.bend[i] = P.before[i] - P.rate[i] if bend else 0.0
        P.b[i] = P.bend[i]
        loads = P.terms[i] = 0.0
        for s in range(4):
            body = body_of(J, R, i, s)
            if body < 0:
                continue
            given, change = 0.0, 0.0
            for k in range(3):
                given += P.G[i, s, k] * v_free[body, k] + P.G[i, s, 3 + k] * w_free[body, k]
                P.terms[i] += abs(P.G[i, s, k] * v[body, k]) + abs(P.G[i, s, 3 + k] * w[body, k])
                change += abs(P.G[i, s, k] * (v_free[body, k] - v[body, k]))
                change += abs(P.G[i, s, 3 + k] * (w_free[body, k] - kick_rate[body, k]))
            loads += change
            if kind[body] != DYNAMIC:
                P.b[i] += given
        P.speeds[i] = loads


@entry
def ask_rows(
    h: float, closes: bool, inverse: Float2, target: Float2, R: RowArrays, P: RowWork
) -> None:
    """What every row asks: y = rate at the end + b, low <= p <= high, compliance.

    closes   DVI: rows that hold close their error in the step, value / h (Tasora and Anitescu 2013,
             (18)); elsewhere positions are brought back after the step
    target   (m, 2): what motors and springs are to do at the end of the step, and its rate
    """
    for i in range(R.role.shape[0]):
        role, first, second = R.role[i], R.first[i], R.second[i]
        P.low[i], P.high[i], P.soft[i] = -math.inf, math.inf, 0.0
        P.theta[i], P.held[i] = 0.5, 0.0
        if role == HOLD:
            if closes:
                P.b[i] += P.value[i] / h
        elif role in (LOWER, UPPER):
            ask_limit(h, closes, role, first, second, i, P)
        elif role == FRICTION:
            P.high[i] = h * first
            P.low[i] = -P.high[i]
        elif role == SPEED:
            P.b[i] -= target[i, 0]
            P.high[i] = h * first
            P.low[i] = -P.high[i]
        elif role == TRACK:
            ask_track(h, closes, first, second, target, i, P)
        else:
            mobile = mobility(P.G, i, P.bodies, inverse)
            ask_spring(h, first, second, R.third[i], target, mobile, i, P)
            if role == GIVES and h * math.sqrt(first * mobile) > RESOLVED:
                P.held[i] = 1.0


@inlined
def ask_limit(h, closes, role, bound, e, i, P):
    """The gap closes in the step, no more; where the approach is faster than loads make it and it
    meets the end within the step, it rebounds. `theta` is the least weight of the new velocity at
    which bodies move to no farther than the end, as of contacts (gap_ahead.py). `held` is 1 where
    the end is where the coordinate comes to, if the row acts, and not to rebound from it, now or in
    the next step."""
    sign = 1.0 if role == LOWER else -1.0
    gap, before = sign * (P.value[i] - bound), sign * P.rate[i]
    least = -gap / h if gap > 0.0 or closes else 0.0
    meets, strikes = gap + h * before < 0.0, e > 0.0 and before < -2.0 * P.speeds[i]
    P.held[i] = 0.0 if strikes else 1.0
    if strikes and meets:
        least = max(least, -e * before)
    room = max(gap, 0.0)
    past = -room - 0.5 * h * (before + least)  # at mean velocities, and more than rounding
    if past > _ROUNDING * h * P.terms[i] and least > before:
        P.theta[i] = min(max((-before - room / h) / (least - before), 0.5), 1.0)
    P.b[i] -= sign * least
    if role == LOWER:
        P.low[i] = 0.0
    else:
        P.high[i] = 0.0


_ROUNDING = 1e-12
_WEAKEST = 1e-300  # N s per m/s, of a spring that does anything


@inlined
def ask_track(h, closes, limit, response, target, i, P):
    """The rate that is asked for at the end. A motor with a limit that is behind asks for
    u+ = rate - (value at the end - target) / response: its error dies out whatever h is. Responses
    that a step does not resolve are those of a step."""
    if limit < math.inf:
        share, late = h / max(response, h), 1.0 if closes else 0.5
        off = P.value[i] + h * (1.0 - late) * P.rate[i] - target[i, 0]
        P.b[i] -= (target[i, 1] - share * off / h) / (1.0 + share * late)
        P.high[i] = h * limit
        P.low[i] = -P.high[i]
        return
    P.b[i] -= target[i, 1]
    if closes:
        P.b[i] += (P.value[i] - target[i, 0] + h * target[i, 1]) / h


@inlined
def damper_weight(drag):
    """d' of a damper that takes the share h c W = `drag` of its rate in a step."""
    return 1.0 - 1.0 / drag if drag > 2.0 else 0.5


@inlined
def ask_spring(h, k, c, limit, target, mobile, i, P):
    """p = -h k (value - rest + h (a u + d u+)) - h c (a' u + d' u+ - rest'), u the rate before, u+
    after, rest' that of the rest.

    a and d are those of `spring_weights`; a' = d' = 1/2, and where h c W > 2 d' goes to 1.
    """
    a, d = spring_weights(h * math.sqrt(k * mobile))
    late = damper_weight(h * c * mobile)
    after = h * h * k * d + h * c * late
    before = h * h * k * a + h * c * (1.0 - late)
    if after < _WEAKEST:
        P.low[i] = P.high[i] = 0.0
        return
    rest = target[i, 0] - (1.0 - d - a) * h * target[i, 1]
    P.soft[i] = 1.0 / after
    push = h * k * (P.value[i] - rest) - h * c * target[i, 1]
    P.b[i] += (push + before * P.rate[i]) / after
    P.high[i] = h * limit
    P.low[i] = -P.high[i]
