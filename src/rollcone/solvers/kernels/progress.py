"""When to look at iterations, make their velocities anew or change their step: small rules, for
Python as they are and for kernels by their compiled twins."""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined

# A check costs as much as an iteration or two: one for every fourth part of the way.
_CHECK_SHARE, _FEWEST = 4, 3
# The velocities z are carried along; after this many sweeps they are made anew from p. Where
# the error is below _FINE of that of no reactions their rounding would show: then _OFTEN.
_REFRESH, _OFTEN, _FINE = 500, 3, 1e-12
TINY = 1e-300  # an error of zero has no logarithm
# Gauss-Seidel's relaxation to begin with, by law; measured on heaps, stacks and random problems.
# When the sweeps' number doubles, the error must fall to SHARE, or they run in a circle.
EXACT_START, ASSOCIATED_START, SHARE, WINDOW = 1.3, 1.7, 0.8, 50
_LOWER, _LOWEST = 0.6, 0.02


def next_check(done: int, most: int) -> int:
    """How many iterations to do before the next check, `done` of at most `most` being done."""
    return min(max(_FEWEST, done // _CHECK_SHARE), most - done)


def next_sweeps(done: int, count: int, error: float, drive: float) -> tuple[int, bool]:
    """Up to which sweep to go without refreshing z, at most `count` more; and whether to refresh
    it first. error is that of the last sweep, drive that of no reactions."""
    fine = error <= _FINE * drive
    end = done + min(count, _OFTEN if fine else _REFRESH)
    return end, fine or done // _REFRESH < end // _REFRESH


def lower(relaxation: float) -> float:
    """The factor that a relaxation is lowered by when sweeps run in a circle."""
    return max(_LOWER, _LOWEST / relaxation)


def watch_error(
    error: float,
    count: int,
    log_share: float,
    shortest: int,
    window: int,
    seen: int,
    total: float,
    least: float,
) -> tuple[bool, int, int, float, float]:
    """One look of `Watch` (progress.py): is it stuck, and its new window, seen, total, least."""
    seen += count
    total += count * math.log(max(error, TINY))
    if seen < window:
        return False, window, seen, total, least
    mean = total / seen
    stuck = not mean <= log_share + least
    return stuck, shortest if stuck else 2 * window, 0, 0.0, min(least, mean)


compiled_next_check = inlined(next_check)
compiled_next_sweeps = inlined(next_sweeps)
compiled_lower = inlined(lower)
compiled_watch_error = inlined(watch_error)
