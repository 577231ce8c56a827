"""Gauss-Seidel on the problem of one time step, from the blocks to the answer in one call.

What `run_solver` does with `gauss-seidel`, its default options and a problem from
`ContactProblem.from_pairs`, number for number: the scaling (scaled.py), the sweeps (sweeps.py),
the checks with their stopping rule (driver.py, `share_residual`). `work` is a `PairWork`
(_pair_work.py), of which the first rows are used.
"""

from __future__ import annotations

import math

import numpy as np

from rollcone._jit import inlined, kernel
from rollcone.problem._kernels import (
    contact_errors,
    largest_eigenvalues,
    scale_contacts,
    scale_radii,
    weighted_norm,
    worst_share,
)
from rollcone.problem._linear_kernels import add_reactions, add_velocities, pair_products
from rollcone.solvers._kernels import FIXED, sweep_bodies
from rollcone.solvers._progress_kernels import (
    ASSOCIATED_START,
    EXACT_START,
    SHARE,
    WINDOW,
    compiled_lower,
    compiled_next_check,
    compiled_next_sweeps,
    compiled_watch_error,
)
from rollcone.solvers._scaled_kernels import group_scales, scale_pairs

CONVERGED, MAX_ITERATIONS, DIVERGED = 0, 1, 2
_DOFS = (0,) * 6
_LOG_SHARE = math.log(SHARE)


@kernel
def solve_pairs(
    rows, exact, blocks, movers, z_free, b, radii, speeds, tolerance, speed_tolerance, least, most,
    p, work,
):  # fmt: skip
    """Sweep until max e_i / speeds_i <= tolerance or max e_i <= speed_tolerance, at least `least`
    and at most `most` times. All sets are discs. p (c, d) holds the start, then the best answer.

    Returns a status, the number of sweeps, and of the best answer the residual and the speed.
    """
    c, n = b.shape[0], z_free.shape[0]
    W, lambdas, units, unit_radii = work.W[:c], work.lambdas[:c], work.units, work.unit_radii
    now, y, errors, moved = work.p, work.y[:c], work.errors[:c], work.moved
    pair_products(_DOFS, rows, blocks, W)
    scale_contacts(W, work.none, work.square, units, lambdas)
    scale_radii(radii, units, unit_radii)
    fill(now, c, 0.0)
    drive, _, _ = measure(
        rows, exact, blocks, movers, z_free, b, unit_radii, units, lambdas, speeds, work.none,
        now, moved, y, errors,
    )  # fmt: skip
    if drive == 0.0:
        fill(p, c, 0.0)
        return CONVERGED, 0, 0.0, 0.0
    D, x, z, steps = work.D, work.x, work.z, work.steps
    pairs, order = work.pairs[:c], work.order[:c]
    group_scales(W, units, lambdas, work.line, D)
    largest_eigenvalues(W, D, work.square, steps)
    scale_radii(radii, D, work.radii)
    scale_pairs(blocks, D, pairs)
    relaxation = EXACT_START if exact else ASSOCIATED_START
    unit = enter(relaxation, z_free, b, p, y, D, steps, work.z_free, work.b, x)
    load(rows, n, movers, pairs, work.z_free, x, z)
    size = drive / unit or 1.0
    window, seen, total, lowest = WINDOW, 0, 0.0, math.inf  # of the watch
    # Not the literal 0, for which the sweeps would be compiled a second time.
    done, error, goal = np.int64(0), math.inf, math.inf
    residual, speed, rank, enough = math.inf, math.inf, math.inf, False  # of the best
    while True:
        new_rank, new_speed, new_residual = math.inf, math.inf, math.inf
        if leave(c, unit, D, x, now):
            new_rank, new_speed, new_residual = measure(
                rows, exact, blocks, movers, z_free, b, unit_radii, units, lambdas, speeds,
                work.none, now, moved, y, errors,
            )  # fmt: skip
        met = new_residual <= tolerance or new_speed <= speed_tolerance
        if done == 0 or new_rank < rank or (met and not enough):
            residual, speed, rank, enough = new_residual, new_speed, new_rank, met
            copy(now, p, c)
        if enough and done >= least:
            return CONVERGED, done, residual, speed
        if not math.isfinite(new_residual):
            return DIVERGED, done, residual, speed
        if done >= most:
            return MAX_ITERATIONS, done, residual, speed
        end, anew = compiled_next_sweeps(done, compiled_next_check(done, most), error, size)
        if anew:
            load(rows, n, movers, pairs, work.z_free, x, z)
        goal = min(goal, tolerance * size)
        count, error = sweep_bodies(
            rows, _DOFS, exact, FIXED, 0, 1.0, 1.0, done, end - done, goal, order, work.state,
            pairs, movers, work.b, work.no_rows, None, work.radii, None, steps, x,
            work.no_blocks, work.no_bodies, work.none, work.none, work.no_rows, work.none, z, z,
        )  # fmt: skip
        done += count
        goal = 0.5 * error if error <= goal else goal
        stuck, window, seen, total, lowest = compiled_watch_error(
            error, count, _LOG_SHARE, WINDOW, window, seen, total, lowest
        )
        if stuck and exact:
            factor = compiled_lower(relaxation)
            relaxation *= factor
            for i in range(c):
                steps[i] *= factor


