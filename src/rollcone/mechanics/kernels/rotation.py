"""Rotations as compiled code: quaternions, the exponential map, one step of a turning body.

Quaternions are (w, x, y, z). Products compose as matrices do: R(q o r) = R(q) R(r).

**One step of a turning body.** In principal axes, with inertia J = diag(J1, J2, J3), rate
Omega and an angular impulse g that comes during the step, the mean rate a and the new
rate Omega+ are the solution of

    J Omega+ = exp(-h a) (J Omega + g),   a = (Omega + Omega+) / 2,   R+ = R exp(h a),

where exp(v) is the rotation by the vector v, and g is measured in the axes at the start.

- Angular momentum in the world: R+ J Omega+ = R exp(h a) exp(-h a) (J Omega + g)
  = R J Omega + R g. Nothing is lost, whatever a is.
- Energy: T+ - T = (Omega+ + Omega).(J Omega+ - J Omega) / 2
  = a.(exp(-h a) - 1)(J Omega + g) + a.g = a.g, because a is the axis of exp(-h a).
  Free motion keeps the energy; an impulse works on the mean rate.
- The step from the new state with -h and -g leads back: it is of second order. A body
  that turns about a principal axis turns exactly.

A solution exists for every h: the map from a to (Omega + Omega+) / 2 is continuous and bounded.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined, kernel

_MAX_STEPS = 30
_MOST_PIECES = 64
_ROUNDING = 2.0**-104  # of energies, so for rates 2^-52
_NEAR = 1e-16  # where a correction that is no smaller than the last one can only be rounding


@inlined
def multiply(qw, qx, qy, qz, rw, rx, ry, rz):
    """q o r: first r, then q."""
    return (
        qw * rw - qx * rx - qy * ry - qz * rz,
        qw * rx + qx * rw + qy * rz - qz * ry,
        qw * ry + qy * rw + qz * rx - qx * rz,
        qw * rz + qz * rw + qx * ry - qy * rx,
    )


@inlined
def rotate(qw, qx, qy, qz, x, y, z):
    """R(q) x = x + 2 w u x x + 2 u x (u x x), for q = (w, u)."""
    tx, ty, tz = 2.0 * (qy * z - qz * y), 2.0 * (qz * x - qx * z), 2.0 * (qx * y - qy * x)
    return (
        x + qw * tx + (qy * tz - qz * ty),
        y + qw * ty + (qz * tx - qx * tz),
        z + qw * tz + (qx * ty - qy * tx),
    )


@inlined
def rotate_back(qw, qx, qy, qz, x, y, z):
    """R(q)^T x."""
    return rotate(qw, -qx, -qy, -qz, x, y, z)


@inlined
def exponential(x, y, z, h):
    """The quaternion (cos(s / 2), sin(s / 2) v / s) of the rotation by v = h (x, y, z), s = |v|.

    sin(s / 2) / s is exact to rounding however small s is, so it needs no series.
    """
    vx, vy, vz = h * x, h * y, h * z
    angle = math.sqrt(vx * vx + vy * vy + vz * vz)
    if angle == 0.0:
        return 1.0, 0.5 * vx, 0.5 * vy, 0.5 * vz
    s = math.sin(0.5 * angle) / angle
    return math.cos(0.5 * angle), s * vx, s * vy, s * vz


@inlined
def logarithm(qw, qx, qy, qz):
    """The rotation vector of q, at most pi long."""
    sine = math.sqrt(qx * qx + qy * qy + qz * qz)
    s = 2.0 if sine == 0.0 else 2.0 * math.atan2(math.copysign(sine, qw), abs(qw)) / sine
    return s * qx, s * qy, s * qz


@inlined
def unit_quaternion(qw, qx, qy, qz):
    """Bring q back to unit length, from which only rounding has led it away.

    One Newton step for 1 / |q|: the length that rounding leaves is off by its square.
    """
    s = 1.5 - 0.5 * (qw * qw + qx * qx + qy * qy + qz * qz)
    return s * qw, s * qx, s * qy, s * qz


@inlined
def advance_quaternion(qw, qx, qy, qz, wx, wy, wz, h):
    """exp(h w) o q for the rate w in world axes, brought back to unit length."""
    ew, ex, ey, ez = exponential(wx, wy, wz, h)
    qw, qx, qy, qz = multiply(ew, ex, ey, ez, qw, qx, qy, qz)
    return unit_quaternion(qw, qx, qy, qz)


@inlined
def solve_three(a11, a12, a13, a21, a22, a23, a31, a32, a33, f1, f2, f3):
    """A^-1 f by Cramer's rule; not finite if A is singular."""
    x1, x2, x3 = a22 * a33 - a23 * a32, a23 * a31 - a21 * a33, a21 * a32 - a22 * a31
    y1, y2, y3 = a32 * a13 - a33 * a12, a33 * a11 - a31 * a13, a31 * a12 - a32 * a11
    z1, z2, z3 = a12 * a23 - a13 * a22, a13 * a21 - a11 * a23, a11 * a22 - a12 * a21
    det = a11 * x1 + a12 * x2 + a13 * x3
    return (
        (x1 * f1 + y1 * f2 + z1 * f3) / det,
        (x2 * f1 + y2 * f2 + z2 * f3) / det,
        (x3 * f1 + y3 * f2 + z3 * f3) / det,
    )


