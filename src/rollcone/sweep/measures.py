"""What is measured of each run of a study: the kinds of [[measure]], each a table of a study file
with a `value(run)`, a number or a list of them.

NaN is a value: a body that has not stopped has no time of stopping.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import Discriminator, model_validator

from rollcone._check import FloatArray, did_you_mean, finite_array
from rollcone.analysis import granular
from rollcone.analysis.energy import EnergyAudit
from rollcone.errors import InputError
from rollcone.recording.run import Run
from rollcone.scene import fields as f
from rollcone.scene.table import Table, field, needed

Value = float | list[float]


def _some_numbers(name: str, value: Any) -> None:
    if finite_array(name, value).ndim != 1 or not len(value):
        raise InputError(f"{name} = {value!r}: must be a list of numbers")


Numbers = f.numbers(_some_numbers, {"type": "array", "items": f.NUMBER, "minItems": 1})
_AXES = "xyz"
_VECTORS = ("position", "velocity", "angular_velocity")
_SCALARS = ("speed", "spin", "distance")
_UNITS = {
    "position": "m", "velocity": "m/s", "angular_velocity": "rad/s",
    "speed": "m/s", "spin": "rad/s", "distance": "m",
}  # fmt: skip
_TAKES = ("end", "least", "most", "mean")
_ENERGY = ("kinetic", "potential", "dissipated", "remainder", "work")
_TERMS = (
    *_ENERGY,
    "sliding",
    "rolling",
    "contour",
    "spinning",
    "impact",
    "implicit",
    "gained",
    "joints",
)


class Measure(Table):
    """What all measures have."""

    name: f.Text = field("Column of the table of results; the kind if not given.")

    @property
    def unit(self) -> str:
        return ""

    def value(self, run: Run) -> Value:
        raise NotImplementedError  # of each kind

    @property
    def column(self) -> str:
        return str(self.name or self.kind)  # type: ignore[attr-defined]


class Series(Measure):
    """A number that changes over time, and what is taken of it."""

    take: f.choice(_TAKES) = field("end, least, most, or mean over the recorded moments.", "end")
    time: f.Number = field("The value at this time (s) instead.")
    times: Numbers = field("Values at these times (s) instead: a curve.")

    @model_validator(mode="after")
    def _one_of_them(self) -> Series:
        if len({"take", "time", "times"} & self.model_fields_set) > 1:
            raise InputError("times: only one of take, time and times can be given")
        return self

    def series(self, run: Run) -> FloatArray:
        raise NotImplementedError  # of each kind

    def value(self, run: Run) -> Value:
        series, time = self.series(run), run.time
        if self.time is not None or self.times is not None:
            asked = np.atleast_1d(self.times if self.times is not None else self.time)
            rounding = 1e-9 * max(1.0, abs(time[-1]))  # steps times h, and what a file says
            if asked.min() < time[0] - rounding or asked.max() > time[-1] + rounding:
                words = f"the run is from {time[0]:g} to {time[-1]:g} s"
                raise InputError(f"{self.column}: time = {asked.max():g} s: {words}")
            found = np.interp(asked, time, series)
            return found.tolist() if self.times is not None else float(found[0])
        there = series[~np.isnan(series)]
        if not len(there):
            return float("nan")
        if self.take == "end":
            return float(there[-1])
        reduce = {"least": np.min, "most": np.max, "mean": np.mean}
        return float(reduce[self.take](there))  # type: ignore[operator]


class BodySeries(Series):
    """A body's state over time."""

    kind: Literal["body"] = needed("body")
    body: f.Text = needed("Its name.")
    quantity: f.choice((*_VECTORS, *_SCALARS)) = needed(
        "position (m), velocity (m/s), angular_velocity (rad/s), of which one `axis`; speed, spin "
        "(their magnitudes), distance from its place at the start (m)."
    )
    axis: f.choice(_AXES) = field("x, y or z.")

    @property
    def unit(self) -> str:
        return _UNITS[self.quantity]

    @model_validator(mode="after")
    def _has_an_axis(self) -> BodySeries:
        if (self.quantity in _VECTORS) != (self.axis is not None):
            need = "needs" if self.quantity in _VECTORS else "has no"
            raise InputError(f"axis: {self.quantity} {need} axis, x, y or z")
        return self

    def series(self, run: Run) -> FloatArray:
        track = run.body(self.body)
        if self.quantity == "distance":
            there = ~np.isnan(track.position[:, 0])
            start = track.position[there.argmax()]
            return np.asarray(np.linalg.norm(track.position - start, axis=1))
        if self.quantity in _SCALARS:
            vector = track.velocity if self.quantity == "speed" else track.angular_velocity
            return np.asarray(np.linalg.norm(vector, axis=1))
        return np.asarray(getattr(track, self.quantity)[:, _AXES.index(self.axis)])


