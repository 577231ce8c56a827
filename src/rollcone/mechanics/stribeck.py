"""A coefficient of sliding friction that falls with speed (Stribeck's curve).

    mu(v) = kinetic + (static - kinetic) exp(-(v / speed)^2)

At rest it is the static value. v is the norm of the velocity that friction opposes: |u_T|, and
with a contact radius eps that of (u_T, eps w_n) (Le Saux, Leine and Glocker 2005, after (2.32)).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rollcone._arguments import named_fields
from rollcone._check import FloatArray, positive_number


@named_fields
@dataclass(frozen=True, kw_only=True)
class Stribeck:
    """mu(v) = kinetic + (static - kinetic) exp(-(v / speed)^2)

    static   mu at rest, no unit
    kinetic  mu at speeds much larger than `speed`, no unit; above `static` friction rises
    speed    m/s: at half of it nearly four fifths of the fall are still to come
    """

    static: float
    kinetic: float
    speed: float

    def __post_init__(self) -> None:
        for name in ("static", "kinetic"):
            object.__setattr__(self, name, positive_number(name, getattr(self, name), zero=True))
        object.__setattr__(self, "speed", positive_number("speed", self.speed))

    def at(self, speed: ArrayLike) -> FloatArray:
        """mu at these speeds (m/s)."""
        ratio = np.asarray(speed, dtype=np.float64) / self.speed
        return np.asarray(self.kinetic + (self.static - self.kinetic) * np.exp(-(ratio**2)))