@inlined
def _correction(d1, d2, d3, n1, n2, n3, p1, p2, p3, h, f1, f2, f3):
    """c of Newton's step F'(a) c = f, for F(a) = D a - exp(-p) l with p = h a and n = exp(-p) l.

    With t = |p|, k = sin(t) / t, u = (1 - cos t) / t^2 and v = (1 - k) / t^2,

        F'(a) = D - h (k hat(n) + u (n.p) - u p n^T + v (n x p) p^T).

    Rounding in v at small angles does no harm: it comes with p twice.
    """
    square = p1 * p1 + p2 * p2 + p3 * p3
    k, u, v = 1.0, 0.5, 0.0
    if square > 0.0:
        angle = math.sqrt(square)
        half = math.sin(0.5 * angle)
        k = math.sin(angle) / angle
        u = 2.0 * half * half / square
        v = (1.0 - k) / square
    k, u, v = h * k, h * u, h * v
    x1, x2, x3 = v * (n2 * p3 - n3 * p2), v * (n3 * p1 - n1 * p3), v * (n1 * p2 - n2 * p1)
    r = u * (n1 * p1 + n2 * p2 + n3 * p3)
    return solve_three(
        d1 - r + u * p1 * n1 - x1 * p1,
        k * n3 + u * p1 * n2 - x1 * p2,
        -k * n2 + u * p1 * n3 - x1 * p3,
        -k * n3 + u * p2 * n1 - x2 * p1,
        d2 - r + u * p2 * n2 - x2 * p2,
        k * n1 + u * p2 * n3 - x2 * p3,
        k * n2 + u * p3 * n1 - x3 * p1,
        -k * n1 + u * p3 * n2 - x3 * p2,
        d3 - r + u * p3 * n3 - x3 * p3,
        f1,
        f2,
        f3,
    )


