"""LU by fronts of a matrix over bodies (body_matrix.py): assembly, factors, solution.

A front has w columns and r rows below them, in numbers `wide` and `below`. Its panel is
[pivots U], `wide` rows of `wide + below`, and then the transpose of L, `wide` rows of `below`:

    pivots = P L1 U1,    U <- L1^-1 P^T U,    L^T <- U1^-T L^T,    Schur = sum of children - L U

Everything runs along rows, so the compiler makes vectors of it. Rows are exchanged within
the block of a body only.
"""

from __future__ import annotations

import math

import numpy as np

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Float2, Float3, Float4, Int1, Int2, Int4

_TILE = 128  # columns of a product at a time
_DEPTH = 24  # rows of the right factor at a time: with the tile, what stays in the nearest cache


@entry
def fill_identity(size: int, diagonal: Int2, panels: Float1) -> None:
    """All panels of K = I."""
    for k in range(panels.shape[0]):
        panels[k] = 0.0
    for j in range(diagonal.shape[0]):
        for i in range(size):
            panels[diagonal[j, 0] + i * (diagonal[j, 1] + 1)] = 1.0


@entry
def add_contacts(
    blocks: Float4, T: Float3, targets: Int4, left: Float1, right: Float1, panels: Float1
) -> None:
    """K += A_i T_i A_i^T of every contact; left and right (2 d size,) are scratch."""
    size, d = blocks.shape[2], blocks.shape[3]
    for i in range(blocks.shape[0]):
        for q in range(d):
            for a in range(2):
                for j in range(size):
                    left[(2 * q + a) * size + j] = blocks[i, a, j, q]
        _multiply(d, T[i], left, right, 2 * size)
        for a in range(2):
            for b in range(2):
                if targets[i, a, b, 0] >= 0:
                    _add_block(size, d, blocks[i, a], right, b, targets[i, a, b], panels)


@inlined
def _multiply(d, T, left, right, n):
    """right (d, n) = T left."""
    for m in range(d):
        for j in range(n):
            total = 0.0
            for q in range(d):
                total += T[m, q] * left[q * n + j]
            right[m * n + j] = total


@inlined
def _add_block(size, d, block, right, b, target, panels):
    """panels += block right[:, b], at its target."""
    at, down, along = target[0], target[1], target[2]
    for i in range(size):
        for j in range(size):
            total = 0.0
            for q in range(d):
                total += block[i, q] * right[(2 * q + b) * size + j]
            panels[at + i * down + j * along] += total


@entry
def factor(
    size: int,
    first: Int1,
    begin: Int1,
    place: Int1,
    run: Int1,
    child: Int1,
    sibling: Int1,
    panel: Int1,
    schur: Int1,
    panels: Float1,
    work: Float1,
    swaps: Int1,
    inverse: Float1,
) -> bool:
    """LU of the panels in place; False where a block of a body has no inverse.

    swaps and inverse (columns * size): the row that each pivot was found in, and one over it.
    """
    one = np.int64(1)  # a bare 1 would be a type of its own, and another kernel
    for s in range(panel.shape[0]):
        wide, below = size * (first[s + 1] - first[s]), size * (begin[s + 1] - begin[s])
        top, step = panel[s], wide + below
        low = top + wide * step
        for k in range(schur[s], schur[s] + below * below):
            work[k] = 0.0
        c = child[s]
        while c >= 0:
            start, end = begin[c], begin[c + 1]
            _take_child(
                size, start, end, place, run, schur[c], wide, below, top, schur[s], panels, work
            )
            c = sibling[c]
        for k in range(0, wide, size):
            number = size * first[s] + k
            if not _pivot_block(size, panels, top, k, step, swaps, inverse, number):
                return False
            _finish_rows(size, panels, top, k, wide, step, inverse, number)
            _finish_columns(size, panels, top, k, wide, step, low, below, inverse, number)
        left, right = (low, one, below), (top + wide, step)
        _subtract(work, (schur[s], below), (below, below), panels, left, panels, right, wide)
    return True


