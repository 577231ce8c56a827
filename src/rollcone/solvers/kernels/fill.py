"""From a step's contacts to cells (kernels/cell.py): scales, bounds of blocks, and back."""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.problem.kernels.scaling import largest_eigenvalues, scale_contacts
from rollcone.solvers.kernels.scaled import group_scales

# Arms along the normal to this share, equal moments to that: blocks then have a closed form.
_STRAIGHT = 1e-14


@inlined
def put_body(v, w, inverse, scale, i, bodies, turns, stamp, k):
    """Body i in row k, with its free velocities times `scale`."""
    for j in range(3):
        bodies[k, j], bodies[k, 3 + j] = v[i, j] * scale, w[i, j] * scale
    bodies[k, 6], bodies[k, 7] = inverse[i, 0], inverse[i, 1]
    if turns.shape[0] > 0:
        for j in range(6):
            turns[k, j] = inverse[i, 1 + j]
    stamp[k] = -1


@inlined
def put_still_body(bodies, turns, stamp, n):
    """The one that stands for all that are not dynamic."""
    for j in range(bodies.shape[1]):
        bodies[n, j] = 0.0
    if turns.shape[0] > 0:
        for j in range(6):
            turns[n, j] = 0.0
    stamp[n] = -1


@inlined
def is_round(inverse, i):
    """Are the moments of body i equal?"""
    off = abs(inverse[i, 4]) + abs(inverse[i, 5]) + abs(inverse[i, 6])
    return inverse[i, 1] == inverse[i, 2] and inverse[i, 2] == inverse[i, 3] and off == 0.0


@inlined
def is_straight(frames, arms, i, s):
    """Is the arm along the normal? And how long it is, with its sign."""
    n1, n2, n3 = frames[i, 0, 0], frames[i, 0, 1], frames[i, 0, 2]
    x, y, z = arms[i, 3 * s], arms[i, 3 * s + 1], arms[i, 3 * s + 2]
    along = n1 * x + n2 * y + n3 * z
    size = abs(x) + abs(y) + abs(z)
    x, y, z = x - along * n1, y - along * n2, z - along * n3
    return abs(x) + abs(y) + abs(z) <= _STRAIGHT * size, along


@inlined
def straight_scales(rows, inverse, movers, i, n, along_a, along_b):
    """lambda, the units of rolling and spinning, and D of the four groups, where W_ii has a closed
    form: rows of u_t1 and w_t2, and of u_t2 and w_t1, hang together, the others stand alone."""
    normal, slide, turn, mixed = 0.0, 0.0, 0.0, 0.0
    for s in range(2):
        body = movers[i, s]
        if body < n:
            r, m, j = along_b if s else along_a, inverse[body, 0], inverse[body, 1]
            normal += m
            slide += m + r * r * j
            turn += j
            mixed += r * j
    if rows == 3:
        top = max(normal, slide)
        return top, 1.0, 1.0, 1.0 / math.sqrt(normal), 1.0 / math.sqrt(slide), 1.0, 1.0
    length = math.sqrt(slide / turn)
    mixed = abs(mixed)
    more = 1.0 / math.sqrt(1.0 + mixed / math.sqrt(slide * turn))
    return (
        max(normal, slide + mixed * length),
        length,
        length,
        1.0 / math.sqrt(normal),
        more / math.sqrt(slide),
        more / math.sqrt(turn),
        1.0 / math.sqrt(turn),
    )


@kernel
def contact_block(rows, frames, arms, movers, inverse, i, n, W):
    """W_ii into W[0] (d, d): J M^-1 J^T of contact i."""
    d = rows
    for k in range(d):
        for m in range(d):
            W[0, k, m] = 0.0
    for s in range(2):
        body = movers[i, s]
        if body >= n:
            continue
        r1, r2, r3 = arms[i, 3 * s], arms[i, 3 * s + 1], arms[i, 3 * s + 2]
        for k in range(d):
            l1, l2, l3, a1, a2, a3 = row_of(frames, i, k, r1, r2, r3)
            b1 = inverse[body, 1] * a1 + inverse[body, 4] * a2 + inverse[body, 5] * a3
            b2 = inverse[body, 4] * a1 + inverse[body, 2] * a2 + inverse[body, 6] * a3
            b3 = inverse[body, 5] * a1 + inverse[body, 6] * a2 + inverse[body, 3] * a3
            for m in range(k + 1):
                k1, k2, k3, c1, c2, c3 = row_of(frames, i, m, r1, r2, r3)
                value = inverse[body, 0] * (l1 * k1 + l2 * k2 + l3 * k3)
                W[0, k, m] += value + b1 * c1 + b2 * c2 + b3 * c3
    for k in range(d):
        for m in range(k):
            W[0, m, k] = W[0, k, m]


