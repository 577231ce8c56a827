"""Compiled work, most of it on sparse matrices in compressed columns (CSC) or rows (CSR)."""

from __future__ import annotations

import math

from rollcone._build.kernels import entry
from rollcone._build.signatures import Bool1, Byte1, Float1, Float2, Int1, Short1


@entry
def multiply(
    indptr: Short1, indices: Short1, data: Float1, z: Float1, q: Float1, w: Float1, size: Float1
) -> None:
    """w = M z + q and size = |M| |z| + |q|, by columns; columns of zero z cost nothing."""
    for i in range(q.size):
        w[i] = q[i]
        size[i] = abs(q[i])
    for j in range(z.size):
        if z[j] != 0.0:
            for k in range(indptr[j], indptr[j + 1]):
                part = data[k] * z[j]
                w[indices[k]] += part
                size[indices[k]] += abs(part)


@entry
def multiply_dense(M: Float2, z: Float1, q: Float1, w: Float1, size: Float1) -> None:
    """The same for an array, by rows."""
    for i in range(q.size):
        total, absolute = q[i], abs(q[i])
        for j in range(z.size):
            part = M[i, j] * z[j]
            total += part
            absolute += abs(part)
        w[i], size[i] = total, absolute


@entry
def natural_residuals(
    z: Float1,
    w: Float1,
    size: Float1,
    m: Float1,
    lower: Float1,
    upper: Float1,
    load: float,
    smallest: float,
    narrowest: float,
    largest: float,
    rounding: float,
    out: Float1,
) -> None:
    """e_i / S_i of problem.py."""
    for i in range(z.size):
        row, width = size[i], m[i] * (upper[i] - lower[i])
        narrow = 0.0 < width < row
        known = not narrow or abs(w[i]) > 8.0 * rounding * row
        nearest = min(max(z[i] - (w[i] / m[i] if known else 0.0), lower[i]), upper[i])
        error = m[i] * abs(z[i] - nearest)
        if load > 0.0:
            unit = math.sqrt(m[i]) * load
            error += rounding * max(row - largest * unit, 0.0)
            row = min(max(row, smallest * unit), largest * unit)
            if narrow:  # e_i cannot be more
                row = max(min(row, width), narrowest * unit)
        if row > 0.0:
            out[i] = error / row
        else:
            out[i] = 1.0 if error > 0.0 else 0.0


@entry
def largest_share(w: Float1, size: Float1, chosen: Int1) -> float:
    """The largest |w_i| / size_i of those chosen."""
    largest = 0.0
    for i in chosen:
        largest = max(largest, abs(w[i]) / max(size[i], 1e-300))
    return largest


@entry
def pair_sizes(
    indptr: Short1,
    indices: Short1,
    data: Float1,
    row_indptr: Short1,
    row_indices: Short1,
    row_data: Float1,
    diagonal: Float1,
    free: Bool1,
    noise: float,
    m: Float1,
) -> None:
    """m (n,) of problem.py; row i and column i are read side by side, as both are sorted."""
    n = m.size
    for i in range(n):  # first m is the diagonal, where it is more than rounding
        largest = 0.0
        for k in range(row_indptr[i], row_indptr[i + 1]):
            largest = max(largest, abs(row_data[k]))
        m[i] = abs(diagonal[i]) if abs(diagonal[i]) > noise * largest else 0.0
        diagonal[i] = m[i]
    for i in range(n):
        if free[i] and m[i] > 0.0:
            continue
        across, last = row_indptr[i], row_indptr[i + 1]
        largest = m[i]
        for down in range(indptr[i], indptr[i + 1]):
            j = indices[down]
            while across < last and row_indices[across] < j:
                across += 1
            if across < last and row_indices[across] == j and diagonal[j] > 0.0:
                largest = max(largest, abs(row_data[across]) * abs(data[down]) / diagonal[j])
        if largest == 0.0:
            for k in range(row_indptr[i], row_indptr[i + 1]):
                largest = max(largest, abs(row_data[k]))
        if largest == 0.0:
            for k in range(indptr[i], indptr[i + 1]):
                largest = max(largest, abs(data[k]))
        m[i] = largest if largest > 0.0 else 1.0


@entry
def scale(indptr: Short1, indices: Short1, data: Float1, factor: Float1, out: Float1) -> None:
    """out: the data of diag(factor) M diag(factor)."""
    for j in range(factor.size):
        for k in range(indptr[j], indptr[j + 1]):
            out[k] = factor[indices[k]] * data[k] * factor[j]


@entry
def gather(
    indptr: Short1,
    indices: Short1,
    data: Float1,
    chosen: Int1,
    place: Int1,
    out_indptr: Short1,
    out_indices: Short1,
    out_data: Float1,
) -> int:
    """The rows and columns `chosen` of M; place[i] is where i stands in it, or -1."""
    count = 0
    out_indptr[0] = 0
    for c in range(chosen.size):
        j = chosen[c]
        for k in range(indptr[j], indptr[j + 1]):
            row = place[indices[k]]
            if row >= 0:
                out_indices[count] = row
                out_data[count] = data[k]
                count += 1
        out_indptr[c + 1] = count
    return count


