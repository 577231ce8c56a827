"""The motion of every body on its own: what it would do in a step, and where it goes."""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.mechanics.kernels.rotation import (
    advance_quaternion,
    exponential,
    multiply,
    rotate,
    rotate_back,
    turn_body,
)

DYNAMIC, FIXED, REMOVED = 0, 1, 2
_MAX_STEPS, _ROUNDING = 30, 1e-16


@inlined
def damped_shares(c):
    """exp(-c), what is left of a momentum, and (1 - exp(-c)) / c, what a load has added to it."""
    return (math.exp(-c), -math.expm1(-c) / c) if c > 0.0 else (1.0, 1.0)


@inlined
def put_inverse(inverse, i, share, j1, j2, j3, qw, qx, qy, qz):
    """`share` R(q) J^-1 R(q)^T of one body as xx, yy, zz, xy, xz, yz."""
    x1, x2, x3 = rotate_back(qw, qx, qy, qz, 1.0, 0.0, 0.0)
    y1, y2, y3 = rotate_back(qw, qx, qy, qz, 0.0, 1.0, 0.0)
    z1, z2, z3 = rotate_back(qw, qx, qy, qz, 0.0, 0.0, 1.0)
    inverse[i, 1] = x1 * x1 / j1 + x2 * x2 / j2 + x3 * x3 / j3
    inverse[i, 2] = y1 * y1 / j1 + y2 * y2 / j2 + y3 * y3 / j3
    inverse[i, 3] = z1 * z1 / j1 + z2 * z2 / j2 + z3 * z3 / j3
    inverse[i, 4] = x1 * y1 / j1 + x2 * y2 / j2 + x3 * y3 / j3
    inverse[i, 5] = x1 * z1 / j1 + x2 * z2 / j2 + x3 * z3 / j3
    inverse[i, 6] = y1 * z1 / j1 + y2 * z2 / j2 + y3 * z3 / j3
    for k in range(1, 7):
        inverse[i, k] *= share


@inlined
def predict_turn(
    h, i, inertia, principal, keep, share, orientation, omega, torque, impulse, w_free,
    free_turn,
):  # fmt: skip
    """The rates of a body with unequal moments; returns its principal axes at the end."""
    qw, qx, qy, qz = multiply(
        orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3],
        principal[i, 0], principal[i, 1], principal[i, 2], principal[i, 3],
    )  # fmt: skip
    j1, j2, j3 = inertia[i, 0], inertia[i, 1], inertia[i, 2]
    o1, o2, o3 = rotate_back(qw, qx, qy, qz, omega[i, 0], omega[i, 1], omega[i, 2])
    t1, t2, t3 = rotate_back(qw, qx, qy, qz, torque[i, 0], torque[i, 1], torque[i, 2])
    p1, p2, p3 = rotate_back(qw, qx, qy, qz, impulse[i, 0], impulse[i, 1], impulse[i, 2])
    g1 = share * h * t1 + (keep - 1.0) * j1 * o1
    g2 = share * h * t2 + (keep - 1.0) * j2 * o2
    g3 = share * h * t3 + (keep - 1.0) * j3 * o3
    a1, a2, a3, _, _, _ = turn_body(
        j1, j2, j3, o1, o2, o3, g1 + share * p1, g2 + share * p2, g3 + share * p3, h
    )
    x, y, z = rotate(qw, qx, qy, qz, a1, a2, a3)
    free_turn[i, 0], free_turn[i, 1], free_turn[i, 2] = x, y, z
    x, y, z = rotate(qw, qx, qy, qz, j1 * o1 + g1, j2 * o2 + g2, j3 * o3 + g3)
    ew, ex, ey, ez = exponential(a1, a2, a3, h)
    qw, qx, qy, qz = multiply(qw, qx, qy, qz, ew, ex, ey, ez)
    x, y, z = rotate_back(qw, qx, qy, qz, x, y, z)
    x, y, z = rotate(qw, qx, qy, qz, x / j1, y / j2, z / j3)
    w_free[i, 0], w_free[i, 1], w_free[i, 2] = x, y, z
    return qw, qx, qy, qz


