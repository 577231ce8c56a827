"""The last stage of Euler's disk: how the energy decays by five kinds of friction.

Le Saux, Leine and Glocker 2005, section 5.5. Each run starts in stationary rolling (5.14), with the
centre at rest, and the energy is fitted while cos(beta) falls from `high` to `low`.

Contensou friction has two ends. A disk that rolls on the circle rho = sin(beta) has no spin,
alpha' + gamma' sin(beta) = 0, and no slip, so it loses nothing. Its force is chi mu m g, without a
torque, so it can roll so where

    chi = 4 sin(beta) cos(beta) / ((6 - 5 sin(beta)^2) mu) <= 1,   about cos(beta) <= mu / 4

(thin disk). There the energy stays, and (5.54) does not hold: with the paper's mu = 0.3 the whole
last stage is there. It does hold well above, with a small mu. Its coefficient is then a little
less than that of (5.53): C s' = 0 asks r f_x = torque, xi(u) = (eps / r) eta(u), so that the disk
slips at u eps |spin| and loses mu N eps eta(u) w cos(beta); (5.53) has eta(0).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rollcone.analysis import disk_decay
from rollcone.analysis.disk import RollingDisk, circular_rolling, feasibility
from rollcone.analysis.disk_decay import DecayLaw
from rollcone.studies.kernels.disk_prototype import hertz

ABOVE = 1.2  # cos(beta) of the start over `high`: what the start stirs up has settled by then


@dataclass(frozen=True)
class Decay:
    """A run: friction of the floor, its law, cos(beta) between which it is fitted, and how many
    times coarser its step is: one that is not near the floor turns more slowly."""

    friction: dict[str, float]
    law: DecayLaw
    high: float = 0.1
    low: float = 0.02
    coarser: int = 1

    def span(self, disk: RollingDisk) -> float:
        """Until cos(beta) is `low`, by the law (s)."""
        q, e = 1.0 - self.law.power, 1.5 * disk.weight_moment * ABOVE * self.high
        last = e * self.low / (ABOVE * self.high)
        if q == 0.0:
            return math.log(e / last) / self.law.rate
        return float((e**q - last**q) / (q * self.law.rate))


def decays(disk: RollingDisk) -> dict[str, Decay]:
    """Contour friction is the paper's; the others lose about as much, or more (Contensou) for the
    sake of time: there mu is small and the patch is large."""
    contour, along, rolling, turning, mu, patch = 3e-4, 1e-4, 1e-4, 5e-5, 0.02, 0.01
    return {
        "dry contour": Decay({"contour": contour}, disk_decay.contour_decay(disk, contour)),
        "viscous contour": Decay(
            {"contour_viscosity": along}, disk_decay.viscous_contour_decay(disk, along)
        ),
        "dry rolling": Decay({"rolling": rolling}, disk_decay.rolling_decay(disk, rolling)),
        "viscous rolling": Decay(
            {"rolling_viscosity": turning}, disk_decay.viscous_rolling_decay(disk, turning)
        ),
        "Contensou": Decay(
            {"sliding": mu, "contact_radius": patch},
            disk_decay.contensou_decay(disk, mu, patch),
            high=0.5,
            low=0.05,
            coarser=4,
        ),
    }


def slip_factor(disk: RollingDisk, contact_radius: float) -> float:
    """eta(u) / eta(0) of the steady slip: the loss by Contensou friction over that of (5.53)."""
    from scipy.optimize import brentq

    def off(u: float) -> float:
        over_speed, eta = hertz(u, 1.0)
        return float(over_speed * u - contact_radius / disk.radius * eta)

    return float(hertz(brentq(off, 0.0, 1.0), 1.0)[1] / hertz(0.0, 1.0)[1])


def energy_without_spin(disk: RollingDisk, sliding: float) -> float:
    """Of circular rolling with rho = sin(beta), where it needs all the friction there is (J)."""
    from scipy.optimize import brentq

    beta = brentq(lambda b: float(feasibility(disk, b, math.sin(b), sliding)) - 1.0, 1.4, 1.57)
    sine, cosine = math.sin(beta), math.cos(beta)
    square = float(circular_rolling(disk, beta, sine))  # gamma'^2; s = gamma' cos(beta)^2
    turning = disk.A * (sine * cosine) ** 2 + disk.J * cosine**4
    return float(square * turning / 2 + disk.weight_moment * cosine)
