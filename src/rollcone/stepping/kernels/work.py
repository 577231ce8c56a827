"""The arrays of a time step, in groups that kernels take as one argument.

Body arrays have n rows, contact arrays a capacity of which the first `control[CONTACTS]` are in
use; d is 3 or 6. Which of them share their memory is told in shapes.py. The order of the fields is
part of the compiled code: a library with another order is refused.
"""

from __future__ import annotations

from typing import NamedTuple

from rollcone._build.signatures import Byte1, Float1, Float2, Float3, Int1, Int2, Short1, Short2

# Of `ContactWork.owed`, who gives the energy for undoing an overlap: nobody, friction in the same
# step, which has not, or what contacts have taken before.
FREE, OWED, REFUSED, PAID = 0, 1, 2, 3
UNSEEN = -1.0  # of `Motion.sunk`
# Of `ContactWork.changed`: friction opposes the mean velocity of the step; or the island moves at
# the velocity after the impulses, which come at the start of the step.
OPPOSED, IMPLICIT = 1, 2
# Schemes, as kernels know them.
GAP_AHEAD, DVI, MOREAU_JEAN, MIDPOINT, EXPLICIT = 0, 1, 2, 3, 4

# Places in `control`: what is kept between calls.
(
    STAGE,  # where to go on: one of the stages below
    DONE,  # steps of this call
    CONTACTS,
    MIDDLE,  # contacts found half a step ahead
    KNOWN,  # contacts of the step before
    PASSES,  # looks at the candidates of this step
    ITERATIONS,  # of this step's solves
    FAILED,  # this step's last solve did not converge
    ROUGH,  # candidates are looked for with a rough solve
    TEMPERED,  # rebounds lowered because they would have made energy
    ROUNDS,  # in which they were lowered
    LET_GO,  # candidates that are not met any more have been let go
    APART,  # the solve is one for several threads: not within this call
    SWEEPS,  # that it may take
    LEAST,  # that it takes
    MOVED,  # bodies have moved since the last solve
    TURNED,  # looks along the turned way of this step
    PREDICTED,  # free motion was predicted anew, which joints have not seen yet
    LIMIT_ROUNDS,  # in which coefficients of friction were found anew
    PART,  # of this step that is done, in WHOLE parts of it
    NEXT,  # parts that the next part of it takes
    LAST,  # parts that the last one took
    STRIKE,  # 1: an impact at one instant is being solved
    STRIKES,  # impacts at an instant in this part of the step
    CUTS,  # pieces of this part of the step that ended where something meets
    TOLD,  # contacts of the pieces of this part, in `Pieces`
    MEETING,  # key of the contact that meets at `MEETS`
    MISSED,  # contacts in `Pieces.missed`
    STARTED,  # contacts of the step before, in `Pieces`
    FAILS,  # solves of this step that did not converge
    PLACES,
) = range(31)
BEGIN, SOLVE, SOLVED = range(3)
WHOLE = 1024  # parts of a step, at most
LIMITS = 13  # columns of `limits`

# Places in `numbers`: of the last solve; summed (or the worst) over the steps of a call; and from
# APPLIED on work, summed from the start, step by step, so that calls do not show in its bits.
(
    RESIDUAL,
    RESIDUAL_SPEED,
    AIM,  # of a solve for several threads
    WORST_RESIDUAL,
    WORST_SPEED,
    WORST_OVERLAP,
    MOST_PASSES,
    ALL_ITERATIONS,
    UNCONVERGED,
    UNFINISHED,  # steps that ended with candidates left to look at
    ALL_TEMPERED,
    WORST_LIMIT,  # the last change of a coefficient that depends on speed
    MOST_ROUNDS,  # in which it was found
    PARTS,  # steps and parts of steps that were made
    DIVIDED,  # steps, or parts of them, that were divided at times of impact
    LEFT,  # share of the part of a step that is left; 0 before a first step
    SPAN,  # share of the part of a step that its present piece takes
    MEETS,  # time (s) from the start of the piece at which something meets; 0 if nothing does
    DETECTION,  # and three more: ticks of the parts of a step
    ROWS,
    SOLVING,
    MOTION,
    APPLIED,
    DAMPING,
    CORRECTION,  # of positions that were moved apart (J)
    SUMS,  # nine, as analysis/kernels/energy.py counts them
    UNDONE,  # energy (J) that undoing overlaps has taken from what contacts took before
    NUMBERS,
) = (*range(26), 34, 35)


class Settings(NamedTuple):
    """What stays the same in a run."""

    h: float  # time of the step, or of the piece of it that is made (s)
    whole: float  # time of the whole step (s)
    rest: float  # share that the piece takes of what is left of the step
    spare: float  # energy (J) that undoing overlaps may give, beside what it may anyway
    touch: float
    scheme: int
    exact: bool
    recovery: float
    cap: float  # of the recovery speed; below 0: what the loads do
    theta: float
    hover_slide: float  # of DVI with the associated law: how far bodies hover
    hover_turn: float
    unequal: bool  # some body has unequal moments
    warm_start: bool
    most_passes: int
    tolerance: float  # of the residual
    aim: float  # which the first solver tries to reach
    speed_tolerance: float
    most_sweeps: int  # 0: solved elsewhere
    few_sweeps: int  # the same with at most `near` contacts
    near: int
    apart: int  # from so many contacts on solves are for several threads
    outside: bool  # joints, compliant contacts or a friction model: each step is solved outside
    mean_friction: bool  # friction that goes on opposes the mean velocity of the step (GapAhead)
    strict: bool
    vary: bool  # coefficients of friction depend on speed
    least_part: int  # parts of a step that a part of it takes at the least
    most_strikes: int  # impacts at which a step is divided, at most
    metric: int  # of positions that are moved apart after a step: one of the codes below


