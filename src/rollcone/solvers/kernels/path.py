"""The central path contact by contact (interior_path.py): all that does not couple contacts.

Cone g of a contact is the second-order cone of x = (r_n, r_k / a_k, ...), a_k the half axis of row
k, with the dual z. Nesterov and Todd's scaling W of the pair has W z = W^-1 x = lambda, and

    W = eta [[w0, w'], [w, I + w w' / (1 + w0)]],    W^-2 = (2 v v' - J) / eta^2,   v = (w0, -w).

`slots` (n, 5, 2) holds the rows of each cone, 0 for none; `axes` (n, d) the half axes. A direction
is (dp, ds, dz); all equations of it have the form lambda o (W^-1 dx + W dz) = given
(`right_sides`), o the product of Jordan's algebra, (a.b, a0 b + b0 a).
"""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined
from rollcone._build.signatures import Float1, Float2, Float3, Int3

_SLOTS = 5


@inlined
def _times(a0, a1, a2, b0, b1, b2):
    """The product of Jordan's algebra, (a.b, a0 b1 + b0 a1, ...)."""
    return a0 * b0 + a1 * b1 + a2 * b2, a0 * b1 + b0 * a1, a0 * b2 + b0 * a2


@inlined
def _divide(l0, l1, l2, r0, r1, r2):
    """The u with l o u = r."""
    t = math.sqrt(l1 * l1 + l2 * l2)
    u0 = (l0 * r0 - l1 * r1 - l2 * r2) / ((l0 - t) * (l0 + t))
    return u0, (r1 - l1 * u0) / l0, (r2 - l2 * u0) / l0


@inlined
def _scale(w, eta, a0, a1, a2):
    """W a."""
    t = w[1] * a1 + w[2] * a2
    f = a0 + t / (1.0 + w[0])
    return eta * (w[0] * a0 + t), eta * (a1 + f * w[1]), eta * (a2 + f * w[2])


@inlined
def _unscale(w, eta, a0, a1, a2):
    """W^-1 a."""
    t = w[1] * a1 + w[2] * a2
    f = t / (1.0 + w[0]) - a0
    return (w[0] * a0 - t) / eta, (a1 + f * w[1]) / eta, (a2 + f * w[2]) / eta


@inlined
def _cone_point(rows, axes, p):
    """x of a cone; also what the direction dp of reactions is to it."""
    x1 = p[rows[0]] / axes[rows[0]]
    x2 = p[rows[1]] / axes[rows[1]] if rows[1] > 0 else 0.0
    return p[0], x1, x2


@inlined
def _depth(a0, a1, a2):
    """a0^2 - |a|^2, with few digits lost."""
    t = math.sqrt(a1 * a1 + a2 * a2)
    return (a0 - t) * (a0 + t)


@entry
def scale_cones(
    slots: Int3, axes: Float2, p: Float2, s: Float1, z: Float3, w: Float3, eta: Float2, lam: Float3
) -> bool:
    """Scalings w, eta and lambda of all cones; False where a point is not inside its cone."""
    for i in range(p.shape[0]):
        if not (p[i, 0] > 0.0 and s[i] > 0.0):
            return False
        for g in range(_SLOTS):
            rows = slots[i, g]
            if rows[0] == 0:
                continue
            x0, x1, x2 = _cone_point(rows, axes[i], p[i])
            z0, z1, z2 = z[i, g, 0], z[i, g, 1], z[i, g, 2]
            a, b = _depth(x0, x1, x2), _depth(z0, z1, z2)
            if not (a > 0.0 and b > 0.0):
                return False
            a, b = math.sqrt(a), math.sqrt(b)
            dot = x0 * z0 + x1 * z1 + x2 * z2
            f = 1.0 / math.sqrt(2.0 * (1.0 + dot / (a * b)))
            w1, w2 = f * (x1 / a - z1 / b), f * (x2 / a - z2 / b)
            w[i, g, 0], w[i, g, 1], w[i, g, 2] = math.sqrt(1.0 + w1 * w1 + w2 * w2), w1, w2
            eta[i, g] = math.sqrt(a / b)
            l0, l1, l2 = _scale(w[i, g], eta[i, g], z0, z1, z2)
            lam[i, g, 0], lam[i, g, 1], lam[i, g, 2] = l0, l1, l2
    return True


