"""Sums over bodies and contacts for the energy audit; the terms are defined in energy.py."""

from __future__ import annotations

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Float2, Int1
from rollcone.collision.kernels.vector import row
from rollcone.mechanics.kernels.motion import DYNAMIC, damped_shares, principal_axes
from rollcone.mechanics.kernels.rotation import rotate_back, solve_three
from rollcone.stepping.kernels.contact import LASTING
from rollcone.stepping.kernels.limit import along_contour

SLIDING, ROLLING, SPINNING, IMPACT, GAINED, DRIVE, CONTOUR, PUSHED, IMPLICIT = range(9)


@inlined
def energy_taken(sums):
    """Return the energy (J) that contacts have taken, of the nine sums."""
    taken = sums[SLIDING] + sums[ROLLING] + sums[SPINNING] + sums[CONTOUR]
    return -(taken + sums[IMPACT] + sums[GAINED] + sums[IMPLICIT])


@inlined
def principal_rate(orientation, principal, w, i):
    """Return a vector w (world axes) in the principal axes of body i."""
    qw, qx, qy, qz = principal_axes(i, principal, orientation)
    return rotate_back(qw, qx, qy, qz, w[0], w[1], w[2])


@entry
def kinetic_energy(
    kind: Int1,
    mass: Float1,
    inertia: Float2,
    principal: Float2,
    orientation: Float2,
    velocity: Float2,
    omega: Float2,
) -> float:
    """sum (m |v|^2 + Omega.J Omega) / 2 (J)."""
    total = 0.0
    for i in range(kind.shape[0]):
        if kind[i] != DYNAMIC:
            continue
        x, y, z = velocity[i, 0], velocity[i, 1], velocity[i, 2]
        total += 0.5 * mass[i] * (x * x + y * y + z * z)
        x, y, z = omega[i, 0], omega[i, 1], omega[i, 2]
        if not inertia[i, 0] == inertia[i, 1] == inertia[i, 2]:
            x, y, z = principal_rate(orientation, principal, row(omega, i), i)
        total += 0.5 * (inertia[i, 0] * x * x + inertia[i, 1] * y * y + inertia[i, 2] * z * z)
    return total


@entry
def potential_energy(kind: Int1, mass: Float1, gravity: Float1, position: Float2) -> float:
    """-sum m g.x (J)."""
    total = 0.0
    for i in range(kind.shape[0]):
        if kind[i] == DYNAMIC:
            height = gravity[0] * position[i, 0] + gravity[1] * position[i, 1]
            total -= mass[i] * (height + gravity[2] * position[i, 2])
    return total


@inlined
def angular_impulse(inverse, i, x, y, z):
    """That which changes the rate of body i by (x, y, z)."""
    size = inverse[i, 1] + inverse[i, 2] + inverse[i, 3]  # of tiny ones products would vanish
    xx, yy, zz = inverse[i, 1] / size, inverse[i, 2] / size, inverse[i, 3] / size
    xy, xz, yz = inverse[i, 4] / size, inverse[i, 5] / size, inverse[i, 6] / size
    return solve_three(xx, xy, xz, xy, yy, yz, xz, yz, zz, x / size, y / size, z / size)


