"""Compiled sweeps over the contacts, in body form and in Delassus form.

All numbers are scaled (see scaled.py): blocks have unit diagonals, so one
step length serves all rows of a contact. `rows` is the number of rows per contact
(2, 3, 5 or 6), `dofs` the number of velocities per body. `W` (n, d, d) has no rows
unless one-contact problems are solved exactly.
Six local numbers hold a contact's velocity and reaction, so they stay in registers.
"""

from __future__ import annotations

import math

import numpy as np

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Float2, Float3, Float4, Int1, Int2
from rollcone.laws.kernels.sets import project_contact

FIXED, SYMMETRIC, SHUFFLED = 0, 1, 2


@inlined
def step_contact(exact, kinds, radii, i, h, y0, y1, y2, y3, y4, y5, p0, p1, p2, p3, p4, p5):
    """One projection of p - h y: on the cone, or under the exact law set by set."""
    slide, roll = kinds[i, 0], kinds[i, 1]
    a1, b1, a2, b2, s = radii[i, 0], radii[i, 1], radii[i, 2], radii[i, 3], radii[i, 4]
    x0, x1, x2 = p0 - h * y0, p1 - h * y1, p2 - h * y2
    x3, x4, x5 = p3 - h * y3, p4 - h * y4, p5 - h * y5
    normal = max(x0, 0.0)
    return project_contact(exact, slide, a1, b1, roll, a2, b2, s, normal, x0, x1, x2, x3, x4, x5)


@kernel
def solve_contact(
    rows, exact, kinds, radii, W, i, h, most, y0, y1, y2, y3, y4, y5, p0, p1, p2, p3, p4, p5
):
    """The one-contact problem: projections repeated on the contact's own block W_ii.

    The step is halved when the changes stop shrinking, which means a circle.
    """
    d = rows
    least, last = 0.01 * h, math.inf
    for _ in range(most):
        x0, x1, x2, x3, x4, x5 = step_contact(
            exact, kinds, radii, i, h, y0, y1, y2, y3, y4, y5, p0, p1, p2, p3, p4, p5
        )
        d0, d1, d2, d3, d4, d5 = x0 - p0, x1 - p1, x2 - p2, x3 - p3, x4 - p4, x5 - p5
        p0, p1, p2, p3, p4, p5 = x0, x1, x2, x3, x4, x5
        moved = d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5
        size = p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3 + p4 * p4 + p5 * p5
        if moved <= 1e-30 * size:
            break
        if moved > 0.8 * last:
            h = max(0.5 * h, least)
        last = moved
        for k in range(d):
            change = W[i, k, 0] * d0 + W[i, k, 1] * d1
            if d > 2:
                change += W[i, k, 2] * d2
            if d > 3:
                change += W[i, k, 3] * d3 + W[i, k, 4] * d4
            if d > 5:
                change += W[i, k, 5] * d5
            if k == 0:
                y0 += change
            elif k == 1:
                y1 += change
            elif k == 2:
                y2 += change
            elif k == 3:
                y3 += change
            elif k == 4:
                y4 += change
            else:
                y5 += change
    return p0, p1, p2, p3, p4, p5


@inlined
def update_contact(
    rows, exact, kinds, radii, W, steps, local, mix, i, y0, y1, y2, y3, y4, y5, p, new
):
    """Put in the new reaction of contact i; returns its change and its squared error.

    mix < 1 goes that part of the way only.
    """
    d = rows
    p0, p1 = p[i, 0], p[i, 1]
    p2 = p[i, 2] if d > 2 else 0.0
    p3 = p[i, 3] if d > 3 else 0.0
    p4 = p[i, 4] if d > 3 else 0.0
    p5 = p[i, 5] if d > 5 else 0.0
    h = steps[i]
    if W.shape[0] == 0:
        x0, x1, x2, x3, x4, x5 = step_contact(
            exact, kinds, radii, i, h, y0, y1, y2, y3, y4, y5, p0, p1, p2, p3, p4, p5
        )
    else:
        x0, x1, x2, x3, x4, x5 = solve_contact(
            rows, exact, kinds, radii, W, i, h, local,
            y0, y1, y2, y3, y4, y5, p0, p1, p2, p3, p4, p5,
        )  # fmt: skip
    d0, d1, d2, d3, d4, d5 = x0 - p0, x1 - p1, x2 - p2, x3 - p3, x4 - p4, x5 - p5
    square = d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5
    if mix != 1.0:
        d0, d1, d2, d3, d4, d5 = d0 * mix, d1 * mix, d2 * mix, d3 * mix, d4 * mix, d5 * mix
        x0, x1, x2, x3, x4, x5 = p0 + d0, p1 + d1, p2 + d2, p3 + d3, p4 + d4, p5 + d5
    new[i, 0], new[i, 1] = x0, x1
    if d > 2:
        new[i, 2] = x2
    if d > 3:
        new[i, 3], new[i, 4] = x3, x4
    if d > 5:
        new[i, 5] = x5
    return d0, d1, d2, d3, d4, d5, square / (h * h)


