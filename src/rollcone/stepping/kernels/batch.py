"""Whole steps in one compiled call.

    loads -> free motion -> candidates -> rows -> solve -> velocities -> look again -> motion

`run_steps` makes steps, or parts of them (kernels/part.py), until it has made enough, or needs
something from outside: room for more contacts, or a solve that Gauss-Seidel has not finished. It
is then called again and goes on where it was, so where calls end changes nothing. A step whose
arrays had to grow begins anew: bodies move only at its end.
"""

from __future__ import annotations

from rollcone._build.intrinsics import by_reference, ticks
from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Int1
from rollcone.analysis.kernels.energy import IMPLICIT, applied_work, reaction_work
from rollcone.collision.kernels.detect import Found, GridWork, Solids
from rollcone.collision.kernels.vector import copy_rows
from rollcone.mechanics.kernels.motion import DYNAMIC, move
from rollcone.solvers.kernels.cell_work import CellWork
from rollcone.stepping.kernels import work as w
from rollcone.stepping.kernels.apart import move_apart
from rollcone.stepping.kernels.candidate import (
    MANY,
    drop_near,
    find_candidates,
    let_go,
    look_again,
    look_ahead,
    return_to_start,
)
from rollcone.stepping.kernels.clock import lap
from rollcone.stepping.kernels.island import (
    end_lasting,
    island_weights,
    mean_velocities,
)
from rollcone.stepping.kernels.limit import update_limits
from rollcone.stepping.kernels.part import fastest_turn, next_part, piece_of
from rollcone.stepping.kernels.passive import (
    begin_contacts,
    kick_at_start,
    make_passive,
    recovery_work,
)
from rollcone.stepping.kernels.stage import (
    align_contours,
    begin_step,
    contact_geometry,
    contact_rows,
    new_velocities,
    predict,
    solve_here,
)
from rollcone.stepping.kernels.strike import (
    begin_strike,
    cut_piece,
    drop_apart,
    may_divide,
    next_piece,
    remember_start,
    scale_known,
    strikes_now,
    tell_contacts,
)
from rollcone.stepping.kernels.turned import look_along_turns, refine_meeting
from rollcone.stepping.kernels.work import BodyArrays, ContactWork, Known, Motion, Pieces, Settings

_MOST_ROUNDS = 25  # in which coefficients that depend on speed are found
_LEAST_CHANGE = 1e-10  # of these: less is not asked for
# What a call ends with.
FINISHED, MORE_ROOM, SOLVE_OUTSIDE, NOT_FINITE, NOT_CONVERGED, SOLVE_TOGETHER = range(6)


