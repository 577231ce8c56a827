"""Who carries whom in granular matter: coordination number, distribution of normal forces.

Contacts are pairs (c, 2) of grains by index, with -1 for what is no grain (floor, walls), and
normal forces (c,) in N. A contact carries force if that is above a millionth of the mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, IntArray, finite_array, positive_number, whole_number
from rollcone.errors import InputError

_CARRIES = 1e-6  # of the mean normal force
_RATTLER = 2  # grains with fewer contacts that carry


@dataclass(frozen=True)
class Coordination:
    """Contacts that carry force per grain.

    mean      without rattlers, which are grains with fewer than two (Thornton's mechanical
              coordination number); nan if there are no others
    of_all    rattlers counted, too
    rattlers  how many
    count     (n,), of each grain
    """

    mean: float
    of_all: float
    rattlers: int
    count: IntArray


@dataclass(frozen=True)
class ForceDistribution:
    """Of normal forces that act, in units of their mean.

    mean      N
    edges     (b + 1,) of the bins of the histogram, in means
    density   (b,) its share of contacts per unit; sums to 1 with the widths unless forces are
              beyond the last edge
    decay     b of the tail exp(-b f / mean) above the mean: its most likely value
    error     standard error of that
    largest   in means
    """

    mean: float
    edges: FloatArray
    density: FloatArray
    decay: float
    error: float
    largest: float


def carrying(force: FloatArray) -> np.ndarray:
    """Which contacts (c,) carry force."""
    acting = force > 0
    return np.asarray(force > _CARRIES * (force[acting].mean() if acting.any() else 0.0))


def coordination(pairs: IntArray, force: FloatArray, grains: int) -> Coordination:
    """Of `grains` grains."""
    pairs, force = _checked(pairs, force)
    count = whole_number("grains", grains, least=1)
    if pairs.max(initial=-1) >= count or pairs.min(initial=0) < -1:
        raise InputError(f"pairs: must be from -1 to {count - 1}, the last grain")
    ends = pairs[carrying(force)].ravel()
    numbers = np.bincount(ends[ends >= 0], minlength=count)
    held = numbers >= _RATTLER
    mean = float(numbers[held].mean()) if held.any() else np.nan
    return Coordination(mean, float(numbers.mean()), int((~held).sum()), numbers)


def normal_forces(force: FloatArray, bins: int = 30, largest: float = 6.0) -> ForceDistribution:
    """Of the contacts that carry force, in `bins` equal bins from 0 to `largest` means."""
    f = finite_array("force", force).ravel()
    edges = np.linspace(
        0.0, positive_number("largest", largest), whole_number("bins", bins, least=1) + 1
    )
    f = f[carrying(f)]
    if not len(f):
        return ForceDistribution(np.nan, edges, np.zeros(bins), np.nan, np.nan, np.nan)
    mean = float(f.mean())
    f = f / mean
    density = np.histogram(f, edges)[0] / (len(f) * np.diff(edges))
    above = f[f > 1.0] - 1.0
    decay = 1.0 / above.mean() if len(above) else np.nan
    error = decay / np.sqrt(len(above)) if len(above) else np.nan
    return ForceDistribution(mean, edges, density, float(decay), float(error), float(f.max()))


def _checked(pairs: IntArray, force: FloatArray) -> tuple[IntArray, FloatArray]:
    pairs, force = np.asarray(pairs), finite_array("force", force)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or (pairs.size and pairs.dtype.kind not in "iu"):
        raise InputError(f"pairs has shape {pairs.shape}: must be whole numbers (c, 2)")
    if force.shape != (len(pairs),):
        raise InputError(f"force has shape {force.shape}: must be ({len(pairs)},), one per pair")
    return pairs.astype(np.int64), force
