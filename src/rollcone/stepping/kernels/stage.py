"""The stages of a step between detection and motion: what each contact is, what its rows ask, the
solve, and the velocities that come of it. Arrays as in work.py; those of contacts are cut to the
contacts in use."""

from __future__ import annotations

import math

import numpy as np

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Int1
from rollcone.collision.kernels.detect import Found
from rollcone.collision.kernels.order import carry_over
from rollcone.collision.kernels.vector import copy_rows
from rollcone.mechanics.kernels.motion import predict_motion
from rollcone.solvers.kernels.cell_solver import solve_cells
from rollcone.stepping.kernels import contact
from rollcone.stepping.kernels.candidate import MANY, half_a_step, return_to_start
from rollcone.stepping.kernels.contact import FIRST_TOUCH
from rollcone.stepping.kernels.limit import align_frames, set_limits
from rollcone.stepping.kernels.row import (
    explicit_rows,
    gap_ahead_rows,
    gap_rows,
    mean_friction_rows,
    newton_rows,
)
from rollcone.stepping.kernels.soft import soften_rows
from rollcone.stepping.kernels.strike import strike_targets
from rollcone.stepping.kernels.work import (
    AIM,
    APART,
    CONTACTS,
    DVI,
    EXPLICIT,
    FAILED,
    GAP_AHEAD,
    ITERATIONS,
    KNOWN,
    LEAST,
    LET_GO,
    LIMIT_ROUNDS,
    MIDDLE,
    MIDPOINT,
    MOVED,
    PASSES,
    PREDICTED,
    RESIDUAL,
    RESIDUAL_SPEED,
    ROUGH,
    ROUNDS,
    STRIKE,
    SWEEPS,
    TEMPERED,
    TURNED,
    BodyArrays,
    ContactWork,
    Known,
    Motion,
    Settings,
)

# Velocities this share of the largest are rounding: no solver is asked for less.
_ROUNDING = 1e-15
# With many contacts candidates are looked for with velocities to this residual, then to the one
# asked for: most of the sweeps are then done once per step.
_ROUGH_AIM, _ROUGH_SWEEPS = 0.03, 30
_LEAST = 20  # sweeps of a solve that is not rough: what nearly rests then comes to rest in steps
_MIRRORED = 10.0  # times the tolerance: slower sliding may be an error of the solve


@kernel
def begin_step(s, B, m, control):
    """Where bodies are, and their motion without contacts."""
    copy_rows(B.position, m.start_position)
    copy_rows(B.orientation, m.start_orientation)
    m.kick[:] = 0.5 if s.scheme in (GAP_AHEAD, MIDPOINT) else 1.0
    control[PASSES] = control[ITERATIONS] = control[CONTACTS] = control[MIDDLE] = 0
    control[TEMPERED] = control[ROUNDS] = control[LET_GO] = control[LIMIT_ROUNDS] = 0
    control[MOVED], control[TURNED] = 1, 0
    predict(s, B, m, control)


@kernel
def predict(s, B, m, control):
    """Predict the motion without contacts, with impulses at the instants `m.kick`."""
    control[PREDICTED] = 1
    predict_motion(
        s.h, s.rest, B.gravity, B.kind, B.mass, B.inertia, B.principal, B.damping,
        m.start_orientation, B.velocity, B.omega, m.force, m.torque, m.kick, m.driven,
        m.driven_turn, m.v_free,
        m.w_free, m.inverse, m.kick_place, m.kick_rate,
    )  # fmt: skip


@entry
def contact_geometry(
    s: Settings,
    B: BodyArrays,
    m: Motion,
    near: Found,
    mid: Found,
    known: Known,
    work: ContactWork,
    control: Int1,
) -> None:
    """What each candidate is: its law, whether it lasts, its normal, arms and frame; and its
    reaction in the step before, in world axes."""
    k, bodies, normal, arms = control[KNOWN], near.bodies, work.normal, work.arms
    carry_over(known.key[:k], known.force[:k], known.moment[:k], near.key, work.force, work.moment)
    k = control[MIDDLE]
    copy_rows(near.normal, normal)
    copy_rows(near.arms, arms)
    contact.contact_data(
        bodies, B.material, B.size, B.law_restitution, s.touch, work.law, work.restitution,
        work.small,
    )  # fmt: skip
    contact.load_speeds(
        bodies, normal, arms, B.velocity, m.kick_rate, m.v_free, m.w_free, work.loads,
        work.slow,
    )  # fmt: skip
    if s.scheme == GAP_AHEAD:
        carry_over(
            mid.key[:k], mid.normal[:k], mid.arms[:k], near.key, work.mid_normal,
            work.mid_arms,
        )  # fmt: skip
        contact.lean_ahead(
            s.h, bodies, near.gap, work.small, work.loads, work.slow, work.restitution, work.ahead,
            work.mid_normal, work.mid_arms, B.velocity, B.omega, m.kick_rate, work.force, normal,
            arms, work.start, work.touch_state,
        )  # fmt: skip
    contact.contact_frames(normal, work.frames)
    if B.law_friction.shape[0] > 0:
        align_contours(s, B, m, near, work)