@inlined
def row_of(frames, i, k, r1, r2, r3):
    """Linear and angular part of row k of J for one body."""
    axis = k if k < 3 else k - 2 if k < 5 else 0
    e1, e2, e3 = frames[i, axis, 0], frames[i, axis, 1], frames[i, axis, 2]
    if k < 3:
        return e1, e2, e3, r2 * e3 - r3 * e2, r3 * e1 - r1 * e3, r1 * e2 - r2 * e1
    return 0.0, 0.0, 0.0, e1, e2, e3


@inlined
def crooked_scales(rows, frames, arms, movers, inverse, i, n, W, square, units, line, D, one):
    """The same for any contact; W (1, d, d), square (d, d), units, D (1, d), line (d,) and
    one (1,) are scratch."""
    contact_block(rows, frames, arms, movers, inverse, i, n, W)
    scale_contacts(W, line[:0], square, units, one)
    top = one[0]
    group_scales(W, units, one, line, D)
    largest_eigenvalues(W, D, square, one)
    f = 1.0 / math.sqrt(one[0]) if one[0] > 0.0 else 1.0
    if rows == 3:
        return top, 1.0, 1.0, D[0, 0] * f, D[0, 1] * f, 1.0, 1.0
    return top, units[0, 3], units[0, 5], D[0, 0] * f, D[0, 1] * f, D[0, 3] * f, D[0, 5] * f


@inlined
def put_radii(radii, limits, kinds, i, dn, dt, dr, ds, cells, sets, j):
    """Half-axes of the sets of contact i in the units of the cell, and their kinds."""
    if limits.shape[0] == 0:
        of_laws, law = radii[0], radii[1][i]
        mu, rho, sigma = of_laws[law, 0], of_laws[law, 2], of_laws[law, 4]
    else:
        mu, rho, sigma = limits[i, 0], limits[i, 2], limits[i, 4]
        sets[j, 0], sets[j, 1], sets[j, 2] = kinds[i, 0], kinds[i, 1], limits[i, 3] * dn / dr
    cells[j, 28], cells[j, 29], cells[j, 30] = mu * dn / dt, rho * dn / dr, sigma * dn / ds


@inlined
def put_cell(
    rows, frames, arms, b, p, radii, limits, kinds, speeds, unit, scale, i, cells, sets,
    scales, j,
):  # fmt: skip
    """Contact i in cell j, and in scales (c, 4) lambda, the units of rolling and spinning, and the
    contact's speed. `scale` is what straight_scales gives."""
    top, roll, spin, dn, dt, dr, ds = scale
    scales[j, 0], scales[j, 1], scales[j, 2], scales[j, 3] = top, roll, spin, speeds[i]
    for k in range(3):
        cells[j, k], cells[j, 3 + k] = frames[i, 0, k], frames[i, 1, k]
    for k in range(6):
        cells[j, 6 + k] = arms[i, k]
    cells[j, 24], cells[j, 25], cells[j, 26], cells[j, 27] = dn, dt, dr, ds
    for k in range(rows):
        f = dn if k == 0 else dt if k < 3 else dr if k < 5 else ds
        cells[j, 12 + k] = b[i, k] * f / unit
        cells[j, 18 + k] = p[i, k] / f / unit
    put_radii(radii, limits, kinds, i, dn, dt, dr, ds, cells, sets, j)
    cells[j, 31] = dt * speeds[i] / unit


@kernel
def fill_cells(
    rows, n, movers, frames, arms, b, p, radii, limits, kinds, speeds, inverse, rank,
    unit, place, first, last, pairs, cells, sets, scales, W, square, units, line, D, one,
):  # fmt: skip
    """The contacts from `first` to `last`, each in its place."""
    for i in range(first, last):
        straight, ends = True, (0.0, 0.0)
        for s in range(2):
            body = movers[i, s]
            if body < n:
                along, length = is_straight(frames, arms, i, s)
                straight = straight and along and is_round(inverse, body)
                ends = (ends[0], length) if s else (length, ends[1])
        if straight:
            scale = straight_scales(rows, inverse, movers, i, n, ends[0], ends[1])
        else:
            scale = crooked_scales(
                rows, frames, arms, movers, inverse, i, n, W, square, units, line, D, one
            )
        j = place[i]
        put_cell(
            rows, frames, arms, b, p, radii, limits, kinds, speeds, unit, scale, i, cells,
            sets, scales, j,
        )  # fmt: skip
        for s in range(2):
            pairs[j, s] = rank[movers[i, s]] if movers[i, s] < n else n
