"""How many threads solve a step: as many as are quicker.

Bits do not depend on it. Where other programs keep the cores busy, threads that wait for each other
take longer than one alone: both are timed, the slower one is tried again now and then.
"""

from __future__ import annotations

import math

from rollcone.thread_count import threads

_AGAIN = 20  # calls after which the slower way is tried again
_NEW = 0.3  # share of a new time in the mean


class Crew:
    """Of one simulation."""

    def __init__(self) -> None:
        self._seconds = [0.0, 0.0]  # per unit of work: alone, and with all
        self._known = [False, False]
        self._calls = 0

    def size(self, contacts: int, least: int) -> int:
        """Threads for so many contacts: one, if that are fewer than `least` for each, or all."""
        most = min(threads(), contacts // least)
        if most < 2:
            return 1
        self._calls += 1
        together = self._seconds[1] <= self._seconds[0]
        if not all(self._known):
            together = self._known[0]
        elif self._calls % _AGAIN == 0:
            together = not together
        return most if together else 1

    def note(self, size: int, seconds: float, work: float) -> None:
        """What a call has taken, for so much work."""
        way, rate = int(size > 1), seconds / max(work, 1.0)
        if not math.isfinite(rate):
            return
        old = self._seconds[way] if self._known[way] else rate
        self._seconds[way] = (1.0 - _NEW) * old + _NEW * rate
        self._known[way] = True
