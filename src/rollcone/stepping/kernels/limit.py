"""Limits of friction that are not discs of the laws: by contact, by shape and by speed.

Each contact has sets of its own, `kinds` (c, 2) and `limits` (c, LIMITS), whose first five numbers
are radii as problems have them (laws/cone.py):

    sliding   a disc of mu; with a contact radius eps coupled with spinning, half-axes mu and mu eps
    rolling   a disc of rho; or, of contour friction, an ellipse: the contact point moves along
              the surface by g = (l_1 w_1, l_2 w_2), w_i about the axes e and n x e of
              `contour_axes`, so a force of at most mu_c r_n against g is a moment with
              half-axes mu_c l_1, mu_c l_2 (Le Saux, Leine and Glocker 2005, (2.23), (2.33))
    spinning  sigma

Coefficients that depend on speed are found by an outer iteration over solves: mu(v) of Stribeck's
curve, and a viscous resistance c |v| as a share of the normal force. With W the mobility of the
rows, h the step and P the friction of the last solve, the viscous impulse is taken as

    L = h c ((1 - t) v- + t (v+ + W (P - P_dry))) / (1 + t h c W),

which is the answer at once where nothing else holds the bodies, also if h c W is large. t is 1, or
1/2 where friction opposes the mean velocity of the step. From the second round on both coefficients
are found by the secant method, contact by contact.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.curvature import contour_axes
from rollcone.collision.kernels.narrow import FEATURE_BITS
from rollcone.collision.kernels.shape import DISK, is_endless
from rollcone.laws.kernels.disc import DISC
from rollcone.laws.kernels.ellipse import ELLIPSE
from rollcone.laws.kernels.sets import project_law
from rollcone.stepping.kernels.contact import LASTING

# Columns of the table of laws.
(
    KIND, STATIC, KINETIC, FALL, PATCH, ROLLING, SPINNING, CONTOUR, ROLLING_VISCOSITY,
    CONTOUR_VISCOSITY,
) = range(10)  # fmt: skip
# Columns of `limits` after the five radii: mu, what viscosity adds to rho or mu_c, l_1 and l_2.
# And of the round before: mu and its error, what was added and its error.
MU, ADDED, FIRST, SECOND, LAST_MU, MU_ERROR, LAST_ADDED, ADDED_ERROR = range(5, 13)
_PATIENT = 10  # rounds, after which coefficients go half the way only
# Of the largest normal force on the body that is pressed less: what has less is not viscous; and
# what viscosity does where forces are smaller counts less.
_TOUCHES, _WEIGHS = 1e-6, 0.01
_FLATTEST = 0.05  # slope of errors, below which a secant is not trusted


@inlined
def along_contour(table, row):
    return table[row, CONTOUR] > 0.0 or table[row, CONTOUR_VISCOSITY] > 0.0


@inlined
def is_viscous(table, row):
    return table[row, ROLLING_VISCOSITY] > 0.0 or table[row, CONTOUR_VISCOSITY] > 0.0


@inlined
def lies_flat(shape, bodies, key, gap, small, i):
    """Does the disk of contact i touch with other points than the lowest of its circles? With
    bodies that have an end, it does with more than two points."""
    one, other = shape[bodies[i, 0]], shape[bodies[i, 1]]
    if one != DISK and other != DISK:
        return False
    named = is_endless(one) or is_endless(other)
    touching = 0
    first = i
    while first > 0 and key[first - 1] >> FEATURE_BITS == key[i] >> FEATURE_BITS:
        first -= 1
    j = first
    while j < key.shape[0] and key[j] >> FEATURE_BITS == key[i] >> FEATURE_BITS:
        if gap[j] <= small[j]:
            touching += 1
            if named and (key[j] & ((1 << FEATURE_BITS) - 1)) % 3 != 0:
                return True
        j += 1
    return not named and touching > 2


@kernel
def align_frames(
    table, law, shape, size, orientation, mid_orientation, touch_state, bodies, key, gap, small,
    normal, arms, frames, limits,
):  # fmt: skip
    """Tangents of contacts with contour friction along its axes, and its lengths l_1, l_2.

    Normals and arms of lasting contacts are those of the middle of the step, and so are
    orientations. A disk that lies on its face has no contour friction (2.25).
    """
    if table.shape[0] == 0:
        return
    for i in range(law.shape[0]):
        limits[i, FIRST] = limits[i, SECOND] = 0.0
        if not along_contour(table, law[i]) or lies_flat(shape, bodies, key, gap, small, i):
            continue
        turned = mid_orientation if touch_state[i] == LASTING else orientation
        a, b, c, first, second = contour_axes(shape, size, turned, bodies, i, normal, arms)
        if first == 0.0 and second == 0.0:
            continue
        x, y, z = normal[i, 0], normal[i, 1], normal[i, 2]
        limits[i, FIRST], limits[i, SECOND] = first, second
        frames[i, 1, 0], frames[i, 1, 1], frames[i, 1, 2] = a, b, c
        frames[i, 2, 0] = y * c - z * b
        frames[i, 2, 1] = z * a - x * c
        frames[i, 2, 2] = x * b - y * a


@inlined
def coefficient(table, row, speed):
    """mu at this speed."""
    low, fall = table[row, KINETIC], table[row, FALL]
    if fall == 0.0:
        return low
    ratio = speed / fall
    return low + (table[row, STATIC] - low) * math.exp(-ratio * ratio)


@inlined
def slip_speed(table, row, y1, y2, y5):
    """|(u_T, eps w_n)|."""
    spin = table[row, PATCH] * y5
    return math.sqrt(y1 * y1 + y2 * y2 + spin * spin)


@inlined
def rolling_speed(table, row, limits, i, y3, y4):
    """|w_R|, or that of the contact point."""
    if along_contour(table, row):
        y3, y4 = limits[i, FIRST] * y3, limits[i, SECOND] * y4
    return math.sqrt(y3 * y3 + y4 * y4)


@inlined
def put_limits(table, row, kinds, limits, i):
    """Sets of contact i, of its mu and of what viscosity adds."""
    mu, added = limits[i, MU], limits[i, ADDED]
    kinds[i, 0], kinds[i, 1] = int(table[row, KIND]), DISC
    limits[i, 0] = limits[i, 1] = mu
    limits[i, 4] = mu * table[row, PATCH] if table[row, PATCH] > 0.0 else table[row, SPINNING]
    if along_contour(table, row):
        share = table[row, CONTOUR] + added
        kinds[i, 1] = ELLIPSE
        limits[i, 2], limits[i, 3] = share * limits[i, FIRST], share * limits[i, SECOND]
    else:
        limits[i, 2] = limits[i, 3] = table[row, ROLLING] + added


@kernel
def set_limits(table, h, anew, law, y_before, p_known, kinds, limits):
    """The sets of all contacts; `anew` with coefficients of the speeds before the step."""
    if table.shape[0] == 0:
        return
    for i in range(law.shape[0]):
        row = law[i]
        if anew:
            y = y_before[i]
            limits[i, MU] = coefficient(table, row, slip_speed(table, row, y[1], y[2], y[5]))
            limits[i, ADDED] = 0.0
            viscosity = max(table[row, ROLLING_VISCOSITY], table[row, CONTOUR_VISCOSITY])
            if viscosity > 0.0 and p_known[i, 0] > 0.0:
                speed = rolling_speed(table, row, limits, i, y[3], y[4])
                limits[i, ADDED] = h * viscosity * speed / p_known[i, 0]
        put_limits(table, row, kinds, limits, i)


@inlined
def turning_mobility(frames, movers, inverse, i, axis):
    """e.I^-1 e of both bodies, e a row of the frame."""
    x, y, z = frames[i, axis, 0], frames[i, axis, 1], frames[i, axis, 2]
    n, total = inverse.shape[0], 0.0
    for s in range(2):
        a = movers[i, s]
        if a < n:
            total += inverse[a, 1] * x * x + inverse[a, 2] * y * y + inverse[a, 3] * z * z
            total += 2.0 * (inverse[a, 4] * x * y + inverse[a, 5] * x * z + inverse[a, 6] * y * z)
    return total


@inlined
def viscous_share(table, row, h, weight, limits, frames, movers, inverse, p, y_before, y, i):
    """What viscosity adds to rho or mu_c, after a solve with the reactions p; 0 without."""
    contour = along_contour(table, row)
    viscosity = table[row, CONTOUR_VISCOSITY] if contour else table[row, ROLLING_VISCOSITY]
    if viscosity == 0.0:
        return 0.0
    a = limits[i, FIRST] if contour else 1.0
    b = limits[i, SECOND] if contour else 1.0
    W = a * a * turning_mobility(frames, movers, inverse, i, 1)
    W += b * b * turning_mobility(frames, movers, inverse, i, 2)
    first = p[i, 3] / a if a > 0.0 else 0.0
    second = p[i, 4] / b if b > 0.0 else 0.0
    dry = (table[row, CONTOUR] if contour else table[row, ROLLING]) * p[i, 0]
    before = rolling_speed(table, row, limits, i, y_before[i, 3], y_before[i, 4])
    after = rolling_speed(table, row, limits, i, y[i, 3], y[i, 4])
    free = after + W * (math.sqrt(first * first + second * second) - dry)
    drag = h * viscosity
    if drag * W > 1.0:  # a step that does not resolve the decay must not swing around its end
        weight = 1.0
    impulse = drag * ((1.0 - weight) * before + weight * free) / (1.0 + weight * drag * W)
    return max(impulse, 0.0) / p[i, 0]


@inlined
def secant(rounds, x, image, last, last_error):
    """The next x where x = image(x) is wanted, then the present x and its error."""
    error = image - x
    if rounds >= _PATIENT:
        return x + 0.5 * error, x, error
    if rounds > 0 and x != last:
        slope = (error - last_error) / (x - last)
        if slope < -_FLATTEST:
            return max(x - error / slope, 0.0), x, error
    return image, x, error


@inlined
def most_pressed(movers, p, pressed):
    """pressed (n,): the largest normal force on each body."""
    pressed[:] = 0.0
    for i in range(movers.shape[0]):
        for s in range(2):
            if movers[i, s] < pressed.shape[0]:
                pressed[movers[i, s]] = max(pressed[movers[i, s]], p[i, 0])


@inlined
def less_pressed(movers, pressed, i):
    """Of the two bodies of contact i: that of the one on which it is smaller."""
    least = math.inf
    for s in range(2):
        if movers[i, s] < pressed.shape[0]:
            least = min(least, pressed[movers[i, s]])
    return least


@kernel
def update_limits(
    table, h, mean, rounds, law, touch_state, frames, arms, movers, inverse, p, y_before, y_after,
    pressed, kinds, limits,
):  # fmt: skip
    """New coefficients after a solve; the largest change, over the coefficients themselves.

    `mean`: friction of lasting contacts opposes the mean velocity. `pressed` (n,) is made here.
    """
    worst = 0.0
    if table.shape[0] == 0:
        return worst
    most_pressed(movers, p, pressed)
    for i in range(law.shape[0]):
        row, top = law[i], less_pressed(movers, pressed, i)
        if p[i, 0] <= _TOUCHES * top:  # a share of hardly any force is noise
            limits[i, ADDED] = 0.0
            put_limits(table, row, kinds, limits, i)
            continue
        weight = 0.5 if mean and touch_state[i] == LASTING else 1.0
        y1 = (1.0 - weight) * y_before[i, 1] + weight * y_after[i, 1]
        y2 = (1.0 - weight) * y_before[i, 2] + weight * y_after[i, 2]
        y5 = (1.0 - weight) * y_before[i, 5] + weight * y_after[i, 5]
        mu = coefficient(table, row, slip_speed(table, row, y1, y2, y5))
        added = viscous_share(
            table, row, h, weight, limits, frames, movers, inverse, p, y_before, y_after, i
        )
        size = 0.0
        for k in range(6):
            size = max(size, abs(arms[i, k]))
        unit = 1.0 if along_contour(table, row) else size  # of lengths that mu is compared with
        change = max(
            abs(mu - limits[i, MU]) / max(mu, limits[i, MU], 1e-300),
            abs(added - limits[i, ADDED])
            * p[i, 0]
            / max((added + unit * mu) * p[i, 0], _WEIGHS * unit * mu * top, 1e-300),
        )
        worst = max(worst, change)
        limits[i, MU], limits[i, LAST_MU], limits[i, MU_ERROR] = secant(
            rounds, limits[i, MU], mu, limits[i, LAST_MU], limits[i, MU_ERROR]
        )
        limits[i, ADDED], limits[i, LAST_ADDED], limits[i, ADDED_ERROR] = secant(
            rounds, limits[i, ADDED], added, limits[i, LAST_ADDED], limits[i, ADDED_ERROR]
        )
        put_limits(table, row, kinds, limits, i)
    return worst


@inlined
def at_limit(kinds, limits, i, share, p, k):
    """Is the friction p (c, 6) of the group of rows from k on beyond `share` of its limit?"""
    normal = share * p[i, 0]
    x = p[i]
    q = project_law(
        True, kinds[i, 0], limits[i, 0], limits[i, 1], kinds[i, 1], limits[i, 2], limits[i, 3],
        limits[i, 4], normal, x[0], x[1], x[2], x[3], x[4], x[5],
    )  # fmt: skip
    if k == 1:
        return q[1] != x[1] or q[2] != x[2]
    return q[3] != x[3] or q[4] != x[4]