@entry
def fill_blocks(
    coupled: float,
    slots: Int3,
    axes: Float2,
    soft: Float2,
    p: Float2,
    s: Float1,
    w: Float3,
    eta: Float2,
    T: Float3,
) -> None:
    """T = (C + d(velocities) / dp)^-1 of all contacts, without the cancellation that an inverse of
    the sum would suffer near the edges of cones. With Theta = W^-2 and a cone's rows T alone,

        Theta_TT^-1 = eta^2 (I - (1 - 1 / f) w w' / |w|^2),   Theta_TT^-1 Theta_T0 = -2 w0 w / f,
        Theta_00 - Theta_0T Theta_TT^-1 Theta_T0 = 1 / (eta^2 f),      f = 2 w0^2 - 1,

    so that G = (Theta_TT + C)^-1, h = G Theta_T0 and the sum S of what is left of the normal row
    make T = [[1, -h' coupled], [-h, S G + coupled h h']] / S.
    """
    d = p.shape[1]
    for i in range(p.shape[0]):
        S = s[i] / p[i, 0] + soft[i, 0]
        for k in range(d):
            for m in range(d):
                T[i, k, m] = 0.0
        for g in range(_SLOTS):
            if slots[i, g, 0] > 0:
                S += coupled * _add_cone(slots[i, g], axes[i], soft[i], w[i, g], eta[i, g], T[i])
        for k in range(1, d):
            h = T[i, k, 0]
            for m in range(1, d):
                T[i, k, m] += coupled * h * T[i, m, 0] / S
        for k in range(1, d):
            T[i, 0, k] = -coupled * T[i, k, 0] / S
            T[i, k, 0] = -T[i, k, 0] / S
        T[i, 0, 0] = 1.0 / S


@inlined
def _add_cone(rows, axes, soft, w, eta, T):
    """G and h of a cone into T; returns its part of S."""
    j, k = rows[0], rows[1]
    G11, G12, G22, h1, h2, part, _, _, _, _ = _without_normal(rows, axes, soft, w, eta)
    T[j, 0], T[j, j] = h1, G11
    if k > 0:
        T[k, 0], T[k, k], T[j, k], T[k, j] = h2, G22, G12, G12
    return part


@inlined
def _without_normal(rows, axes, soft, w, eta):
    """G (three numbers), h (two), its part of S and (I + P C)^-1 (four) of a cone, P = Theta_TT^-1:
    G = (I + P C)^-1 P."""
    j, k = rows[0], rows[1]
    a, b = axes[j], axes[k] if k > 0 else 0.0
    c1, c2 = soft[j], soft[k] if k > 0 else 0.0
    f = 1.0 + 2.0 * (w[1] * w[1] + w[2] * w[2])
    over = eta * eta / f
    P11, P22 = over * a * a * (1.0 + 2.0 * w[2] * w[2]), over * b * b * (1.0 + 2.0 * w[1] * w[1])
    P12, both = -2.0 * over * a * b * w[1] * w[2], over * a * a * b * b * eta * eta
    share = 1.0 / (1.0 + c1 * P11 + c2 * P22 + c1 * c2 * both)
    G11, G12, G22 = share * (P11 + c2 * both), share * P12, share * (P22 + c1 * both)
    # (I + P C)^-1 as it is: with I - G C, which is the same, digits are lost where P C is large.
    S11, S22 = share * (1.0 + c2 * P22), share * (1.0 + c1 * P11)
    S12, S21 = -share * c2 * P12, -share * c1 * P12
    g1, g2 = -2.0 * w[0] * w[1] * a / f, -2.0 * w[0] * w[2] * b / f
    h1, h2 = S11 * g1 + S12 * g2, S21 * g1 + S22 * g2
    part = 1.0 / (eta * eta * f) + g1 * c1 * h1 + g2 * c2 * h2
    return G11, G12, G22, h1, h2, part, S11, S12, S21, S22


