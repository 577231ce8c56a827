"""Gauss-Seidel on the problem of one time step, by as many threads as there are."""

from __future__ import annotations

import math

import numpy as np

from rollcone._build.gates import share, wait
from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Float2, Float3, Int1, Int2, Short1, Short2
from rollcone.laws.kernels.sets import power_of_two
from rollcone.problem.kernels.scaling import REACHABLE, ROUNDING, own_part
from rollcone.solvers.kernels.block import make_blocks, rank_bodies
from rollcone.solvers.kernels.cell import (
    cell_velocity,
    project_point,
    push_cells,
    rho_across,
    sweep_cells,
)
from rollcone.solvers.kernels.cell_work import CellWork
from rollcone.solvers.kernels.fill import fill_cells, put_body, put_still_body
from rollcone.solvers.kernels.momentum import first_pace, momentum, next_pace
from rollcone.solvers.kernels.progress import (
    ASSOCIATED_START,
    EXACT_START,
    SHARE,
    WINDOW,
    compiled_lower,
    compiled_watch_error,
)

CONVERGED, MAX_ITERATIONS, DIVERGED = 0, 1, 2
_LAZY = 300.0  # sweeps of all contacts, before momentum is tried for the first time
_SKIP = 0.04  # what passing by a contact costs, over a visit
_LOOK, _LOAD = 0.7, 0.4  # what looking at its error costs, and making velocities anew
_REST = 1e-13  # an error that rounding makes
_CHECK = 25  # sweeps at most between looks at all contacts, to begin with
# Velocities are carried along; they are made anew after so many sweeps, and before each look where
# the errors are so small that their rounding would show.
_REFRESH, _FINE = 500, 1e-9
_LOG_SHARE = math.log(SHARE)


@kernel
def load(thread, threads, gate, rows, unit, n, v_free, w_free, inverse, work):
    """V from the reactions, free of the rounding that sweeps pile up."""
    pairs, cells, bodies, rank = work.pairs, work.cells, work.bodies, work.rank
    ends, colours = work.ends, work.colours
    first, last = share(n, thread, threads)
    for i in range(first, last):
        put_body(v_free, w_free, inverse, 1.0 / unit, i, bodies, work.turns, work.stamp, rank[i])
    wait(gate, threads)
    for shade in range(work.flags[1]):
        begin, end = colours[shade], colours[shade + 1]
        alone = shade >= work.flags[0]
        mine, others = my_blocks(thread, threads, alone, begin, end, ends)
        if mine < others:
            first = ends[mine - 1] if mine > 0 else np.int64(0)
            push_cells(rows, work.turns, n, pairs, cells, bodies, first, ends[others - 1])
        wait(gate, threads)


