"""How far a simulated wheel is from its reference: force, direction of the force, place, energy.

The normalised friction force is s = |f_T| / (mu N), 1 while the reference slides. Its root mean
square deviation is taken over times and not divided again: s is relative to mu N already. In the
window of sliding the reference is constant; in a longer one the moment at which slip ends counts
most, since s falls from 1 to 0.43 there: one step of 1 ms too early or too late is 1 % of 3 s.

The misalignment is the angle between -f_T and the slip, where the wheel slips by more than the
threshold below which the paper's model sticks. Which slip, that before the step, from which the
regularised model takes its axes, or that after it, is not said in the paper: both are told.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.studies.wheel_reference import Motion

SLIPS = 0.01  # m/s: the paper's threshold between sticking and sliding
_BEGINS = 0.1  # m from the start: relative errors of place count from there on


@dataclass(frozen=True)
class Trace:
    """A simulated wheel after each step, world axes; forces are means over steps."""

    time: FloatArray  # (steps,)
    position: FloatArray  # (steps, 3), of the centre
    energy: FloatArray  # (steps,)
    force: FloatArray  # (steps, 3), of the floor on the wheel
    slip_before: FloatArray  # (steps, 3), m/s, of the rim's lowest point, before the step
    slip_after: FloatArray  # (steps, 3), with the rim's point of before the step


@dataclass(frozen=True)
class Errors:
    """By time (steps,)."""

    share: FloatArray  # s, as it is
    wanted: FloatArray  # s of the reference
    position: FloatArray  # m
    position_relative: FloatArray  # to the distance that the reference has gone
    energy: FloatArray  # J, with its sign
    misalignment_before: FloatArray  # degrees
    misalignment_after: FloatArray


@dataclass(frozen=True)
class Measures:
    """What is told of the errors."""

    force: dict[str, float]  # deviation of s, by window
    misalignment_before: float  # degrees, root mean square
    misalignment_after: float
    slip_ends: float  # s, the first step that ends with slip below the threshold; NaN if none
    position: float  # m, at the end
    position_relative: float
    position_relative_rms: float
    position_relative_max: float
    energy: float  # J, at the end, with its sign
    energy_max: float
    aloft: int  # steps without a normal force: s is not defined there, and they are left out


def errors(trace: Trace, motion: Motion, sliding: float) -> Errors:
    """`motion` is the reference at the times of the trace, `sliding` mu."""
    return Errors(
        share=share(trace.force, sliding),
        wanted=reference_share(motion, sliding),
        position=np.linalg.norm(trace.position - motion.position, axis=1),
        position_relative=relative_position(trace, motion),
        energy=trace.energy - motion.energy,
        misalignment_before=misalignment(trace.force, trace.slip_before),
        misalignment_after=misalignment(trace.force, trace.slip_after),
    )


def measure(
    trace: Trace, motion: Motion, sliding: float, windows: dict[str, tuple[float, float]]
) -> Measures:
    """The steps of a window (begin, end) are those that end after `begin` and not after `end`."""
    t, wrong = trace.time, errors(trace, motion, sliding)
    return Measures(
        force={
            name: rms((wrong.share - wrong.wanted)[(t > begin) & (t <= end)])
            for name, (begin, end) in windows.items()
        },
        misalignment_before=rms(wrong.misalignment_before),
        misalignment_after=rms(wrong.misalignment_after),
        slip_ends=_first(t[:-1], np.linalg.norm(trace.slip_before[1:], axis=1) < SLIPS),
        position=float(wrong.position[-1]),
        position_relative=float(wrong.position_relative[-1]),
        position_relative_rms=rms(wrong.position_relative),
        position_relative_max=float(np.nanmax(wrong.position_relative)),
        energy=float(wrong.energy[-1]),
        energy_max=float(np.abs(wrong.energy).max()),
        aloft=int(np.isnan(wrong.share).sum()),
    )


def share(force: FloatArray, sliding: float) -> FloatArray:
    """s of forces (steps, 3); NaN where nothing presses."""
    presses = force[:, 2] > 0.0
    limit = np.where(presses, sliding * force[:, 2], np.nan)
    return np.asarray(np.hypot(force[:, 0], force[:, 1]) / limit)


def reference_share(motion: Motion, sliding: float) -> FloatArray:
    return np.asarray(np.linalg.norm(motion.friction, axis=1) / (sliding * motion.normal_force))


def misalignment(force: FloatArray, slip: FloatArray) -> FloatArray:
    """Degrees, -180 .. 180, positive if the friction is turned to the left; NaN where it sticks."""
    x, y = slip[:, 0], slip[:, 1]
    fx, fy = -force[:, 0], -force[:, 1]
    angle = np.degrees(np.arctan2(x * fy - y * fx, x * fx + y * fy))
    return np.where((np.hypot(x, y) > SLIPS) & (np.hypot(fx, fy) > 0.0), angle, np.nan)


def relative_position(trace: Trace, motion: Motion) -> FloatArray:
    """Distance to the reference over its distance from the start; NaN in the first 0.1 m."""
    wrong = np.linalg.norm(trace.position - motion.position, axis=1)
    far = np.linalg.norm(motion.position - motion.start, axis=1)
    return np.asarray(wrong / np.where(far >= _BEGINS, far, np.nan))


def rms(values: FloatArray) -> float:
    """Of those that are numbers; NaN if none is."""
    values = values[~np.isnan(values)]
    return float(np.sqrt((values**2).mean())) if len(values) else float("nan")


def _first(time: FloatArray, condition: NDArray[np.bool_]) -> float:
    return float(time[condition.argmax()]) if condition.any() else float("nan")