@kernel
def align_contours(s, B, m, near, work):
    """Frames of contacts with contour friction, where geometry is that of the middle of the step
    with orientations there."""
    here = B.orientation
    if s.scheme == GAP_AHEAD:
        half_a_step(s, B, m)
        here = m.start_orientation
    align_frames(
        B.law_friction, work.law, B.shape, B.size, here, B.orientation, work.touch_state,
        near.bodies, near.key, near.gap, work.small, work.normal, work.arms, work.frames,
        work.limits,
    )  # fmt: skip
    if s.scheme == GAP_AHEAD:
        return_to_start(B, m)


@kernel
def start_reactions(rows, s, work):
    """The reactions of the step before; those are where new candidates start from."""
    contact.reactions_from_world(rows, work.frames, work.force, work.moment, work.p_known)
    for i in range(work.fresh.shape[0]):
        if work.fresh[i]:
            work.fresh[i] = 0
            for r in range(rows):
                work.p[i, r] = work.p_known[i, r] if s.warm_start else 0.0


@entry
def contact_rows(
    rows: int, s: Settings, B: BodyArrays, m: Motion, near: Found, work: ContactWork, control: Int1
) -> None:
    """The problem: bodies and b of every candidate, and what the scheme asks."""
    bodies, frames, arms = near.bodies, work.frames, work.arms
    start_reactions(rows, s, work)
    contact.contact_velocities(rows, bodies, frames, arms, B.velocity, m.kick_rate, work.y_before)
    contact.contact_offsets(
        rows, bodies, B.kind, frames, arms, m.v_free, m.w_free, work.movers, work.b
    )
    gap, b, y = near.gap, work.b, work.y_before
    set_limits(
        B.law_friction, s.h, control[LIMIT_ROUNDS] == 0, work.law, y, work.p_known,
        work.kinds, work.limits,
    )  # fmt: skip
    for i in range(gap.shape[0]):
        work.pushed[i] = 0.0
    if control[STRIKE] == 1:
        strike_targets(work)
        contact_speeds(s, m, work)
        return
    for i in range(gap.shape[0]):
        work.restitution[i] *= work.temper[i]
    if s.scheme == GAP_AHEAD:
        contact.contact_bends(
            rows, bodies, frames, arms, near.normal, near.arms, B.velocity, B.omega, m.kick_rate,
            work.bend,
        )  # fmt: skip
        soften(s, B, m, near, work)
        gap_ahead_rows(s, B, m, near, work)
        if s.mean_friction:
            oppose_mean(rows, s, B, m, bodies, work)
    elif s.scheme == DVI:
        for i in range(gap.shape[0]):
            work.start[i], work.touch_state[i] = y[i, 0], FIRST_TOUCH
        soften(s, B, m, near, work)
        gap_rows(s.h, s.recovery, s.cap, gap, y, work.restitution, work.slow, work.soft, b)
    elif s.scheme == EXPLICIT:
        explicit_rows(s.h, s.recovery, s.cap, gap, y, work.restitution, work.slow, b)
    else:
        if s.scheme == MIDPOINT:  # the law is asked of the rates at the end
            contact.contact_bends(
                rows, bodies, frames, arms, near.normal, near.arms, B.velocity, B.omega,
                m.kick_rate, work.bend,
            )  # fmt: skip
            for i in range(gap.shape[0]):
                for k in range(b.shape[1]):
                    b[i, k] += work.bend[i, k]
        newton_rows(s.h, s.recovery, s.cap, gap, y, work.restitution, b)
    contact_speeds(s, m, work)


@kernel
def oppose_mean(rows, s, B, m, bodies, work):
    """Friction of lasting contacts that goes on opposes the mean velocity of the step."""
    apply_reactions(m, work, m.v_mean, m.w_mean)
    contact.contact_velocities(
        rows, bodies, work.frames, work.arms, m.v_mean, m.w_mean, work.y_expected
    )
    for i in range(work.speeds.shape[0]):
        work.speeds[i] = work.small[i] / s.touch  # sizes, for now
    mean_friction_rows(
        B.law_friction, _MIRRORED * s.tolerance, work.touch_state, work.changed, B.law_radii,
        work.law, work.kinds, work.limits, work.p_known, work.bend, work.y_before, work.y_expected,
        work.loads, work.speeds, work.soft, work.b,
    )  # fmt: skip


