"""The clock of playback: real seconds move it through the time of a run.

It is asked for the time when a frame is due, so a slow browser or a slow disk skips frames
and never falls behind.
"""

from __future__ import annotations

from rollcone._check import positive_number

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)


class Clock:
    """`time` (s) between `start` and `end`; it moves while `playing`."""

    def __init__(self, start: float, end: float) -> None:
        self.start, self.end = start, end
        self.time = start
        self.playing = False
        self.loop = False
        self._speed = 1.0

    @property
    def speed(self) -> float:
        """Seconds of the run per real second."""
        return self._speed

    @speed.setter
    def speed(self, value: float) -> None:
        self._speed = positive_number("speed", value)

    def play(self) -> None:
        """From here on; from the start where the end is reached."""
        if self.time >= self.end:
            self.time = self.start
        self.playing = self.end > self.start

    def pause(self) -> None:
        self.playing = False

    def seek(self, time: float) -> None:
        """To a time, or to the nearest that the run has."""
        self.time = min(max(time, self.start), self.end)

    def extend(self, end: float) -> None:
        """The run has grown."""
        self.end = max(end, self.end)

    def advance(self, seconds: float) -> None:
        """Real time has passed."""
        if not self.playing:
            return
        time = self.time + self.speed * max(seconds, 0.0)
        length = self.end - self.start
        if time < self.end:
            self.time = time
        elif self.loop and length > 0:
            self.time = self.start + (time - self.start) % length
        else:
            self.time, self.playing = self.end, False
