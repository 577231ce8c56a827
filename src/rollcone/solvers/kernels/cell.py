"""Contacts of a time step as records, and the sweeps over them.

A record ("cell") holds all that a visit of the contact reads, and nothing of the two bodies but
their places, so that a sweep streams through memory:

    y = D (J V + b) / u,    V <- V + M^-1 J^T D dx

with V the velocities of the bodies over the unit of speed u, x the reactions over D u, and D one
number for each group of rows (normal, sliding, rolling, spinning): the scaling of scaled.py, over
the root of the block's largest eigenvalue, so that one step length serves all contacts.
J follows from the frame (n, t1) and the two arms. `rows` is the number of rows per
contact, 3 or 6. `sets` (c, 3) has the kinds of the sliding and the rolling set of each cell, and
the second half-axis of the latter; it has no rows where all sets are discs.
"""

from __future__ import annotations

import math

from rollcone._build.intrinsics import fetch_row
from rollcone._build.kernels import inlined, kernel
from rollcone.laws.kernels.sets import project_law, project_on_discs

# Places in a cell.
NORMAL, TANGENT, ARM_A, ARM_B, B, X, D, RADII, SHARE, CELL = 0, 3, 6, 9, 12, 18, 24, 28, 31, 32
# Places in the row of a body, which is one cache line: velocities, 1 / m, and the inverse moment of
# inertia where all axes have the same; else `turns` (n + 1, 6) has xx, yy, zz, xy, xz, yz.
V, W, MASS, INERTIA, BODY = 0, 3, 6, 7, 8
_AHEAD = 8  # contacts: bodies of those that come soon are fetched
_OWN = 1.5  # lambda D_n D_t: less than that of solid spheres


@inlined
def cell_velocity(rows, cells, i, bodies, a, b):
    """J V of cell i, whose bodies are a and b: u_n, u_t1, u_t2, w_t1, w_t2, w_n; not scaled."""
    n1, n2, n3 = cells[i, 0], cells[i, 1], cells[i, 2]
    s1, s2, s3 = cells[i, 3], cells[i, 4], cells[i, 5]
    c1, c2, c3 = n2 * s3 - n3 * s2, n3 * s1 - n1 * s3, n1 * s2 - n2 * s1
    p1, p2, p3 = bodies[a, 3], bodies[a, 4], bodies[a, 5]
    q1, q2, q3 = bodies[b, 3], bodies[b, 4], bodies[b, 5]
    a1, a2, a3 = cells[i, 6], cells[i, 7], cells[i, 8]
    b1, b2, b3 = cells[i, 9], cells[i, 10], cells[i, 11]
    x = bodies[b, 0] - bodies[a, 0] + (q2 * b3 - q3 * b2) - (p2 * a3 - p3 * a2)
    y = bodies[b, 1] - bodies[a, 1] + (q3 * b1 - q1 * b3) - (p3 * a1 - p1 * a3)
    z = bodies[b, 2] - bodies[a, 2] + (q1 * b2 - q2 * b1) - (p1 * a2 - p2 * a1)
    y0 = n1 * x + n2 * y + n3 * z
    y1 = s1 * x + s2 * y + s3 * z
    y2 = c1 * x + c2 * y + c3 * z
    if rows == 3:
        return y0, y1, y2, 0.0, 0.0, 0.0
    x, y, z = q1 - p1, q2 - p2, q3 - p3
    return (
        y0,
        y1,
        y2,
        s1 * x + s2 * y + s3 * z,
        c1 * x + c2 * y + c3 * z,
        n1 * x + n2 * y + n3 * z,
    )


@inlined
def push_body(turns, bodies, body, sign, r1, r2, r3, f1, f2, f3, m1, m2, m3):
    """V of one body after the force f at the arm r and the moment m; `turns` has no rows where
    every inverse inertia is a number times the unit matrix."""
    k = sign * bodies[body, 6]
    bodies[body, 0] += k * f1
    bodies[body, 1] += k * f2
    bodies[body, 2] += k * f3
    x = sign * (r2 * f3 - r3 * f2 + m1)
    y = sign * (r3 * f1 - r1 * f3 + m2)
    z = sign * (r1 * f2 - r2 * f1 + m3)
    if turns.shape[0] > 0:
        xy, xz, yz = turns[body, 3], turns[body, 4], turns[body, 5]
        bodies[body, 3] += turns[body, 0] * x + xy * y + xz * z
        bodies[body, 4] += xy * x + turns[body, 1] * y + yz * z
        bodies[body, 5] += xz * x + yz * y + turns[body, 2] * z
    else:
        bodies[body, 3] += bodies[body, 7] * x
        bodies[body, 4] += bodies[body, 7] * y
        bodies[body, 5] += bodies[body, 7] * z


