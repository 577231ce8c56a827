"""The curves of the panel, energies, residual and joints over time, and a mark at the present."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.mechanics.joints import UNITS
from rollcone.recording.joints import JointTrack
from rollcone.recording.run import Run
from rollcone.view.joint_plots import started
from rollcone.viewer.element_words import effort_unit

_POINTS = 400  # of a curve; the panel is about 300 pixels wide
_ROOM = 0.05  # above and below the curves
_NUMBERS = 4  # about as many along the axis of the residual, which is low
_LEAST = 1e-17  # stands for a residual of zero
_STILL = 1e-9  # m or rad: a coordinate that does no more is at rest


@dataclass(frozen=True)
class Chart:
    """Curves (p,) by name, over the times (p,) at which they are drawn."""

    time: FloatArray
    curves: dict[str, FloatArray]
    spacing: float | None = None  # of the upright axis' numbers
    still: float = 0.0  # curves that rise by less are at rest, seen on a scale of 1

    @property
    def limits(self) -> tuple[float, float]:
        """What the curves fill of the upright axis, with a little room; from number to number if
        their spacing is given."""
        values = np.concatenate(list(self.curves.values()))
        values = values[np.isfinite(values)] if np.isfinite(values).any() else np.zeros(1)
        low, high = float(values.min()), float(values.max())
        if self.spacing is not None:
            low, high = np.floor(low / self.spacing), np.ceil(high / self.spacing)
            return float(low * self.spacing), float(max(high, low + 1) * self.spacing)
        if high - low < self.still:
            return low - 1.0, high + 1.0
        room = _ROOM * (high - low) or _ROOM * abs(high) or 1.0
        return low - room, high + room

    def marked(self, now: float) -> tuple[FloatArray, ...]:
        """Time, the curves and an upright line at `now`: two points at one time, NaN elsewhere."""
        at = int(np.searchsorted(self.time, now, side="right"))
        time = np.insert(self.time, at, [now, now])
        curves = [
            np.insert(curve, at, [np.interp(now, self.time, curve)] * 2)
            for curve in self.curves.values()
        ]
        line = np.full(len(time), np.nan)
        line[at : at + 2] = self.limits
        return (time, *curves, line)


def energy_chart(run: Run) -> Chart:
    """Kinetic, potential (from its least), what contacts and damping took, and the remainder."""
    audit = run.energy
    chosen = thinned(len(audit.time))
    curves = {
        "kinetic": audit.kinetic,
        "potential": audit.potential - audit.potential.min(),
        "dissipated": audit.dissipated,
        "remainder": audit.remainder,
    }
    return Chart(audit.time[chosen], {name: curve[chosen] for name, curve in curves.items()})


def residual_chart(run: Run) -> Chart:
    """Powers of ten of the worst residual from each point to the next: thinning hides no peak."""
    time, residual = run.time, run.residual
    chosen = thinned(len(time))
    power = np.log10(np.maximum(np.maximum.reduceat(residual, chosen), _LEAST))
    spacing = max(1.0, np.ceil(np.ptp(power) / _NUMBERS))
    return Chart(time[chosen], {"residual": power}, float(spacing))


def joint_charts(time: FloatArray, track: JointTrack) -> list[Chart]:
    """The coordinates of a joint and what acts on them, each unit on its own; of a joint without
    coordinates the force that it holds. NaN where it is not there."""
    chosen = thinned(len(time))
    coordinates = {f"{name} ({UNITS[name]})": values for name, values in track.coordinate.items()}
    acting = {
        f"{name} ({effort_unit(name.split('.')[0])})": started(values)
        for name, values in track.effort.items()
    }
    held = {} if coordinates else {"force (N)": started(np.linalg.norm(track.force, axis=1))}
    found: dict[tuple[int, str], dict[str, FloatArray]] = {}
    for kind, curves in enumerate((coordinates, acting, held)):
        for name, curve in curves.items():
            found.setdefault((kind, name.rsplit(" (", 1)[1]), {})[name] = curve[chosen]
    return [
        Chart(time[chosen], curves, still=_STILL if kind == 0 else 0.0)
        for (kind, _), curves in found.items()
    ]


def thinned(moments: int) -> IntArray:
    """Up to `_POINTS` moments, evenly, the first and the last among them."""
    return np.unique(np.linspace(0, moments - 1, min(moments, _POINTS)).round().astype(np.int64))