@kernel
def soften(s, B, m, near, work):
    """Compliance of contacts, if their laws have any, and what it asks of b."""
    if work.soft.shape[0] > 0:
        soften_rows(
            s.scheme == DVI, s.h, near.bodies, work.movers, m.joined, B.shape, B.size,
            B.law_softness, work.law, near.gap, work.start, work.slow, work.restitution,
            work.touch_state, work.frames, work.arms, m.inverse, work.p_known, m.parent, m.gain,
            work.b, work.soft,
        )  # fmt: skip


@kernel
def apply_reactions(m, work, v, w):
    """Velocities (n, 3) of the bodies with the forces and moments of the contacts."""
    contact.apply_reactions(
        work.movers, work.arms, work.force, work.moment, m.inverse, m.v_free, m.w_free,
        m.joint_force, m.joint_torque, v, w,
    )  # fmt: skip


@kernel
def contact_speeds(s, m, work):
    """What the error of each contact is compared with (m/s): what the loads do in a step and
    its approach; at least so much that no error below rounding is asked for."""
    largest = 0.0
    for i in range(m.v_free.shape[0]):
        for k in range(3):
            largest = max(largest, abs(m.v_free[i, k]))
    for i in range(work.b.shape[0]):
        for k in range(work.b.shape[1]):
            largest = max(largest, abs(work.b[i, k]))
    least = _ROUNDING * largest / s.tolerance if s.tolerance > 0.0 else 0.0
    for i in range(work.b.shape[0]):
        speed = max(work.loads[i] + max(0.0, -work.y_before[i, 0]), least)
        work.speeds[i] = speed if speed > 0.0 else 1.0


@kernel
def solve_here(rows, s, B, m, work, cells, gate, control, numbers):
    """Gauss-Seidel on the step's problem; will its answer do?"""
    c = work.b.shape[0]
    control[FAILED] = control[APART] = 0
    numbers[RESIDUAL] = numbers[RESIDUAL_SPEED] = 0.0
    if s.outside:
        return False
    if c == 0:
        return True
    if s.most_sweeps == 0:
        return False
    aim, most = s.aim, s.most_sweeps if c > s.near else s.few_sweeps
    if control[PASSES] == 0:
        control[ROUGH] = s.scheme == GAP_AHEAD and c >= MANY
    if control[ROUGH]:
        aim, most = max(aim, _ROUGH_AIM), min(most, _ROUGH_SWEEPS)
    least = np.int64(1) if control[ROUGH] else min(np.int64(_LEAST), most)
    if c >= s.apart:
        control[APART], control[LEAST], control[SWEEPS], numbers[AIM] = 1, least, most, aim
        return False
    thread, threads = np.int64(0), np.int64(1)
    _, sweeps, residual, speed = solve_cells(
        thread, threads, gate, rows, s.exact, work.movers, work.frames, work.arms,
        work.b, B.law_radii, work.law, work.limits, work.kinds, work.speeds, m.v_free, m.w_free,
        m.inverse, m.start_position, B.size, control[MOVED] == 1, aim, s.speed_tolerance, least,
        most, work.p, cells,
    )  # fmt: skip
    control[MOVED] = 0
    control[ITERATIONS] += sweeps
    numbers[RESIDUAL], numbers[RESIDUAL_SPEED] = residual, speed
    return control[ROUGH] or residual <= s.tolerance or speed <= s.speed_tolerance


@kernel
def new_velocities(rows, B, m, near, work):
    """v+ of bodies and contacts; are they finite? (Those before lay where the solver works.)"""
    contact.reactions_to_world(rows, work.frames, work.p, work.force, work.moment)
    apply_reactions(m, work, m.v_new, m.w_new)
    for i in range(B.kind.shape[0]):
        for k in range(3):
            if not (is_finite(m.v_new[i, k]) and is_finite(m.w_new[i, k])):
                return False
    contact.velocities_twice(
        rows, near.bodies, work.frames, work.arms, B.velocity, m.kick_rate, work.y_before, m.v_new,
        m.w_new, work.y_after,
    )  # fmt: skip
    return True


@inlined
def is_finite(x):
    return abs(x) < math.inf
