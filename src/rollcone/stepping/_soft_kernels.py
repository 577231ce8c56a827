"""Compliant contacts: the term C of Tasora and Anitescu 2013, 6.2, from springs in the contacts.

A contact of stiffness k is pushed in by d = N / k. With positions that move at mean velocities

    p = -h k (gap + h (a u + w u+)),    u+ + (gap / h + a u) / w + C p = 0,   C = 1 / (h^2 k w),

a and w of `spring_weights`, for p > 0: complementarity stays as it is. Where a contact begins that
is too stiff for the step to show its rebound, w = 1 and a = 0. Sliding rows have the force of the
step before as their spring's, which is cut off where it slides (Mindlin's, with one stiffness):

    p_t = p_t- - h^2 k_t u_t+,          u_t+ + C_t (p_t - p_t-) = 0,   C_t = 1 / (h^2 k_t).

Hertz: N = K d^1.5, K = 4/3 E* sqrt(R), is taken by its tangent at the force N0 of the step before,
k = dN/dd = 2 E* sqrt(R d0), N = k (d - d0 / 3), and once more where N comes out many times N0.
From step to step that is Newton's method, so that bodies at rest share loads as the elastic problem
has it. Mindlin's k_t = 8 G* sqrt(R d0).
"""

from __future__ import annotations

import math

from rollcone._jit import inlined, kernel
from rollcone.collision._shape_kernels import BOX, PLANE
from rollcone.mechanics._spring_kernels import RESOLVED, spring_weights
from rollcone.stepping._contact_kernels import LASTING, normal_mobility

_THINNEST = 1e-9  # of R: the least approach at which stiffness is taken


@inlined
def curvature_of(shape, size, i):
    """1 / R of a body where it touches; boxes and planes are flat."""
    return 0.0 if shape[i] == BOX or shape[i] == PLANE else 1.0 / size[i, 0]


@inlined
def contact_radius_of_curvature(bodies, shape, size, i):
    """R with 1 / R = 1 / R_A + 1 / R_B; of two flat ones the half edge of the smaller, since
    corners have no radius that is told."""
    A, B = bodies[i, 0], bodies[i, 1]
    total = curvature_of(shape, size, A) + curvature_of(shape, size, B)
    if total > 0.0:
        return 1.0 / total
    return min(size[A, 0], size[A, 1], size[A, 2], size[B, 0], size[B, 1], size[B, 2])


@kernel
def soften_rows(
    sign, h, bodies, shape, size, softness, law, gap, start, slow, restitution, state, frames,
    arms, inverse, p_known, b, soft,
):  # fmt: skip
    """soft (c, 3): C of the normal and the sliding rows, for the normal impulse h N0 in its last
    column; and `sign` times what that asks of b (-1: take it back)."""
    for i in range(bodies.shape[0]):
        soft[i, 0] = soft[i, 1] = 0.0
        table = softness[law[i]]
        rebounds = restitution[i] > 0.0 and start[i] < -slow[i] and state[i] != LASTING
        if (table[0] == 0.0 and table[2] == 0.0) or rebounds:
            continue
        W = normal_mobility(i, bodies, frames, arms, inverse)
        k, k_t, ease = 0.0, math.inf, 0.0
        if table[2] > 0.0:  # Hertz
            R = contact_radius_of_curvature(bodies, shape, size, i)
            K = 4.0 / 3.0 * table[2] * math.sqrt(R)
            d = max((max(soft[i, 2], 0.0) / (h * K)) ** (2.0 / 3.0), _THINNEST * R)
            a = math.sqrt(R * d)
            k, k_t, ease = 2.0 * table[2] * a, 8.0 * table[3] * a, d / 3.0
        else:
            k = 1.0 / table[0]
            k_t = 1.0 / table[1] if table[1] > 0.0 else math.inf
        turn = h * math.sqrt(k * W)
        # A spring that was pushed before, or that bodies run into and push in, not one that begins.
        if turn <= RESOLVED or p_known[i, 0] > 0.0:
            state[i] = LASTING
        before, after = 0.0, 1.0
        if state[i] == LASTING:
            before, after = spring_weights(turn)
        soft[i, 0] = 1.0 / (h * h * k * after)
        b[i, 0] += sign * ((gap[i] + ease) / h + before * start[i]) / after
        soft[i, 1] = 1.0 / (h * h * k_t)
        for t in range(1, 3):
            b[i, t] -= sign * soft[i, 1] * p_known[i, t]
