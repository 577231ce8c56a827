"""Where bodies are at any time of a run: recorded moments, and what lies between two of them.

Between moments positions go straight and orientations turn about one axis, at constant rates. That
is for the eye: numbers, colours and forces are those of the last recorded moment. A body that turns
by more than half a turn between two records seems to turn the other way, as in any film. In a
periodic box bodies are shown within it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.recording.run import Run

_SMALL = 1e-6  # rad: the chord is as good as the arc
_SAME = 1e-9  # of the way to the next moment: as good as recorded


@dataclass(frozen=True)
class Frame:
    """What one picture shows; NaN for bodies that are not there."""

    moment: int  # the last recorded one
    share: float  # of the way to the next one, from 0 to below 1
    position: FloatArray  # (n, 3)
    orientation: FloatArray  # (n, 4)


class Frames:
    """Frames of a run, read moment by moment; the last two are kept."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._kept: dict[int, tuple[FloatArray, FloatArray]] = {}

    def at(self, times: FloatArray, time: float, *, between: bool) -> Frame:
        """At a time; `times` are those of the moments to be shown. Not `between`: the last
        recorded moment."""
        moment, share = locate(times, time)
        position, orientation = self._read(moment)
        if not between or share == 0.0:
            return Frame(moment, 0.0, self._run.world.wrapped(position), orientation)
        after, turned = self._read(moment + 1)
        lasting = np.isfinite(after[: len(position), 0]) & np.isfinite(position[:, 0])
        position, orientation = position.copy(), orientation.copy()
        position[lasting] += share * (after[: len(lasting)][lasting] - position[lasting])
        orientation[lasting] = turn_between(
            orientation[lasting], turned[: len(lasting)][lasting], share
        )
        return Frame(moment, share, self._run.world.wrapped(position), orientation)

    def _read(self, moment: int) -> tuple[FloatArray, FloatArray]:
        if moment not in self._kept:
            run = self._run
            found = (
                np.array(run.states("position")[moment]),
                np.array(run.states("orientation")[moment]),
            )
            self._kept = {k: v for k, v in self._kept.items() if abs(k - moment) <= 1}
            self._kept[moment] = found
        return self._kept[moment]


def locate(times: FloatArray, time: float) -> tuple[int, float]:
    """The last moment at or before a time, and the share of the way to the next one."""
    moment = int(np.clip(np.searchsorted(times, time, side="right") - 1, 0, len(times) - 1))
    if moment == len(times) - 1 or time <= times[moment]:
        return moment, 0.0
    share = float((time - times[moment]) / (times[moment + 1] - times[moment]))
    if share > 1.0 - _SAME:
        return moment + 1, 0.0
    return moment, share if share > _SAME else 0.0


def turn_between(first: FloatArray, second: FloatArray, share: float) -> FloatArray:
    """Unit quaternions (k, 4) on the shorter way from the first to the second:

        (sin((1 - s) a) q0 + sin(s a) q1) / sin(a),   cos(a) = q0.q1 >= 0

    (SciPy's Rotation takes thirty times as long, too long for 10,000 bodies in a frame.)
    """
    cosine = (first * second).sum(axis=1, keepdims=True)
    second = np.where(cosine < 0, -second, second)
    angle = np.arccos(np.minimum(np.abs(cosine), 1.0))
    small = angle < _SMALL
    sine = np.where(small, 1.0, np.sin(angle))
    one = np.where(small, 1.0 - share, np.sin((1.0 - share) * angle) / sine)
    other = np.where(small, share, np.sin(share * angle) / sine)
    between = one * first + other * second
    return np.asarray(between / np.linalg.norm(between, axis=1, keepdims=True))