@entry
def run_steps(
    solids: Solids, rows: int, settings: Settings, B: BodyArrays, m: Motion, grid: GridWork,
    near: Found, mid: Found, seen: Found, work: ContactWork, known: Known, pieces: Pieces,
    cells: CellWork, gate: Int1, control: Int1, numbers: Float1, steps: int,
) -> int:  # fmt: skip
    """Up to `steps` steps; what it ends with is one of the codes above."""
    code, clock = FINISHED, ticks()
    if numbers[w.LEFT] == 0.0:
        numbers[w.LEFT] = numbers[w.SPAN] = 1.0
    while code == FINISHED and control[w.DONE] < steps:
        if control[w.STAGE] == w.BEGIN:
            code = begin_piece(
                solids,
                settings,
                B,
                m,
                grid,
                near,
                mid,
                seen,
                work,
                known,
                pieces,
                control,
                numbers,
            )
            clock = lap(numbers, w.DETECTION, clock)
        while control[w.STAGE] != w.BEGIN and code == FINISHED:
            s = by_reference(piece_of(settings, control, numbers))
            found = by_reference(found_in_use(near, control[w.CONTACTS]))
            now = by_reference(contacts_in_use(work, control[w.CONTACTS]))
            if control[w.STAGE] == w.SOLVE:
                if control[w.STRIKE] == 0:
                    contact_geometry(s, B, m, found, mid, known, now, control)
                    c = control[w.CONTACTS]
                    if may_divide(s, c, pieces, control) and strikes_now(s, B, m, found, now):
                        if drop_apart(s, near, work, control):
                            continue  # contacts have moved up: once more
                        if not divided(control):
                            remember_start(B, known, pieces, control, numbers)
                        begin_strike(s, m, found, now, control)
                        s = by_reference(piece_of(settings, control, numbers))
                        predict(s, B, m, control)
                        if B.law_friction.shape[0] > 0:
                            align_contours(s, B, m, found, now)
                        continue
                    if s.scheme == w.GAP_AHEAD and drop_near(s, near, work, control):
                        continue  # contacts have moved up: once more
                contact_rows(rows, s, B, m, found, now, control)
                clock = lap(numbers, w.ROWS, clock)
                if not solve_here(rows, s, B, m, now, cells, gate, control, numbers):
                    control[w.STAGE] = w.SOLVED
                    code = SOLVE_TOGETHER if control[w.APART] else SOLVE_OUTSIDE
                    continue
                clock = lap(numbers, w.SOLVING, clock)
            control[w.STAGE] = w.SOLVE
            if not new_velocities(rows, B, m, found, now):
                code = NOT_FINITE
                continue
            choose_motion(s, B, m, found, now)
            clock = lap(numbers, w.MOTION, clock)
            more = 0
            if control[w.LIMIT_ROUNDS] == 0 and control[w.STRIKE] == 0:
                more = next_pass(
                    solids, s, B, m, grid, near, seen, work, now, pieces, control, numbers
                )
            if more == 0 and s.vary:
                more = next_limits(s, B, m, now, control, numbers)
            if more == 0 and s.scheme == w.GAP_AHEAD:
                more = make_passive(s, B, m, now, control)
                if more > 0:  # impulses may come at another time now: look once more
                    control[w.LIMIT_ROUNDS] = 0
            clock = lap(numbers, w.DETECTION, clock)
            if more < 0:
                code = MORE_ROOM
            elif numbers[w.MEETS] > 0.0:  # the piece begins anew, and ends there
                return_to_start(B, m)
                if not divided(control):
                    remember_start(B, known, pieces, control, numbers)
                cut_piece(s, known, control, numbers)
                control[w.STAGE] = w.BEGIN
            elif more == 0 and control[w.STRIKE] == 1:
                finish_strike(rows, solids, s, B, m, found, now, pieces, control, numbers)
            elif more == 0:
                if move_bodies(solids, s, B, m, grid, seen, work, numbers):
                    finish_step(rows, s, B, m, found, now, known, control, numbers)
                    if divided(control):
                        tell_contacts(solids.period, m, found, now, pieces, control)
                    if next_piece(known, control, numbers):
                        code = go_on(settings, B, found, known, control, numbers)
                else:
                    code = MORE_ROOM
                control[w.STAGE] = w.BEGIN
                clock = lap(numbers, w.MOTION, clock)
    if code == MORE_ROOM:
        return_to_start(B, m)
        control[w.STAGE] = w.BEGIN
    return code


@kernel
def begin_piece(
    solids, settings, B, m, grid, near, mid, seen, work, known, pieces, control, numbers
):
    """Find the contacts that a piece of a step begins with; return FINISHED or MORE_ROOM. The stage
    stays BEGIN where the step has become shorter since a disk rolls nearly flat."""
    s = by_reference(piece_of(settings, control, numbers))
    if not divided(control):
        control[w.TOLD] = 0
    control[w.MISSED] = 0
    begin_step(s, B, m, control)
    if not (
        find_candidates(solids, s, B, m, grid, near, mid, work, control)
        and look_ahead(solids, s, B, m, grid, near, seen, work, pieces, control, numbers)
    ):
        return MORE_ROOM
    if not divided(control) and shorten(s, settings, B, near, known, control):
        return_to_start(B, m)
        return FINISHED
    control[w.STAGE] = w.SOLVE
    if s.unequal and control[w.CONTACTS] >= MANY:  # impulses may have got other times
        predict(s, B, m, control)
    return FINISHED


@inlined
def divided(control):
    """Return whether this part of the step is divided at times of impact."""
    return control[w.STRIKES] + control[w.CUTS] > 0


