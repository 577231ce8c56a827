"""Which recorded moments are looked at."""

from __future__ import annotations

import numpy as np

from rollcone._check import IntArray, finite_array
from rollcone.errors import InputError
from rollcone.recording.run import Run


def nearest_moment(run: Run, time: float) -> int:
    """The recorded moment nearest to a time within the run (s)."""
    times = run.time
    at = finite_array("time", time)
    slack = 1e-9 * max(abs(times[0]), abs(times[-1]), run.step)  # times are sums of steps
    if at.ndim or not times[0] - slack <= at <= times[-1] + slack:
        raise InputError(f"time = {time!r}: must be from {times[0]:g} to {times[-1]:g} s")
    return int(np.argmin(np.abs(times - at)))


def spread_moments(run: Run, most: int) -> IntArray:
    """Up to `most` moments, evenly from the first to the last."""
    count = len(run.time)
    return np.unique(np.linspace(0, count - 1, min(most, count)).round().astype(np.int64))
