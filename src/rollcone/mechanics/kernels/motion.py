"""The motion of every body on its own: what it would do in a step, and where it goes."""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Float2, Int1
from rollcone.mechanics.kernels.rotation import (
    advance_quaternion,
    multiply,
    rotate,
    rotate_back,
    turn_freely,
    unit_quaternion,
)

DYNAMIC, FIXED, REMOVED = 0, 1, 2


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
def is_uneven(inertia, i):
    """Return whether the principal moments of body i differ: only then does its turning matter."""
    return not inertia[i, 0] == inertia[i, 1] == inertia[i, 2]


@inlined
def principal_axes(i, principal, q):
    """Return the principal axes of body i at the orientation q (n, 4), as a quaternion."""
    return multiply(
        q[i, 0], q[i, 1], q[i, 2], q[i, 3],
        principal[i, 0], principal[i, 1], principal[i, 2], principal[i, 3],
    )  # fmt: skip


@inlined
def turn_principal(i, inertia, principal, q, w, t):
    """Turn body i freely from the orientation q (n, 4) at the rate w (n, 3, world axes) for a time
    t: return its principal axes, and the rate."""
    qw, qx, qy, qz = principal_axes(i, principal, q)
    return turn_freely(
        inertia[i, 0], inertia[i, 1], inertia[i, 2], qw, qx, qy, qz, w[i, 0], w[i, 1], w[i, 2], t
    )


@inlined
def put_orientation(i, principal, qw, qx, qy, qz, orientation):
    """Write the orientation of body i whose principal axes are q."""
    qw, qx, qy, qz = multiply(
        qw, qx, qy, qz, principal[i, 0], -principal[i, 1], -principal[i, 2], -principal[i, 3]
    )
    q = unit_quaternion(qw, qx, qy, qz)
    orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3] = q


@inlined
def predict_turn(
    h, i, inertia, principal, keep, share, orientation, omega, torque, kick, w_free, kick_place,
    kick_rate,
):  # fmt: skip
    """Write the rates and the orientation of a body with unequal moments at the instant of
    impulses; return its principal axes there. At the end of the step `kick_rate` stays the rate of
    its start."""
    qw, qx, qy, qz, x, y, z = turn_principal(i, inertia, principal, orientation, omega, kick[i] * h)
    for k in range(3):
        kick_rate[i, k] = omega[i, k]
    if kick[i] < 1.0:
        kick_rate[i, 0], kick_rate[i, 1], kick_rate[i, 2] = x, y, z
    put_orientation(i, principal, qw, qx, qy, qz, kick_place)
    t1, t2, t3 = rotate_back(qw, qx, qy, qz, torque[i, 0], torque[i, 1], torque[i, 2])
    j1, j2, j3 = inertia[i, 0], inertia[i, 1], inertia[i, 2]
    a, b, c = rotate(qw, qx, qy, qz, t1 / j1, t2 / j2, t3 / j3)
    w_free[i, 0] = keep * x + share * h * a
    w_free[i, 1] = keep * y + share * h * b
    w_free[i, 2] = keep * z + share * h * c
    return qw, qx, qy, qz


@kernel
def predict_motion(
    h, rest, gravity, kind, mass, inertia, principal, damping, orientation, velocity, omega, force,
    torque, kick, driven, driven_turn, v_free, w_free, inverse, kick_place, kick_rate,
):  # fmt: skip
    """Write the velocities after the impulses of the step if nothing touched, and the mass matrix.

    Damping is exact for loads that are constant in a step, and so are reactions: with
    s = (1 - exp(-c h)) / (c h), v+ = exp(-c h) v + s (h (g + f / m) + p / m), of which v_free is
    all but the last, and s / m stands for the inverse mass; likewise of turning.

    All impulses of a step come at one instant, the share `kick` (n,) of the step, at the
    orientation R_k that the body has then after a free turn, `kick_place` (n, 4); `kick_rate`
    (n, 3) is the rate there, before the impulses; w_free is the rate
    after torques and damping, without contacts, and `inverse` (n, 7) has s / m and
    s R_k J^-1 R_k^T. Where all moments are equal the axes do not matter: the rate is that of the
    start, and `kick_place` may be without rows.
    A body that is not dynamic goes the share `rest` of the way from its velocity to `driven`,
    `driven_turn` (n, 3), those at the end of the step.
    """
    for i in range(kind.shape[0]):
        if kind[i] != DYNAMIC:
            for k in range(7):
                inverse[i, k] = 0.0
            for k in range(3):
                v_free[i, k] = (1.0 - rest) * velocity[i, k] + rest * driven[i, k]
                w_free[i, k] = (1.0 - rest) * omega[i, k] + rest * driven_turn[i, k]
                kick_rate[i, k] = omega[i, k]
            continue
        keep, share = damped_shares(damping[i, 0] * h)
        inverse[i, 0] = share / mass[i]
        for k in range(3):
            v_free[i, k] = velocity[i, k] * keep + share * h * (gravity[k] + force[i, k] / mass[i])
        keep, share = damped_shares(damping[i, 1] * h)
        j1, j2, j3 = inertia[i, 0], inertia[i, 1], inertia[i, 2]
        if not is_uneven(inertia, i):
            for k in range(3):
                kick_rate[i, k] = omega[i, k]
                inverse[i, 1 + k], inverse[i, 4 + k] = share / j1, 0.0
                w_free[i, k] = omega[i, k] * keep + share * h * torque[i, k] / j1
        else:
            qw, qx, qy, qz = predict_turn(
                h, i, inertia, principal, keep, share, orientation, omega, torque, kick, w_free,
                kick_place, kick_rate,
            )  # fmt: skip
            put_inverse(inverse, i, share, j1, j2, j3, qw, qx, qy, qz)