@inlined
def my_blocks(thread, threads, alone, begin, end, ends):
    """The blocks of a colour that are this thread's, by number of contacts; the remainder, which
    is swept `alone`, is for the first one."""
    if alone or threads == 1:
        return (begin, end) if thread == 0 else (end, end)
    low = ends[begin - 1] if begin > 0 else 0
    high = ends[end - 1]
    return (
        block_at(ends, begin, end, low + (high - low) * thread // threads),
        block_at(ends, begin, end, low + (high - low) * (thread + 1) // threads),
    )


@inlined
def block_at(ends, begin, end, place):
    """The first block that ends after this place."""
    while begin < end:
        middle = (begin + end) // 2
        if ends[middle] <= place:
            begin = middle + 1
        else:
            end = middle
    return begin


@kernel
def sweep_all(thread, threads, gate, rows, exact, step, quiet, own, sweep, beta, past, n, work):
    """One sweep; the sum of squared changes, the largest share of a contact's speed, and the number
    of visits."""
    pairs, cells, bodies = work.pairs, work.cells, work.bodies
    ends, colours, sums = work.ends, work.colours, work.sums
    for shade in range(work.flags[1]):
        begin, end = colours[shade], colours[shade + 1]
        alone = shade >= work.flags[0]
        mine, others = my_blocks(thread, threads, alone, begin, end, ends)
        for k in range(mine, others):
            first = ends[k - 1] if k > 0 else np.int64(0)
            sums[k, 0], sums[k, 1], sums[k, 2] = sweep_cells(
                rows, exact, work.sets, work.turns, step, quiet, own, sweep, beta, past,
                n, pairs, cells, bodies, work.stamp, first, ends[k],
            )  # fmt: skip
        wait(gate, threads)
    total, worst, visits = 0.0, 0.0, 0.0
    for k in range(colours[work.flags[1]]):
        total += sums[k, 0]
        worst = larger(worst, sums[k, 1])
        visits += sums[k, 2]
    wait(gate, threads)  # sums are read, before they are written again
    return total, worst / step, visits


@inlined
def throw(thread, threads, gate, beta, n, bodies, before):
    """Velocities a step of momentum on: V + beta (V - V before)."""
    first, last = share(n, thread, threads)
    for i in range(first, last):
        for k in range(6):
            v = bodies[i, k]
            bodies[i, k] = v + beta * (v - before[i, k])
            before[i, k] = v
    wait(gate, threads)


@inlined
def begin_momentum(thread, threads, gate, rows, n, c, work):
    """The past is as the present."""
    first, last = share(n, thread, threads)
    for i in range(first, last):
        for k in range(6):
            work.before[i, k] = work.bodies[i, k]
    first, last = share(c, thread, threads)
    for j in range(first, last):
        for k in range(rows):
            work.past[j, k] = work.cells[j, 18 + k]
    wait(gate, threads)


@inlined
def first_watch():
    """Of `watch_error`: window, seen, total, least."""
    return np.int64(WINDOW), np.int64(0), 0.0, math.inf


@inlined
def look(watch, error, sweeps):
    """Are the sweeps stuck, after so many more? And the new watch."""
    window, seen, total, least = watch
    stuck, window, seen, total, least = compiled_watch_error(
        error, sweeps, _LOG_SHARE, WINDOW, window, seen, total, least
    )
    return stuck, (window, seen, total, least)


@inlined
def larger(a, b):
    """Of the two, or b if it is NaN."""
    return a if b <= a else b


@kernel
def measure(thread, threads, gate, rows, exact, unit, n, quiet, own, sweep, work):
    """Errors of the law at the present reactions: |e|, max e_i and max e_i / speeds_i. Bodies of
    contacts with more than `quiet` are marked as changed."""
    ends, sums, blocks = work.ends, work.sums, work.colours[work.flags[1]]
    low, high = share(blocks, thread, threads)
    for k in range(low, high):
        first = ends[k - 1] if k > 0 else np.int64(0)
        sums[k, 0], sums[k, 1], sums[k, 2] = measure_cells(
            rows, exact, work.sets, unit, n, quiet, own, sweep, work.pairs, work.cells,
            work.scales, work.bodies, work.stamp, first, ends[k],
        )  # fmt: skip
    wait(gate, threads)
    total, fastest, worst = 0.0, 0.0, 0.0
    for k in range(blocks):
        total += sums[k, 0]
        fastest = larger(fastest, sums[k, 1])
        worst = larger(worst, sums[k, 2])
    wait(gate, threads)
    return math.sqrt(total), fastest, worst


@kernel
def measure_cells(
    rows, exact, sets, unit, n, quiet, own, sweep, pairs, cells, scales, bodies, stamp,
    first, last,
):  # fmt: skip
    """The sum of e_i^2 / lambda_i, max e_i and max e_i / speeds_i of some cells: the errors of
    problem/kernels/scaling.py, in rows of the units of scaling.py."""
    total, worst, fastest = 0.0, 0.0, 0.0
    for j in range(first, last):
        a, b = pairs[j, 0], pairs[j, 1]
        y = cell_velocity(rows, cells, j, bodies, a, b)
        dn, dt, dr, ds = cells[j, 24], cells[j, 25], cells[j, 26], cells[j, 27]
        top, roll, spin = scales[j, 0], scales[j, 1], scales[j, 2]
        p0, p1, p2 = top * dn * cells[j, 18], top * dt * cells[j, 19], top * dt * cells[j, 20]
        x0 = p0 - (y[0] + cells[j, 12] / dn)
        x1 = p1 - (y[1] + cells[j, 13] / dt)
        x2 = p2 - (y[2] + cells[j, 14] / dt)
        p3, p4, p5, x3, x4, x5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if rows > 3:
            p3, p4 = top * dr * cells[j, 21] / roll, top * dr * cells[j, 22] / roll
            p5 = top * ds * cells[j, 23] / spin
            x3 = p3 - (y[3] + cells[j, 15] / dr) * roll
            x4 = p4 - (y[4] + cells[j, 16] / dr) * roll
            x5 = p5 - (y[5] + cells[j, 17] / ds) * spin
        mu = cells[j, 28] * dt / dn
        rho, sigma = cells[j, 29] * dr / dn / roll, cells[j, 30] * ds / dn / spin
        across = rho_across(sets, j, cells[j, 29]) * dr / dn / roll
        x = project_point(exact, sets, j, mu, rho, across, sigma, p0, x0, x1, x2, x3, x4, x5)
        square = (p0 - x[0]) ** 2 + (p1 - x[1]) ** 2 + (p2 - x[2]) ** 2
        square += (p3 - x[3]) ** 2 + (p4 - x[4]) ** 2 + (p5 - x[5]) ** 2
        hidden = p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3 + p4 * p4 + p5 * p5
        error = unit * math.sqrt(max(square, ROUNDING * ROUNDING * hidden))
        speed = max(scales[j, 3], own * unit * p0)
        part = max(0.0, error - REACHABLE * unit * math.sqrt(hidden)) / speed
        worst, fastest = larger(worst, part), larger(fastest, error)
        total += error * error / top
        if part > quiet:
            if a < n:
                stamp[a] = sweep
            if b < n:
                stamp[b] = sweep
    return total, fastest, worst


@kernel
def prepare(
    thread, threads, gate, rows, movers, frames, arms, b, radii, limits, kinds, speeds,
    p, v_free, w_free, inverse, position, size, anew, work,
):  # fmt: skip
    """Blocks, cells and bodies; returns the unit of speed."""
    c, n = movers.shape[0], v_free.shape[0]
    if thread == 0 and anew:
        rank_bodies(position, size, n, work.rank, work.order, work.code, work.counts)
    if thread == 0:
        work.flags[0], work.flags[1] = make_blocks(
            movers, n, work.rank, work.block, work.code, work.starts, work.colour, work.ends,
            work.colours, work.place,
        )  # fmt: skip
        put_still_body(work.bodies, work.turns, work.stamp, n)
    wait(gate, threads)
    unit = 0.0
    for i in range(c):
        unit = max(unit, speeds[i])
    unit = power_of_two(unit)  # so that no bit of one contact depends on another's speed
    first, last = share(c, thread, threads)
    fill_cells(
        rows, n, movers, frames, arms, b, p, radii, limits, kinds, speeds, inverse,
        work.rank, unit, work.place, first, last, work.pairs, work.cells, work.sets, work.scales,
        work.W[thread], work.square[thread], work.units[thread], work.line[thread], work.D[thread],
        work.one[thread],
    )  # fmt: skip
    wait(gate, threads)
    return unit


@inlined
def keep(thread, threads, rows, unit, work, p):
    """The reactions in the units of the problem."""
    first, last = share(p.shape[0], thread, threads)
    for i in range(first, last):
        j = work.place[i]
        for k in range(rows):
            f = work.cells[j, 24 if k == 0 else 25 if k < 3 else 26 if k < 5 else 27]
            p[i, k] = work.cells[j, 18 + k] * f * unit


@inlined
def spent(effort, most):
    """In whole sweeps: what is reported."""
    return min(np.int64(math.ceil(effort)), np.int64(most))


@entry
def solve_cells(
    thread: int, threads: int, gate: Int1, rows: int, exact: bool, movers: Short2, frames: Float3,
    arms: Float2, b: Float2, law_radii: Float2, law: Short1, limits: Float2, kinds: Int2,
    speeds: Float1, v_free: Float2, w_free: Float2, inverse: Float2, position: Float2,
    size: Float2, anew: bool, tolerance: float, speed_tolerance: float, least: int, most: int,
    p: Float2, work: CellWork,
) -> tuple[int, int, float, float]:  # fmt: skip
    """Sweep until max e_i / max(speeds_i, lambda_i r_n) <= tolerance or max e_i <=
    speed_tolerance, at least `least` times, but once where errors are those of rounding: what
    nearly rests then comes to rest; and for at most the effort of `most` sweeps of all contacts.
    `law_radii` (laws, 5) are those of discs, `law` (c,) is the law of each contact. Where sets are
    no discs, each contact has `limits` (c, 13), whose first five are radii, and `kinds` (c, 2) of
    its own; else these have no rows.
    p (c, d) holds the start, then the best answer. `anew`: the bodies have moved since the call
    before.

    The first `least` sweeps visit all contacts, later ones those whose bodies have changed by more
    than the tolerance; every now and then, and where nothing changes any more, all errors are
    measured.
    After the effort of `_LAZY` sweeps momentum is tried (kernels/momentum.py) until it is stuck,
    then sweeps without it, for twice as long, and so on. Looks that do not end it count as effort,
    too: where errors are larger than changes tell, there is one after almost every sweep.
    Returns a status, the effort, and of the best answer the residual and the speed.
    """
    c, n, radii = p.shape[0], v_free.shape[0], (law_radii, law)
    unit = prepare(
        thread, threads, gate, rows, movers, frames, arms, b, radii, limits, kinds,
        speeds, p, v_free, w_free, inverse, position, size, anew, work,
    )  # fmt: skip
    load(thread, threads, gate, rows, unit, n, v_free, w_free, inverse, work)
    start = EXACT_START if exact else ASSOCIATED_START
    step, watch, pace = start, first_watch(), first_pace()
    done, checked, loaded = np.int64(0), np.int64(0), np.int64(0)
    best, best_speed, best_size, enough = math.inf, math.inf, math.inf, False
    quiet, own = -tolerance, own_part(tolerance)
    lazy, effort, looks, patience, turn = True, 0.0, 0.0, _LAZY, _LAZY
    while True:
        if lazy and effort > turn:
            lazy, step, watch = False, 1.0, first_watch()
            begin_momentum(thread, threads, gate, rows, n, c, work)
        done += 1
        if lazy:
            _, worst, visits = sweep_all(
                thread, threads, gate, rows, exact, step, quiet * step, own, done,
                0.0, work.past[:0], n, work,
            )  # fmt: skip
            quiet = tolerance if done >= least else -tolerance
        else:
            beta = momentum(pace)
            throw(thread, threads, gate, beta, n, work.bodies, work.before)
            change, worst, visits = sweep_all(
                thread, threads, gate, rows, exact, step, 0.0, own, done, beta,
                work.past, n, work,
            )  # fmt: skip
            pace = next_pace(pace, change)
            stuck, watch = look(watch, math.sqrt(change), 1)
            if stuck:
                lazy, quiet, step = True, -tolerance, start
                watch, pace, patience = first_watch(), first_pace(), 2.0 * patience
                turn = effort + patience
        effort += (visits + _SKIP * (c - visits)) / c
        last = effort + looks > most - 1.0
        due = last or (done - checked >= _CHECK and 4 * (done - checked) >= done)
        if not (due or worst <= tolerance) or (done < least and worst > _REST):
            continue
        if worst < _FINE or done - loaded >= _REFRESH:
            load(thread, threads, gate, rows, unit, n, v_free, w_free, inverse, work)
            loaded = done
        size_of_error, speed, residual = measure(
            thread, threads, gate, rows, exact, unit, n, tolerance, own, done, work
        )
        met = residual <= tolerance or speed <= speed_tolerance
        if not math.isfinite(size_of_error):
            return DIVERGED, spent(effort + looks, most), best, best_speed
        if size_of_error < best_size or (met and not enough):
            best, best_speed, best_size, enough = residual, speed, size_of_error, met
            keep(thread, threads, rows, unit, work, p)
            wait(gate, threads)
        if enough:
            return CONVERGED, spent(effort + looks, most), best, best_speed
        if last:
            return MAX_ITERATIONS, spent(effort + looks, most), best, best_speed
        looks += _LOOK + (_LOAD if loaded == done else 0.0)
        if lazy:
            stuck, watch = look(watch, size_of_error, done - checked)
            if stuck and exact:
                step *= compiled_lower(step)
        checked = done