@inlined
def push_cell(rows, turns, cells, i, bodies, a, b, n, d0, d1, d2, d3, d4, d5):
    """V after a change of the reactions of cell i; the body number n does not move."""
    n1, n2, n3 = cells[i, 0], cells[i, 1], cells[i, 2]
    s1, s2, s3 = cells[i, 3], cells[i, 4], cells[i, 5]
    c1, c2, c3 = n2 * s3 - n3 * s2, n3 * s1 - n1 * s3, n1 * s2 - n2 * s1
    g0, g1, g2 = d0 * cells[i, 24], d1 * cells[i, 25], d2 * cells[i, 25]
    f1 = g0 * n1 + g1 * s1 + g2 * c1
    f2 = g0 * n2 + g1 * s2 + g2 * c2
    f3 = g0 * n3 + g1 * s3 + g2 * c3
    m1, m2, m3 = 0.0, 0.0, 0.0
    if rows > 3:
        g0, g1, g2 = d5 * cells[i, 27], d3 * cells[i, 26], d4 * cells[i, 26]
        m1 = g0 * n1 + g1 * s1 + g2 * c1
        m2 = g0 * n2 + g1 * s2 + g2 * c2
        m3 = g0 * n3 + g1 * s3 + g2 * c3
    if a < n:
        push_body(
            turns, bodies, a, -1.0, cells[i, 6], cells[i, 7], cells[i, 8], f1, f2, f3, m1, m2, m3
        )
    if b < n:
        push_body(
            turns, bodies, b, 1.0, cells[i, 9], cells[i, 10], cells[i, 11], f1, f2, f3, m1, m2, m3
        )


@inlined
def project_cell(exact, sets, cells, i, x0, x1, x2, x3, x4, x5):
    """On the cone, or under the exact law set by set."""
    mu, rho, sigma = cells[i, 28], cells[i, 29], cells[i, 30]
    return project_point(
        exact, sets, i, mu, rho, rho_across(sets, i, rho), sigma, x0, x0, x1, x2, x3, x4, x5
    )


@inlined
def rho_across(sets, i, rho):
    """The second half-axis of the rolling set, in the units of the cell."""
    return sets[i, 2] if sets.shape[0] > 0 else rho


@inlined
def project_point(exact, sets, i, mu, rho, across, sigma, p0, x0, x1, x2, x3, x4, x5):
    """The nearest point to x: of the cone, or under the exact law of the sets times p0."""
    normal = max(p0, 0.0)
    if sets.shape[0] > 0:
        slide, roll = int(sets[i, 0]), int(sets[i, 1])
        return project_law(
            exact, slide, mu, mu, roll, rho, across, sigma, normal, x0, x1, x2, x3, x4, x5
        )
    return project_on_discs(exact, mu, rho, sigma, normal, x0, x1, x2, x3, x4, x5)


@kernel
def push_cells(rows, turns, n, pairs, cells, bodies, first, last):
    """V after all reactions of the cells from `first` to `last`."""
    for j in range(first, last):
        push_cell(
            rows, turns, cells, j, bodies, pairs[j, 0], pairs[j, 1], n, cells[j, 18], cells[j, 19],
            cells[j, 20], cells[j, 21], cells[j, 22], cells[j, 23],
        )  # fmt: skip