@entry
def inverse_masses(
    kind: Int1, mass: Float1, inertia: Float2, principal: Float2, orientation: Float2,
    inverse: Float2,
) -> None:  # fmt: skip
    """Write 1 / m and the inverse inertia of all bodies at these orientations to `inverse` (n, 7);
    zeros where they are not dynamic."""
    for i in range(kind.shape[0]):
        for k in range(7):
            inverse[i, k] = 0.0
        if kind[i] != DYNAMIC:
            continue
        inverse[i, 0] = 1.0 / mass[i]
        if is_uneven(inertia, i):
            qw, qx, qy, qz = principal_axes(i, principal, orientation)
            put_inverse(
                inverse, i, 1.0, inertia[i, 0], inertia[i, 1], inertia[i, 2], qw, qx, qy, qz
            )
        else:
            for k in range(3):
                inverse[i, 1 + k] = 1.0 / inertia[i, k]


@kernel
def move(
    h, theta, kind, inertia, principal, position, orientation, velocity, v_new, w_new, kick,
    kick_place, kick_rate, v_mean, w_mean, end_rate,
):  # fmt: skip
    """Move all bodies from the start of a step to its end.

    Positions go at v_mean = (1 - theta) v + theta v+, theta (n,) of each body; w_mean likewise, of
    the rates before and after the impulses. A body of unequal moments turns freely to the instant
    of the impulses, and freely on from there: its rate at the end is `end_rate` (n, 3). One of
    equal moments turns at the mean rate; so does, but for its free turn, one whose impulses come at
    the end (`kick` 1). `v_mean`, `w_mean`, `end_rate`, `position` and
    `orientation` are written.
    """
    for i in range(kind.shape[0]):
        if kind[i] == REMOVED:
            continue
        t = theta[i]
        for k in range(3):
            v_mean[i, k] = (1.0 - t) * velocity[i, k] + t * v_new[i, k]
            w_mean[i, k] = (1.0 - t) * kick_rate[i, k] + t * w_new[i, k]
            position[i, k] += h * v_mean[i, k]
        if kind[i] == DYNAMIC and is_uneven(inertia, i) and kick[i] == 1.0:
            turn_at_mean_rate(h, t, i, inertia, principal, w_new, kick_rate, orientation, end_rate)
            continue
        if kind[i] == DYNAMIC and is_uneven(inertia, i):
            place_turned(
                h, 1.0, i, inertia, principal, orientation, w_new, w_new, kick, kick_place,
                orientation, end_rate,
            )  # fmt: skip
            continue
        for k in range(3):
            end_rate[i, k] = w_new[i, k]
        q = advance_quaternion(
            orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3],
            w_mean[i, 0], w_mean[i, 1], w_mean[i, 2], h,
        )  # fmt: skip
        orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3] = q


@inlined
def turn_at_mean_rate(h, theta, i, inertia, principal, w_new, omega, orientation, rate):
    """Turn body i freely at its rate omega, and on by what the impulses of the step add to the mean
    rate (1 - theta) w + theta w+; its rate at the end is w_new. Free motion keeps energy and
    momentum; with impulses inertia and rate are of two orientations, and energy can be made."""
    qw, qx, qy, qz, x, y, z = turn_principal(i, inertia, principal, orientation, omega, h)
    put_orientation(i, principal, qw, qx, qy, qz, orientation)
    q = advance_quaternion(
        orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3],
        w_new[i, 0] - x, w_new[i, 1] - y, w_new[i, 2] - z, theta * h,
    )  # fmt: skip
    orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3] = q
    for k in range(3):
        rate[i, k] = w_new[i, k]


@inlined
def place_turned(
    h, share, i, inertia, principal, start, omega, w_new, kick, kick_place, orientation, rate
):  # fmt: skip
    """Write the orientation and the rate of body i after a share of a step, which it begins at the
    orientation `start` with the rate omega; w_new is its rate after the impulses."""
    if share < kick[i]:
        qw, qx, qy, qz, x, y, z = turn_principal(i, inertia, principal, start, omega, share * h)
        rate[i, 0], rate[i, 1], rate[i, 2] = x, y, z
        put_orientation(i, principal, qw, qx, qy, qz, orientation)
        return
    qw, qx, qy, qz, x, y, z = turn_principal(
        i, inertia, principal, kick_place, w_new, (share - kick[i]) * h
    )
    rate[i, 0], rate[i, 1], rate[i, 2] = x, y, z
    put_orientation(i, principal, qw, qx, qy, qz, orientation)


@entry
def fly(
    t: float, kind: Int1, inertia: Float2, principal: Float2, position: Float2,
    orientation: Float2, velocity: Float2, omega: Float2,
) -> None:  # fmt: skip
    """Move all bodies on for a time t at their present velocities, turning freely."""
    for i in range(kind.shape[0]):
        if kind[i] == REMOVED:
            continue
        for k in range(3):
            position[i, k] += t * velocity[i, k]
        if kind[i] == DYNAMIC and is_uneven(inertia, i):
            qw, qx, qy, qz, _, _, _ = turn_principal(i, inertia, principal, orientation, omega, t)
            put_orientation(i, principal, qw, qx, qy, qz, orientation)
            continue
        q = advance_quaternion(
            orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3],
            omega[i, 0], omega[i, 1], omega[i, 2], t,
        )  # fmt: skip
        orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3] = q