KEPT, BY_MASS, BY_COORDINATES = range(3)  # not moved apart; in which metric they are


class BodyArrays(NamedTuple):
    """The world's bodies (mechanics/bodies.py), gravity, and the laws of their materials."""

    kind: Int1
    shape: Int1
    size: Float2
    position: Float2
    orientation: Float2
    velocity: Float2
    omega: Float2
    mass: Float1
    inertia: Float2
    principal: Float2
    material: Int1
    force: Float2
    torque: Float2
    damping: Float2
    gravity: Float1
    law_radii: Float2  # (laws, 5), a row for every two materials
    law_restitution: Float2
    law_softness: Float2  # (laws, 4), as `LawTable.softness` has it; no rows if all are rigid
    law_friction: Float2  # (laws, 10), as kernels/limit.py has it; no rows if all are discs


class Motion(NamedTuple):
    """Of bodies: loads in the middle of the step, velocities without (free) and with contacts
    (new), and the mean ones at which positions move."""

    start_position: Float2
    start_orientation: Float2
    force: Float2
    torque: Float2
    driven: Float2  # velocities at the end of the step of bodies that are not dynamic
    driven_turn: Float2
    kick: Float1  # (n,), when impulses come, as a share of the step: 1/2, 0 or 1
    kick_place: Float2  # (n, 4), orientations then; no rows where all moments are equal
    kick_rate: Float2  # (n, 3) rad/s, rates then, before the impulses
    v_free: Float2
    w_free: Float2
    shift: Float2  # (n, 3), by which bodies are moved apart, and turned; or no rows
    shift_turn: Float2
    inverse: Float2  # (n, 7): 1 / m, inverse inertia xx, yy, zz, xy, xz, yz
    v_new: Float2
    w_new: Float2  # rates after the impulses, when they come
    end_rate: Float2  # (n, 3) rad/s, rates at the end of the step
    v_mean: Float2
    w_mean: Float2
    theta: Float1
    parent: Int1
    margin: Float1
    pressed: Float1  # (n,), the largest normal force on each body
    zero: Float2  # (n, 3): zero while candidates are found
    gain: Float2  # (n, 3): of each island, as kernels/passive.py has it
    sunk: Float1  # (n,) m, overlap that recovery undoes for nothing; UNSEEN before a first step
    joint_force: Float2  # impulses of joints on bodies (n, 3); no rows where there are none
    joint_torque: Float2
    joint_theta: Float1  # (n,), the least weight of v+ that they ask for; likewise
    joined: Short2  # (pairs, 2) of bodies that joints join


class ContactWork(NamedTuple):
    """Of contacts; normal and arms are those in the middle of the step where a contact lasts."""

    normal: Float2
    arms: Float2
    mid_normal: Float2
    mid_arms: Float2
    frames: Float3  # (c, 3, 3): n, t1, t2 by rows
    law: Short1  # row of `law_radii`
    restitution: Float1
    small: Float1
    slow: Float1
    loads: Float1
    start: Float1  # u_n before the step, with the geometry found there
    touch_state: Byte1
    ahead: Byte1  # 1: a first touch in any case, such as those found on the way
    fresh: Byte1  # 1: new among the candidates
    met: Byte1  # 1: met at the last look
    temper: Float1  # share of the restitution that is used
    changed: Byte1  # by the energy check: OPPOSED, IMPLICIT, or 0
    pushed: Float1  # speed at which overlap is undone (m/s)
    owed: Byte1  # who gives the energy for that: FREE, OWED, REFUSED or PAID
    movers: Short2  # (c, 2)
    bend: Float2
    b: Float2
    p: Float2
    p_known: Float2  # of the step before
    y_before: Float2
    y_after: Float2
    y_expected: Float2
    speeds: Float1
    force: Float2  # on the second body, world axes
    moment: Float2
    soft: Float2  # (c, 4): compliance of normal and sliding rows, tangent, kind; or no rows
    limits: Float2  # (c, LIMITS) and kinds (c, 2), as kernels/limit.py has them; or no rows
    kinds: Int2


class Known(NamedTuple):
    """Reactions of the step before, in world axes."""

    key: Int1
    force: Float2
    moment: Float2


class Pieces(NamedTuple):
    """What a divided step keeps: contacts of all its pieces, of which the first `control[TOLD]` are
    in use, and what it began with, in case that it fails."""

    key: Int1
    bodies: Short2
    gap: Float1  # m, where it acted last
    normal: Float2  # (c, 3), as it was found
    point: Float2  # (c, 3) m, of contact
    frames: Float3
    arms: Float2
    bend: Float2
    force: Float2  # (c, 3) impulses on the second body, summed over the pieces, in world axes (N s)
    moment: Float2
    missed: Int1  # keys of pairs that seemed to meet within the piece, and do not
    start: Float2  # (n, 13): position, orientation, velocity and rate of each body
    start_numbers: Float1  # `numbers`
    start_key: Int1  # reactions of the step before, of which `control[STARTED]` are in use
    start_force: Float2
    start_moment: Float2
