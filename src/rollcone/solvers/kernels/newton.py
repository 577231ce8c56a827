"""Newton's equations contact by contact: everything that does not couple them.

With x = p - h (y + e (p - c)), y standing for y + C p, each contact must have F = p - P(x) = 0. By
D, the derivative of P (laws/kernels/slope.py), and E = I - D + h D (C + e),

    E dp + h D dy = -F,   so   dp = -w - T dy,   w = E^-1 F,   T = h E^-1 D.

An extra row is the same with one number for D: one between its bounds, else zero.
"""

from __future__ import annotations

from rollcone._build.kernels import entry, kernel
from rollcone._build.signatures import Float1, Float2, Float3, Int2
from rollcone.laws.kernels.slope import law_project, law_slope

_TINY = 1e-200  # a pivot that counts as zero


@entry
def contact_equations(
    exact: bool,
    kinds: Int2,
    radii: Float2,
    h: float,
    e: float,
    soft: Float2,
    y: Float2,
    p: Float2,
    center: Float2,
    work: Float2,
    F: Float2,
    w: Float2,
    T: Float3,
) -> bool:
    """F, w (n, d) and T (n, d, d) of all contacts; False if an E is singular.

    soft (n, d) is C; work (14, 13): x, P(x), D, and E with what is divided by it.
    """
    d = p.shape[1]
    x, new, D, left = work[0], work[1], work[2:8], work[8:14]
    for k in range(6):
        x[k] = 0.0
    for i in range(p.shape[0]):
        for k in range(d):
            x[k] = p[i, k] - h * (y[i, k] + e * (p[i, k] - center[i, k]))
        law_slope(exact, kinds[i], radii[i], x, new, D)
        for k in range(d):
            F[i, k] = p[i, k] - new[k]
            for m in range(d):
                left[k, m] = D[k, m] * (h * (soft[i, m] + e) - 1.0)
                left[k, d + m] = h * D[k, m]
            left[k, k] += 1.0
            left[k, 2 * d] = F[i, k]
        if not _reduce(d, left):
            return False
        for k in range(d):
            w[i, k] = left[k, 2 * d]
            for m in range(d):
                T[i, k, m] = left[k, d + m]
    return True


@entry
def squared_defect(
    exact: bool,
    kinds: Int2,
    radii: Float2,
    bounds: Float2,
    h: float,
    e: float,
    y: Float2,
    p: Float2,
    center: Float2,
    row_y: Float1,
    row_p: Float1,
    row_center: Float1,
    work: Float2,
) -> float:
    """|F|^2 of all contacts and extra rows; work as above."""
    d, total = p.shape[1], 0.0
    x, new = work[0], work[1]
    for k in range(6):
        x[k] = 0.0
    for i in range(p.shape[0]):
        for k in range(d):
            x[k] = p[i, k] - h * (y[i, k] + e * (p[i, k] - center[i, k]))
        law_project(exact, kinds[i], radii[i], x, new)
        for k in range(d):
            total += (p[i, k] - new[k]) ** 2
    for k in range(row_p.shape[0]):
        x0 = row_p[k] - h * (row_y[k] + e * (row_p[k] - row_center[k]))
        total += (row_p[k] - min(max(x0, bounds[k, 0]), bounds[k, 1])) ** 2
    return total


@kernel
def _reduce(d, work):
    """Gauss-Jordan with row exchanges: the right part of work becomes left^-1 right."""
    for k in range(d):
        best = k
        for m in range(k + 1, d):
            if abs(work[m, k]) > abs(work[best, k]):
                best = m
        if not abs(work[best, k]) > _TINY:
            return False
        for j in range(k, 2 * d + 1):
            work[k, j], work[best, j] = work[best, j], work[k, j]
        pivot = 1.0 / work[k, k]
        for j in range(k, 2 * d + 1):
            work[k, j] *= pivot
        for m in range(d):
            f = work[m, k]
            if m != k and f != 0.0:
                for j in range(k, 2 * d + 1):
                    work[m, j] -= f * work[k, j]
    return True


@entry
def row_equations(
    bounds: Float2,
    h: float,
    e: float,
    soft: Float1,
    y: Float1,
    p: Float1,
    center: Float1,
    F: Float1,
    w: Float1,
    t: Float1,
) -> None:
    """The same of the extra rows, all (m,)."""
    for k in range(p.shape[0]):
        x = p[k] - h * (y[k] + e * (p[k] - center[k]))
        inside = bounds[k, 0] < x < bounds[k, 1]
        F[k] = p[k] - min(max(x, bounds[k, 0]), bounds[k, 1])
        w[k], t[k] = F[k], 0.0
        if inside:
            w[k] = F[k] / (h * (soft[k] + e))
            t[k] = 1.0 / (soft[k] + e)


@entry
def move_contacts(w: Float2, T: Float3, dy: Float2, dp: Float2) -> None:
    """dp = -w - T dy, all (n, d)."""
    for i in range(w.shape[0]):
        for k in range(w.shape[1]):
            total = w[i, k]
            for m in range(w.shape[1]):
                total += T[i, k, m] * dy[i, m]
            dp[i, k] = -total