class EnergySeries(Series):
    """A term of the energy audit over time."""

    kind: Literal["energy"] = needed("energy")
    term: f.choice(_TERMS) = needed("kinetic, potential, dissipated, sliding, ... (J).")

    @property
    def unit(self) -> str:
        return "J"

    def series(self, run: Run) -> FloatArray:
        audit: EnergyAudit = run.energy
        return np.asarray(getattr(audit, self.term))


class JointSeries(Series):
    """A joint over time."""

    kind: Literal["joint"] = needed("joint")
    joint: f.Text = needed("Its name.")
    quantity: f.Text = needed(
        "coordinate.angle (rad, m), rate.angle, effort.angle.motor, ... as `run.joint` has them."
    )

    def series(self, run: Run) -> FloatArray:
        track = run.joint(self.joint)
        known = {
            f"{group}.{name}": values
            for group in ("coordinate", "rate", "effort")
            for name, values in getattr(track, group).items()
        }
        if self.quantity not in known:
            words = did_you_mean(self.quantity, known) or f"; there are {', '.join(known)}"
            raise InputError(f"{self.column}: quantity = {self.quantity!r}: is none{words}")
        return np.asarray(known[self.quantity])


class _Stop(Measure):
    body: f.Text = needed("Its name.")
    speed: f.Positive = field("It counts as at rest below this (m/s, rad/s).", 1e-6)

    def _stop(self, run: Run) -> int | None:
        """The recorded moment from which on it is at rest; None if it moves at the end."""
        track = run.body(self.body)
        rates = np.hypot(
            np.linalg.norm(track.velocity, axis=1), np.linalg.norm(track.angular_velocity, axis=1)
        )
        moving = np.flatnonzero(~(rates <= self.speed))  # NaN counts as motion
        if not len(moving):
            return 0
        return int(moving[-1]) + 1 if moving[-1] + 1 < len(rates) else None


class StopTime(_Stop):
    """When a body comes to rest for good (s): the first recorded moment of it, so record often."""

    kind: Literal["stop-time"] = needed("stop-time")

    @property
    def unit(self) -> str:
        return "s"

    def value(self, run: Run) -> Value:
        moment = self._stop(run)
        return float("nan") if moment is None else float(run.time[moment])


class StopDistance(_Stop):
    """How far from its start a body comes to rest (m)."""

    kind: Literal["stop-distance"] = needed("stop-distance")

    @property
    def unit(self) -> str:
        return "m"

    def value(self, run: Run) -> Value:
        moment = self._stop(run)
        position = run.body(self.body).position
        if moment is None:
            return float("nan")
        return float(np.linalg.norm(position[moment] - position[0]))


class HeapAngle(Measure):
    """The angle of repose of the spheres at the end (degrees)."""

    kind: Literal["heap-angle"] = needed("heap-angle")
    sectors: f.whole(3) = field("Azimuth sectors of the fit.", 12)

    @property
    def unit(self) -> str:
        return "degrees"

    def value(self, run: Run) -> Value:
        return float(granular.grains(run).angle_of_repose(sectors=self.sectors).angle)


class HeapHeight(Measure):
    """The top of the highest sphere that is carried, at the end (m)."""

    kind: Literal["heap-height"] = needed("heap-height")

    @property
    def unit(self) -> str:
        return "m"

    def value(self, run: Run) -> Value:
        return float(granular.grains(run).height)


class HeapRadius(Measure):
    """Mean distance of the spheres on the floor to their centroid, at the end (m)."""

    kind: Literal["heap-radius"] = needed("heap-radius")

    @property
    def unit(self) -> str:
        return "m"

    def value(self, run: Run) -> Value:
        return float(granular.grains(run).mean_radius)


class Coordination(Measure):
    """Contacts per sphere at the end, those that carry force."""

    kind: Literal["coordination"] = needed("coordination")

    def value(self, run: Run) -> Value:
        return float(granular.grains(run).coordination().mean)


class PackingFraction(Measure):
    """The share of a box that spheres fill, at the end."""

    kind: Literal["packing-fraction"] = needed("packing-fraction")
    low: f.Vector = needed("Corner of the box (m), z from the floor.")
    high: f.Vector = needed("The opposite corner (m).")

    def value(self, run: Run) -> Value:
        return float(granular.grains(run).packing_fraction(self.low, self.high))


AnyMeasure = Annotated[
    BodySeries
    | EnergySeries
    | JointSeries
    | StopTime
    | StopDistance
    | HeapAngle
    | HeapHeight
    | HeapRadius
    | Coordination
    | PackingFraction,
    Discriminator("kind"),
]
MEASURES: dict[str, type[Table]] = {
    get_args(t.model_fields["kind"].annotation)[0]: t for t in get_args(get_args(AnyMeasure)[0])
}


def times_of(measure: Measure) -> list[float]:
    """At which the value is taken, if at any."""
    if not isinstance(measure, Series):
        return []
    return list(measure.times or ([] if measure.time is None else [measure.time]))


def measure(table: dict[str, Any]) -> Measure:
    """From the plain table that a study file has."""
    found: Measure = MEASURES[table["kind"]].model_validate(table)  # type: ignore[assignment]
    return found
