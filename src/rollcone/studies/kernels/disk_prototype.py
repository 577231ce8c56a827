"""The step of disk_prototype.py: midpoint rule, modified Newton, nearest point of the constraints.

Le Saux, Leine and Glocker 2005, (3.1) to (3.14), for q = (centre, Euler parameters e0 .. e3) and
u = (velocity in the world, angular velocity in body axes). `disk` is r, m, A, C, g and `law` is
mu, contour, contact radius. The Contensou set is written here and used by the reference by events,
too: nothing of the library's own laws or schemes is.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from rollcone._build.kernels import entry, kernel
from rollcone._build.signatures import Bool1, Float1, Float2, Float3, Int1

FLAT = 1e-9  # sqrt(1 - R33^2), from which the points stay in the body
_RELAXED = 0.7  # of the step of modified Newton over the inverse of the diagonal
_SPIN = 3 * math.pi / 16  # eta of spin without slip
_MOST = 5000  # iterations
_TOLERANCE = 1e-10  # change of all percussions, over m g h


class Work(NamedTuple):
    """Arrays of a step."""

    R: Float2  # (3, 3) body to world
    arm: Float2  # (3, 3) of the points, in the body
    gap: Float1  # (3,)
    active: Bool1  # (3,)
    W: Float3  # (3, 5, 6) rows x, y, normal, spin, rim of each point
    P: Float2  # (3, 5) percussions
    rho: Float2  # (3, 5) steps of modified Newton
    mass: Float1  # (6,)
    middle: Float1  # (7,) q
    free: Float1  # (6,) u without percussions
    new: Float1  # (6,) u
    B: Float2  # (4, 7) rows of the constraints
    S: Float2  # (4, 5) B B^T and its right-hand side
    value: Float1  # (4,) of the constraints
    multiplier: Float1  # (4,)
    shift: Float1  # (7,)
    before: Float1  # (7,)
    which: Int1  # (3,)


@entry
def hertz(speed: float, spin: float) -> tuple[float, float]:
    """Contensou friction of a Hertzian patch of unit radius, mu and force: xi / speed and eta."""
    if speed <= spin:
        if spin == 0.0:
            return 0.0, 0.0
        u = speed / spin
        xi = 3 * math.pi / 32 * (4 - u * u)
        return xi / spin, 3 * math.pi / 128 * (8 - 8 * u**2 + 3 * u**4)
    q = spin / speed
    if q < 0.1:  # the closed form cancels
        z = q * q
        xi = 1 - z * (1 / 10 + z * (3 / 280 + z * (1 / 336 + z * (5 / 4224 + z * 21 / 36608))))
        eta = 1 / 5 + z * (1 / 70 + z * (1 / 280 + z * (5 / 3696 + z * 35 / 54912)))
        return xi / speed, q * eta
    u, angle, root = 1 / q, math.asin(q), math.sqrt(1 - q * q)
    xi = 3 / 16 * ((4 * u - u**3) * angle + (u * u + 2) * root)
    eta = 3 / 64 * ((8 - 8 * u**2 + 3 * u**4) * angle + (6 * u - 3 * u**3) * root)
    return xi / speed, eta


@kernel
def _copy(source, target):
    for i in range(len(source)):
        target[i] = source[i]


@kernel
def _rotation(q, R):
    e0, e1, e2, e3 = q[3], q[4], q[5], q[6]
    d = 2 * e0 * e0 - 1
    R[0, 0], R[0, 1], R[0, 2] = d + 2 * e1 * e1, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)
    R[1, 0], R[1, 1], R[1, 2] = 2 * (e1 * e2 + e0 * e3), d + 2 * e2 * e2, 2 * (e2 * e3 - e0 * e1)
    R[2, 0], R[2, 1], R[2, 2] = 2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), d + 2 * e3 * e3


@kernel
def _turn(q, x, y, z, out):
    """2 F(q) (x, y, z) for the Euler parameters (2.37)."""
    e0, e1, e2, e3 = q[3], q[4], q[5], q[6]
    out[3] = -e1 * x - e2 * y - e3 * z
    out[4] = e0 * x - e3 * y + e2 * z
    out[5] = e3 * x + e0 * y - e1 * z
    out[6] = -e2 * x + e1 * y + e0 * z


@kernel
def _move(q, u, h, out):
    """q + h F(q) u (2.37)."""
    x, y, z = h / 2 * u[3], h / 2 * u[4], h / 2 * u[5]
    _turn(q, x, y, z, out)
    for i in range(3):
        out[i] = q[i] + h * u[i]
    for i in range(3, 7):
        out[i] += q[i]


@kernel
def _points(q, r, R, arm, gap):
    """Arms of C1, C2, C3 in body axes (2.13), (2.14), kept if flat, and gaps."""
    _rotation(q, R)
    size = math.hypot(R[2, 0], R[2, 1])
    if size > FLAT:
        x, y = -r * R[2, 0] / size, -r * R[2, 1] / size
        s = math.sqrt(0.75)
        arm[0, 0], arm[0, 1] = x, y
        arm[1, 0], arm[1, 1] = -x / 2 - s * y, -y / 2 + s * x
        arm[2, 0], arm[2, 1] = -x / 2 + s * y, -y / 2 - s * x
    for j in range(3):
        gap[j] = q[2] + R[2, 0] * arm[j, 0] + R[2, 1] * arm[j, 1]


@kernel
def _rows(R, arm, eps, r, rim, W):
    """Rows of (2.25) for one point: x, y, normal, spin, rim."""
    x, y = arm[0], arm[1]
    W[:, :] = 0.0
    for k in range(3):
        W[k, k] = 1.0
        # e_k . (w x arm) with w, arm in body axes and arm_z = 0
        W[k, 3] = R[k, 2] * y
        W[k, 4] = -R[k, 2] * x
        W[k, 5] = R[k, 1] * x - R[k, 0] * y
        W[3, 3 + k] = eps * R[2, k]
    if rim:
        flat = R[2, 0] ** 2 + R[2, 1] ** 2
        W[4, 3] = -r * R[2, 0] * R[2, 2] / flat
        W[4, 4] = -r * R[2, 1] * R[2, 2] / flat
        W[4, 5] = r


@kernel
def _nearest(x, y, weight):
    """Nearest point of the unit Contensou set to (x, y) >= 0, in the norm with `weight` for y:
    (x - xi, weight (y - eta)) is along the normal (u, 1)."""
    low, high = 0.0, 1.0  # of u / (1 + u)
    inside = True
    for _ in range(60):
        mid = 0.5 * (low + high)
        u = mid / (1 - mid)
        over_speed, eta = hertz(u, 1.0)
        xi = over_speed * u
        if u * (x - xi) + (y - eta) > 0:
            inside = False
        if (x - xi) - u * weight * (y - eta) > 0:
            low = mid
        else:
            high = mid
    if inside:
        return x, y
    u = low / (1 - low)
    over_speed, eta = hertz(u, 1.0)
    return over_speed * u, eta


@kernel
def _friction(p, law, rho):
    """Project tangential and spin percussions p[0], p[1], p[3] on the set of p[2] (2.34), in the
    norm of the steps of modified Newton."""
    limit = law[0] * p[2]
    size = math.hypot(p[0], p[1])
    if limit <= 0.0:
        p[0] = p[1] = p[3] = 0.0
    elif law[2] == 0.0:
        p[3] = 0.0
        if size > limit:
            p[0] *= limit / size
            p[1] *= limit / size
    else:
        x, y = size / limit, abs(p[3]) / limit
        if x + y / _SPIN > 1.0:  # else inside, since the set is convex
            nx, ny = _nearest(x, y, rho[0] / rho[3])
            if x > 0.0:
                p[0] *= nx / x
                p[1] *= nx / x
            if y > 0.0:
                p[3] *= ny / y
    bound = law[1] * max(p[2], 0.0)
    p[4] = min(max(p[4], -bound), bound)


@kernel
def _violated(q, r, work):
    """Rows of the gaps below zero and of the norm of e; their number."""
    n = 0
    work.B[:, :] = 0.0
    for j in range(3):
        if work.gap[j] < 0.0:
            _rows(work.R, work.arm[j], 0.0, r, False, work.W[j])
            x, y, z = work.W[j, 2, 3], work.W[j, 2, 4], work.W[j, 2, 5]
            _turn(q, 2 * x, 2 * y, 2 * z, work.B[n])  # gap' = W u and u = 2 F^T e'
            work.B[n, 2] = 1.0
            work.which[n] = j
            n += 1
    for i in range(3, 7):
        work.B[n, i] = 2 * q[i]
    return n + 1


@kernel
def _solve(S, n):
    """Gauss-Jordan of n equations with the right-hand side in S[:, 4]; S is destroyed."""
    for k in range(n):
        for i in range(n):
            if i != k:
                factor = S[i, k] / S[k, k]
                for c in range(k, n):
                    S[i, c] -= factor * S[k, c]
                S[i, 4] -= factor * S[k, 4]
    for k in range(n):
        S[k, 4] /= S[k, k]


@kernel
def _correct(q, disk, work):
    """(3.9) to (3.14): quasi-Newton with the tangent at the violation."""
    r, B, S, shift = disk[0], work.B, work.S, work.shift
    _points(q, r, work.R, work.arm, work.gap)
    n = _violated(q, r, work)
    _copy(q, work.before)
    work.multiplier[:] = 0.0
    for _ in range(20):
        for i in range(n - 1):
            work.value[i] = work.gap[work.which[i]]
        work.value[n - 1] = q[3] ** 2 + q[4] ** 2 + q[5] ** 2 + q[6] ** 2 - 1
        worst = 0.0
        for i in range(n):
            worst = max(worst, abs(work.value[i]))
        for c in range(7):  # dx + B^T dl = -shift, B dx = -value
            shift[c] = q[c] - work.before[c]
            for i in range(n):
                shift[c] += B[i, c] * work.multiplier[i]
        for i in range(n):
            S[i, 4] = work.value[i]
            for c in range(7):
                S[i, 4] -= B[i, c] * shift[c]
            for k in range(n):
                S[i, k] = 1e-15 if i == k else 0.0  # three gaps, nearly flat, are nearly one
                for c in range(7):
                    S[i, k] += B[i, c] * B[k, c]
        _solve(S, n)
        for c in range(7):
            q[c] -= shift[c]
            for i in range(n):
                q[c] -= B[i, c] * S[i, 4]
        for i in range(n):
            work.multiplier[i] += S[i, 4]
        _points(q, r, work.R, work.arm, work.gap)
        if worst < 1e-16:
            break


@kernel
def _prepare(disk, law, work):
    """Active points, their rows and the steps of modified Newton; the number of active ones."""
    r, R, W, rho = disk[0], work.R, work.W, work.rho
    eps = law[2] if law[2] > 0.0 else 1.0
    _points(work.middle, r, R, work.arm, work.gap)
    number = 0
    for j in range(3):
        if not (work.gap[j] <= 0.0 and work.active[j]):
            for i in range(5):
                work.P[j, i] = 0.0
        work.active[j] = work.gap[j] <= 0.0
        number += work.active[j]
    flat = math.hypot(R[2, 0], R[2, 1]) <= FLAT
    for j in range(3):
        if work.active[j]:
            _rows(R, work.arm[j], eps, r, j == 0 and number == 1 and not flat, W[j])
            for i in range(5):
                diagonal = 0.0
                for c in range(6):
                    diagonal += W[j, i, c] ** 2 / work.mass[c]
                rho[j, i] = _RELAXED / number / diagonal if diagonal > 0.0 else 0.0
            rho[j, 0] = rho[j, 1] = min(rho[j, 0], rho[j, 1])
    return number


@kernel
def _newton(law, scale, work):
    """(3.7) until percussions change by less than `scale`; number of iterations."""
    W, P, new = work.W, work.P, work.new
    for count in range(1, _MOST + 1):
        _copy(work.free, new)
        for j in range(3):
            if work.active[j]:
                for i in range(5):
                    for c in range(6):
                        new[c] += W[j, i, c] * P[j, i] / work.mass[c]
        change = 0.0
        for j in range(3):
            if work.active[j]:
                p0, p1, p2, p3, p4 = P[j, 0], P[j, 1], P[j, 2], P[j, 3], P[j, 4]
                for i in range(5):
                    speed = 0.0
                    for c in range(6):
                        speed += W[j, i, c] * new[c]
                    P[j, i] -= work.rho[j, i] * speed
                P[j, 2] = max(P[j, 2], 0.0)
                _friction(P[j], law, work.rho[j])
                change += abs(P[j, 0] - p0) + abs(P[j, 1] - p1) + abs(P[j, 2] - p2)
                change += abs(P[j, 3] - p3) + abs(P[j, 4] - p4)
        if change < scale:
            return count
    return _MOST


@kernel
def _slip(work):
    """Of the lowest point (m/s), at the end of a step."""
    x = y = 0.0
    if work.active[0]:
        for c in range(6):
            x += work.W[0, 0, c] * work.new[c]
            y += work.W[0, 1, c] * work.new[c]
    return math.hypot(x, y)


@entry
def run_prototype(
    q: Float1,
    u: Float1,
    disk: Float1,
    law: Float1,
    h: float,
    steps: int,
    every: int,
    out: Float2,
    work: Work,
) -> tuple[int, int, float]:
    """Rows t, q, u, slip into `out`; the steps recorded, the worst number of iterations, and when
    three points touch."""
    m, A, C, g = disk[1], disk[2], disk[3], disk[4]
    slip, stop, worst, recorded = 0.0, math.nan, 0, 0
    for k in range(steps + 1):
        if k % every == 0:
            row = out[recorded]
            recorded += 1
            row[0] = k * h
            _copy(q, row[1:8])
            _copy(u, row[8:14])
            row[14] = slip
        if k == steps or stop > 0.0:
            break
        _move(q, u, h / 2, work.middle)
        number = _prepare(disk, law, work)
        x, y, z = u[3], u[4], u[5]
        _copy(u, work.free)
        work.free[2] -= h * g
        work.free[3] += h * (A - C) * y * z / A
        work.free[4] += h * (C - A) * z * x / A
        worst = max(worst, _newton(law, _TOLERANCE * m * g * h, work))
        _copy(work.new, u)
        slip = _slip(work)
        if number == 3:
            stop = (k + 1) * h
        _move(work.middle, u, h / 2, q)
        _correct(q, disk, work)
    return recorded, worst, stop