@inlined
def measure(
    rows, exact, blocks, movers, z_free, b, radii, units, lambdas, speeds, none, p, moved, y, errors
):  # fmt: skip
    """y and the errors of the reactions p; returns |e|, max e_i and max e_i / speeds_i."""
    c, n = b.shape[0], z_free.shape[0]
    copy(z_free, moved, n)
    for j in range(6):
        moved[n, j] = 0.0  # of the missing body
    add_reactions(_DOFS, rows, blocks, movers, p, moved)
    copy(b, y, c)
    add_velocities(_DOFS, rows, blocks, movers, moved, y)
    largest = 0.0
    for i in range(c):
        for k in range(len(rows)):
            largest = larger(largest, y[i, k])
    contact_errors(exact, None, radii, units, lambdas, largest or 1.0, y, p, errors)
    size, worst = weighted_norm(errors, lambdas, none, none)
    return size, worst, worst_share(units, lambdas, speeds, p, errors)


@inlined
def enter(relaxation, z_free, b, p, y, D, steps, z_scaled, b_scaled, x):
    """The start and the free motion in the units of scaled.py, y being the free velocities, and
    `steps` the blocks' largest eigenvalues turned to step lengths. Returns the unit of speed."""
    c, d = p.shape
    n = z_free.shape[0]
    unit = 0.0
    for i in range(c):
        steps[i] = relaxation / (steps[i] if steps[i] > 0.0 else 1.0)
        for k in range(d):
            unit = larger(unit, y[i, k] * D[i, k])
    unit = unit or 1.0
    for i in range(c):
        for k in range(d):
            x[i, k] = p[i, k] / D[i, k] / unit
            b_scaled[i, k] = b[i, k] * D[i, k] / unit
    for j in range(6):
        for body in range(n):
            z_scaled[body, j] = z_free[body, j] / unit
        z_scaled[n, j] = 0.0
    return unit


@inlined
def load(rows, n, movers, pairs, z_free, x, z):
    """z for the scaled reactions x, free of the rounding that sweeps pile up."""
    copy(z_free, z, n + 1)
    add_reactions(_DOFS, rows, pairs, movers, x, z)


@inlined
def leave(c, unit, D, x, p):
    """p from the scaled reactions x; returns whether all are finite."""
    finite = True
    for i in range(c):
        for k in range(x.shape[1]):
            p[i, k] = x[i, k] * D[i, k] * unit
            finite = finite and math.isfinite(p[i, k])
    return finite


@inlined
def larger(size, value):
    """The larger of size and |value|; NaN if one of them is."""
    return abs(value) if abs(value) > size or math.isnan(value) else size


@inlined
def fill(array, count, value):
    """The first rows; a loop, since assignment to a slice takes seconds to compile."""
    for i in range(count):
        for k in range(array.shape[1]):
            array[i, k] = value


@inlined
def copy(array, out, count):
    """The first rows, likewise."""
    for i in range(count):
        for k in range(array.shape[1]):
            out[i, k] = array[i, k]