@kernel
def predict_motion(
    h, gravity, kind, mass, inertia, principal, damping, orientation, velocity, omega, force,
    torque, impulse, driven, driven_turn, v_free, w_free, inverse, free_turn,
):  # fmt: skip
    """Velocities after the step if nothing touched, and the mass matrix at its end.

    Damping is exact for loads that are constant in a step, and so are reactions: with
    s = (1 - exp(-c h)) / (c h), v+ = exp(-c h) v + s (h (g + f / m) + p / m), of which v_free is
    all but the last, and s / m stands for the inverse mass; likewise of turning.

    The turning is that of `turn_body` with the torques and the expected angular impulse of
    contacts (n, 3): it gives the mean rate `free_turn`, and the orientation R+ at which the mass
    matrix is taken: `inverse` (n, 7) has s / m and s R+ J^-1 R+^T. w_free is the rate without
    contacts, I+ w_free = L + h torque. Where all moments are equal the axes do not matter: none
    is turned, nothing is rounded, and `free_turn` may be without rows.
    A body that is not dynamic goes from its velocity to `driven`, `driven_turn` (n, 3).
    """
    for i in range(kind.shape[0]):
        if kind[i] != DYNAMIC:
            for k in range(7):
                inverse[i, k] = 0.0
            for k in range(3):
                v_free[i, k], w_free[i, k] = driven[i, k], driven_turn[i, k]
            continue
        keep, share = damped_shares(damping[i, 0] * h)
        inverse[i, 0] = share / mass[i]
        for k in range(3):
            v_free[i, k] = velocity[i, k] * keep + share * h * (gravity[k] + force[i, k] / mass[i])
        keep, share = damped_shares(damping[i, 1] * h)
        j1, j2, j3 = inertia[i, 0], inertia[i, 1], inertia[i, 2]
        if j1 == j2 and j2 == j3:
            for k in range(3):
                inverse[i, 1 + k], inverse[i, 4 + k] = share / j1, 0.0
                w_free[i, k] = omega[i, k] * keep + share * h * torque[i, k] / j1
        else:
            qw, qx, qy, qz = predict_turn(
                h, i, inertia, principal, keep, share, orientation, omega, torque, impulse,
                w_free, free_turn,
            )  # fmt: skip
            put_inverse(inverse, i, share, j1, j2, j3, qw, qx, qy, qz)


@inlined
def mean_rate(h, o1, o2, o3, n1, n2, n3, f1, f2, f3):
    """The rate m that turns a body from the rate o to the rate n (world axes) in a step:
    m = (o + exp(-h m) n) / 2, as `turn_body` has it. Where it is not found, f."""
    m1, m2, m3 = 0.5 * (o1 + n1), 0.5 * (o2 + n2), 0.5 * (o3 + n3)
    for _ in range(_MAX_STEPS):
        qw, qx, qy, qz = exponential(m1, m2, m3, -h)
        x, y, z = rotate(qw, qx, qy, qz, n1, n2, n3)
        x, y, z = 0.5 * (o1 + x), 0.5 * (o2 + y), 0.5 * (o3 + z)
        change = abs(x - m1) + abs(y - m2) + abs(z - m3)
        m1, m2, m3 = x, y, z
        if change <= _ROUNDING * (abs(x) + abs(y) + abs(z)):
            return m1, m2, m3
    return f1, f2, f3


@kernel
def move(
    h, theta, kind, inertia, position, orientation, velocity, omega, v_new, w_new, w_free,
    free_turn, v_mean, w_mean,
):  # fmt: skip
    """Positions after a time h at the mean velocities, which are kept.

    v_mean = (1 - theta) v + theta v+, theta (n,) of each body; the rate likewise, and for
    theta = 1/2 with what `mean_rate` adds to the plain mean where moments are unequal. A body
    that nothing touches (w+ = w_free) turns so for any theta, and keeps energy and momentum.
    """
    for i in range(kind.shape[0]):
        if kind[i] == REMOVED:
            continue
        t = theta[i]
        for k in range(3):
            v_mean[i, k] = (1.0 - t) * velocity[i, k] + t * v_new[i, k]
            w_mean[i, k] = (1.0 - t) * omega[i, k] + t * w_new[i, k]
            position[i, k] += h * v_mean[i, k]
        bend = 4.0 * t * (1.0 - t)
        unequal = not inertia[i, 0] == inertia[i, 1] == inertia[i, 2]
        changed = abs(w_new[i, 0] - w_free[i, 0]) + abs(w_new[i, 1] - w_free[i, 1])
        if unequal and changed + abs(w_new[i, 2] - w_free[i, 2]) == 0.0:
            bend = 1.0
            for k in range(3):
                w_mean[i, k] = 0.5 * (omega[i, k] + w_new[i, k])
        if bend > 0.0 and unequal:
            x, y, z = mean_rate(
                h, omega[i, 0], omega[i, 1], omega[i, 2], w_new[i, 0], w_new[i, 1], w_new[i, 2],
                free_turn[i, 0], free_turn[i, 1], free_turn[i, 2],
            )  # fmt: skip
            w_mean[i, 0] += bend * (x - 0.5 * (omega[i, 0] + w_new[i, 0]))
            w_mean[i, 1] += bend * (y - 0.5 * (omega[i, 1] + w_new[i, 1]))
            w_mean[i, 2] += bend * (z - 0.5 * (omega[i, 2] + w_new[i, 2]))
        q = advance_quaternion(
            orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3],
            w_mean[i, 0], w_mean[i, 1], w_mean[i, 2], h,
        )  # fmt: skip
        orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3] = q
