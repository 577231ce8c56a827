"""Rows alone, without contacts: y = W p + q with low <= p <= high, by a dense matrix.

Each row has up to four blocks G (m, 4, 6) on as many bodies. What couples them is
W = G M^-1 G^T + C; it is singular where rows are redundant (a door on three hinges, closed loops),
so that Newton's steps are those of proximal points,

    (W + e E) dp = -y   on the rows that are free,   p = a bound on the others,

E a diagonal of weights: e changes no answer, y = 0, and what it picks among many is next to where
it began, by these weights: from p = 0, as if row i had a compliance in proportion to E_i. Rounding
of y is in p, over e, where rows are redundant: so e is no smaller than steps need to come nearer.
Which rows are at a bound follows from p - y / D, D the diagonal of W (a primal-dual active set).
With no bounds one step and one more for the last digits do.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Float2, Float3, Int1, Int2

_FIRST, _LEAST = 1e-8, 1e-12  # e
_PATIENCE = 3  # steps that come no nearer
_SLOW, _SMALLER = 1e-2, 1e-2  # where errors do not fall by the one, e does by the other
_SMALLEST = 1e-300  # of a pivot


@entry
def fill_mobility(
    G: Float3, bodies: Int2, inverse: Float2, soft: Float1, N: Float3, W: Float2
) -> None:
    """N = G M^-1 (m, 4, 6) and W (m, m) with the compliance `soft`."""
    n, m = inverse.shape[0], G.shape[0]
    for i in range(m):
        for s in range(4):
            a = bodies[i, s]
            for k in range(6):
                N[i, s, k] = 0.0
            if a == n:
                continue
            x, y, z = G[i, s, 3], G[i, s, 4], G[i, s, 5]
            for k in range(3):
                N[i, s, k] = inverse[a, 0] * G[i, s, k]
            N[i, s, 3] = inverse[a, 1] * x + inverse[a, 4] * y + inverse[a, 5] * z
            N[i, s, 4] = inverse[a, 4] * x + inverse[a, 2] * y + inverse[a, 6] * z
            N[i, s, 5] = inverse[a, 5] * x + inverse[a, 6] * y + inverse[a, 3] * z
    for i in range(m):
        for j in range(i + 1):
            total = soft[i] if i == j else 0.0
            for s in range(4):
                a = bodies[i, s]
                if a == n:
                    continue
                for t in range(4):
                    if bodies[j, t] == a:
                        for k in range(6):
                            total += N[i, s, k] * G[j, t, k]
            W[i, j] = W[j, i] = total


@entry
def free_rates(G: Float3, bodies: Int2, v: Float2, w: Float2, b: Float1, q: Float1) -> None:
    """q = G v + b (m,)."""
    n = v.shape[0]
    for i in range(G.shape[0]):
        q[i] = b[i]
        for s in range(4):
            a = bodies[i, s]
            if a < n:
                for k in range(3):
                    q[i] += G[i, s, k] * v[a, k] + G[i, s, 3 + k] * w[a, k]


@entry
def apply_rows(G: Float3, bodies: Int2, p: Float1, force: Float2, torque: Float2) -> None:
    """Impulses of the rows on bodies (n, 3), in world axes."""
    n = force.shape[0]
    force[:] = 0.0
    torque[:] = 0.0
    for i in range(G.shape[0]):
        for s in range(4):
            a = bodies[i, s]
            if a < n:
                for k in range(3):
                    force[a, k] += G[i, s, k] * p[i]
                    torque[a, k] += G[i, s, 3 + k] * p[i]


@inlined
def factor(W, shift, weight, free, count, L):
    """Cholesky's L of W + shift E on the first `count` rows that `free` lists."""
    for i in range(count):
        a = free[i]
        for j in range(i + 1):
            total = W[a, free[j]]
            if i == j:
                total += shift * weight[a]
            for k in range(j):
                total -= L[i, k] * L[j, k]
            if i > j:
                L[i, j] = total / L[j, j]
            elif total > _SMALLEST:
                L[i, i] = math.sqrt(total)
            else:
                # Redundant to the last digit: this row leaves its share to the others.
                L[i, i] = math.inf


@inlined
def substitute(L, count, x):
    """x <- (L L^T)^-1 x."""
    for i in range(count):
        for k in range(i):
            x[i] -= L[i, k] * x[k]
        x[i] /= L[i, i]
    for i in range(count - 1, -1, -1):
        for k in range(i + 1, count):
            x[i] -= L[k, i] * x[k]
        x[i] /= L[i, i]


@kernel
def row_errors(W, q, low, high, p, y):
    """y = W p + q; the worst error of a row, |p - proj(p - y / D)| D, over its speed is left to who
    asks: here y is replaced by the errors."""
    for i in range(p.shape[0]):
        y[i] = q[i]
        for k in range(p.shape[0]):
            y[i] += W[i, k] * p[k]
        d = W[i, i] if W[i, i] > 0.0 else 1.0
        move = min(max(-y[i] / d, low[i] - p[i]), high[i] - p[i])
        y[i] = abs(move) * d


@entry
def solve_rows(
    W: Float2,
    q: Float1,
    low: Float1,
    high: Float1,
    weight: Float1,
    speeds: Float1,
    tolerance: float,
    most: int,
    p: Float1,
    y: Float1,
    free: Int1,
    place: Float1,
    x: Float1,
    L: Float2,
) -> tuple[int, float]:
    """p (m,) from where it is; (steps, worst error over `speeds`), the latter at most the
    tolerance unless rows keep changing between their bounds, or rounding is more."""
    m = p.shape[0]
    for i in range(m):
        p[i] = min(max(p[i], low[i]), high[i])
    best, last, shift, rows, stalled = math.inf, math.inf, _FIRST, -1, 0
    for step in range(most + 1):
        row_errors(W, q, low, high, p, y)
        worst = 0.0
        for i in range(m):
            worst = max(worst, y[i] / speeds[i])
        done = worst <= tolerance and (worst >= 0.1 * best or worst == 0.0)
        stalled = stalled + 1 if worst > 0.5 * last and shift == _LEAST else 0
        if done or step == most or stalled > _PATIENCE or not worst < math.inf:
            return step, worst
        best = min(best, worst)
        if worst > _SLOW * last:
            shift = max(_SMALLER * shift, _LEAST)
        now = newton_step(W, q, low, high, weight, shift, p, y, free, place, x, L)
        last, rows = worst if now == rows else math.inf, now
    return most, worst


@kernel
def newton_step(W, q, low, high, weight, shift, p, y, free, place, x, L):
    """One step of the active set method; p is changed. A number that tells which rows are free."""
    m, count = p.shape[0], 0
    for i in range(m):
        y[i] = q[i]
        for k in range(m):
            y[i] += W[i, k] * p[k]
    for i in range(m):
        d = W[i, i] if W[i, i] > 0.0 else 1.0
        wish = p[i] - y[i] / d
        place[i] = 0.0
        if low[i] < wish < high[i]:
            free[count] = i
            count += 1
        else:
            place[i] = (low[i] if wish <= low[i] else high[i]) - p[i]
    for i in range(count):
        a = free[i]
        x[i] = -y[a]
        for k in range(m):
            x[i] -= W[a, k] * place[k]
    factor(W, shift, weight, free, count, L)
    substitute(L, count, x)
    for i in range(m):
        p[i] += place[i]
    rows = 0
    for i in range(count):
        p[free[i]] += x[i]
        rows = (31 * rows + free[i] + 1) % 1000003
    return rows
