"""Compliant contacts: the term C of Tasora and Anitescu 2013, 6.2, from springs in the contacts.

A contact of stiffness k is pushed in by d = N / k. With positions that move at mean velocities

    p = -h k (gap + e + h (a u + w u+)),   u+ + ((gap + e) / h + a u) / w + C p = 0,
    C = 1 / (h^2 k w),

for p > 0: complementarity stays as it is. A given k has e = 0. Sliding rows have the force of the
step before as their spring's, which is cut off where it slides (Mindlin's, with one stiffness):

    p_t = p_t- - h^2 k_t u_t+,          u_t+ + C_t (p_t - p_t-) = 0,   C_t = 1 / (h^2 k_t).

Hertz: N = K d^1.5, K = 4/3 E* sqrt(R), and Mindlin's k_t = 8 G* sqrt(R d). N is taken by a tangent,
and by a new one where the solve comes out far from where that was taken. Each contact is one of

    KEEPS   the step resolves it: the force is (V(d+) - V(d)) / (d+ - d), V = 2/5 K d^2.5, of the
            depths at both ends of the step, with which energy is kept whatever the step is; its
            tangent at d+ = d_e has a = w = 1/2 and e = d_e - F / F'
    DAMPS   it lasts, and rings faster than the step shows: k = dN/dd = 2 E* sqrt(R d0) at the force
            N0 of the step before, e = d0 / 3, a and w of `spring_weights`; from step to step that
            is Newton's method, and bodies at rest share loads as the elastic problem has it
    STOPS   an impact that the step does not resolve, and all contacts of bodies that hang together
            with it, since these move at v+: the same tangent with a = 0 and w = 1, begun at the
            force that stops the approach within the step

An impact at the speed v reaches V(d) = v^2 / (2 W), d = (5 v^2 / (4 W K))^(2/5); a step resolves it
if h sqrt(k W) <= RESOLVED with k at that depth, and at those of the present overlap and load.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Float2, Float3, Int1, Short1, Short2
from rollcone.collision.kernels.shape import BOWL, BOX, CONE, ELLIPSOID, PLANE
from rollcone.mechanics.kernels.spring import RESOLVED, spring_weights
from rollcone.stepping.kernels.contact import FIRST_TOUCH, LASTING, normal_mobility
from rollcone.stepping.kernels.island import island_of, join

RIGID, KEEPS, DAMPS, STOPS = 0.0, 1.0, 2.0, 3.0
_THINNEST = 1e-9  # of R: the least approach at which stiffness is taken
_MORE = 2.0  # times what a spring is pushed in by
_FAR = 4.0  # times the force, or a part of it, where a tangent was taken
_OFF = 1e-9  # of its impulse and of speeds: by what a force that keeps energy may be off
_CLOSE = 1e-3  # of the depth: changes below which differences of V are taken by a series


@inlined
def curvature_of(shape, size, i):
    """1 / R of a body where it touches; boxes, planes, and what is made of parts, are flat, and an
    ellipsoid counts as the ball of its volume."""
    if shape[i] == ELLIPSOID:
        return 1.0 / (size[i, 0] * size[i, 1] * size[i, 2]) ** (1.0 / 3.0)
    if shape[i] == BOWL:
        return -1.0 / size[i, 0]
    flat = shape[i] == BOX or shape[i] == PLANE or shape[i] >= CONE
    return 0.0 if flat else 1.0 / size[i, 0]


@inlined
def contact_radius_of_curvature(bodies, shape, size, i):
    """R with 1 / R = 1 / R_A + 1 / R_B; of two flat ones the half edge of the smaller, since
    corners have no radius that is told."""
    A, B = bodies[i, 0], bodies[i, 1]
    total = curvature_of(shape, size, A) + curvature_of(shape, size, B)
    if total > 0.0:
        return 1.0 / total
    return min(size[A, 0], size[A, 1], size[A, 2], size[B, 0], size[B, 1], size[B, 2])


@inlined
def hertz_factor(modulus, R):
    """K."""
    return 4.0 / 3.0 * modulus * math.sqrt(R)


@inlined
def hertz_depth(load, K):
    """d of a load, or 0."""
    return (max(load, 0.0) / K) ** (2.0 / 3.0)


@inlined
def mean_load(K, d, e):
    """F = (V(e) - V(d)) / (e - d) of Hertz, and dF/de."""
    middle, change = 0.5 * (d + e), e - d
    if middle > 0.0 and abs(change) < _CLOSE * middle:
        root = math.sqrt(middle)
        bend = 0.75 * K / root
        F = K * middle * root + bend * change * change / 24.0
        return F, 0.75 * K * root + bend * change / 12.0
    if d <= 0.0 and e <= 0.0:
        return 0.0, 0.0
    before, after = max(d, 0.0), max(e, 0.0)
    F = 0.4 * K * (after**2.5 - before**2.5) / change
    return F, (K * after**1.5 - F) / change


@inlined
def spring_of(i, h, W, R, table, gap, soft):
    """k, k_t, e, a, w of a contact's row, as its kind and tangent are."""
    kind, at = soft[i, 3], soft[i, 2]
    k, k_t, ease = 0.0, math.inf, 0.0
    if table[2] == 0.0:
        k = 1.0 / table[0]
        k_t = 1.0 / table[1] if table[1] > 0.0 else math.inf
    elif kind == KEEPS:
        d = -gap[i]
        F, k = mean_load(hertz_factor(table[2], R), d, at)
        k_t = 8.0 * table[3] * math.sqrt(R * max(0.5 * (d + at), _THINNEST * R))
        return k, k_t, at - F / k, 0.5, 0.5
    else:
        d = max(hertz_depth(at / h, hertz_factor(table[2], R)), _THINNEST * R)
        circle = math.sqrt(R * d)
        k, k_t, ease = 2.0 * table[2] * circle, 8.0 * table[3] * circle, d / 3.0
    if kind == STOPS:
        return k, k_t, ease, 0.0, 1.0
    before, after = spring_weights(h * math.sqrt(k * W))
    return k, k_t, ease, before, after