@entry
def _mean_rate(
    j1: float,
    j2: float,
    j3: float,
    o1: float,
    o2: float,
    o3: float,
    l1: float,
    l2: float,
    l3: float,
    h: float,
) -> tuple[float, float, float, bool]:
    """a and whether it was found, by Newton's method, for l = J Omega + g.

    Corrections are measured by their kinetic energy. The last two foretell the next; if it would
    be lost in rounding, the work is done. Where there is no end, the rate is that of a body
    which does not turn: Omega + g / 2 J in each axis.
    """
    d1, d2, d3 = 2.0 * j1, 2.0 * j2, 2.0 * j3
    a1, a2, a3 = 0.5 * (o1 + l1 / j1), 0.5 * (o2 + l2 / j2), 0.5 * (o3 + l3 / j3)
    s1, s2, s3 = a1, a2, a3
    whole = j1 * o1 * o1 + j2 * o2 * o2 + j3 * o3 * o3
    whole += l1 * l1 / j1 + l2 * l2 / j2 + l3 * l3 / j3
    before = 0.0
    for _ in range(_MAX_STEPS):
        ew, ex, ey, ez = exponential(a1, a2, a3, h)
        n1, n2, n3 = rotate_back(ew, ex, ey, ez, l1, l2, l3)
        f1, f2, f3 = j1 * o1 + n1 - d1 * a1, j2 * o2 + n2 - d2 * a2, j3 * o3 + n3 - d3 * a3
        c1, c2, c3 = _correction(d1, d2, d3, n1, n2, n3, h * a1, h * a2, h * a3, h, f1, f2, f3)
        a1, a2, a3 = a1 + c1, a2 + c2, a3 + c3
        size = j1 * c1 * c1 + j2 * c2 * c2 + j3 * c3 * c3
        if size * size <= _ROUNDING * whole * before or before <= size <= _NEAR * whole:
            return a1, a2, a3, True
        before = size
    return s1, s2, s3, False


@kernel
def _turn_in_pieces(j1, j2, j3, o1, o2, o3, g1, g2, g3, h):
    """`turn_body` in as few pieces as have a mean rate each."""
    pieces, done = 1, False
    while not done:
        pieces *= 2
        part, done = h / pieces, True
        r1, r2, r3 = o1, o2, o3
        k1, k2, k3 = g1 / pieces, g2 / pieces, g3 / pieces
        qw, qx, qy, qz = 1.0, 0.0, 0.0, 0.0
        for _ in range(pieces):
            l1, l2, l3 = j1 * r1 + k1, j2 * r2 + k2, j3 * r3 + k3
            a1, a2, a3, found = _mean_rate(j1, j2, j3, r1, r2, r3, l1, l2, l3, part)
            if not found and pieces < _MOST_PIECES:
                done = False
                break
            ew, ex, ey, ez = exponential(a1, a2, a3, part)
            l1, l2, l3 = rotate_back(ew, ex, ey, ez, l1, l2, l3)
            r1, r2, r3 = l1 / j1, l2 / j2, l3 / j3
            k1, k2, k3 = rotate_back(ew, ex, ey, ez, k1, k2, k3)
            qw, qx, qy, qz = multiply(qw, qx, qy, qz, ew, ex, ey, ez)
    a1, a2, a3 = logarithm(qw, qx, qy, qz)
    return a1 / h, a2 / h, a3 / h, r1, r2, r3


@entry
def turn_body(
    j1: float,
    j2: float,
    j3: float,
    o1: float,
    o2: float,
    o3: float,
    g1: float,
    g2: float,
    g3: float,
    h: float,
) -> tuple[float, float, float, float, float, float]:
    """Mean rate a and new rate Omega+ of a step h, as (a1, a2, a3, o1, o2, o3).

    Principal moments j, rate o and angular impulse g (zero for free motion) in principal axes
    at the start; the equations stand at the head of this file. For three equal moments
    a = Omega + g / 2 J is taken: it keeps momentum and energy as well, and is linear in g.

    Where no mean rate is found (h |a| near pi; or from 0.1 on, if moments differ by 1e6) the step
    is made in 2, 4, 8, ... equal pieces, each with its share of g. Then a is the steady rate
    that turns the body as the pieces do together, and a.g is no longer quite the work of g.
    Should 64 pieces not do, momentum alone is kept.
    """
    l1, l2, l3 = j1 * o1 + g1, j2 * o2 + g2, j3 * o3 + g3
    if j1 == j2 == j3:
        if g1 == g2 == g3 == 0.0:
            return o1, o2, o3, o1, o2, o3
        a1, a2, a3 = o1 + 0.5 * g1 / j1, o2 + 0.5 * g2 / j2, o3 + 0.5 * g3 / j3
    else:
        a1, a2, a3, found = _mean_rate(j1, j2, j3, o1, o2, o3, l1, l2, l3, h)
        if not found:
            return _turn_in_pieces(j1, j2, j3, o1, o2, o3, g1, g2, g3, h)
    ew, ex, ey, ez = exponential(a1, a2, a3, h)
    l1, l2, l3 = rotate_back(ew, ex, ey, ez, l1, l2, l3)
    return a1, a2, a3, l1 / j1, l2 / j2, l3 / j3