@kernel
def found_in_use(near, c):
    """Return the first c contacts that were found."""
    return Found(near.bodies[:c], near.key[:c], near.gap[:c], near.normal[:c], near.arms[:c])


@kernel
def contacts_in_use(work, c):
    """Return the first rows of the arrays of contacts."""
    return ContactWork(
        work.normal[:c], work.arms[:c], work.mid_normal[:c], work.mid_arms[:c], work.frames[:c],
        work.law[:c], work.restitution[:c], work.small[:c], work.slow[:c], work.loads[:c],
        work.start[:c], work.touch_state[:c], work.ahead[:c], work.fresh[:c], work.met[:c],
        work.temper[:c], work.changed[:c], work.pushed[:c], work.owed[:c], work.movers[:c],
        work.bend[:c], work.b[:c], work.p[:c], work.p_known[:c], work.y_before[:c],
        work.y_after[:c], work.y_expected[:c],
        work.speeds[:c], work.force[:c], work.moment[:c], work.soft[:c], work.limits[:c],
        work.kinds[:c],
    )  # fmt: skip


@kernel
def choose_motion(s, B, m, near, work):
    """The mean velocities at which positions are to move."""
    if s.scheme == w.GAP_AHEAD:
        island_weights(
            s.h, near.bodies, work.movers, work.touch_state, work.changed, near.gap, work.small,
            work.frames, work.arms, B.velocity, m.kick_rate, m.v_new, m.w_new, work.y_before,
            work.y_after, work.p,
            m.joined, m.joint_theta, m.parent, m.theta,
        )  # fmt: skip
        mean_velocities(m.theta, B.velocity, m.kick_rate, m.v_new, m.w_new, m.v_mean, m.w_mean)
    else:
        m.theta[:] = s.theta


@entry
def next_pass(
    solids: Solids,
    s: Settings,
    B: BodyArrays,
    m: Motion,
    grid: GridWork,
    near: Found,
    seen: Found,
    work: ContactWork,
    now: ContactWork,
    pieces: Pieces,
    control: Int1,
    numbers: Float1,
) -> int:
    """Return 1 if the piece is to be solved once more, with other candidates, or made anew with an
    end where something meets (`numbers[MEETS]`); 0 if not; -1 without room.

    `near` and `work` have room for more candidates, `now` are those of this solve.
    """
    if s.scheme != w.GAP_AHEAD:
        return 0
    if control[w.PASSES] >= s.most_passes and not control[w.ROUGH]:
        return 0  # solved once more since the last look, by the energy check
    control[w.PASSES] += 1
    last = control[w.PASSES] >= s.most_passes
    numbers[w.MEETS] = 0.0
    cuts = not last and may_divide(s, control[w.CONTACTS], pieces, control)
    fresh = look_again(
        solids, s, B, m, grid, near, seen, work, pieces, control, numbers, last, cuts
    )
    if numbers[w.MEETS] > 0.0:
        return refine_meeting(solids, s, B, m, grid, seen, pieces, control, numbers)
    if fresh < 0:
        return -1
    if last and not control[w.ROUGH]:
        numbers[w.UNFINISHED] += 1.0 if fresh > 0 else 0.0
        return 0
    few = control[w.CONTACTS] < MANY
    if fresh == 0 and few and not last and control[w.LET_GO] == 0:
        control[w.LET_GO] = 1
        if let_go(near, work, control):
            return 1
    turned = 0
    if fresh == 0 and not last:
        turned = look_along_turns(
            solids, s, B, m, grid, near, seen, work, pieces, control, numbers, cuts
        )
        if numbers[w.MEETS] > 0.0:
            return refine_meeting(solids, s, B, m, grid, seen, pieces, control, numbers)
        if turned < 0:
            return -1
        fresh += turned
    ended = 0
    if fresh == 0 or control[w.ROUGH]:
        ended = end_lasting(
            s.h, now.movers, now.touch_state, now.small, now.bend, now.p, m.parent, m.theta,
            now.ahead,
        )  # fmt: skip
        ended += kick_at_start(s, B, m)
    if (s.unequal or m.joint_theta.shape[0] > 0) and ended + turned > 0:
        begin_contacts(B, m, work, near.bodies[: control[w.CONTACTS]])
        predict(s, B, m, control)
    if control[w.ROUGH] and (last or fresh + ended == 0):
        control[w.ROUGH] = 0
        return 1
    return 1 if fresh + ended > 0 else 0