@inlined
def put_row(sign, i, h, spring, gap, start, p_known, b, soft):
    """C of the normal and the sliding rows, and `sign` times what that asks of b (-1: take it
    back)."""
    k, k_t, ease, before, after = spring
    soft[i, 0] = 1.0 / (h * h * k * after)
    soft[i, 1] = 1.0 / (h * h * k_t)
    b[i, 0] += sign * ((gap[i] + ease) / h + before * start[i]) / after
    for t in range(1, 3):
        b[i, t] -= sign * soft[i, 1] * p_known[i, t]


@inlined
def kind_of(i, h, W, R, table, gap, start, speed, last, known):
    """Of a contact that approaches at `speed` by the end of the step, whose impulse was `known`."""
    if table[2] > 0.0:
        modulus, K = table[2], hertz_factor(table[2], R)
        loaded = max(hertz_depth(known / h, K), _THINNEST * R)
        deepest = max(loaded, -gap[i], (1.25 * speed * speed / (W * K)) ** 0.4)
        if h * math.sqrt(2.0 * modulus * math.sqrt(R * deepest) * W) <= RESOLVED:
            return KEEPS
        k = 2.0 * modulus * math.sqrt(R * loaded)
    else:
        k = 1.0 / table[0]
        if h * math.sqrt(k * W) <= RESOLVED:
            return DAMPS
    # A spring that is pushed, and by not much more than it was; or one that bodies run into.
    pushed = 0.5 * h * abs(start[i]) <= _MORE * known / (h * k)
    return DAMPS if last or pushed else STOPS


