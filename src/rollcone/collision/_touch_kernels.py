"""When two convex parts that move along touch first, and with which normal.

Along the normal n of their distance two convex parts come nearer no faster than -n.c, where B moves
at c: so they are apart at least as long as that takes, and once more from there, until they touch.

Called through its address, since it is large and needed by two callers: a question and its answer
are numbers in `ask`,

    0 to 2 guess   3 to 5 c   6 smaller size   7 horizon   8 near   9 wider
    10 when   11 gap then   12 to 14 normal then
"""

from __future__ import annotations

from rollcone._address_kernels import call_alone, numbers_at, places_at
from rollcone._jit import addressed, inlined, kernel
from rollcone.collision._distance_kernels import SIMPLEX
from rollcone.collision._separation_kernels import separation
from rollcone.collision._support_kernels import FLOATS, INTS, MOST_POINTS
from rollcone.collision._vector_kernels import dot
from rollcone.collision.convex_work import ASK, NUMBERS, SCRATCH

_MOST_ADVANCES = 40


@inlined
def ask_touch(work, small, guess, c, horizon, near, wider):
    """Of the parts in work.fa and work.fb: (do they come near, when, gap then, normal then)."""
    ask = work.ask
    for k in range(3):
        ask[k], ask[3 + k] = guess[k], c[k]
    ask[6], ask[7], ask[8], ask[9] = small, horizon, near, wider
    close = call_alone(work.touch[0], work.touch[1])
    return close > 0, ask[10], ask[11], (ask[12], ask[13], ask[14])


@addressed
def answer_touch(context):
    """1 if they come near."""
    at = places_at(context, (SCRATCH + 16,))
    ask = numbers_at(at[SCRATCH + 13], (ASK,))
    close, t, gap, n = first_touch(
        numbers_at(at[SCRATCH], (FLOATS,)),
        places_at(at[SCRATCH + 2], (INTS,)),
        numbers_at(at[SCRATCH + 1], (FLOATS,)),
        places_at(at[SCRATCH + 3], (INTS,)),
        numbers_at(at[NUMBERS], (at[NUMBERS + 1],)),
        places_at(at[NUMBERS + 2], (at[NUMBERS + 3],)),
        ask[6], (ask[0], ask[1], ask[2]), (ask[3], ask[4], ask[5]), ask[7], ask[8], ask[9],
        numbers_at(at[SCRATCH + 4], SIMPLEX),
        numbers_at(at[SCRATCH + 5], (MOST_POINTS, 4)),
    )  # fmt: skip
    ask[10], ask[11] = t, gap
    for k in range(3):
        ask[12 + k] = n[k]
    return 1 if close else 0


@kernel
def first_touch(fa, ia, fb, ib, numbers, places, small, guess, c, horizon, near, wider, s, poly):
    """(do they come near, when, distance of the surfaces then, normal then); B moves at c.

    B is left where it is at that time. Near is: touching now (gap <= near, time 0), touching on the
    way, or no farther apart than `wider` when closest (as they turn they may touch). Those
    that graze, by less than a small share of their size, slide past each other.
    """
    slop = min(1e-6 * small, near)
    t = 0.0
    gap, n = 0.0, guess
    for advance in range(_MOST_ADVANCES):
        gap, n = separation(fa, ia, fb, ib, numbers, places, small, n, s, poly)
        gap -= fa[15] + fb[15]
        closing = -dot(n, c)
        if advance == 0 and gap <= near:
            return True, t, gap, n
        rest = horizon - t
        if closing * rest < gap:  # never there on this way
            return gap - max(closing, 0.0) * rest <= wider, t, gap, n
        if gap <= 0.0:
            return True, t, gap, n
        step = min((gap + 0.5 * slop) / closing, rest)
        t += step
        for k in range(3):
            fb[k] += step * c[k]
        if ib[0] < 0:  # a triangle
            for k in range(9):
                fb[16 + k] += step * c[k % 3]
    return gap <= wider, t, gap, n
