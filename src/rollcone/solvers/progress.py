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
    """Looks at the error each time the iterations have doubled: has it fallen to `share`?"""

    def __init__(self, share: float, window: int) -> None:
        self._share, self._window = share, window
        self._done, self._error = 0, math.inf

    def stuck(self, done: int, error: float) -> bool:
        if done < max(2 * self._done, self._done + self._window):
            return False
        stuck = error > self._share * self._error
        self._done, self._error = done, error
        return stuck
