"""Sizes that differ from body to body: a number, a range, or a distribution.

    0.1                                                            always that
    (0.1, 0.2)                                                     each as likely
    {"distribution": "uniform", "min": 0.1, "max": 0.2}            the same
    {"distribution": "normal", "mean": , "deviation": , "min": , "max": }
    {"distribution": "lognormal", likewise}
    {"distribution": "sizes", "values": [...], "shares": [...]}    some sizes, shares by number

The mean and the standard deviation are those of the whole distribution, before it is cut off at min
and max. A size takes one random number u and is the value below which the share u of all
bodies lies: nothing is drawn twice, so what comes after does not depend on what came of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from rollcone._check import (
    FloatArray,
    bounded_array,
    did_you_mean,
    finite_array,
    one_of,
    positive_number,
)
from rollcone.errors import InputError

_LEAST_SHARE = 1e-6  # of a distribution that must lie between min and max
_CUT = ("mean", "deviation", "min", "max")
KEYS: dict[str, tuple[str, ...]] = {
    "uniform": ("min", "max"),
    "normal": _CUT,
    "lognormal": _CUT,
    "sizes": ("values", "shares"),
}


class Distribution(Protocol):
    """Of one length, from `low` to `high` (m)."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    def at(self, u: FloatArray) -> FloatArray:
        """The values (n,) below which the shares u (n,) of all lie, 0 <= u < 1."""

    def plain(self) -> Any:
        """As it was given: a number, a list or a table."""


@dataclass(frozen=True)
class Uniform:
    low: float
    high: float

    def at(self, u: FloatArray) -> FloatArray:
        return np.minimum(self.low + (self.high - self.low) * u, self.high)

    def plain(self) -> float | list[float]:
        return self.low if self.low == self.high else [self.low, self.high]


@dataclass(frozen=True)
class Bell:
    """Normal, or with `log` the lognormal distribution, cut off at low and high."""

    low: float
    high: float
    mean: float
    deviation: float
    log: bool

    def at(self, u: FloatArray) -> FloatArray:
        from scipy.special import ndtri

        start, share = self._share()
        middle, spread = self._scale()
        mirrored = self._mirrored()  # both ends above the middle: digits are left below it
        z = ndtri(start + share * ((1.0 - u) if mirrored else u))
        x = middle + spread * (-z if mirrored else z)
        return np.asarray(np.clip(np.exp(x) if self.log else x, self.low, self.high))

    def check(self, name: str) -> None:
        """Enough of it must lie within its ends."""
        if not self._share()[1] >= _LEAST_SHARE:
            raise InputError(
                f"{name}: min = {self.low:g} and max = {self.high:g} leave less than a millionth "
                f"of the {'log' if self.log else ''}normal distribution"
            )

    def _scale(self) -> tuple[float, float]:
        """Of what is normally distributed: mean and standard deviation."""
        if not self.log:
            return self.mean, self.deviation
        square = math.log1p((self.deviation / self.mean) ** 2)
        return math.log(self.mean) - 0.5 * square, math.sqrt(square)

    def _quantiles(self) -> tuple[float, float]:
        middle, spread = self._scale()
        ends = (self.low, self.high)
        a, b = ((math.log(x) if self.log else x) for x in ends)
        return (a - middle) / spread, (b - middle) / spread

    def _mirrored(self) -> bool:
        return self._quantiles()[0] > 0.0

    def _share(self) -> tuple[float, float]:
        """What lies below the lower end, and between the ends; of the mirror image if mirrored."""
        from scipy.special import ndtr

        a, b = self._quantiles()
        if a > 0.0:
            a, b = -b, -a
        below = float(ndtr(a))
        return below, float(ndtr(b)) - below

    def plain(self) -> dict[str, Any]:
        name = "lognormal" if self.log else "normal"
        numbers = (self.mean, self.deviation, self.low, self.high)
        return {"distribution": name} | dict(zip(_CUT, numbers, strict=True))


@dataclass(frozen=True)
class Sizes:
    values: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def low(self) -> float:
        return min(self.values)

    @property
    def high(self) -> float:
        return max(self.values)

    def at(self, u: FloatArray) -> FloatArray:
        ends = np.cumsum(self.shares)
        place = np.searchsorted(ends, u * ends[-1], side="right")
        found = np.asarray(self.values)[np.minimum(place, len(self.values) - 1)]
        return np.asarray(found)

    def plain(self) -> dict[str, Any]:
        lists = {"values": list(self.values), "shares": list(self.shares)}
        return {"distribution": "sizes"} | lists


def distribution(name: str, value: Any, *, zero: bool = False) -> Distribution:
    """Of the size called `name`; `zero`: it may be zero."""
    if isinstance(value, Mapping):
        return _from_table(name, value, zero)
    array = bounded_array(name, value)
    if array.shape not in ((), (2,)) or (array.ndim and array[0] > array[1]):
        raise InputError(
            f"{name} = {value!r}: must be one number, or low and high, or a distribution"
        )
    low, high = (array[0], array[1]) if array.ndim else (array, array)
    if low < 0 or (low == 0 and not zero):
        raise InputError(f"{name} = {value!r}: must be {'>= 0' if zero else '> 0'}")
    return Uniform(float(low), float(high))


def _from_table(name: str, given: Mapping[str, Any], zero: bool) -> Distribution:
    try:
        if "distribution" not in given:
            raise InputError(f"distribution is missing, one of {', '.join(KEYS)}")
        kind = one_of("distribution", given["distribution"], KEYS)
        _check_keys(kind, given)
        if kind == "sizes":
            return _sizes(given["values"], given["shares"], zero)
        low, high = (positive_number(key, given[key], zero=zero) for key in ("min", "max"))
        if low > high:
            raise InputError(f"max = {high!r}: must not be below min = {low!r}")
        if kind == "uniform":
            return Uniform(low, high)
        return _bell(kind == "lognormal", low, high, given)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _check_keys(kind: str, given: Mapping[str, Any]) -> None:
    known = ("distribution", *KEYS[kind])
    for key in given:
        if key not in known:
            hint = did_you_mean(str(key), known) or f"; there are {', '.join(known)}"
            raise InputError(f"{key} is not of the distribution {kind!r}{hint}")
    for key in known:
        if key not in given:
            raise InputError(f"{key} is missing; the distribution {kind!r} needs it")


def _bell(log: bool, low: float, high: float, given: Mapping[str, Any]) -> Distribution:
    mean, deviation = (positive_number(key, given[key]) for key in ("mean", "deviation"))
    if low == high:
        raise InputError(f"max = {high!r}: must be above min")
    if log and low == 0.0:
        raise InputError("min = 0: must be > 0 in the distribution 'lognormal'")
    found = Bell(low, high, mean, deviation, log)
    found.check("distribution")
    return found


def _sizes(values: Any, shares: Any, zero: bool) -> Sizes:
    sizes, parts = bounded_array("values", values), finite_array("shares", shares)
    if sizes.ndim != 1 or not sizes.size:
        raise InputError(f"values = {values!r}: must be a list of lengths")
    if sizes.min() < 0 or (sizes.min() == 0 and not zero):
        raise InputError(f"values = {values!r}: must be {'>= 0' if zero else '> 0'}")
    if parts.shape != sizes.shape or parts.min() <= 0 or not np.isfinite(parts.sum()):
        raise InputError(f"shares = {shares!r}: must be one number > 0 for each of the values")
    return Sizes(tuple(sizes.tolist()), tuple(parts.tolist()))
