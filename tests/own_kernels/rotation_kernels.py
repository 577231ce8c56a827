"""Many steps of a rotating body, by the kernels of rotation.py."""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined
from rollcone._build.signatures import Float1, Float2
from rollcone.mechanics.kernels import rotation as kernels


@inlined
def advance(J, rate, q, torque, h):
    """Return rate and orientation of a body under a torque in world axes, one step later."""
    g = kernels.rotate_back(*q, h * torque[0], h * torque[1], h * torque[2])
    a1, a2, a3, o1, o2, o3 = kernels.turn_body(J[0], J[1], J[2], *rate, *g, h)
    return (o1, o2, o3), kernels.advance_quaternion(*q, *kernels.rotate(*q, a1, a2, a3), h)


@entry
def turn(J: Float1, rate: Float1, q: Float1, torque: Float1, h: float, rates: Float2) -> None:
    """Take a step for each row of `rates`, and write the rate there, in principal axes.

    Writes the last rate and orientation to `rate` and `q`.
    """
    now, turned = (rate[0], rate[1], rate[2]), (q[0], q[1], q[2], q[3])
    for i in range(rates.shape[0]):
        now, turned = advance(J, now, turned, torque, h)
        rates[i, 0], rates[i, 1], rates[i, 2] = now
    rate[0], rate[1], rate[2] = now
    q[0], q[1], q[2], q[3] = turned


@entry
def worst_drift(
    J: Float1, rate: Float1, q: Float1, torque: Float1, h: float, steps: int
) -> tuple[float, float]:
    """Return the largest errors of energy and of momentum in world axes, relative to their size."""
    now, turned = (rate[0], rate[1], rate[2]), (q[0], q[1], q[2], q[3])
    energy = J[0] * now[0] ** 2 + J[1] * now[1] ** 2 + J[2] * now[2] ** 2
    x, y, z = kernels.rotate(*turned, J[0] * now[0], J[1] * now[1], J[2] * now[2])
    size = math.sqrt(x * x + y * y + z * z)
    off_energy, off_momentum = 0.0, 0.0
    for _ in range(steps):
        now, turned = advance(J, now, turned, torque, h)
        last = J[0] * now[0] ** 2 + J[1] * now[1] ** 2 + J[2] * now[2] ** 2
        u, v, w = kernels.rotate(*turned, J[0] * now[0], J[1] * now[1], J[2] * now[2])
        off = math.sqrt((u - x) ** 2 + (v - y) ** 2 + (w - z) ** 2)
        off_energy = max(off_energy, abs(last - energy) / energy)
        off_momentum = max(off_momentum, off / size)
    return off_energy, off_momentum


@entry
def spin(steps: int, h: float) -> float:
    """Return the largest error of |q| on the way, for a rate that changes."""
    q, worst = (0.5, 0.5, 0.5, 0.5), 0.0
    for i in range(steps):
        w = 5.0 * math.sin(0.01 * i), 3.0, 4.0 * math.cos(0.007 * i)
        q = kernels.advance_quaternion(*q, *w, h)
        square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
        worst = max(worst, abs(math.sqrt(square) - 1.0))
    return worst