@kernel
def soften_rows(
    implicit, h, bodies, movers, joined, shape, size, softness, law, gap, start, slow, restitution,
    state, frames, arms, inverse, p_known, parent, struck, b, soft,
):  # fmt: skip
    """soft (c, 4): C of the normal and the sliding rows, where the tangent is taken (the depth d_e
    of those that KEEP, else the impulse h N0), and the kind; and what that asks of b.

    `implicit`: positions move at v+ in any case. `parent` (n,) and `struck` (n, 2) are scratch.
    """
    n = parent.shape[0]
    for i in range(n):
        parent[i], struck[i, 0] = i, 0.0
    for i in range(joined.shape[0]):
        join(parent, joined, i, n)
    for i in range(bodies.shape[0]):
        join(parent, movers, i, n)
    for i in range(bodies.shape[0]):
        table = softness[law[i]]
        rebounds = restitution[i] > 0.0 and start[i] < -slow[i] and state[i] != LASTING
        soft[i, 0] = soft[i, 1] = soft[i, 2] = 0.0
        soft[i, 3] = RIGID
        if (table[0] > 0.0 or table[2] > 0.0) and not rebounds:
            W = normal_mobility(i, bodies, frames, arms, inverse)
            R = contact_radius_of_curvature(bodies, shape, size, i)
            speed = max(-start[i], 0.0) + 0.5 * slow[i]
            last = state[i] == LASTING
            soft[i, 3] = kind_of(i, h, W, R, table, gap, start, speed, last, p_known[i, 0])
        begins = soft[i, 3] == RIGID and state[i] == FIRST_TOUCH and start[i] < 0.0
        if soft[i, 3] == STOPS or begins or implicit:
            struck[island_of(parent, movers, i, n), 0] = 1.0
    for i in range(bodies.shape[0]):
        if soft[i, 3] == RIGID:
            continue
        table = softness[law[i]]
        W = normal_mobility(i, bodies, frames, arms, inverse)
        R = contact_radius_of_curvature(bodies, shape, size, i)
        soft[i, 2] = max(p_known[i, 0], 0.0)
        if struck[island_of(parent, movers, i, n), 0] > 0.0:
            soft[i, 3] = STOPS
            soft[i, 2] = max(soft[i, 2], (max(-start[i], 0.0) + 0.5 * slow[i]) / W)
        else:
            state[i] = LASTING
        if soft[i, 3] == KEEPS:
            soft[i, 2] = depth_ahead(-(gap[i] + h * start[i]), gap[i], R)
        spring = spring_of(i, h, W, R, table, gap, soft)
        put_row(1.0, i, h, spring, gap, start, p_known, b, soft)


@inlined
def depth_ahead(depth, gap, R):
    """Of a tangent: where bodies begin apart, at least the thinnest."""
    return max(depth, _THINNEST * R) if -gap <= _THINNEST * R else depth


@entry
def retake_springs(
    down: bool,
    h: float,
    bodies: Short2,
    shape: Int1,
    size: Float2,
    softness: Float2,
    law: Short1,
    gap: Float1,
    start: Float1,
    slow: Float1,
    frames: Float3,
    arms: Float2,
    inverse: Float2,
    p_known: Float2,
    p: Float2,
    b: Float2,
    soft: Float2,
) -> bool:
    """New tangents of Hertz's law at the reactions p (c, d), where those are far from the ones that
    they were taken at; were any? Not `down`: only for larger forces, which comes to an end."""
    any_far = False
    for i in range(bodies.shape[0]):
        table = softness[law[i]]
        if soft[i, 3] == RIGID or table[2] == 0.0:
            continue
        W = normal_mobility(i, bodies, frames, arms, inverse)
        R = contact_radius_of_curvature(bodies, shape, size, i)
        K, push, at = hertz_factor(table[2], R), max(p[i, 0], 0.0), soft[i, 2]
        spring = spring_of(i, h, W, R, table, gap, soft)
        if soft[i, 3] == KEEPS:
            new = depth_ahead(spring[2] + push / (h * spring[0]), gap[i], R)
            if push == 0.0 and gap[i] >= 0.0:  # they may not meet: there would be no end of it
                new = _THINNEST * R
            F, _ = mean_load(K, -gap[i], new)
            allowed = _OFF * (h * F * W + abs(start[i]) + slow[i])
            far = new != at and abs(h * F - push) * W > allowed
        else:
            new, least = push, h * K * (_THINNEST * R) ** 1.5
            far = push > _FAR * max(at, least) or (down and at > least and _FAR * push < at)
        if far:
            any_far = True
            put_row(-1.0, i, h, spring, gap, start, p_known, b, soft)
            soft[i, 2] = new
            spring = spring_of(i, h, W, R, table, gap, soft)
            put_row(1.0, i, h, spring, gap, start, p_known, b, soft)
    return any_far
