"""The time that parts of a step take, by the processor's own counter."""

from __future__ import annotations

from rollcone._build.intrinsics import ticks
from rollcone._build.kernels import inlined


@inlined
def lap(sums, place, last):
    """Add the ticks since `last` to sums[place]; return the counter's value now."""
    now = ticks()
    sums[place] += now - last
    return now
