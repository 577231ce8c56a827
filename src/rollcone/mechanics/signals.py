"""Values that change with time as a drive wants them: numbers, sines, tables, functions.

A drive asks for the value and for its rate at the end of each step. Numbers, `Sine` and `TimeTable`
can be kept in files; a Python function cannot.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rollcone._check import finite_array, one_number, positive_number
from rollcone.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Sine:
    """mean + amplitude sin(2 pi frequency t + phase); frequency in Hz, phase in radians."""

    amplitude: float
    frequency: float
    mean: float = 0.0
    phase: float = 0.0

    def __post_init__(self) -> None:
        for name in ("amplitude", "mean", "phase"):
            object.__setattr__(self, name, one_number(name, getattr(self, name)))
        object.__setattr__(self, "frequency", positive_number("frequency", self.frequency))

    def at(self, time: float) -> tuple[float, float]:
        """The value and its rate."""
        omega = 2.0 * math.pi * self.frequency
        angle = omega * time + self.phase
        value = self.mean + self.amplitude * math.sin(angle)
        return value, omega * self.amplitude * math.cos(angle)


@dataclass(frozen=True, kw_only=True)
class TimeTable:
    """Straight lines between `values` at `times` (s, increasing); constant before and after. In a
    corner the rate is that of the line that ends there."""

    times: Sequence[float]
    values: Sequence[float]

    def __post_init__(self) -> None:
        times, values = finite_array("times", self.times), finite_array("values", self.values)
        if times.ndim != 1 or not len(times) or np.any(np.diff(times) <= 0):
            raise InputError(f"times = {self.times!r}: must be numbers, each above the one before")
        if values.shape != times.shape:
            raise InputError(f"values = {self.values!r}: must be {len(times)} numbers, as times")
        object.__setattr__(self, "times", tuple(times.tolist()))
        object.__setattr__(self, "values", tuple(values.tolist()))

    def at(self, time: float) -> tuple[float, float]:
        """The value and its rate."""
        times, values = self.times, self.values
        k = int(np.searchsorted(times, time, side="left"))  # the line from k - 1 to k
        if k == 0 or k == len(times):
            return float(values[0 if k == 0 else -1]), 0.0
        rate = (values[k] - values[k - 1]) / (times[k] - times[k - 1])
        return values[k] + rate * (time - times[k]), rate


Signal = float | Sine | TimeTable | Callable[[float], float]


def check_signal(name: str, value: Any) -> Signal:
    """A number as a float, or the signal that it is."""
    if isinstance(value, Sine | TimeTable) or callable(value):
        return value  # type: ignore[no-any-return]
    try:
        return one_number(name, value)
    except InputError:
        raise InputError(
            f"{name} = {value!r}: must be a number, rc.Sine, rc.TimeTable or a function of time"
        ) from None


_LEAP = 10.0  # times as much as beside it


def signal_at(signal: Signal, time: float, step: float) -> tuple[float, float]:
    """Value and rate. That of a function comes from differences over two fifths of a step; one in
    which it leaps is left out."""
    if isinstance(signal, Sine | TimeTable):
        return signal.at(time)
    if not callable(signal):
        return signal, 0.0
    d = 0.1 * step
    low, less, value, more, high = (_called(signal, time + k * d) for k in (-2, -1, 0, 1, 2))
    rises = sorted((less - low, value - less, more - value, high - more), key=abs)
    if abs(rises[3]) > _LEAP * abs(rises[2]):
        return value, sum(rises[:3]) / (3.0 * d)
    return value, (8.0 * (more - less) - (high - low)) / (12.0 * d)


def signal_from(signal: Signal, time: float, step: float) -> tuple[float, float]:
    """Value and rate to come: a function is not asked for what was before."""
    if isinstance(signal, Sine | TimeTable) or not callable(signal):
        return signal_at(signal, time, step)
    d = 0.1 * step
    value, more, high = (_called(signal, time + k * d) for k in (0, 1, 2))
    return value, min(more - value, high - more, key=abs) / d


def _called(function: Callable[[float], float], time: float) -> float:
    value = function(time)
    try:
        return one_number("value", value)
    except InputError:
        raise InputError(
            f"a drive's function gave {value!r} at t = {time:g} s: must be a finite number"
        ) from None


def plain_signal(signal: Signal) -> Any:
    """A number or a table of numbers, for files; None for a function."""
    if isinstance(signal, Sine | TimeTable):
        return asdict(signal)
    return None if callable(signal) else signal


def signal_of(name: str, plain: Any) -> Signal:
    """The other way round: keys tell a sine from a table."""
    if not isinstance(plain, dict):
        return check_signal(name, plain)
    kind: type[Sine] | type[TimeTable] = (
        TimeTable if "times" in plain or "values" in plain else Sine
    )
    try:
        return kind(**plain)
    except TypeError:
        raise InputError(
            f"{name} = {plain!r}: must be a number, {{ amplitude = , frequency = }} (with mean and "
            "phase), or { times = [], values = [] }"
        ) from None
