"""What is measured of a run of the thin disk: angles, slip, energy, chi, nutation, slide, stop."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.disk import DiskMotion, RollingDisk, disk_motion, feasibility, nutation
from rollcone.recording.run import Run

SLIDES = 0.02  # m/s: rapid slip. First-order schemes that stick slip by h r |turning| gamma'
_FLAT = 1e-6  # m, height of the centre


@dataclass(frozen=True)
class Trace:
    """By time (n,)."""

    time: FloatArray
    position: FloatArray  # (n, 3)
    motion: DiskMotion
    slip: FloatArray  # m/s
    energy: FloatArray  # J
    chi: FloatArray  # (5.28)
    nutation: FloatArray  # rad/s (5.22); NaN if it has none
    stop: float  # s; NaN if it does not lie flat

    @property
    def moving(self) -> np.ndarray:
        """Before the stop."""
        return np.asarray(~(self.time >= self.stop))

    @property
    def slide(self) -> int:
        """Number of the first moment at which it slides rapidly; -1 if there is none."""
        found = np.flatnonzero((self.slip > SLIDES) & self.moving)
        return int(found[0]) if len(found) else -1

    @property
    def slide_time(self) -> float:
        """When its slip reaches SLIDES (s), between the recorded moments; NaN if it does not."""
        return crossing(self.time, self.slip, SLIDES) if self.slide >= 0 else math.nan

    @property
    def lost(self) -> float:
        """Energy lost over that of the start (%)."""
        return 100.0 * float(1.0 - self.energy[-1] / self.energy[0])


def crossing(time: FloatArray, values: FloatArray, level: float) -> float:
    """When values first rise to a level, by a straight line between moments."""
    i = int(np.argmax(values >= level))
    share = (level - values[i - 1]) / (values[i] - values[i - 1])
    return float(time[i - 1] + share * (time[i] - time[i - 1]))


def trace(run: Run, disk: RollingDisk, sliding: float) -> Trace:
    track = run.body("disk")
    motion = disk_motion(track.orientation, track.velocity, track.angular_velocity, disk.radius)
    flat = np.flatnonzero(track.position[:, 2] < _FLAT)
    with np.errstate(all="ignore"):  # flat, angles have no meaning
        chi = feasibility(disk, motion.beta, motion.rho, sliding)
        square = nutation(disk, motion.beta, motion.alpha_rate, motion.gamma_rate)
        frequency = np.sqrt(square)
    return Trace(
        time=run.time,
        position=track.position,
        motion=motion,
        slip=np.hypot(motion.slip[:, 0], motion.slip[:, 1]),
        energy=energy(disk, track.position, motion, track.velocity, track.angular_velocity),
        chi=chi,
        nutation=frequency,
        stop=float(run.time[flat[0]]) if len(flat) else math.nan,
    )


def energy(
    disk: RollingDisk, position: FloatArray, motion: DiskMotion, velocity: FloatArray,
    turning: FloatArray,
) -> FloatArray:  # fmt: skip
    """Kinetic and potential (J), the latter from the floor."""
    axial = turning[:, 2] * np.sin(motion.beta)  # of the axis: its horizontal part is below
    across = np.array([-np.sin(motion.alpha), np.cos(motion.alpha)]) * np.cos(motion.beta)
    axial = axial + np.einsum("ij,ji->i", turning[:, :2], across)
    twice = disk.mass * (velocity**2).sum(axis=1) + disk.A * (turning**2).sum(axis=1)
    twice += (disk.C - disk.A) * axial**2
    return np.asarray(twice / 2 + disk.mass * disk.gravity * position[:, 2])


@dataclass(frozen=True)
class Oscillation:
    """Of beta, from one maximum to the next (n,): the middle of each (s), the frequency measured
    and the mean of (5.22) (rad/s)."""

    time: FloatArray
    measured: FloatArray
    formula: FloatArray


def oscillation(one: Trace, begin: float = 0.0) -> Oscillation:
    """From `begin` on; maxima by a parabola through three moments."""
    t, beta = one.time, one.motion.beta * np.sign(np.median(one.motion.beta[one.moving]))
    tops = np.flatnonzero((beta[1:-1] > beta[:-2]) & (beta[1:-1] >= beta[2:])) + 1
    tops = tops[(t[tops] >= begin) & one.moving[tops + 1]]
    before, top, after = beta[tops - 1], beta[tops], beta[tops + 1]
    shift = 0.5 * (before - after) / (before - 2 * top + after)
    exact = t[tops] + shift * (t[1] - t[0])
    formula = np.array([np.nanmean(one.nutation[i:j]) for i, j in pairwise(tops)])
    return Oscillation((exact[1:] + exact[:-1]) / 2, 2 * math.pi / np.diff(exact), formula)


@dataclass(frozen=True)
class ChiShares:
    """Shares of time before the stop; NaN if there is none of it. `rapid` slip is above SLIDES."""

    below_without_rapid: float  # of the time with chi < 1
    rapid_above: float  # of the time of rapid slip, with chi > 1
    above_with_rapid: float  # of the time with chi > 1


def chi_shares(one: Trace) -> ChiShares:
    now = one.moving
    rapid, above = one.slip[now] > SLIDES, one.chi[now] > 1.0
    return ChiShares(_share(~rapid, ~above), _share(above, rapid), _share(rapid, above))


def _share(what: np.ndarray, among: np.ndarray) -> float:
    return float(what[among].mean()) if among.any() else math.nan


def final_stage(trace: Trace, high: float, low: float) -> tuple[FloatArray, FloatArray]:
    """Times and energies while cos(beta) falls from `high` to `low`."""
    height = trace.position[:, 2] / trace.motion.radius
    begin = int(np.argmax(height < high))
    below = np.flatnonzero(height < low)
    end = int(below[0]) if len(below) else len(height)
    return trace.time[begin:end], trace.energy[begin:end]


def decay_rate(time: FloatArray, energy: FloatArray, power: float) -> float:
    """a of E' = -a E^power, the power given: slope of E^(1 - power) or of its logarithm."""
    q = 1.0 - power
    if q == 0.0:
        return float(-np.polyfit(time, np.log(energy), 1)[0])
    return float(-np.polyfit(time, energy**q, 1)[0] / q)
