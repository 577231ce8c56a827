"""A clump of balls with any other body: each ball is a sphere that moves as its point of the clump.

A clump's balls are rows `first[i]` to `first[i + 1]` of `balls` (m, 4): centre in body axes, and
radius. Each of them may touch the other body; a contact is known by the number of its ball, and
between clumps by both numbers. So a clump has as many contacts with a plane as balls touch it.
"""

from __future__ import annotations

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.bowl import ball_bowl, bowl_of
from rollcone.collision.kernels.capsule import capsule_sphere
from rollcone.collision.kernels.manifold import move_contact
from rollcone.collision.kernels.plane import sphere_plane
from rollcone.collision.kernels.shape import BOWL, CAPSULE, PLANE, SPHERE
from rollcone.collision.kernels.sphere_box import sphere_box
from rollcone.collision.kernels.sphere_sphere import sphere_sphere
from rollcone.collision.kernels.vector import along, axes, cross, minus, norm, row, to_world

BALL_BITS = 7
MOST_BALLS = 2**BALL_BITS


@inlined
def ball_of(balls, k, x, turn, v, w):
    """(arm from the clump's centre, place, velocity, radius) of ball k."""
    arm = to_world(turn, (balls[k, 0], balls[k, 1], balls[k, 2]))
    return arm, along(x, 1.0, arm), along(v, 1.0, cross(w, arm)), balls[k, 3]


@inlined
def _shift_arm(out, first, arm):
    """The arm that begins at column `first` begins at the clump's centre, not at the ball's."""
    for m in range(3):
        out[0, first + m] += arm[m]


@kernel
def clump_contacts(
    first, balls, i, j, swapped, xa, xb, shape, size, position, orientation, velocity, omega,
    horizon, near, out, prefix, bodies, key, gap, normal, arms, found,
):  # fmt: skip
    """Appends the contacts of a clump b at xb with a body a at xa of any shape (no disk, no
    ellipsoid) to the `found` so far, in the order of their keys; returns how many there are then.

    a and b are i and j, the other way round if `swapped`; `prefix` is the key without a feature.
    """
    a, b = (j, i) if swapped else (i, j)
    turn_a, turn_b = axes(orientation, a), axes(orientation, b)
    va, wa, vb, wb = row(velocity, a), row(omega, a), row(velocity, b), row(omega, b)
    none = (0.0, 0.0, 0.0)
    if shape[a] != shape[b]:
        for k in range(first[b], first[b + 1]):
            arm, x, v, r = ball_of(balls, k, xb, turn_b, vb, wb)
            if shape[a] == BOWL:
                bowl = bowl_of(size, position, orientation, velocity, omega, a)
                count = ball_bowl(bowl, x, v, none, none, r, 0, horizon, near, out, 0)
            else:
                count = _with_ball(
                    a, shape, size, xa, turn_a, va, wa, x, r, v, horizon, near,
                    out,
                )  # fmt: skip
            if count > 0:
                if found < key.shape[0]:
                    _shift_arm(out, 5, arm)  # the ball is the first of the two there
                    key[found] = prefix | (k - first[b])
                    move_contact(out, 0, i, j, not swapped, bodies, gap, normal, arms, found)
                found += 1
        return found
    for k in range(first[a], first[a + 1]):
        arm_a, x, v, r = ball_of(balls, k, xa, turn_a, va, wa)
        reach = r + near + size[b, 2] + horizon * (norm(minus(v, vb)) + norm(wb) * size[b, 2])
        if norm(minus(x, xb)) > reach:
            continue  # of the whole of b
        for n in range(first[b], first[b + 1]):
            arm_b, y, u, s = ball_of(balls, n, xb, turn_b, vb, wb)
            if sphere_sphere(x, r, v, y, s, u, horizon, near, out) > 0:
                if found < key.shape[0]:
                    _shift_arm(out, 5, arm_a)
                    _shift_arm(out, 8, arm_b)
                    key[found] = prefix | (k - first[a]) << BALL_BITS | (n - first[b])
                    move_contact(out, 0, i, j, False, bodies, gap, normal, arms, found)
                found += 1
    return found


@inlined
def _with_ball(
    a, shape, size, xa, turn, va, wa, x, r, v, horizon, near, out
):  # fmt: skip
    """The contact of a ball with a body a that is no clump, if any; the ball is the first of the
    two. Returns their number."""
    if shape[a] == SPHERE:
        return sphere_sphere(x, r, v, xa, size[a, 0], va, horizon, near, out)
    if shape[a] == PLANE:
        return sphere_plane(x, r, v, xa, turn[2], va, wa, horizon, near, out)
    if shape[a] == CAPSULE:
        ra, half = size[a, 0], size[a, 2] - size[a, 0]
        return capsule_sphere(x, r, v, xa, turn[2], ra, half, va, wa, horizon, near, out)
    return sphere_box(x, r, v, xa, turn, row(size, a), va, wa, horizon, near, out)