@entry
def right_sides(
    coupled: float,
    slots: Int3,
    axes: Float2,
    soft: Float2,
    target: float,
    keep: float,
    second: float,
    p: Float2,
    s: Float1,
    w: Float3,
    eta: Float2,
    lam: Float3,
    T: Float3,
    R: Float2,
    dp: Float2,
    ds: Float1,
    dz: Float3,
    c: Float3,
    out: Float2,
) -> None:
    """What Newton's equations ask of each contact: lambda o (W^-1 dx + W dz) = target e - keep
    lambda o lambda - second W^-1 x' o W z', x' and z' of the direction `other`; and that R falls
    by keep R.

    c (n, 5, 3): dz = c - W^-2 dx; out (n, d) = -T (right side). Near the edge of a cone T is large
    and c nearly in its kernel, so their product is taken from g = W^2 c, with no such difference:

        Theta_TT^-1 c_T = g_T + Theta_TT^-1 Theta_T0 g_0,   c_0 - Theta_0T Theta_TT^-1 c_T =
        g_0 / (eta^2 f).
    """
    d = p.shape[1]
    for i in range(p.shape[0]):
        normal = (target - second * dp[i, 0] * ds[i]) / p[i, 0] - keep * s[i]
        for k in range(1, d):
            out[i, k] = 0.0
        for g in range(_SLOTS):
            rows = slots[i, g]
            if rows[0] == 0:
                continue
            l0, l1, l2 = lam[i, g, 0], lam[i, g, 1], lam[i, g, 2]
            r0, r1, r2 = _times(l0, l1, l2, l0, l1, l2)
            r0, r1, r2 = target - keep * r0, -keep * r1, -keep * r2
            if second != 0.0:
                x0, x1, x2 = _cone_point(rows, axes[i], dp[i])
                x0, x1, x2 = _unscale(w[i, g], eta[i, g], x0, x1, x2)
                z0, z1, z2 = _scale(w[i, g], eta[i, g], dz[i, g, 0], dz[i, g, 1], dz[i, g, 2])
                q0, q1, q2 = _times(x0, x1, x2, z0, z1, z2)
                r0, r1, r2 = r0 - second * q0, r1 - second * q1, r2 - second * q2
            u0, u1, u2 = _divide(l0, l1, l2, r0, r1, r2)
            c0, c1, c2 = _unscale(w[i, g], eta[i, g], u0, u1, u2)
            c[i, g, 0], c[i, g, 1], c[i, g, 2] = c0, c1, c2
            g0, g1, g2 = _scale(w[i, g], eta[i, g], u0, u1, u2)
            normal += coupled * _ask(rows, axes[i], soft[i], w[i, g], eta[i, g], g0, g1, g2, out[i])
        for k in range(1, d):
            out[i, k] = -out[i, k] - T[i, k, 0] * normal
        out[i, 0] = -T[i, 0, 0] * normal
        for k in range(d):
            for m in range(d):
                out[i, k] += keep * T[i, k, m] * R[i, m]


@inlined
def _ask(rows, axes, soft, w, eta, g0, g1, g2, out):
    """G c_T of a cone into out; returns c_0 - Theta_0T G c_T, both from W^2 c = (g0, g1, g2)."""
    j, k = rows[0], rows[1]
    _, _, _, h1, h2, _, S11, S12, S21, S22 = _without_normal(rows, axes, soft, w, eta)
    f = 1.0 + 2.0 * (w[1] * w[1] + w[2] * w[2])
    e1 = axes[j] * (g1 - 2.0 * w[0] * w[1] / f * g0)
    e2 = axes[k] * (g2 - 2.0 * w[0] * w[2] / f * g0) if k > 0 else 0.0
    out[j] = S11 * e1 + S12 * e2
    if k > 0:
        out[k] = S21 * e1 + S22 * e2
    c1, c2 = soft[j] * e1, soft[k] * e2 if k > 0 else 0.0
    return g0 / (eta * eta * f) + h1 * c1 + h2 * c2


@entry
def recover(
    coupled: float,
    keep: float,
    slots: Int3,
    axes: Float2,
    w: Float3,
    eta: Float2,
    R: Float2,
    c: Float3,
    dp: Float2,
    dy: Float2,
    ds: Float1,
    dz: Float3,
) -> None:
    """ds and dz of the direction dp, whose velocities are dy: those rows of the equations in which
    velocities stand are met to rounding, whatever dp lacks; only z_0 comes from dx + W^2 dz =
    W^2 c.
    """
    for i in range(dp.shape[0]):
        normal = dy[i, 0] + keep * R[i, 0]
        for g in range(_SLOTS):
            rows = slots[i, g]
            if rows[0] == 0:
                continue
            j, k = rows[0], rows[1]
            z1 = axes[i, j] * (dy[i, j] + keep * R[i, j])
            z2 = axes[i, k] * (dy[i, k] + keep * R[i, k]) if k > 0 else 0.0
            w0, w1, w2 = w[i, g, 0], w[i, g, 1], w[i, g, 2]
            f = 1.0 + 2.0 * (w1 * w1 + w2 * w2)
            beside = 2.0 * w0 * (w1 * (c[i, g, 1] - z1) + w2 * (c[i, g, 2] - z2))
            z0 = c[i, g, 0] + (beside - dp[i, 0] / (eta[i, g] * eta[i, g])) / f
            dz[i, g, 0], dz[i, g, 1], dz[i, g, 2] = z0, z1, z2
            normal -= coupled * z0
        ds[i] = normal


@entry
def dual_defect(
    coupled: float, slots: Int3, axes: Float2, y: Float2, s: Float1, z: Float3, R: Float2
) -> None:
    """R = y - (velocities of s and z), zero in rows without friction."""
    for i in range(s.shape[0]):
        normal = s[i]
        for k in range(1, y.shape[1]):
            R[i, k] = 0.0
        for g in range(_SLOTS):
            for a in range(2):
                k = slots[i, g, a]
                if k > 0:
                    R[i, k] = y[i, k] - z[i, g, 1 + a] / axes[i, k]
            if slots[i, g, 0] > 0:
                normal += coupled * z[i, g, 0]
        R[i, 0] = y[i, 0] - normal