@inlined
def _take_child(size, start, end, place, run, source, wide, below, top, target, panels, work):
    """Add the Schur complement of a child, rows start..end, to the front of its parent."""
    n, step = size * (end - start), wide + below
    low = top + wide * step
    for i in range(n):
        row = size * place[start + i // size] + i % size
        f = start
        while f < end:
            at, length = source + i * n + size * (f - start), size * (run[f] - f)
            column = size * place[f]
            if row < wide:
                _add_row(panels, top + row * step + column, work, at, length)
            elif column >= wide:
                to = target + (row - wide) * below + column - wide
                _add_row(work, to, work, at, length)
            else:
                to = low + column * below + row - wide
                for j in range(length):
                    panels[to + j * below] += work[at + j]
            f = run[f]


@inlined
def _add_row(target, to, source, at, n):
    a, b = target[to : to + n], source[at : at + n]
    for j in range(n):
        a[j] += b[j]


@kernel
def _pivot_block(size, panels, top, k, step, swaps, inverse, number):
    """LU of the block of one body with exchanges of whole rows of the panel; False if singular."""
    for m in range(size):
        row = top + (k + m) * step
        best, found = abs(panels[row + k + m]), m
        for i in range(m + 1, size):
            value = abs(panels[top + (k + i) * step + k + m])
            if value > best or value != value:
                best, found = value, i
        swaps[number + m] = found
        if found != m:
            other = row + (found - m) * step
            for j in range(step):
                panels[row + j], panels[other + j] = panels[other + j], panels[row + j]
        over = 1.0 / panels[row + k + m]
        if not (best > 0.0 and abs(over) > 0.0 and abs(over) < math.inf):
            return False
        inverse[number + m] = over
        for i in range(m + 1, size):
            at = top + (k + i) * step + k
            factor = panels[at + m] * over
            panels[at + m] = factor
            for j in range(m + 1, size):
                panels[at + j] -= factor * panels[row + k + j]
    return True


@inlined
def _finish_rows(size, panels, top, k, wide, step, inverse, number):
    """To the right of the block L1^-1, below it U1^-1; then the pivots that remain."""
    one, right = np.int64(1), k + size
    row, n = top + k * step, step - right
    for m in range(1, size):
        to = (row + m * step + right, step)
        left = (row + m * step + k, one, one)
        _subtract(panels, to, (one, n), panels, left, panels, (row + right, step), m)
    for i in range(right, wide):
        at = top + i * step + k
        for m in range(size):
            total = panels[at + m]
            for q in range(m):
                total -= panels[at + q] * panels[row + q * step + k + m]
            panels[at + m] = total * inverse[number + m]
    to = (top + right * step + right, step)
    left = (top + right * step + k, step, one)
    _subtract(panels, to, (wide - right, n), panels, left, panels, (row + right, step), size)


@inlined
def _finish_columns(size, panels, top, k, wide, step, low, below, inverse, number):
    """U1^-T on the rows of L^T; then the rows of L^T that remain."""
    one, row, right = np.int64(1), top + k * step, k + size
    done = (low + k * below, below)
    for m in range(size):
        at = low + (k + m) * below
        left = (row + k + m, one, step)
        _subtract(panels, (at, below), (one, below), panels, left, panels, done, m)
        line = panels[at : at + below]
        for j in range(below):
            line[j] *= inverse[number + m]
    to, left = (low + right * below, below), (row + right, one, step)
    _subtract(panels, to, (wide - right, below), panels, left, panels, done, size)


@kernel
def _subtract(C, to, shape, A, left, B, right, depth):
    """C -= A B, of shape (rows, columns): C[i, j] at to[0] + i to[1] + j in C, A[i, k] at
    left[0] + i left[1] + k left[2], and B[k, j] at right[0] + k right[1] + j.
    """
    rows, columns = shape
    for j in range(0, columns, _TILE):
        n = min(_TILE, columns - j)
        for k in range(0, depth, _DEPTH):
            last = min(k + _DEPTH, depth)
            for i in range(rows):
                at, a = to[0] + i * to[1] + j, left[0] + i * left[1]
                _subtract_rows(C[at : at + n], A, a, left[2], B, right[0] + j, right[1], k, last)


@inlined
def _subtract_rows(c, A, a, along, B, b, step, k, last):
    """c -= sum of A[k] B[k] for k up to `last`: six at a time, then three, then one."""
    n = c.shape[0]
    while k + 6 <= last:
        p, q = a + k * along, b + k * step
        a0, a1, a2 = A[p], A[p + along], A[p + 2 * along]
        a3, a4, a5 = A[p + 3 * along], A[p + 4 * along], A[p + 5 * along]
        b0, b1, b2 = B[q : q + n], B[q + step : q + step + n], B[q + 2 * step : q + 2 * step + n]
        q += 3 * step
        b3, b4, b5 = B[q : q + n], B[q + step : q + step + n], B[q + 2 * step : q + 2 * step + n]
        for j in range(n):
            c[j] -= ((a0 * b0[j] + a1 * b1[j]) + (a2 * b2[j] + a3 * b3[j])) + (
                a4 * b4[j] + a5 * b5[j]
            )
        k += 6
    while k + 3 <= last:
        p, q = a + k * along, b + k * step
        a0, a1, a2 = A[p], A[p + along], A[p + 2 * along]
        b0, b1, b2 = B[q : q + n], B[q + step : q + step + n], B[q + 2 * step : q + 2 * step + n]
        for j in range(n):
            c[j] -= (a0 * b0[j] + a1 * b1[j]) + a2 * b2[j]
        k += 3
    while k < last:
        a0 = A[a + k * along]
        b0 = B[b + k * step : b + k * step + n]
        for j in range(n):
            c[j] -= a0 * b0[j]
        k += 1


@entry
def solve(
    size: int,
    order: Int1,
    first: Int1,
    begin: Int1,
    rows: Int1,
    panel: Int1,
    panels: Float1,
    swaps: Int1,
    inverse: Float1,
    x: Float1,
    line: Float1,
    r: Float2,
) -> None:
    """r <- K^-1 r, r (bodies + 1, size); x (columns * size) and line (longest front) are work."""
    for j in range(order.shape[0]):
        for i in range(size):
            x[size * j + i] = r[order[j], i]
    for s in range(panel.shape[0]):
        _forward(size, s, first, begin, rows, panel[s], panels, swaps, x, line)
    for s in range(panel.shape[0] - 1, -1, -1):
        _backward(size, s, first, begin, rows, panel[s], panels, inverse, x, line)
    for j in range(order.shape[0]):
        for i in range(size):
            r[order[j], i] = x[size * j + i]


@inlined
def _forward(size, s, first, begin, rows, top, panels, swaps, x, line):
    """x <- L^-1 P^T x for the columns of a front, and what that does to the rows below."""
    wide, below = size * (first[s + 1] - first[s]), size * (begin[s + 1] - begin[s])
    start, step = size * first[s], wide + below
    for i in range(wide):
        other = start + i - i % size + swaps[start + i]
        x[start + i], x[other] = x[other], x[start + i]
    for g in range(0, wide, 6):
        end = min(g + 6, wide)
        _subtract_dots(panels, top + g * step, step, x, start, g, x, start + g, end - g)
        for i in range(g, end):
            for k in range(g, i):
                x[start + i] -= panels[top + i * step + k] * x[start + k]
    for j in range(below):
        line[j] = 0.0
    one, none = np.int64(1), np.int64(0)
    to, left = (none, below), (start, one, one)
    _subtract(line, to, (one, below), x, left, panels, (top + wide * step, below), wide)
    for k in range(begin[s], begin[s + 1]):
        for i in range(size):
            x[size * rows[k] + i] += line[size * (k - begin[s]) + i]


@inlined
def _backward(size, s, first, begin, rows, top, panels, inverse, x, line):
    """x <- U^-1 x for the columns of a front."""
    wide, below = size * (first[s + 1] - first[s]), size * (begin[s + 1] - begin[s])
    start, step = size * first[s], wide + below
    for k in range(begin[s], begin[s + 1]):
        for i in range(size):
            line[wide + size * (k - begin[s]) + i] = x[size * rows[k] + i]
    for g in range((wide - 1) // 6 * 6, -1, -6):
        end = min(g + 6, wide)
        _subtract_dots(
            panels, top + g * step + end, step, line, end, step - end, x, start + g, end - g
        )
        for i in range(end - 1, g - 1, -1):
            total = x[start + i]
            for k in range(i + 1, end):
                total -= panels[top + i * step + k] * line[k]
            line[i] = x[start + i] = total * inverse[start + i]


@inlined
def _subtract_dots(a, p, step, b, q, n, x, to, rows):
    """x[to + i] -= the product of n numbers from a[p + i step] and from b[q] on, for `rows` rows,
    at most six; six sums at a time, so that additions do not wait.
    """
    v = b[q : q + n]
    if rows >= 6:
        u0, u1, u2 = a[p : p + n], a[p + step : p + step + n], a[p + 2 * step : p + 2 * step + n]
        p += 3 * step
        u3, u4, u5 = a[p : p + n], a[p + step : p + step + n], a[p + 2 * step : p + 2 * step + n]
        s0, s1, s2, s3, s4, s5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(n):
            s0 += u0[k] * v[k]
            s1 += u1[k] * v[k]
            s2 += u2[k] * v[k]
            s3 += u3[k] * v[k]
            s4 += u4[k] * v[k]
            s5 += u5[k] * v[k]
        x[to] -= s0
        x[to + 1] -= s1
        x[to + 2] -= s2
        x[to + 3] -= s3
        x[to + 4] -= s4
        x[to + 5] -= s5
    else:
        for i in range(rows):
            total = 0.0
            for k in range(n):
                total += a[p + i * step + k] * v[k]
            x[to + i] -= total
