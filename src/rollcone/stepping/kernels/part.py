"""Parts of steps: where a disk rolls nearly flat, its contact point runs around the rim ever
faster.

With n the normal, a the disk's axis and s the sine of the angle between the two, the direction of
the lowest point turns about n at the rate (n x e).(w x a) / s, e the unit vector of a - (a.n) n; it
grows without bound as the disk falls flat (Le Saux, Leine and Glocker 2005, section 5.2). A step
is divided into 2^k parts so that the point turns no farther than _TURN in each. All parts are made
of 1 / WHOLE steps, so that whole steps end where they would.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.analysis.kernels.energy import energy_taken
from rollcone.collision.kernels.shape import DISK
from rollcone.collision.kernels.vector import axes, cross, dot, row
from rollcone.stepping.kernels.work import (
    LEFT,
    NEXT,
    SPAN,
    STRIKE,
    SUMS,
    UNDONE,
    WHOLE,
    Settings,
)

_TURN = 0.1  # rad
_SHARE = 2e-4  # of the energy that contacts have taken may be given to undo overlaps
_FLAT = 1e-7  # sine: lying flat


@inlined
def piece_of(s, control, numbers):
    """Return the settings of the present piece of a step: a share of so many parts of it; or of an
    impact, which takes no time."""
    parts, span = control[NEXT], numbers[SPAN]
    h = s.h if parts == WHOLE else s.h * parts / WHOLE
    if span != 1.0:
        h *= span
    rest = span / numbers[LEFT]
    if control[STRIKE] == 1:
        h = rest = 0.0
    spare = _SHARE * energy_taken(numbers[SUMS:]) - numbers[UNDONE]
    return Settings(
        h, s.h, rest, max(spare, 0.0), s.touch, s.scheme, s.exact, s.recovery, s.cap, s.theta,
        s.hover_slide, s.hover_turn, s.unequal, s.warm_start, s.most_passes, s.tolerance, s.aim,
        s.speed_tolerance, s.most_sweeps, s.few_sweeps, s.near, s.apart, s.outside,
        s.mean_friction, s.strict, s.vary, s.least_part, s.most_strikes, s.metric,
    )  # fmt: skip


@kernel
def fastest_turn(h, touch, shape, orientation, omega, bodies, normal):
    """Of the lowest points of the disks of these contacts, rad/s."""
    fastest = 0.0
    for i in range(bodies.shape[0]):
        n = row(normal, i)
        for s in range(2):
            body = bodies[i, s]
            if shape[body] != DISK:
                continue
            a, w = axes(orientation, body)[2], row(omega, body)
            e, tilt = cross(cross(n, a), n), cross(w, a)
            sine = math.sqrt(dot(e, e))
            # A disk that lies on its face, and rocks by what a solve leaves, is left alone.
            if sine > _FLAT and h * math.sqrt(dot(tilt, tilt)) > touch:
                fastest = max(fastest, abs(dot(cross(n, e), tilt)) / (sine * sine))
    return fastest


@inlined
def next_part(h, least, done, rate):
    """Parts that the next part of a step takes, of WHOLE, of which `done` are behind: a power of
    two that divides both."""
    parts = WHOLE
    while parts > least and (h * rate * parts > _TURN * WHOLE or done % parts != 0):
        parts //= 2
    while done % parts != 0:
        parts //= 2
    return parts
