"""Elastic contact of two balls, or of a ball and a flat: how far they approach under a load.

Of smooth bodies that are large against the circle in which they touch. Under a normal load: H.
Hertz, "Über die Berührung fester elastischer Körper", J. reine angew. Math. 92 (1882). Under a
small tangential load besides, before anything slips: R. D. Mindlin, "Compliance of elastic bodies
in contact", J. Appl. Mech. 16 (1949). Both in K. L. Johnson, "Contact Mechanics" (1985).

    1/E* = (1 - nu1^2) / E1 + (1 - nu2^2) / E2
    1/G* = (2 - nu1) / G1 + (2 - nu2) / G2        G = E / (2 (1 + nu))
    1/R  = 1/R1 + 1/R2
    a    = sqrt(R delta)                          radius of the circle of contact
    N    = 4/3 E* sqrt(R) delta^(3/2)
    k_n  = dN/ddelta = 2 E* a
    k_t  = 8 G* a

The functions take numbers or arrays, in SI units.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rollcone._arguments import named_fields
from rollcone._check import LARGEST, FloatArray, one_number, positive_number, real_array
from rollcone.errors import InputError

OneOrTwo = float | tuple[float, float]


@named_fields
@dataclass(frozen=True, kw_only=True)
class HertzMindlin:
    """Elastic moduli of the two bodies of a pair: one number if they are alike, else two, in the
    same order in both fields.

    young    E, in pascals
    poisson  nu, no unit, above -1 and at most 0.5
    """

    young: OneOrTwo
    poisson: OneOrTwo

    def __post_init__(self) -> None:
        object.__setattr__(self, "young", one_or_two("young", self.young, _young))
        object.__setattr__(self, "poisson", one_or_two("poisson", self.poisson, _poisson))

    @property
    def normal_modulus(self) -> float:
        """E* (Pa)."""
        return float(1.0 / ((1.0 - self._poissons**2) / self._youngs).sum())

    @property
    def shear_modulus(self) -> float:
        """G* (Pa)."""
        shear = self._youngs / (2.0 * (1.0 + self._poissons))
        return float(1.0 / ((2.0 - self._poissons) / shear).sum())

    @property
    def _youngs(self) -> FloatArray:
        return np.full(2, self.young)

    @property
    def _poissons(self) -> FloatArray:
        return np.full(2, self.poisson)


def effective_radius(first: ArrayLike, second: ArrayLike = np.inf) -> FloatArray:
    """R of two balls with these radii (m); a flat has the radius inf."""
    with np.errstate(divide="ignore"):  # two flats
        return np.asarray(1.0 / (1.0 / np.asarray(first) + 1.0 / np.asarray(second)))


def approach(load: ArrayLike, radius: ArrayLike, normal_modulus: ArrayLike) -> FloatArray:
    """delta = (9 N^2 / (16 E*^2 R))^(1/3) (m), of loads N >= 0 (N)."""
    area = np.asarray(load) / np.asarray(normal_modulus)
    return np.asarray(np.cbrt(9.0 / 16.0 * area**2 / np.asarray(radius)))


def normal_load(depth: ArrayLike, radius: ArrayLike, normal_modulus: ArrayLike) -> FloatArray:
    """N (N) of approaches delta (m); none where bodies are apart."""
    delta = np.maximum(depth, 0.0)
    return np.asarray(4.0 / 3.0 * np.asarray(normal_modulus) * np.sqrt(radius) * delta**1.5)


def contact_radius(depth: ArrayLike, radius: ArrayLike) -> FloatArray:
    """a (m) of approaches delta (m); 0 where bodies are apart."""
    return np.asarray(np.sqrt(np.asarray(radius) * np.maximum(depth, 0.0)))


def normal_stiffness(circle: ArrayLike, normal_modulus: ArrayLike) -> FloatArray:
    """k_n = dN/ddelta (N/m) of circles of contact with the radius a (m)."""
    return np.asarray(2.0 * np.asarray(normal_modulus) * np.asarray(circle))


def tangential_stiffness(circle: ArrayLike, shear_modulus: ArrayLike) -> FloatArray:
    """k_t (N/m) where nothing slips, of circles of contact with the radius a (m)."""
    return np.asarray(8.0 * np.asarray(shear_modulus) * np.asarray(circle))


def one_or_two(
    name: str,
    value: ArrayLike,
    check: Callable[[str, float], float],
    allowed: str = "a number, or two",
) -> OneOrTwo:
    """A number or a pair of numbers, each checked, as float or tuple."""
    words = f"{name} = {value!r}: must be {allowed}"
    try:
        array = real_array(name, value)
    except InputError:
        raise InputError(words) from None
    if array.shape not in ((), (2,)):
        raise InputError(words)
    if array.ndim == 0:
        return check(name, float(array))
    first, second = (check(f"{name}[{k}]", float(entry)) for k, entry in enumerate(array))
    return first, second


def _young(name: str, value: float) -> float:
    if 0.0 < value < 1.0 / LARGEST:
        raise InputError(f"{name} = {value!r}: must be at least {1.0 / LARGEST:g}")
    return positive_number(name, value)


def _poisson(name: str, value: float) -> float:
    nu = one_number(name, value)
    if not -1.0 < nu <= 0.5:
        raise InputError(f"{name} = {value!r}: must be above -1 and at most 0.5")
    return nu
