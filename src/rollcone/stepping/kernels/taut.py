"""Light links under tension: their turning is taken implicitly.

A force F on a body at the arm r turns with neither: it resists turning like a spring, with the
stiffness k = r.F about axes across r (links of a chain that carries a weight; Andrews, Teichmann
and Kovecses 2017 call it geometric stiffness). Where the body is light its frequency is beyond
the step, and arms taken from a forecast make it grow without bound. With the forecast rate w_a,
from which the arms in the middle of the step were taken, and S = h^2 k / 4 across r,

    I (w+ - w_free) = impulses - S (w+ - w_a)

is Newton's method for the implicit midpoint rule, which is stable for every h. It changes the
inertia and the free rate of such bodies in this step's problem, and nothing where w+ = w_a.
"""

from __future__ import annotations

from rollcone._build.kernels import entry, inlined
from rollcone._build.signatures import Float1, Float2, Float3
from rollcone.mechanics.kernels.joint_row import ANGLE, LENGTH, frame_point
from rollcone.mechanics.kernels.joint_work import JointArrays, RowArrays

_TAUT = 0.2  # of the trace of I: S matters from this trace on


@entry
def joint_forces(R: RowArrays, G: Float3, p: Float1, force: Float2) -> None:
    """Impulses on the body of each joint (j, 3), in world axes, of the rows that hold points."""
    force[:] = 0.0
    for i in range(R.role.shape[0]):
        if R.joint[i, 1] < 0 and (R.code[i, 0] < ANGLE or R.code[i, 0] == LENGTH):
            for k in range(3):
                force[R.joint[i, 0], k] += p[i] * G[i, 1, k]


@inlined
def add_across(k, r, a, S):
    """k (1 - r r^T / r.r) to S of body a, as xx, yy, zz, xy, xz, yz."""
    x, y, z = r
    square = x * x + y * y + z * z
    if k <= 0.0 or square == 0.0:
        return
    S[a, 0] += k * (1.0 - x * x / square)
    S[a, 1] += k * (1.0 - y * y / square)
    S[a, 2] += k * (1.0 - z * z / square)
    S[a, 3] -= k * x * y / square
    S[a, 4] -= k * x * z / square
    S[a, 5] -= k * y * z / square


@entry
def tension_stiffness(
    h: float, J: JointArrays, X: Float2, Q: Float2, force: Float2, S: Float2
) -> None:
    """S (n, 6) = h^2 k / 4 of all joints, from impulses `force` = h F (j, 3)."""
    S[:] = 0.0
    for j in range(J.base.shape[0]):
        f = force[j, 0], force[j, 1], force[j, 2]
        at, r = frame_point(X, Q, J.body[j], J.body_point, j)
        if J.body[j] >= 0:
            k = 0.25 * h * (r[0] * f[0] + r[1] * f[1] + r[2] * f[2])
            add_across(k, r, J.body[j], S)
        if J.base[j] >= 0:
            a = J.base[j]
            r = at[0] - X[a, 0], at[1] - X[a, 1], at[2] - X[a, 2]
            k = -0.25 * h * (r[0] * f[0] + r[1] * f[1] + r[2] * f[2])
            add_across(k, r, a, S)


@inlined
def inverted(xx, yy, zz, xy, xz, yz):
    """The inverse of a symmetric matrix."""
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    det = xx * a + xy * b + xz * c
    return (
        a / det,
        (xx * zz - xz * xz) / det,
        (xx * yy - xy * xy) / det,
        b / det,
        c / det,
        (xy * xz - xx * yz) / det,
    )


@inlined
def times(m, x, y, z):
    """A symmetric matrix times a vector."""
    return (
        m[0] * x + m[3] * y + m[4] * z,
        m[3] * x + m[1] * y + m[5] * z,
        m[4] * x + m[5] * y + m[2] * z,
    )


@entry
def stiffen(S: Float2, w_ahead: Float2, inverse: Float2, w_free: Float2) -> None:
    """Write inverse inertia and free rates of bodies for which S (n, 6) matters: (I + S)^-1 and
    (I + S)^-1 (I w_free + S w_ahead); of the others S becomes zero."""
    for a in range(S.shape[0]):
        if S[a, 0] + S[a, 1] + S[a, 2] == 0.0 or inverse[a, 0] == 0.0:
            S[a, :] = 0.0
            continue
        given = (
            inverse[a, 1], inverse[a, 2], inverse[a, 3], inverse[a, 4], inverse[a, 5], inverse[a, 6]
        )  # fmt: skip
        s = (S[a, 0], S[a, 1], S[a, 2], S[a, 3], S[a, 4], S[a, 5])
        own = inverted(*given)
        if s[0] + s[1] + s[2] < _TAUT * (own[0] + own[1] + own[2]):
            S[a, :] = 0.0
            continue
        new = inverted(
            own[0] + s[0], own[1] + s[1], own[2] + s[2], own[3] + s[3], own[4] + s[4], own[5] + s[5]
        )
        x, y, z = times(own, w_free[a, 0], w_free[a, 1], w_free[a, 2])
        u, v, w = times(s, w_ahead[a, 0], w_ahead[a, 1], w_ahead[a, 2])
        x, y, z = times(new, x + u, y + v, z + w)
        w_free[a, 0], w_free[a, 1], w_free[a, 2] = x, y, z
        for k in range(6):
            inverse[a, 1 + k] = new[k]


@entry
def tension_work(S: Float2, w_ahead: Float2, w_before: Float2, w_after: Float2) -> float:
    """Return the work (J) of the torques S (w_ahead - w_after) on the mean rates of the bodies."""
    total = 0.0
    for a in range(S.shape[0]):
        s = (S[a, 0], S[a, 1], S[a, 2], S[a, 3], S[a, 4], S[a, 5])
        x, y, z = times(
            s, w_ahead[a, 0] - w_after[a, 0], w_ahead[a, 1] - w_after[a, 1],
            w_ahead[a, 2] - w_after[a, 2],
        )  # fmt: skip
        total += 0.5 * x * (w_before[a, 0] + w_after[a, 0])
        total += 0.5 * y * (w_before[a, 1] + w_after[a, 1])
        total += 0.5 * z * (w_before[a, 2] + w_after[a, 2])
    return total
