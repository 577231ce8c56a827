"""Which values of its parameters a study takes: points, one dictionary each.

grid              every value with every other
list              the first values of all, the second values of all, ...
random            count points, each value drawn from its range
latin-hypercube   count points; the range of each parameter is cut into count parts, and each
                  part holds one value (SciPy's quasi-Monte Carlo)
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.errors import InputError

METHODS = ("grid", "list", "random", "latin-hypercube")
SCALES = ("linear", "log")
DRAWN = METHODS[2:]


@dataclass(frozen=True)
class Parameter:
    """name    column of the table of results
    keys    of the scene; all are set to the value
    values  those of a grid or a list; empty if they are drawn
    low, high, log   the range that values are drawn from
    """

    name: str
    keys: tuple[str, ...]
    values: tuple[Any, ...] = ()
    low: float = math.nan
    high: float = math.nan
    log: bool = False

    def at(self, share: FloatArray) -> FloatArray:
        """Values at shares 0 to 1 of the range."""
        if self.log:
            ends = math.log(self.low), math.log(self.high)
            found = np.exp(ends[0] + share * (ends[1] - ends[0]))
        else:
            found = self.low + share * (self.high - self.low)
        return np.asarray(np.clip(found, self.low, self.high))  # not past an end by rounding

    def spaced(self, count: int) -> tuple[float, ...]:
        """Values from end to end."""
        space = np.geomspace if self.log else np.linspace
        return tuple(float(f"{value:.15g}") for value in space(self.low, self.high, count))  # 0.4


@dataclass(frozen=True)
class Sampling:
    method: str = "grid"
    count: int = 0
    seed: int = 0


def how_many(parameters: Sequence[Parameter], sampling: Sampling) -> int:
    """Points, counted before they are made."""
    if sampling.method in DRAWN:
        return sampling.count
    lengths = [len(parameter.values) for parameter in parameters]
    return max(lengths, default=1) if sampling.method == "list" else math.prod(lengths)


def points(parameters: Sequence[Parameter], sampling: Sampling) -> list[dict[str, Any]]:
    """The points of a study, in order; one empty point if nothing is varied."""
    names = [parameter.name for parameter in parameters]
    values = [parameter.values for parameter in parameters]
    if sampling.method in DRAWN and parameters:
        shares = _shares(sampling, len(parameters))
        columns = [p.at(shares[:, k]).tolist() for k, p in enumerate(parameters)]
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    if sampling.method == "list":
        lengths = {parameter.name: len(parameter.values) for parameter in parameters}
        if len(set(lengths.values())) > 1:
            words = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise InputError(
                f"method = 'list': all parameters must have as many values, not {words}"
            )
        return [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)] or [{}]
    return [dict(zip(names, row, strict=True)) for row in itertools.product(*values)]


def _shares(sampling: Sampling, dimensions: int) -> FloatArray:
    generator = np.random.default_rng(sampling.seed)
    if sampling.method == "random":
        return generator.random((sampling.count, dimensions))
    from scipy.stats import qmc  # which takes a second to load

    return np.asarray(qmc.LatinHypercube(dimensions, rng=generator).random(sampling.count))