@inlined
def _way(a0, a1, a2, d0, d1, d2):
    """The largest t with a + t d in the cone."""
    a = d0 * d0 - d1 * d1 - d2 * d2
    b = a0 * d0 - a1 * d1 - a2 * d2
    c = _depth(a0, a1, a2)
    longest = math.inf
    inside = b * b - a * c
    if inside >= 0.0:
        q = -(b + math.copysign(math.sqrt(inside), b))
        if q != 0.0 and c / q > 0.0:
            longest = c / q
        if a != 0.0 and q / a > 0.0:
            longest = min(longest, q / a)
    if d0 < 0.0:
        longest = min(longest, -a0 / d0)
    return longest


@entry
def way_to_the_edge(
    slots: Int3, axes: Float2, p: Float2, s: Float1, z: Float3, dp: Float2, ds: Float1, dz: Float3
) -> float:
    """The largest t for which p + t dp, s + t ds and z + t dz are in their cones."""
    longest = math.inf
    for i in range(p.shape[0]):
        if dp[i, 0] < 0.0:
            longest = min(longest, -p[i, 0] / dp[i, 0])
        if ds[i] < 0.0:
            longest = min(longest, -s[i] / ds[i])
        for g in range(_SLOTS):
            rows = slots[i, g]
            if rows[0] == 0:
                continue
            x0, x1, x2 = _cone_point(rows, axes[i], p[i])
            d0, d1, d2 = _cone_point(rows, axes[i], dp[i])
            longest = min(longest, _way(x0, x1, x2, d0, d1, d2))
            a, b = z[i, g], dz[i, g]
            longest = min(longest, _way(a[0], a[1], a[2], b[0], b[1], b[2]))
    return longest


@entry
def products(
    slots: Int3,
    axes: Float2,
    p: Float2,
    s: Float1,
    z: Float3,
    t: float,
    dp: Float2,
    ds: Float1,
    dz: Float3,
) -> float:
    """The sum of all x.z a part t on the way."""
    total = 0.0
    for i in range(p.shape[0]):
        total += (p[i, 0] + t * dp[i, 0]) * (s[i] + t * ds[i])
        for g in range(_SLOTS):
            rows = slots[i, g]
            if rows[0] == 0:
                continue
            x0, x1, x2 = _cone_point(rows, axes[i], p[i])
            d0, d1, d2 = _cone_point(rows, axes[i], dp[i])
            a, b = z[i, g], dz[i, g]
            total += (x0 + t * d0) * (a[0] + t * b[0])
            total += (x1 + t * d1) * (a[1] + t * b[1]) + (x2 + t * d2) * (a[2] + t * b[2])
    return total


@entry
def local_product(
    slots: Int3,
    axes: Float2,
    m: float,
    p: Float2,
    s: Float1,
    w: Float3,
    eta: Float2,
    dp: Float2,
    ds: Float1,
    dz: Float3,
    ep: Float2,
    es: Float1,
    ez: Float3,
) -> tuple[float, float]:
    """The inner product of two directions in the metric of the point, as a sum over contacts,
    and the largest of its parts: dr dr' / r^2 + ds ds' / s^2 + (W^-1 dx . W^-1 dx' + ...) / m."""
    total, largest = 0.0, 0.0
    for i in range(p.shape[0]):
        part = dp[i, 0] * ep[i, 0] / (p[i, 0] * p[i, 0]) + ds[i] * es[i] / (s[i] * s[i])
        for g in range(_SLOTS):
            rows = slots[i, g]
            if rows[0] == 0:
                continue
            x0, x1, x2 = _cone_point(rows, axes[i], dp[i])
            a0, a1, a2 = _unscale(w[i, g], eta[i, g], x0, x1, x2)
            x0, x1, x2 = _cone_point(rows, axes[i], ep[i])
            b0, b1, b2 = _unscale(w[i, g], eta[i, g], x0, x1, x2)
            part += (a0 * b0 + a1 * b1 + a2 * b2) / m
            a0, a1, a2 = _scale(w[i, g], eta[i, g], dz[i, g, 0], dz[i, g, 1], dz[i, g, 2])
            b0, b1, b2 = _scale(w[i, g], eta[i, g], ez[i, g, 0], ez[i, g, 1], ez[i, g, 2])
            part += (a0 * b0 + a1 * b1 + a2 * b2) / m
        total += part
        largest = max(largest, part)
    return total, largest