@kernel
def applied_work(h, kind, mass, inertia, principal, damping, gravity, orientation, velocity,
                 omega, force, torque, v_free, w_free, inverse, v_new, w_new, v_mean, theta,
                 kick_rate):  # fmt: skip
    """Return the work of the given forces and torques along the way, that of the damping, and what
    positions miss of the work of loads where they do not move at the mean velocity (J):
    (1/2 - theta) h (m g + f).(v+ - v). Torques work on the mean of the rates before (`kick_rate`)
    and after the impulses of the step.

    Damping (`predict_motion`) is what else changed the free velocity, m (v_free - v) - h (m g + f),
    and the part (s - 1) of reactions P that it took, s P = m (v+ - v_free); of the angular
    momentum L, (exp(-c h) - 1) L and (s - 1) times torques and reactions.
    """
    applied, damped, missed = 0.0, 0.0, 0.0
    for i in range(kind.shape[0]):
        if kind[i] != DYNAMIC:
            continue
        rate = (
            0.5 * (kick_rate[i, 0] + w_new[i, 0]),
            0.5 * (kick_rate[i, 1] + w_new[i, 1]),
            0.5 * (kick_rate[i, 2] + w_new[i, 2]),
        )
        for k in range(3):
            applied += h * (force[i, k] * v_mean[i, k] + torque[i, k] * rate[k])
            change = (0.5 - theta[i]) * (v_new[i, k] - velocity[i, k])
            missed += h * (mass[i] * gravity[k] + force[i, k]) * change
        if damping[i, 0] > 0.0:
            _, share = damped_shares(damping[i, 0] * h)
            for k in range(3):
                taken = mass[i] * (v_free[i, k] - velocity[i, k] - h * gravity[k])
                taken += (1.0 - 1.0 / share) * mass[i] * (v_new[i, k] - v_free[i, k])
                mean = 0.5 * (velocity[i, k] + v_new[i, k])
                damped += (taken - h * force[i, k]) * mean
        if damping[i, 1] > 0.0:
            keep, share = damped_shares(damping[i, 1] * h)
            x, y, z = principal_rate(orientation, principal, row(omega, i), i)
            a, b, c = principal_rate(orientation, principal, rate, i)
            momentum = inertia[i, 0] * x * a + inertia[i, 1] * y * b + inertia[i, 2] * z * c
            damped += (keep - 1.0) * momentum
            given = angular_impulse(
                inverse, i, w_new[i, 0] - w_free[i, 0], w_new[i, 1] - w_free[i, 1],
                w_new[i, 2] - w_free[i, 2],
            )  # fmt: skip
            for k in range(3):
                damped += (share - 1.0) * (h * torque[i, k] + given[k]) * rate[k]
    return applied, damped, missed


@kernel
def reaction_work(rows, table, law, bodies, kind, frames, arms, p, y_before, y_after, velocity,
                  omega, v_new, w_new, force, moment, touch_state, pushed, sums):  # fmt: skip
    """Add p.(y- + y+) / 2 of each contact to `sums`, by groups of rows; that of the rolling rows
    goes to CONTOUR where the law is one of contour friction. What undoing overlap at the speed
    `pushed` (c,) gives goes to PUSHED: p_n c / 2 where a contact lasts, p_n c where it begins.

    Work of the normal row that adds energy goes to GAINED, and that of friction rows where the
    whole contact adds energy. DRIVE is what bodies with a
    prescribed motion put in: minus the work of the reactions on them.
    """
    for i in range(bodies.shape[0]):
        push = (0.5 if touch_state[i] == LASTING else 1.0) * p[i, 0] * pushed[i]
        sums[PUSHED] += push
        normal = 0.5 * p[i, 0] * (y_before[i, 0] + y_after[i, 0]) - push
        slide = 0.5 * p[i, 1] * (y_before[i, 1] + y_after[i, 1])
        slide += 0.5 * p[i, 2] * (y_before[i, 2] + y_after[i, 2])
        roll, spin = 0.0, 0.0
        if rows > 3:
            roll = 0.5 * p[i, 3] * (y_before[i, 3] + y_after[i, 3])
            roll += 0.5 * p[i, 4] * (y_before[i, 4] + y_after[i, 4])
            spin = 0.5 * p[i, 5] * (y_before[i, 5] + y_after[i, 5])
        sums[IMPACT if normal <= 0.0 else GAINED] += normal
        adds = normal + slide + roll + spin > 0.0
        sums[GAINED if adds and slide > 0.0 else SLIDING] += slide
        resisted = ROLLING
        if table.shape[0] > 0 and along_contour(table, law[i]):
            resisted = CONTOUR
        sums[GAINED if adds and roll > 0.0 else resisted] += roll
        sums[GAINED if adds and spin > 0.0 else SPINNING] += spin
        for s in range(2):
            body, sign = bodies[i, s], 2.0 * s - 1.0
            if kind[body] == DYNAMIC:
                continue
            r1, r2, r3 = arms[i, 3 * s], arms[i, 3 * s + 1], arms[i, 3 * s + 2]
            f1, f2, f3 = force[i, 0], force[i, 1], force[i, 2]
            m1 = moment[i, 0] + r2 * f3 - r3 * f2
            m2 = moment[i, 1] + r3 * f1 - r1 * f3
            m3 = moment[i, 2] + r1 * f2 - r2 * f1
            work = m1 * (omega[body, 0] + w_new[body, 0])
            work += m2 * (omega[body, 1] + w_new[body, 1])
            work += m3 * (omega[body, 2] + w_new[body, 2])
            for k in range(3):
                work += force[i, k] * (velocity[body, k] + v_new[body, k])
            sums[DRIVE] -= 0.5 * sign * work
