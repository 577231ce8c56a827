"""What iterations know of themselves: is the error small enough to ask for a check, and
does it still fall? Errors here are the methods' own, cheap ones; the driver has the last word.
"""

from __future__ import annotations

import math

from rollcone.solvers.kernels.progress import TINY, watch_error


class Goal:
    """The error below which the method returns to the driver, which then looks itself."""

    def __init__(self, size: float) -> None:
        self._size = size  # of the error with no reactions
        self.error = math.inf

    def set(self, tolerance: float) -> None:
        self.error = min(self.error, tolerance * self._size)

    def met_by(self, error: float) -> bool:
        """If so the estimate may have been too hopeful: the next time more is asked for."""
        met = error <= self.error
        if met:
            self.error = 0.5 * error
        return met


class Watch:
    """Looks at the error each time the iterations have doubled: has its geometric mean fallen
    to `share` of what it was? After a no the windows are short again, since something will
    be changed. A mean, because the error of methods with momentum dips now and then.
    """

    def __init__(self, share: float, window: int) -> None:
        self._log_share, self._shortest = math.log(share), window
        # Window, iterations in it, the sum of log(error) over them, and its least mean so far.
        self._state = window, 0, 0.0, math.inf

    def stuck(self, error: float, count: int = 1) -> bool:
        """To be asked after every `count` iterations, with the error of the last."""
        told = watch_error(error, count, self._log_share, self._shortest, *self._state)
        self._state = told[1:]
        return told[0]


class Pace:
    """Looks at the error after every `span` iterations: is its geometric mean over them down to
    `share` of that over the span before?"""

    def __init__(self, share: float, span: int) -> None:
        self._log_share, self._span = math.log(share), span
        self._seen, self._sum, self._last = 0, 0.0, math.inf

    def slow(self, error: float) -> bool:
        """To be asked after every iteration."""
        self._seen += 1
        self._sum += math.log(max(error, TINY))
        if self._seen < self._span:
            return False
        slow = not self._sum <= self._last + self._span * self._log_share
        self._seen, self._sum, self._last = 0, 0.0, self._sum
        return slow
