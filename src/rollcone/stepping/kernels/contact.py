"""From contacts to the rows of a problem, and back to the bodies.

A contact has the frame e = (n, t1, t2) and the arms r_A, r_B from the centres of mass to the
points of the two surfaces that touch or will touch. Its rows are (Tasora and Anitescu 2013,
appendix B)

    u = e.(v_B + w_B x r_B - v_A - w_A x r_A),     w = e.(w_B - w_A)

in the order u_n, u_t1, u_t2, w_t1, w_t2, w_n. `rows` is the number of rows per
contact, 3 or 6.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float2, Float3, Int1, Short2
from rollcone.mechanics.kernels.motion import DYNAMIC

FIRST_TOUCH, LASTING = 0, 1
# A lasting contact may be off by this many times what the turning of its normal does in a step.
_BENT = 1.5
# Half a step ahead a contact is still the same if its normals have this product.
_ALIKE = 0.9
_STILL = 1e-3  # of what loads do in a step: slower approaches are what a solve has left


@inlined
def point_velocity(bodies, i, arms, v, w):
    """Of B's point relative to A's, in world axes."""
    A, B = bodies[i, 0], bodies[i, 1]
    a1, a2, a3 = arms[i, 0], arms[i, 1], arms[i, 2]
    b1, b2, b3 = arms[i, 3], arms[i, 4], arms[i, 5]
    x = v[B, 0] + w[B, 1] * b3 - w[B, 2] * b2 - v[A, 0] - w[A, 1] * a3 + w[A, 2] * a2
    y = v[B, 1] + w[B, 2] * b1 - w[B, 0] * b3 - v[A, 1] - w[A, 2] * a1 + w[A, 0] * a3
    z = v[B, 2] + w[B, 0] * b2 - w[B, 1] * b1 - v[A, 2] - w[A, 0] * a2 + w[A, 1] * a1
    return x, y, z


@kernel
def lean_ahead(
    h, bodies, gap, small, loads, slow, restitution, ahead, mid_normal, mid_arms, v, w, kick_rate,
    force, normal, arms, start, state,
):  # fmt: skip
    """Which contacts last, and their normals and arms in the middle of the step.

    A contact lasts if its gap is zero and stays so at the velocity `start` (c,): up to `small`,
    or, if it approaches no faster than `loads` let it, to what the turning of its normal does in
    a step. If it had a `force` (c, 3) in the step before, what turning does to its velocity in any
    direction counts, since it is by chance that none of it is along the normal; and if turning
    brings it closer, it may approach by that, too: a step with the geometry of its start has left
    it so, such as that in which a disk lands.
    One that was not found half a step ahead, with zeros for the normal and arms there, begins; so
    does one that is marked `ahead`, or rebounds.
    """
    for i in range(normal.shape[0]):
        x, y, z = point_velocity(bodies, i, arms, v, w)
        start[i] = normal[i, 0] * x + normal[i, 1] * y + normal[i, 2] * z
        n1, n2, n3 = mid_normal[i, 0], mid_normal[i, 1], mid_normal[i, 2]
        found = n1 * normal[i, 0] + n2 * normal[i, 1] + n3 * normal[i, 2] > _ALIKE
        bend, turn = 0.0, 0.0
        if found:
            a, b, c = point_velocity(bodies, i, mid_arms, v, kick_rate)
            bend = n1 * a + n2 * b + n3 * c - start[i]
            turn = math.sqrt((a - x) ** 2 + (b - y) ** 2 + (c - z) ** 2)
        near, slowest = small[i], -loads[i]
        f1, f2, f3 = force[i, 0], force[i, 1], force[i, 2]
        pushed = f1 * normal[i, 0] + f2 * normal[i, 1] + f3 * normal[i, 2] > 0.0
        if pushed:
            slowest += 2.0 * _BENT * min(bend, 0.0)
        if start[i] >= slowest:
            near += _BENT * h * (max(abs(bend), turn) if pushed else abs(bend))
        state[i] = FIRST_TOUCH
        rebounds = restitution[i] > 0.0 and start[i] < -(slow[i] + _STILL * loads[i])
        stays = found and gap[i] <= near and 0.5 * h * abs(start[i]) <= near
        if stays and not (ahead[i] or rebounds):
            state[i] = LASTING
            normal[i, 0], normal[i, 1], normal[i, 2] = n1, n2, n3
            for j in range(6):  # not arms[i] = ..., which takes seconds to compile
                arms[i, j] = mid_arms[i, j]


@inlined
def meet_halfway(gap, normal, arms, i):
    """Let the arms of contact i end at one point, halfway between those of the two bodies: equal
    and opposite impulses there keep the angular momentum, also where bodies overlap."""
    for k in range(3):
        half = 0.5 * gap[i] * normal[i, k]
        arms[i, k] += half
        arms[i, 3 + k] -= half


@entry
def contact_frames(normal: Float2, frames: Float3) -> None:
    """frames (c, 3, 3): n, t1, t2 by rows.

    t1 comes from the axis that n is least along, so that it is the same as long as n is.
    """
    for i in range(normal.shape[0]):
        x, y, z = normal[i, 0], normal[i, 1], normal[i, 2]
        if abs(x) <= abs(y) and abs(x) <= abs(z):
            a, b, c = 0.0, -z, y  # e_x x n
        elif abs(y) <= abs(z):
            a, b, c = z, 0.0, -x
        else:
            a, b, c = -y, x, 0.0
        s = 1.0 / math.sqrt(a * a + b * b + c * c)
        a, b, c = a * s, b * s, c * s
        frames[i, 0, 0], frames[i, 0, 1], frames[i, 0, 2] = x, y, z
        frames[i, 1, 0], frames[i, 1, 1], frames[i, 1, 2] = a, b, c
        frames[i, 2, 0] = y * c - z * b
        frames[i, 2, 1] = z * a - x * c
        frames[i, 2, 2] = x * b - y * a


@inlined
def moment_row(e, k, r1, r2, r3):
    """r x e_k for the k-th row of a frame."""
    return (
        r2 * e[k, 2] - r3 * e[k, 1],
        r3 * e[k, 0] - r1 * e[k, 2],
        r1 * e[k, 1] - r2 * e[k, 0],
    )


@inlined
def put_velocity(rows, i, k, A, B, axis, a, b, v, w, y):
    """Rows of y along e_k, `axis`; a, b = r x e_k of the two arms."""
    u = axis[0] * (v[B, 0] - v[A, 0])
    u += axis[1] * (v[B, 1] - v[A, 1])
    u += axis[2] * (v[B, 2] - v[A, 2])
    u += b[0] * w[B, 0] + b[1] * w[B, 1] + b[2] * w[B, 2]
    y[i, k] = u - (a[0] * w[A, 0] + a[1] * w[A, 1] + a[2] * w[A, 2])
    if rows > 3:
        turn = axis[0] * (w[B, 0] - w[A, 0])
        turn += axis[1] * (w[B, 1] - w[A, 1])
        turn += axis[2] * (w[B, 2] - w[A, 2])
        y[i, 5 if k == 0 else 2 + k] = turn


@entry
def contact_velocities(
    rows: int, bodies: Short2, frames: Float3, arms: Float2, v: Float2, w: Float2, y: Float2
) -> None:
    """y (c, d) of the body velocities v, w (n, 3)."""
    for i in range(bodies.shape[0]):
        A, B, e = bodies[i, 0], bodies[i, 1], frames[i]
        for k in range(3):
            a = moment_row(e, k, arms[i, 0], arms[i, 1], arms[i, 2])
            b = moment_row(e, k, arms[i, 3], arms[i, 4], arms[i, 5])
            put_velocity(rows, i, k, A, B, (e[k, 0], e[k, 1], e[k, 2]), a, b, v, w, y)


@kernel
def velocities_twice(rows, bodies, frames, arms, v, w, y, v_new, w_new, y_new):
    """The same of two sets of velocities, for little more than the time of one."""
    for i in range(bodies.shape[0]):
        A, B, e = bodies[i, 0], bodies[i, 1], frames[i]
        for k in range(3):
            axis = (e[k, 0], e[k, 1], e[k, 2])
            a = moment_row(e, k, arms[i, 0], arms[i, 1], arms[i, 2])
            b = moment_row(e, k, arms[i, 3], arms[i, 4], arms[i, 5])
            put_velocity(rows, i, k, A, B, axis, a, b, v, w, y)
            put_velocity(rows, i, k, A, B, axis, a, b, v_new, w_new, y_new)


@entry
def contact_bends(
    rows: int,
    bodies: Short2,
    frames: Float3,
    arms: Float2,
    old_normal: Float2,
    old_arms: Float2,
    v: Float2,
    w: Float2,
    kick_rate: Float2,
    bend: Float2,
) -> None:
    """Write what the turning of the contact does to y (c, d) in half a step, from the start (old
    normals and arms, rates w) to the middle (rates `kick_rate`).

    Directions in the tangent plane turn with it, so they change by the turning of n alone.
    """
    for i in range(bodies.shape[0]):
        A, B = bodies[i, 0], bodies[i, 1]
        e, n = frames[i], old_normal[i]
        x, y, z = point_velocity(bodies, i, old_arms, v, w)
        start = n[0] * x + n[1] * y + n[2] * z
        mx, my, mz = point_velocity(bodies, i, arms, v, kick_rate)
        bend[i, 0] = e[0, 0] * mx + e[0, 1] * my + e[0, 2] * mz - start
        tx, ty, tz = w[B, 0] - w[A, 0], w[B, 1] - w[A, 1], w[B, 2] - w[A, 2]
        d1, d2, d3 = e[0, 0] - n[0], e[0, 1] - n[1], e[0, 2] - n[2]
        spin = e[0, 0] * tx + e[0, 1] * ty + e[0, 2] * tz
        cx = kick_rate[B, 0] - kick_rate[A, 0] - tx
        cy = kick_rate[B, 1] - kick_rate[A, 1] - ty
        cz = kick_rate[B, 2] - kick_rate[A, 2] - tz
        for k in range(1, 3):
            bend[i, k] = e[k, 0] * (mx - x) + e[k, 1] * (my - y) + e[k, 2] * (mz - z)
            if rows > 3:
                bend[i, 2 + k] = -spin * (e[k, 0] * d1 + e[k, 1] * d2 + e[k, 2] * d3)
                bend[i, 2 + k] += e[k, 0] * cx + e[k, 1] * cy + e[k, 2] * cz
        if rows > 3:
            bend[i, 5] = d1 * tx + d2 * ty + d3 * tz
            bend[i, 5] += e[0, 0] * cx + e[0, 1] * cy + e[0, 2] * cz


@entry
def contact_offsets(
    rows: int,
    bodies: Short2,
    kind: Int1,
    frames: Float3,
    arms: Float2,
    v_free: Float2,
    w_free: Float2,
    movers: Short2,
    b: Float2,
) -> None:
    """The bodies (c, 2) of the problem and b (c, d): a side that is not dynamic has the number n,
    and its velocity is in b."""
    n = kind.shape[0]
    for i in range(bodies.shape[0]):
        e = frames[i]
        for k in range(rows):
            b[i, k] = 0.0
        for s in range(2):
            body, sign = bodies[i, s], 2.0 * s - 1.0
            movers[i, s] = body if kind[body] == DYNAMIC else n
            if kind[body] == DYNAMIC:
                continue
            w1, w2, w3 = w_free[body, 0], w_free[body, 1], w_free[body, 2]
            for k in range(3):
                e1, e2, e3 = sign * e[k, 0], sign * e[k, 1], sign * e[k, 2]
                m1, m2, m3 = moment_row(
                    e, k, arms[i, 3 * s], arms[i, 3 * s + 1], arms[i, 3 * s + 2]
                )
                b[i, k] += e1 * v_free[body, 0] + e2 * v_free[body, 1] + e3 * v_free[body, 2]
                b[i, k] += sign * (m1 * w1 + m2 * w2 + m3 * w3)
                if rows > 3:
                    b[i, 5 if k == 0 else 2 + k] += e1 * w1 + e2 * w2 + e3 * w3


@kernel
def contact_data(bodies, material, size, law_restitution, touch, law, restitution, small):
    """Per contact: the row of its law, restitution, and the length that counts as touching."""
    for i in range(bodies.shape[0]):
        A, B = bodies[i, 0], bodies[i, 1]
        law[i] = law_restitution.shape[0] * material[A] + material[B]
        restitution[i] = law_restitution[material[A], material[B]]
        least = min(size[A, 0], size[A, 1], size[A, 2], size[B, 0], size[B, 1], size[B, 2])
        small[i] = touch * least


@kernel
def load_speeds(bodies, normal, arms, velocity, omega, v_free, w_free, loads, slow):
    """What the loads do to each contact in a step (m/s): `loads` to its two bodies together, and
    twice what they do to u_n, `slow`, below which an approach is no impact."""
    for i in range(bodies.shape[0]):
        loads[i], along = 0.0, 0.0
        for s in range(2):
            body = bodies[i, s]
            x = v_free[body, 0] - velocity[body, 0]
            y = v_free[body, 1] - velocity[body, 1]
            z = v_free[body, 2] - velocity[body, 2]
            a = w_free[body, 0] - omega[body, 0]
            b = w_free[body, 1] - omega[body, 1]
            c = w_free[body, 2] - omega[body, 2]
            r1, r2, r3 = arms[i, 3 * s], arms[i, 3 * s + 1], arms[i, 3 * s + 2]
            tx, ty, tz = b * r3 - c * r2, c * r1 - a * r3, a * r2 - b * r1
            loads[i] += math.sqrt(x * x + y * y + z * z) + math.sqrt(tx * tx + ty * ty + tz * tz)
            along += (2.0 * s - 1.0) * (
                normal[i, 0] * (x + tx) + normal[i, 1] * (y + ty) + normal[i, 2] * (z + tz)
            )
        slow[i] = 2.0 * abs(along)


@inlined
def normal_mobility(i, bodies, frames, arms, inverse):
    """W of the normal row of contact i: 1 / m and (r x n).I^-1 (r x n) of both bodies."""
    total = 0.0
    for s in range(2):
        a = bodies[i, s]
        r1, r2, r3 = arms[i, 3 * s], arms[i, 3 * s + 1], arms[i, 3 * s + 2]
        n1, n2, n3 = frames[i, 0, 0], frames[i, 0, 1], frames[i, 0, 2]
        x, y, z = r2 * n3 - r3 * n2, r3 * n1 - r1 * n3, r1 * n2 - r2 * n1
        total += inverse[a, 0] + inverse[a, 1] * x * x + inverse[a, 2] * y * y
        total += inverse[a, 3] * z * z
        total += 2.0 * (inverse[a, 4] * x * y + inverse[a, 5] * x * z + inverse[a, 6] * y * z)
    return total


@entry
def reactions_to_world(rows: int, frames: Float3, p: Float2, force: Float2, moment: Float2) -> None:
    """The force and the moment on B in world axes, (c, 3) each, of the reactions p (c, d)."""
    for i in range(p.shape[0]):
        for j in range(3):
            force[i, j] = moment[i, j] = 0.0
            for k in range(3):
                force[i, j] += p[i, k] * frames[i, k, j]
                if rows > 3:
                    moment[i, j] += p[i, 5 if k == 0 else 2 + k] * frames[i, k, j]


@entry
def reactions_from_world(
    rows: int, frames: Float3, force: Float2, moment: Float2, p: Float2
) -> None:
    """The other way round."""
    for i in range(p.shape[0]):
        for k in range(3):
            p[i, k] = 0.0
            for j in range(3):
                p[i, k] += force[i, j] * frames[i, k, j]
            if rows > 3:
                turn = 5 if k == 0 else 2 + k
                p[i, turn] = 0.0
                for j in range(3):
                    p[i, turn] += moment[i, j] * frames[i, k, j]


@entry
def apply_reactions(
    movers: Short2,
    arms: Float2,
    force: Float2,
    moment: Float2,
    inverse: Float2,
    v_free: Float2,
    w_free: Float2,
    joint_force: Float2,
    joint_torque: Float2,
    v_new: Float2,
    w_new: Float2,
) -> None:
    """v+ = v_free + M^-1 H^T p, of forces and moments in world axes (c, 3), and of the impulses of
    joints on bodies (n, 3), if there are any."""
    n = v_free.shape[0]
    for i in range(n):
        joined = joint_force.shape[0] > 0 and inverse[i, 0] > 0.0
        for k in range(3):
            v_new[i, k] = joint_force[i, k] if joined else 0.0
            w_new[i, k] = joint_torque[i, k] if joined else 0.0
    for i in range(movers.shape[0]):
        f1, f2, f3 = force[i, 0], force[i, 1], force[i, 2]
        for s in range(2):
            body, sign = movers[i, s], 2.0 * s - 1.0
            if body == n:
                continue
            r1, r2, r3 = arms[i, 3 * s], arms[i, 3 * s + 1], arms[i, 3 * s + 2]
            for k in range(3):
                v_new[body, k] += sign * force[i, k]
            w_new[body, 0] += sign * (r2 * f3 - r3 * f2 + moment[i, 0])
            w_new[body, 1] += sign * (r3 * f1 - r1 * f3 + moment[i, 1])
            w_new[body, 2] += sign * (r1 * f2 - r2 * f1 + moment[i, 2])
    for i in range(n):
        x, y, z = w_new[i, 0], w_new[i, 1], w_new[i, 2]
        xy, xz, yz = inverse[i, 4], inverse[i, 5], inverse[i, 6]
        w_new[i, 0] = w_free[i, 0] + inverse[i, 1] * x + xy * y + xz * z
        w_new[i, 1] = w_free[i, 1] + xy * x + inverse[i, 2] * y + yz * z
        w_new[i, 2] = w_free[i, 2] + xz * x + yz * y + inverse[i, 3] * z
        for k in range(3):
            v_new[i, k] = v_free[i, k] + inverse[i, 0] * v_new[i, k]
