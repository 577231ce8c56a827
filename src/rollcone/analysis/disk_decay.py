"""How the energy of a disk decays while it settles flat (Le Saux, Leine and Glocker 2005, 5.5).

Near the end the centre is at rest, the disk rolls as in `stationary_rolling`, and

    E = 3/2 m g r cos(beta),   alpha'^2 = gamma'^2 = 3/2 (m g r)^2 / (A E)

so each kind of friction has a law E' = -a E^k, and alpha' ~ (t_f - t)^(-1/n) with n = 2 (1 - k):

    friction            k      n     stops        thin disk, g/r = q
    dry contour       -1/2     3     yes  (5.37)  a = sqrt(6) mu_R m^(3/2) q^2 r^3
    viscous contour    -1      4     yes  (5.40)  a = 6 c q^2 m r^4
    dry rolling        1/2     1     yes  (5.46)  a = 2 sqrt(6)/3 rho q sqrt(m)
    viscous rolling     1      0     no   (5.49)  a = 8 c / (3 m r^2)
    Contensou          3/2    -1     no   (5.53)  a = pi sqrt(6)/12 mu eps / (r^2 sqrt(m))

The paper's own (5.37) and (5.40) have r^2 and q r^3 in place of r^3 and q^2 r^4: a misprint of
dimensions. A is any here; the paper's numbers are for A = m r^2 / 4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, positive_number
from rollcone.analysis.disk import RollingDisk
from rollcone.errors import InputError

_LEAST_POINTS = 8
_RANGE = (-3.0, 4.0)  # of 1 - k, searched


@dataclass(frozen=True)
class DecayLaw:
    """E' = -rate E^power."""

    power: float
    rate: float

    @property
    def exponent(self) -> float:
        """n of (6.2); 0 for an exponential, below 0 for a power of time that never ends."""
        return 2.0 * (1.0 - self.power)

    def duration(self, energy: float) -> float:
        """From that energy to the end (s); infinite if it never ends."""
        q = 1.0 - self.power
        return energy**q / (q * self.rate) if q > 0.0 else math.inf

    def energy(self, time: ArrayLike, energy: float) -> FloatArray:
        """At times since the given energy: (5.38), (5.41), (5.47), (5.50), (5.54)."""
        t, q = np.asarray(time, dtype=float), 1.0 - self.power
        if q == 0.0:
            return np.asarray(energy * np.exp(-self.rate * t))
        left = energy**q - q * self.rate * t
        return np.asarray(np.maximum(left, 0.0) ** (1.0 / q))


def contour_decay(disk: RollingDisk, contour: float) -> DecayLaw:
    """Dry: a force of mu_R N along the rim (5.37)."""
    return DecayLaw(-0.5, positive_number("contour", contour) * disk.weight_moment * _turning(disk))


def viscous_contour_decay(disk: RollingDisk, viscosity: float) -> DecayLaw:
    """c (N s/m) times the speed along the rim (5.40)."""
    c = positive_number("viscosity", viscosity)
    return DecayLaw(-1.0, c * (disk.radius * _turning(disk)) ** 2)


def rolling_decay(disk: RollingDisk, rolling: float) -> DecayLaw:
    """Dry: a moment of rho N against the horizontal angular velocity (5.46); rho in m."""
    weight = disk.mass * disk.gravity
    rho = positive_number("rolling", rolling)
    return DecayLaw(0.5, rho * weight * _turning(disk) * _cosine(disk))


def viscous_rolling_decay(disk: RollingDisk, viscosity: float) -> DecayLaw:
    """c (N m s) times that angular velocity (5.49)."""
    c = positive_number("viscosity", viscosity)
    return DecayLaw(1.0, c * (_turning(disk) * _cosine(disk)) ** 2)


def contensou_decay(disk: RollingDisk, sliding: float, contact_radius: float) -> DecayLaw:
    """The torque 3 pi/16 mu N eps of a Hertzian patch against the spin (5.53)."""
    mu = positive_number("sliding", sliding)
    radius = positive_number("contact_radius", contact_radius)
    torque = 3 * math.pi / 16 * mu * disk.mass * disk.gravity * radius
    return DecayLaw(1.5, torque * _turning(disk) * _cosine(disk) ** 2)


def _turning(disk: RollingDisk) -> float:
    """|alpha'| sqrt(E)."""
    return math.sqrt(1.5 / disk.A) * disk.weight_moment


def _cosine(disk: RollingDisk) -> float:
    """cos(beta) / E (5.33)."""
    return 2.0 / (3.0 * disk.weight_moment)


@dataclass(frozen=True)
class DecayFit:
    """The law that fits best, when it ends (s), and the worst misfit over the range of energy's
    power."""

    law: DecayLaw
    final_time: float
    misfit: float


def fit_decay(time: ArrayLike, energy: ArrayLike) -> DecayFit:
    """The law of energies (n,) at times (n,), of the final stage only: of all q = 1 - k, the one
    for which (E^q - 1) / q, E over its first value, is nearest to a straight line in time."""
    t, e = np.asarray(time, dtype=float), np.asarray(energy, dtype=float)
    if t.ndim != 1 or t.shape != e.shape or len(t) < _LEAST_POINTS:
        raise InputError(
            f"time, energy: have shapes {t.shape}, {e.shape}; must be (n,), n >= {_LEAST_POINTS}"
        )
    if not (np.all(e > 0.0) and np.all(np.diff(t) > 0.0) and e[-1] < e[0]):
        raise InputError("time, energy: times must rise, energies must be above zero and fall")
    from scipy.optimize import minimize_scalar

    scaled = e / e[0]
    found = minimize_scalar(
        lambda q: _line(t, scaled, q)[2], bounds=_RANGE, method="bounded", options={"xatol": 1e-9}
    )
    q = float(found.x)
    slope, offset, misfit = _line(t, scaled, q)
    law = DecayLaw(1.0 - q, -slope * float(e[0]) ** q)
    # E^q = 0 where (E^q - 1) / q = -1 / q.
    final = t[0] + (-1.0 / q - offset) / slope if q > 0.0 else math.inf
    return DecayFit(law, float(final), misfit)


def fit_turning(time: ArrayLike, alpha_rate: ArrayLike) -> DecayFit:
    """The same of alpha' (n,), as experiments measure it: E ~ alpha'^-2 (5.36). The rate is that of
    1 / alpha'^2."""
    return fit_decay(time, 1.0 / np.asarray(alpha_rate, dtype=float) ** 2)


def _line(t: FloatArray, scaled: FloatArray, q: float) -> tuple[float, float, float]:
    """Slope and offset at t[0] of the straight line, and its root mean square misfit over the
    range."""
    logarithm = np.log(scaled)
    power = np.expm1(q * logarithm) / q if abs(q) > 1e-9 else logarithm
    slope, offset = np.polyfit(t - t[0], power, 1)
    rest = power - slope * (t - t[0]) - offset
    return float(slope), float(offset), float(np.sqrt(np.mean(rest**2)) / np.ptp(power))