@entry
def step_contacts(
    rows: int, exact: bool, kinds: Int2, radii: Float2, h: float, y: Float2, p: Float2, out: Float2
) -> None:
    """One step of every contact at once, all with the step length h."""
    d = rows
    for i in range(p.shape[0]):
        y2, p2 = (y[i, 2], p[i, 2]) if d > 2 else (0.0, 0.0)
        y3, p3 = (y[i, 3], p[i, 3]) if d > 3 else (0.0, 0.0)
        y4, p4 = (y[i, 4], p[i, 4]) if d > 3 else (0.0, 0.0)
        y5, p5 = (y[i, 5], p[i, 5]) if d > 5 else (0.0, 0.0)
        x0, x1, x2, x3, x4, x5 = step_contact(
            exact, kinds, radii, i, h,
            y[i, 0], y[i, 1], y2, y3, y4, y5, p[i, 0], p[i, 1], p2, p3, p4, p5,
        )  # fmt: skip
        out[i, 0], out[i, 1] = x0, x1
        if d > 2:
            out[i, 2] = x2
        if d > 3:
            out[i, 3], out[i, 4] = x3, x4
        if d > 5:
            out[i, 5] = x5


@kernel
def next_order(order_kind, sweep, order, state):
    """Prepare the order of the coming sweep in place; `state` (1,), which is written, seeds the
    shuffle (xorshift)."""
    n = order.shape[0]
    if order_kind == SYMMETRIC and sweep > 0:
        for k in range(n // 2):
            order[k], order[n - 1 - k] = order[n - 1 - k], order[k]
    elif order_kind == SHUFFLED:
        for k in range(n - 1, 0, -1):
            x = np.uint64(state[0])
            x ^= x << np.uint64(13)
            x ^= x >> np.uint64(7)
            x ^= x << np.uint64(17)
            state[0] = np.int64(x)
            j = np.int64(x % np.uint64(k + 1))
            order[k], order[j] = order[j], order[k]


@inlined
def sweep_body_rows(dofs, step, mix, blocks, bodies, b, soft, bounds, p, z, z_new):
    """Every extra row by a projected step, in turn; returns the sum of squared errors."""
    total = 0.0
    for i in range(p.shape[0]):
        A, B = bodies[i, 0], bodies[i, 1]
        y = b[i] + soft[i] * p[i]
        for j in range(dofs):
            y += blocks[i, 0, j, 0] * z[A, j] + blocks[i, 1, j, 0] * z[B, j]
        new = min(max(p[i] - step * y, bounds[i, 0]), bounds[i, 1])
        change = new - p[i]
        total += change * change
        if mix != 1.0:
            change *= mix
            new = p[i] + change
        p[i] = new
        for j in range(dofs):
            z_new[A, j] += blocks[i, 0, j, 0] * change
            z_new[B, j] += blocks[i, 1, j, 0] * change
    return total / (step * step)


@entry
def sweep_bodies(
    rows: int,
    dofs: int,
    exact: bool,
    order_kind: int,
    local: int,
    mix: float,
    row_step: float,
    sweep: int,
    sweeps: int,
    target: float,
    order: Int1,
    state: Int1,
    blocks: Float4,
    bodies: Int2,
    b: Float2,
    soft: Float2,
    kinds: Int2,
    radii: Float2,
    W: Float3,
    steps: Float1,
    p: Float2,
    row_blocks: Float4,
    row_bodies: Int2,
    row_b: Float1,
    row_soft: Float1,
    row_bounds: Float2,
    row_p: Float1,
    z: Float2,
    z_new: Float2,
) -> tuple[int, float]:
    """Sweeps in body form: at most `sweeps`, fewer once the error is below target.

    y = blocks^T z + b (+ soft p); a new reaction changes z_new at once. z_new = z makes
    it Gauss-Seidel's method; one sweep with z_new a copy of z, Jacobi's. Extra rows follow
    the contacts. Returns the number of sweeps and the last error. The loop is long on purpose:
    with reading y and changing z in functions of their own, even inlined, it takes a quarter
    more time.
    """
    d = rows
    error = math.inf
    done = 0
    while done < sweeps and error > target:
        next_order(order_kind, sweep + done, order, state)
        total = 0.0
        for place in range(order.shape[0]):
            i = order[place]
            A, B = bodies[i, 0], bodies[i, 1]
            y0, y1, y2, y3, y4, y5 = b[i, 0], b[i, 1], 0.0, 0.0, 0.0, 0.0
            x0, x1, x2, x3, x4, x5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            if d > 2:
                y2 = b[i, 2]
            if d > 3:
                y3, y4 = b[i, 3], b[i, 4]
            if d > 5:
                y5 = b[i, 5]
            for j in range(dofs):
                zA, zB = z[A, j], z[B, j]
                y0 += blocks[i, 0, j, 0] * zA
                y1 += blocks[i, 0, j, 1] * zA
                x0 += blocks[i, 1, j, 0] * zB
                x1 += blocks[i, 1, j, 1] * zB
                if d > 2:
                    y2 += blocks[i, 0, j, 2] * zA
                    x2 += blocks[i, 1, j, 2] * zB
                if d > 3:
                    y3 += blocks[i, 0, j, 3] * zA
                    y4 += blocks[i, 0, j, 4] * zA
                    x3 += blocks[i, 1, j, 3] * zB
                    x4 += blocks[i, 1, j, 4] * zB
                if d > 5:
                    y5 += blocks[i, 0, j, 5] * zA
                    x5 += blocks[i, 1, j, 5] * zB
            if soft.shape[0] > 0:
                x0 += soft[i, 0] * p[i, 0]
                x1 += soft[i, 1] * p[i, 1]
                if d > 2:
                    x2 += soft[i, 2] * p[i, 2]
                if d > 3:
                    x3 += soft[i, 3] * p[i, 3]
                    x4 += soft[i, 4] * p[i, 4]
                if d > 5:
                    x5 += soft[i, 5] * p[i, 5]
            d0, d1, d2, d3, d4, d5, square = update_contact(
                rows, exact, kinds, radii, W, steps, local, mix, i,
                y0 + x0, y1 + x1, y2 + x2, y3 + x3, y4 + x4, y5 + x5, p, p,
            )  # fmt: skip
            total += square
            if square == 0.0:
                continue
            for j in range(dofs):
                zA = blocks[i, 0, j, 0] * d0 + blocks[i, 0, j, 1] * d1
                zB = blocks[i, 1, j, 0] * d0 + blocks[i, 1, j, 1] * d1
                if d > 2:
                    zA += blocks[i, 0, j, 2] * d2
                    zB += blocks[i, 1, j, 2] * d2
                if d > 3:
                    zA += blocks[i, 0, j, 3] * d3 + blocks[i, 0, j, 4] * d4
                    zB += blocks[i, 1, j, 3] * d3 + blocks[i, 1, j, 4] * d4
                if d > 5:
                    zA += blocks[i, 0, j, 5] * d5
                    zB += blocks[i, 1, j, 5] * d5
                z_new[A, j] += zA
                z_new[B, j] += zB
        total += sweep_body_rows(
            dofs, row_step, mix, row_blocks, row_bodies, row_b, row_soft, row_bounds, row_p,
            z, z_new,
        )  # fmt: skip
        error = math.sqrt(total)
        done += 1
    return done, error


@inlined
def delassus_velocity(rows, starts, columns, blocks, q, p, i):
    """y of contact i from the reactions of all contacts, as six numbers."""
    d = rows
    y0, y1, y2, y3, y4, y5 = q[i, 0], q[i, 1], 0.0, 0.0, 0.0, 0.0
    if d > 2:
        y2 = q[i, 2]
    if d > 3:
        y3, y4 = q[i, 3], q[i, 4]
    if d > 5:
        y5 = q[i, 5]
    for e in range(starts[i], starts[i + 1]):
        j = columns[e]
        for k in range(d):
            r = p[j, k]
            y0 += blocks[e, 0, k] * r
            y1 += blocks[e, 1, k] * r
            if d > 2:
                y2 += blocks[e, 2, k] * r
            if d > 3:
                y3 += blocks[e, 3, k] * r
                y4 += blocks[e, 4, k] * r
            if d > 5:
                y5 += blocks[e, 5, k] * r
    return y0, y1, y2, y3, y4, y5


@inlined
def sweep_delassus_rows(rows, step, mix, starts, columns, values, q, bounds, p, row_p, row_new):
    """Every extra row by a projected step, in turn; returns the sum of squared errors."""
    d = rows
    cut = p.shape[0] * d
    total = 0.0
    for i in range(row_p.shape[0]):
        y = q[i]
        for e in range(starts[i], starts[i + 1]):
            j = columns[e]
            y += values[e] * (p[j // d, j % d] if j < cut else row_p[j - cut])
        new = min(max(row_p[i] - step * y, bounds[i, 0]), bounds[i, 1])
        total += (new - row_p[i]) ** 2
        row_new[i] = new if mix == 1.0 else row_p[i] + mix * (new - row_p[i])
    return total / (step * step)


@entry
def sweep_delassus(
    rows: int,
    exact: bool,
    order_kind: int,
    local: int,
    mix: float,
    row_step: float,
    sweep: int,
    sweeps: int,
    target: float,
    order: Int1,
    state: Int1,
    starts: Int1,
    columns: Int1,
    blocks: Float3,
    q: Float2,
    kinds: Int2,
    radii: Float2,
    W: Float3,
    steps: Float1,
    p: Float2,
    p_new: Float2,
    row_starts: Int1,
    row_columns: Int1,
    row_values: Float1,
    row_q: Float1,
    row_bounds: Float2,
    row_p: Float1,
    row_new: Float1,
    to_starts: Int1,
    to_columns: Int1,
    to_values: Float1,
) -> tuple[int, float]:
    """Sweeps in Delassus form: W between contacts in block rows (starts, columns,
    blocks), the extra rows' own rows of W (row_...) over all columns, and what extra rows
    do to contacts (to_...). Compliance is part of W. Reactions are read from p and row_p and
    written to p_new and row_new: the same arrays for Gauss-Seidel's method, others for one
    sweep of Jacobi's. Otherwise as `sweep_bodies`.
    """
    d = rows
    error = math.inf
    done = 0
    while done < sweeps and error > target:
        next_order(order_kind, sweep + done, order, state)
        total = 0.0
        for place in range(order.shape[0]):
            i = order[place]
            y0, y1, y2, y3, y4, y5 = delassus_velocity(rows, starts, columns, blocks, q, p, i)
            if row_p.shape[0] > 0:
                k = i * d
                y0 += sparse_row(to_starts, to_columns, to_values, k, row_p)
                y1 += sparse_row(to_starts, to_columns, to_values, k + 1, row_p)
                if d > 2:
                    y2 += sparse_row(to_starts, to_columns, to_values, k + 2, row_p)
                if d > 3:
                    y3 += sparse_row(to_starts, to_columns, to_values, k + 3, row_p)
                    y4 += sparse_row(to_starts, to_columns, to_values, k + 4, row_p)
                if d > 5:
                    y5 += sparse_row(to_starts, to_columns, to_values, k + 5, row_p)
            change = update_contact(
                rows, exact, kinds, radii, W, steps, local, mix, i,
                y0, y1, y2, y3, y4, y5, p, p_new,
            )  # fmt: skip
            total += change[6]
        total += sweep_delassus_rows(
            rows, row_step, mix, row_starts, row_columns, row_values, row_q, row_bounds,
            p, row_p, row_new,
        )  # fmt: skip
        error = math.sqrt(total)
        done += 1
    return done, error


@kernel
def sparse_row(starts, columns, values, row, x):
    """Row `row` of a sparse matrix times x."""
    total = 0.0
    for e in range(starts[row], starts[row + 1]):
        total += values[e] * x[columns[e]]
    return total