_PIECE, _PIECES = 0.3, 4096  # rad that a body turns in one piece, and how many pieces at most


@entry
def turn_freely(
    j1: float, j2: float, j3: float, qw: float, qx: float, qy: float, qz: float,
    w1: float, w2: float, w3: float, t: float,
) -> tuple[float, float, float, float, float, float, float]:  # fmt: skip
    """Return principal axes (a quaternion) and rate in world axes after a time t without torque.

    Exact where two of the principal moments j are equal. With J_a the moment about the other axis
    a, J_t the two equal ones and L = R J Omega,

        R+ = exp(t L / J_t) R exp(t (1 - J_a / J_t) Omega_a e_a).

    Else `turn_body` in pieces of at most 0.3 rad. Energy and momentum are kept to rounding.
    """
    if t == 0.0:
        return qw, qx, qy, qz, w1, w2, w3
    if j1 == j2 == j3:
        qw, qx, qy, qz = advance_quaternion(qw, qx, qy, qz, w1, w2, w3, t)
        return qw, qx, qy, qz, w1, w2, w3
    o1, o2, o3 = rotate_back(qw, qx, qy, qz, w1, w2, w3)
    if j1 in (j2, j3) or j2 == j3:
        qw, qx, qy, qz, o1, o2, o3 = _turn_symmetric(j1, j2, j3, qw, qx, qy, qz, o1, o2, o3, t)
    else:
        angle = abs(t) * math.sqrt(w1 * w1 + w2 * w2 + w3 * w3)
        pieces = int(min(max(math.ceil(angle / _PIECE), 1.0), _PIECES))
        part = t / pieces
        for _ in range(pieces):
            a1, a2, a3, o1, o2, o3 = turn_body(j1, j2, j3, o1, o2, o3, 0.0, 0.0, 0.0, part)
            ew, ex, ey, ez = exponential(a1, a2, a3, part)
            qw, qx, qy, qz = unit_quaternion(*multiply(qw, qx, qy, qz, ew, ex, ey, ez))
    w1, w2, w3 = rotate(qw, qx, qy, qz, o1, o2, o3)
    return qw, qx, qy, qz, w1, w2, w3


@inlined
def _turn_symmetric(j1, j2, j3, qw, qx, qy, qz, o1, o2, o3, t):
    """`turn_freely` of a body with two equal moments; rates o in principal axes, before and after.

    In these axes the rate about a stays, and that across turns with exp(-t (1 - J_a / J_t) Omega_a
    e_a): energy is kept whatever rounding does to the orientation.
    """
    l1, l2, l3 = rotate(qw, qx, qy, qz, j1 * o1, j2 * o2, j3 * o3)
    s1, s2, s3, across = 0.0, 0.0, 0.0, j1
    if j1 == j2:
        s3 = o3 * (1.0 - j3 / j1)
    elif j2 == j3:
        s1, across = o1 * (1.0 - j1 / j2), j2
    else:
        s2 = o2 * (1.0 - j2 / j1)
    ew, ex, ey, ez = exponential(s1, s2, s3, t)
    qw, qx, qy, qz = multiply(qw, qx, qy, qz, ew, ex, ey, ez)
    qw, qx, qy, qz = advance_quaternion(qw, qx, qy, qz, l1 / across, l2 / across, l3 / across, t)
    o1, o2, o3 = rotate_back(ew, ex, ey, ez, o1, o2, o3)
    return qw, qx, qy, qz, o1, o2, o3