@entry
def columns(
    indptr: Short1, indices: Short1, data: Float1, which: Int1, place: Int1, out: Float2
) -> None:
    """out (places, which): those columns of M, the rows that have a place; out is zero before."""
    for c in range(which.size):
        j = which[c]
        for k in range(indptr[j], indptr[j + 1]):
            row = place[indices[k]]
            if row >= 0:
                out[row, c] = data[k]


@entry
def flip(
    z: Float1,
    w: Float1,
    size: Float1,
    lower: Float1,
    upper: Float1,
    state: Byte1,
    tolerance: float,
    smallest: float,
    found: Int1,
    changed: Byte1,
) -> int:
    """Who is on the wrong side: found[:count] are the variables, changed[:count] their new states.

    State -1: at the lower bound, 0: in between, with w = 0, 1: at the upper bound. Tolerances are
    relative to the size of the row, but to no size below `smallest`.
    """
    count = 0
    for i in range(z.size):
        slack = tolerance * (max(size[i], smallest) + abs(z[i]))
        new = state[i]
        if state[i] == 0:
            if z[i] < lower[i] - slack:
                new = -1
            elif z[i] > upper[i] + slack:
                new = 1
        elif lower[i] < upper[i] and w[i] * state[i] > slack:
            new = 0
        if new != state[i]:
            found[count] = i
            changed[count] = new
            count += 1
    return count


@entry
def sweep(
    indptr: Short1,
    indices: Short1,
    data: Float1,
    q: Float1,
    lower: Float1,
    upper: Float1,
    diagonal: Float1,
    omega: float,
    sweeps: int,
    z: Float1,
) -> float:
    """Projected SOR over rows: z_i <- mid(lower, z_i - omega w_i / M_ii, upper), `sweeps` times.

    Returns the largest change of the last sweep, in units of w_i.
    """
    largest = 0.0
    for _ in range(sweeps):
        largest = 0.0
        for i in range(z.size):
            w = q[i]
            for k in range(indptr[i], indptr[i + 1]):
                w += data[k] * z[indices[k]]
            new = min(max(z[i] - omega * w / diagonal[i], lower[i]), upper[i])
            largest = max(largest, abs(new - z[i]) * diagonal[i])
            z[i] = new
    return largest


@entry
def schur_diagonal(
    indptr: Short1,
    indices: Short1,
    data: Float1,
    row_indptr: Short1,
    row_indices: Short1,
    row_data: Float1,
    free: Bool1,
    diagonal: Float1,
) -> None:
    """diagonal <- M_ii - sum of M_ij M_ji / M_jj over free j, for i that are not free.

    It comes as that of M, and is that of the Schur complement if M_ff is diagonal.
    """
    for i in range(diagonal.size):
        if not free[i]:
            across, last = row_indptr[i], row_indptr[i + 1]
            for down in range(indptr[i], indptr[i + 1]):
                j = indices[down]
                while across < last and row_indices[across] < j:
                    across += 1
                if free[j] and across < last and row_indices[across] == j:
                    diagonal[i] -= row_data[across] * data[down] / diagonal[j]


@entry
def sweep_with_free(
    indptr: Short1,
    indices: Short1,
    data: Float1,
    row_indptr: Short1,
    row_indices: Short1,
    row_data: Float1,
    q: Float1,
    lower: Float1,
    upper: Float1,
    free: Bool1,
    diagonal: Float1,
    sweeps: int,
    quiet: int,
    z: Float1,
) -> None:
    """Projected Gauss-Seidel in which free variables follow at once: a change of z_i moves each
    free z_j by -M_ji / M_jj, as it does in a Schur complement with a diagonal M_ff.

    At most `sweeps`; it ends after `quiet` ones in which nothing gets to a bound or leaves one.
    """
    coupled = False  # are free variables to each other? If not, those that follow have w = 0
    for j in range(z.size):
        if free[j]:
            for k in range(indptr[j], indptr[j + 1]):
                coupled |= free[indices[k]] and indices[k] != j
    still = 0
    for number in range(sweeps):
        for i in range(z.size):
            if free[i] and (coupled or number == 0):
                w = q[i]
                for k in range(row_indptr[i], row_indptr[i + 1]):
                    w += row_data[k] * z[row_indices[k]]
                z[i] -= w / diagonal[i]
        moved = 0
        for i in range(z.size):
            if not free[i]:
                w = q[i]
                for k in range(row_indptr[i], row_indptr[i + 1]):
                    w += row_data[k] * z[row_indices[k]]
                new = min(max(z[i] - w / diagonal[i], lower[i]), upper[i])
                change = new - z[i]
                if change != 0.0:
                    if z[i] == lower[i] or z[i] == upper[i] or new == lower[i] or new == upper[i]:
                        moved += 1
                    z[i] = new
                    for k in range(indptr[i], indptr[i + 1]):
                        j = indices[k]
                        if free[j]:
                            z[j] -= data[k] * change / diagonal[j]
        still = still + 1 if moved == 0 else 0
        if still == quiet:
            break