@inlined
def _sweep(
    rows, exact, sets, turns, step, quiet, own, sweep, beta, past, n, pairs, cells,
    bodies, stamp, first, last,
):  # fmt: skip
    """Sweep the cells as `sweep_cells` does; `rows` is a constant of the caller."""
    d, thrown = rows, past.shape[0] > 0
    total, worst, visits = 0.0, 0.0, 0
    for j in range(first, last):
        a, b = pairs[j, 0], pairs[j, 1]
        if quiet > 0.0 and stamp[a] < sweep - 1 and stamp[b] < sweep - 1:
            continue
        soon = min(j + _AHEAD, last - 1)
        fetch_row(bodies, pairs[soon, 0])
        fetch_row(bodies, pairs[soon, 1])
        visits += 1
        y0, y1, y2, y3, y4, y5 = cell_velocity(rows, cells, j, bodies, a, b)
        dn, dt, dr, ds = cells[j, 24], cells[j, 25], cells[j, 26], cells[j, 27]
        p0, p1, p2 = cells[j, 18], cells[j, 19], cells[j, 20]
        p3, p4, p5 = 0.0, 0.0, 0.0
        if d > 3:
            p3, p4, p5 = cells[j, 21], cells[j, 22], cells[j, 23]
        if thrown:
            x0, x1, x2 = past[j, 0], past[j, 1], past[j, 2]
            past[j, 0], past[j, 1], past[j, 2] = p0, p1, p2
            p0, p1, p2 = p0 + beta * (p0 - x0), p1 + beta * (p1 - x1), p2 + beta * (p2 - x2)
            if d > 3:
                x3, x4, x5 = past[j, 3], past[j, 4], past[j, 5]
                past[j, 3], past[j, 4], past[j, 5] = p3, p4, p5
                p3, p4, p5 = p3 + beta * (p3 - x3), p4 + beta * (p4 - x4), p5 + beta * (p5 - x5)
        x0 = p0 - step * (dn * y0 + cells[j, 12])
        x1 = p1 - step * (dt * y1 + cells[j, 13])
        x2 = p2 - step * (dt * y2 + cells[j, 14])
        x3, x4, x5 = 0.0, 0.0, 0.0
        if d > 3:
            x3 = p3 - step * (dr * y3 + cells[j, 15])
            x4 = p4 - step * (dr * y4 + cells[j, 16])
            x5 = p5 - step * (ds * y5 + cells[j, 17])
        x0, x1, x2, x3, x4, x5 = project_cell(exact, sets, cells, j, x0, x1, x2, x3, x4, x5)
        d0, d1, d2, d3, d4, d5 = x0 - p0, x1 - p1, x2 - p2, x3 - p3, x4 - p4, x5 - p5
        square = d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5
        if square == 0.0 and not thrown:
            continue
        total += square
        share = math.sqrt(square) / max(cells[j, 31], _OWN * own * x0)
        if not share <= worst:
            worst = share
        if share > abs(quiet):
            if a < n:
                stamp[a] = sweep
            if b < n:
                stamp[b] = sweep
        cells[j, 18], cells[j, 19], cells[j, 20] = x0, x1, x2
        if d > 3:
            cells[j, 21], cells[j, 22], cells[j, 23] = x3, x4, x5
        push_cell(rows, turns, cells, j, bodies, a, b, n, d0, d1, d2, d3, d4, d5)
    return total, worst, visits


@kernel
def sweep_cells(
    rows, exact, sets, turns, step, quiet, own, sweep, beta, past, n, pairs, cells,
    bodies, stamp, first, last,
):  # fmt: skip
    """One projection of each cell in turn, from `first` to `last`; returns the sum of the squared
    changes, the largest as a share of a contact's own speed, and the number of visits.

    A cell is left out if neither of its bodies has changed since it was last looked at, by more
    than `quiet` times what counts at one of its contacts; unless `quiet` is not positive. `stamp`
    (n + 1,) is the last sweep in which each body changed.
    `own` is 1 if what the contact's reaction does counts as its speed, else 0. With momentum,
    `past` (c, d) has the reactions before those of the cells, and a visit starts from
    x + beta (x - past), as the bodies' velocities do; else it has no rows.

    The loop is compiled for 3 and for 6 rows: it is where a step spends its time.
    """
    if rows == 3:
        return _sweep(
            3, exact, sets, turns, step, quiet, own, sweep, beta, past, n, pairs, cells,
            bodies, stamp, first, last,
        )  # fmt: skip
    return _sweep(
        6, exact, sets, turns, step, quiet, own, sweep, beta, past, n, pairs, cells,
        bodies, stamp, first, last,
    )  # fmt: skip