@entry
def next_limits(
    s: Settings, B: BodyArrays, m: Motion, work: ContactWork, control: Int1, numbers: Float1
) -> int:
    """Is the step solved once more, with other coefficients of friction? They are compared with
    those of the speeds that came of them."""
    change = update_limits(
        B.law_friction, s.h, s.scheme == w.GAP_AHEAD and s.mean_friction, control[w.LIMIT_ROUNDS],
        work.law, work.touch_state, work.frames, work.arms, work.movers, m.inverse, work.p,
        work.y_before, work.y_after, m.pressed, work.kinds, work.limits,
    )  # fmt: skip
    control[w.LIMIT_ROUNDS] += 1
    numbers[w.MOST_ROUNDS] = max(numbers[w.MOST_ROUNDS], control[w.LIMIT_ROUNDS])
    enough = change <= max(s.tolerance, _LEAST_CHANGE)
    if not enough and control[w.LIMIT_ROUNDS] < _MOST_ROUNDS:
        return 1
    numbers[w.WORST_LIMIT] = max(numbers[w.WORST_LIMIT], change)
    if not enough:
        control[w.FAILED] = 1
    return 0


@kernel
def move_bodies(solids, s, B, m, grid, seen, work, numbers):
    """Positions at the end of the step, moved apart where the scheme does so; False if there was no
    room to look, and the step has to begin once more."""
    if s.scheme == w.MIDPOINT:  # x_M + h v+ / 2 as one move of the whole step
        return_to_start(B, m)
    move(
        s.h, m.theta, B.kind, B.inertia, B.principal, B.position, B.orientation, B.velocity,
        m.v_new, m.w_new, m.kick, m.kick_place, m.kick_rate, m.v_mean, m.w_mean, m.end_rate,
    )  # fmt: skip
    gain, room = move_apart(
        solids, s.metric, s.touch, s.h, B, m.inverse, m.margin, m.shift, m.shift_turn, grid,
        seen, work.speeds,
    )  # fmt: skip
    numbers[w.CORRECTION] += gain if room else 0.0
    return room


@kernel
def shorten(s, settings, B, near, known, control):
    """Is the step to be shorter, since a disk rolls nearly flat that touches, or is about to? So it
    is in a first step, and where one lands."""
    c = control[w.CONTACTS]
    part = part_for(settings, B, near.bodies[:c], near.normal[:c], control)
    if part >= control[w.NEXT]:
        return False
    take_part(part, known, control)
    return True


@kernel
def part_for(settings, B, bodies, normal, control):
    """How long the next part of the step may be, with these contacts."""
    if settings.least_part == w.WHOLE:
        return w.WHOLE
    rate = fastest_turn(settings.h, settings.touch, B.shape, B.orientation, B.omega, bodies, normal)
    return next_part(settings.h, settings.least_part, control[w.PART], rate)


@kernel
def take_part(part, known, control):
    """It is the next; impulses of the last stand for forces."""
    share = part / control[w.NEXT]
    if share != 1.0:
        scale_known(share, known, control)
    control[w.NEXT] = part


@kernel
def go_on(settings, B, near, known, control, numbers):
    """Go on after a step, or a part of one; return FINISHED, or NOT_CONVERGED where a solve of it
    failed and that ends the run."""
    if divided(control):
        numbers[w.DIVIDED] += 1.0
    failed = control[w.FAILS] > 0
    numbers[w.UNCONVERGED] += failed
    control[w.STRIKES] = control[w.CUTS] = control[w.FAILS] = 0
    control[w.LAST] = control[w.NEXT]
    control[w.PART] = (control[w.PART] + control[w.NEXT]) % w.WHOLE
    if control[w.PART] == 0:
        control[w.DONE] += 1
    take_part(part_for(settings, B, near.bodies, near.normal, control), known, control)
    return NOT_CONVERGED if settings.strict and failed else FINISHED


