"""Compiled pivots of Lemke's method on a condensed tableau."""

from __future__ import annotations

from rollcone._build.kernels import entry, kernel
from rollcone._build.signatures import Float1, Float2, Int1

SOLVED, RAY, GO_ON = 0, 1, 2


@kernel
def lexically_less(T, where, n, entering, row, other):
    """Is row `row` of (B^-1) / pivot before row `other`, with pivots -T[., entering]?

    B^-1[r, k] is -T[r, column of w_k], or 1 or 0 where w_k is basic.
    """
    p, o = -T[row, entering], -T[other, entering]
    for k in range(n):
        place = where[k]
        if place >= 0:
            a = 1.0 if place == row else 0.0
            b = 1.0 if place == other else 0.0
        else:
            a, b = -T[row, -place - 1], -T[other, -place - 1]
        a, b = a / p, b / o
        if abs(a - b) > 1e-9 * (abs(a) + abs(b)) + 1e-11:
            return a < b
    return False


@kernel
def leaving_row(T, b, where, n, entering, least, slack, stable):
    """The lexicographic ratio test; -1 if nothing stops the entering variable.

    Rows within `slack` of the least ratio are ties; of these, pivots below `stable` times the
    largest are left out; z0 goes first.
    """
    size = 1.0
    for r in range(n):
        size = max(size, abs(T[r, entering]))
    bound = 1e300
    for r in range(n):
        if T[r, entering] < -least * size:
            bound = min(bound, (max(b[r], 0.0) + slack) / -T[r, entering])
    largest = 0.0
    for r in range(n):
        pivot = -T[r, entering]
        if pivot > least * size and b[r] <= bound * pivot:
            largest = max(largest, pivot)
    artificial = where[2 * n]
    chosen = -1
    for r in range(n):
        pivot = -T[r, entering]
        if pivot > least * size and b[r] <= bound * pivot and pivot >= stable * largest:
            if r == artificial:
                return r
            if chosen < 0 or lexically_less(T, where, n, entering, r, chosen):
                chosen = r
    return chosen


@entry
def exchange(
    T: Float2, b: Float1, basic: Int1, nonbasic: Int1, where: Int1, row: int, column: int
) -> None:
    """The variable of `column` becomes basic in `row`, that of `row` nonbasic."""
    pivot = 1.0 / T[row, column]
    columns = nonbasic.size
    for c in range(columns):
        T[row, c] *= -pivot
    T[row, column] = pivot
    b[row] *= -pivot
    for r in range(b.size):
        factor = T[r, column]
        if r != row and factor != 0.0:
            for c in range(columns):
                T[r, c] += factor * T[row, c]
            T[r, column] = factor * pivot
            b[r] += factor * b[row]
            if b[r] < 0.0 and b[r] > -1e-13:
                b[r] = 0.0
    basic[row], nonbasic[column] = nonbasic[column], basic[row]
    where[basic[row]] = row
    where[nonbasic[column]] = -column - 1


@entry
def pivots(
    T: Float2,
    b: Float1,
    basic: Int1,
    nonbasic: Int1,
    where: Int1,
    position: Int1,
    most: int,
    least: float,
    slack: float,
    stable: float,
) -> int:
    """At most `most` pivots of x_B = b + T x_N. position: the entering column, pivots done.

    Variables: w_k is k, z_k is n + k, z0 is 2 n; where[v] is the row, or -1 - column.
    """
    n = b.size
    for _ in range(most):
        column = position[0]
        row = leaving_row(T, b, where, n, column, least, slack, stable)
        if row < 0:
            return RAY
        left = basic[row]
        exchange(T, b, basic, nonbasic, where, row, column)
        position[1] += 1
        if left == 2 * n:
            return SOLVED
        position[0] = -where[left - n if left >= n else left + n] - 1
    return GO_ON
