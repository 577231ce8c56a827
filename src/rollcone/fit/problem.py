"""What is looked for and what was measured: plain data, free of simulations.

Inside, coefficients are numbers from 0 to 1, the ends of their ranges (`units`), so that steps and
tolerances mean the same for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rollcone._check import FloatArray, bounded_array, one_number, positive_number
from rollcone.errors import InputError
from rollcone.sweep.samples import Parameter


@dataclass(frozen=True)
class Coefficient(Parameter):
    """A number of the scene that is looked for between `low` and `high`; with `log` its size is
    not known to a factor of ten. Without a `start` the whole range is looked at first."""

    start: float | None = None

    def __post_init__(self) -> None:
        low, high = one_number("from", self.low), one_number("to", self.high)
        if not low < high:
            raise InputError(f"to = {high:g}: must be above from = {low:g}")
        if not math.isfinite(high - low):
            raise InputError(f"to = {high:g}: the range from {low:g} is too wide")
        if self.log and low <= 0:
            raise InputError(f"from = {low:g}: must be > 0 on a scale of ratios")
        if self.start is not None and not low <= one_number("start", self.start) <= high:
            raise InputError(f"start = {self.start:g}: must be from {low:g} to {high:g}")

    def unit(self, value: float) -> float:
        """From 0 to 1; `at` is the way back."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def slope(self, unit: float) -> float:
        """d value / d unit."""
        if self.log:
            return float(self.at(np.array(unit))) * math.log(self.high / self.low)
        return self.high - self.low


@dataclass(frozen=True)
class Target:
    """Measured numbers: one value, or several: a curve over `time`, if that is given.

    uncertainty  standard deviation of each; None: not known
    weight       of its squared residuals in the sum that is made small
    unit         of the numbers, for figures
    """

    name: str
    measured: FloatArray
    uncertainty: FloatArray | None = None
    time: FloatArray | None = None
    weight: float = 1.0
    unit: str = ""

    def __post_init__(self) -> None:
        measured = np.atleast_1d(bounded_array("value", self.measured))
        if measured.ndim != 1 or not len(measured):
            raise InputError(f"value of shape {measured.shape}: must be a number or a list")
        object.__setattr__(self, "measured", measured)
        if self.time is not None:
            time = bounded_array("time", self.time)
            if time.shape != measured.shape:
                raise InputError(
                    f"times: are {time.size}: must be as many as values, {len(measured)}"
                )
            object.__setattr__(self, "time", time)
        if self.uncertainty is not None:
            given = bounded_array("uncertainty", self.uncertainty)
            if given.shape not in ((), measured.shape):
                raise InputError(
                    f"uncertainty: has {given.size} entries: must be one number or {len(measured)}"
                )
            if (given <= 0).any():
                raise InputError(f"uncertainty = {given.min():g}: must be > 0")
            object.__setattr__(self, "uncertainty", np.broadcast_to(given, measured.shape))
        positive_number("weight", self.weight)

    def __len__(self) -> int:
        return len(self.measured)

    @property
    def label(self) -> str:
        """Its name, with the unit if there is one."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    @property
    def is_curve(self) -> bool:
        return self.time is not None or len(self) > 1

    @property
    def size(self) -> float:
        """Of its numbers, for weights where no uncertainty is known."""
        return float(np.abs(self.measured).max()) or 1.0


@dataclass(frozen=True)
class FitProblem:
    """`absolute`: uncertainties are given, so that residuals can be judged by their size."""

    parameters: Sequence[Coefficient]
    targets: Sequence[Target]
    absolute: bool = field(init=False)

    def __post_init__(self) -> None:
        for what, entries in (("parameter", self.parameters), ("target", self.targets)):
            names = [entry.name for entry in entries]
            if not names:
                raise InputError(f"{what}s: there must be at least one")
            for name in names:
                if names.count(name) > 1:
                    raise InputError(f"name = {name!r}: two {what}s have it")
        given = [target.uncertainty is not None for target in self.targets]
        if any(given) and not all(given):
            without = self.targets[given.index(False)].name
            raise InputError(
                f"uncertainty: target {without!r} has none; give it for all targets or for none"
            )
        object.__setattr__(self, "absolute", all(given))
        if self.quantities < len(self.parameters):
            raise InputError(
                f"{len(self.parameters)} parameters cannot be told from {self.quantities} measured "
                f"number{'' if self.quantities == 1 else 's'}: give more targets, or a curve"
            )

    @property
    def quantities(self) -> int:
        return sum(len(target) for target in self.targets)

    @cached_property
    def measured(self) -> FloatArray:
        return np.concatenate([target.measured for target in self.targets])

    @cached_property
    def uncertainty(self) -> FloatArray:
        """Standard deviations of the measured numbers; where they are not known, the size of the
        target, so that all weigh alike."""
        return np.concatenate(
            [
                np.full(len(target), target.size)
                if target.uncertainty is None
                else target.uncertainty
                for target in self.targets
            ]
        )

    @cached_property
    def weight(self) -> FloatArray:
        return np.concatenate([np.full(len(target), target.weight) for target in self.targets])

    def slices(self) -> list[slice]:
        """Of each target among all measured numbers."""
        ends = np.cumsum([len(target) for target in self.targets])
        return [
            slice(int(end) - len(target), int(end))
            for end, target in zip(ends, self.targets, strict=True)
        ]

    def values(self, units: FloatArray) -> FloatArray:
        """Coefficients (..., n) of numbers from 0 to 1."""
        columns = [p.at(units[..., j]) for j, p in enumerate(self.parameters)]
        return np.stack(columns, axis=-1)

    def start(self) -> FloatArray | None:
        """In units; None if no parameter has one, the middle for one without."""
        if all(parameter.start is None for parameter in self.parameters):
            return None
        return np.array([0.5 if p.start is None else p.unit(p.start) for p in self.parameters])