@kernel
def finish_strike(rows, solids, s, B, m, near, work, pieces, control, numbers):
    """Take the velocities after an impact, and add it to the energy audit and to what is told of
    the step. What the next piece knows of reactions is that of the last piece."""
    contact_work(rows, B, m, near, work, numbers)
    count_step(near, control, numbers)
    control[w.STRIKES] += 1
    tell_contacts(solids.period, m, near, work, pieces, control)
    copy_rows(m.v_new, B.velocity)
    copy_rows(m.w_new, B.omega)
    control[w.STRIKE], control[w.STAGE] = 0, w.BEGIN


@kernel
def contact_work(rows, B, m, near, work, numbers):
    """Add the work of contacts to the energy audit."""
    reaction_work(
        rows, B.law_friction, work.law, near.bodies, B.kind, work.frames, work.arms, work.p,
        work.y_before, work.y_after, B.velocity, B.omega, m.v_new, m.w_new, work.force, work.moment,
        work.touch_state, work.pushed, numbers[w.SUMS :],
    )  # fmt: skip
    for i in range(near.gap.shape[0]):
        if work.owed[i] == w.PAID:
            numbers[w.UNDONE] += recovery_work(work, i)


@entry
def finish_step(
    rows: int,
    s: Settings,
    B: BodyArrays,
    m: Motion,
    near: Found,
    work: ContactWork,
    known: Known,
    control: Int1,
    numbers: Float1,
) -> None:
    """The energy audit, velocities, what is remembered for the next step."""
    contact_work(rows, B, m, near, work, numbers)
    applied, damping, missed = applied_work(
        s.h, B.kind, B.mass, B.inertia, B.principal, B.damping, B.gravity, m.start_orientation,
        B.velocity, B.omega, m.force, m.torque, m.v_free, m.w_free, m.inverse, m.v_new, m.w_new,
        m.v_mean, m.theta, m.kick_rate,
    )  # fmt: skip
    numbers[w.APPLIED] += applied
    numbers[w.DAMPING] += damping
    numbers[w.SUMS + IMPLICIT] += missed
    count_step(near, control, numbers)
    note_sunk(B, m, near)
    for i in range(near.key.shape[0]):
        known.key[i] = near.key[i]
    copy_rows(work.force, known.force)
    copy_rows(work.moment, known.moment)
    control[w.KNOWN] = near.key.shape[0]
    copy_rows(m.v_new, B.velocity)
    copy_rows(m.end_rate, B.omega)


@kernel
def note_sunk(B, m, near):
    """Write to `m.sunk` how deep each dynamic body lies in others, at most as deep as in its first
    step."""
    deepest = m.margin  # scratch
    deepest[:] = 0.0
    for i in range(near.gap.shape[0]):
        for side in range(2):
            a = near.bodies[i, side]
            deepest[a] = max(deepest[a], -near.gap[i])
    for a in range(deepest.shape[0]):
        depth = deepest[a] if B.kind[a] == DYNAMIC else 0.0
        m.sunk[a] = depth if m.sunk[a] == w.UNSEEN else min(m.sunk[a], depth)


@kernel
def count_step(near, control, numbers):
    """Statistics of the call."""
    numbers[w.PARTS] += 1.0
    numbers[w.WORST_RESIDUAL] = max(numbers[w.WORST_RESIDUAL], numbers[w.RESIDUAL])
    numbers[w.WORST_SPEED] = max(numbers[w.WORST_SPEED], numbers[w.RESIDUAL_SPEED])
    for i in range(near.gap.shape[0]):
        numbers[w.WORST_OVERLAP] = max(numbers[w.WORST_OVERLAP], -near.gap[i])
    numbers[w.MOST_PASSES] = max(numbers[w.MOST_PASSES], control[w.PASSES])
    numbers[w.ALL_ITERATIONS] += control[w.ITERATIONS]
    control[w.FAILS] += control[w.FAILED]
    numbers[w.ALL_TEMPERED] += control[w.TEMPERED]
