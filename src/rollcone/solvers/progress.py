"""What iterations know of themselves: is the error small enough to ask for a check, and
does it still fall? Errors here are the methods' own, cheap ones; the driver has the last word.
"""

from __future__ import annotations

import math


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
        self._window, self._count, self._sum = window, 0, 0.0
        self._least = math.inf  # mean of log(error)

    def stuck(self, error: float, count: int = 1) -> bool:
        """To be asked after every `count` iterations, with the error of the last."""
        self._count += count
        self._sum += count * math.log(max(error, 1e-300))
        if self._count < self._window:
            return False
        mean = self._sum / self._count
        stuck = not mean <= self._log_share + self._least
        self._window = self._shortest if stuck else 2 * self._window
        self._least = min(self._least, mean)
        self._count, self._sum = 0, 0.0
        return stuck
