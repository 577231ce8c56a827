"""What each pair of shapes hands over: all its contacts, as rows of a small scratch array.

    out (64, 11):  feature, gap, n (3), r_A (3), r_B (3)

Features are whole numbers from 0 to 2^14 - 1 that ascend and are the same from step to step. n is
the unit normal from A to B. The arms r_A, r_B lead from the two centres to the points of the two
surfaces that touch or will touch, in world axes. They are those of the time of touch, to which both
bodies are only shifted: a sphere's is its radius along the normal, a box's ends on its surface.
"""

from __future__ import annotations

import numpy as np

from rollcone._build.kernels import entry, inlined
from rollcone._build.signatures import Float1, Float2, Int2
from rollcone.collision.kernels.vector import row

MANIFOLD_SHAPE = (64, 11)


@inlined
def put_contact(out, k, feature, gap, normal, arm_a, arm_b):
    """Row k of a manifold."""
    out[k, 0], out[k, 1] = feature, gap
    for j in range(3):
        out[k, 2 + j] = normal[j]
        out[k, 5 + j] = arm_a[j]
        out[k, 8 + j] = arm_b[j]


@inlined
def move_contact(out, k, i, j, swapped, bodies, gap, normal, arms, c):
    """Row k as contact c of bodies i and j; `swapped` if they are B and A of the manifold."""
    sign, first, second = (-1.0, 8, 5) if swapped else (1.0, 5, 8)
    bodies[c, 0], bodies[c, 1] = i, j
    gap[c] = out[k, 1]
    for m in range(3):
        normal[c, m] = sign * out[k, 2 + m]
        arms[c, m] = out[k, first + m]
        arms[c, 3 + m] = out[k, second + m]


@inlined
def middle_of(bodies, position, arms, period, c):
    """Return the point of contact c: halfway between x_A + r_A and x_B + r_B; in a periodic box,
    whose lengths are `period` (3,), the image of the latter that is nearest to the former."""
    a, b = row(position, bodies[c, 0]), row(position, bodies[c, 1])
    return (
        middle_along(0, a, b, arms, period, c), middle_along(1, a, b, arms, period, c),
        middle_along(2, a, b, arms, period, c),
    )  # fmt: skip


@inlined
def middle_along(k, a, b, arms, period, c):
    """Return the k-th coordinate of the point of contact c, of bodies at a and b."""
    here, there = a[k] + arms[c, k], b[k] + arms[c, 3 + k]
    if period[k] > 0.0:
        there += period[k] * np.rint((here - there) / period[k])
    return 0.5 * (here + there)


@entry
def contact_points(
    bodies: Int2, position: Float2, arms: Float2, period: Float1, point: Float2
) -> None:
    """Write the points of contact to `point` (c, 3), as `middle_of` has them."""
    for c in range(bodies.shape[0]):
        point[c, 0], point[c, 1], point[c, 2] = middle_of(bodies, position, arms, period, c)
