"""What two materials do to each other, and the table of all pairs.

The rule: two materials have the law that was set for their pair, or else the default law.
Coefficients of single materials are never mixed: friction belongs to a pair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rollcone._arguments import named_fields
from rollcone._check import FloatArray, finite_array, one_of, positive_number
from rollcone.errors import InputError
from rollcone.laws.cone import COUPLINGS
from rollcone.laws.contensou import PRESSURES
from rollcone.laws.kernels.disc import DISC
from rollcone.laws.kernels.ellipsoid import ELLIPSOID
from rollcone.mechanics.hertz import HertzMindlin, one_or_two
from rollcone.mechanics.stribeck import Stribeck

# What kernels read of a law that is not plain, in this order (stepping/kernels/limit.py).
FIELDS = (
    "kind", "static", "kinetic", "speed", "contact_radius", "rolling", "spinning", "contour",
    "rolling_viscosity", "contour_viscosity",
)  # fmt: skip
_EITHER = (("contour", "contour_viscosity"), ("rolling", "rolling_viscosity"))
_NUMBERS = (
    "rolling", "spinning", "contact_radius", "contour", "rolling_viscosity", "contour_viscosity",
)  # fmt: skip


@named_fields
@dataclass(frozen=True, kw_only=True)
class ContactLaw:
    """Dry friction, restitution and compliance of a pair of materials.

    sliding            mu, no unit: a number, or a `Stribeck`, by which it depends on speed
    rolling            rho, a length in metres
    spinning           sigma, a length in metres
    restitution        e of Newton's law, from 0 (no rebound) to 1
    compliance         how far a contact gives way per force, in m/N: 0 if rigid, a number, two
                       (along the normal, along tangents), or `HertzMindlin`, by which it depends
                       on load and radii
    contact_radius     of the patch in which bodies touch, in metres: sliding and spinning are then
                       coupled (Coulomb-Contensou), and `spinning` is not given. Where `sliding`
                       is 0, the patch has no friction at all
    pressure           in that patch: 'hertz' if not given, 'uniform' or 'quadratic'; None where
                       there is no patch
    contour            resistance to the movement of the contact point along the surface, no unit;
                       in the place of rolling
    rolling_viscosity  moment per rate of rolling, in N m s, besides the dry one; of each point of
                       contact, as is the next: a capsule on its side has two
    contour_viscosity  force per velocity of the contact point along the surface, in N s/m
    coupling           'none', or 'ellipsoid': sliding, rolling and spinning share one ellipsoid
    """

    sliding: float | Stribeck = 0.0
    rolling: float = 0.0
    spinning: float = 0.0
    restitution: float = 0.0
    compliance: float | tuple[float, float] | HertzMindlin = 0.0
    contact_radius: float = 0.0
    pressure: str | None = None
    contour: float = 0.0
    rolling_viscosity: float = 0.0
    contour_viscosity: float = 0.0
    coupling: str = "none"

    def __post_init__(self) -> None:
        if not isinstance(self.sliding, Stribeck):
            object.__setattr__(self, "sliding", _not_negative("sliding", self.sliding))
        for name in _NUMBERS:
            object.__setattr__(self, name, _not_negative(name, getattr(self, name)))
        if self.pressure is not None:
            one_of("pressure", self.pressure, PRESSURES)
        elif self.contact_radius:
            object.__setattr__(self, "pressure", "hertz")
        one_of("coupling", self.coupling, COUPLINGS)
        self._check_together()
        e = finite_array("restitution", self.restitution)
        if e.ndim or not 0.0 <= e <= 1.0:
            raise InputError(f"restitution = {self.restitution!r}: must be a number from 0 to 1")
        object.__setattr__(self, "restitution", float(e))
        if not isinstance(self.compliance, HertzMindlin):
            allowed = "a number, two (normal, tangential), or a HertzMindlin"
            soft = one_or_two("compliance", self.compliance, _not_negative, allowed)
            object.__setattr__(self, "compliance", soft)

    def _check_together(self) -> None:
        """Which of the fields go together."""
        if self.contact_radius and self.spinning:
            raise InputError(
                f"spinning = {self.spinning:g}: must be 0 with a contact_radius, which says how "
                "spinning is resisted"
            )
        if self.pressure is not None and not self.contact_radius:
            raise InputError(
                f"pressure = {self.pressure!r}: needs a contact_radius above 0, that of the patch "
                "in which it acts"
            )
        along, rolls = (self._given(*names) for names in _EITHER)
        if along and rolls:
            raise InputError(
                f"{along}: must be 0 with {rolls}; a contact has contour or rolling friction, not "
                "both"
            )
        if self.coupling == "ellipsoid":
            for name in _NUMBERS[2:]:
                if getattr(self, name):
                    raise InputError(
                        f"{name} = {getattr(self, name):g}: must be 0 with coupling = 'ellipsoid'"
                    )

    def _given(self, *names: str) -> str:
        """Those that are not 0, with their values."""
        return ", ".join(
            f"{name} = {getattr(self, name):g}" for name in names if getattr(self, name)
        )

    @property
    def along_contour(self) -> bool:
        """Does it resist the movement of the contact point?"""
        return bool(self.contour or self.contour_viscosity)

    @property
    def varies(self) -> bool:
        """Do its limits depend on speed?"""
        viscous = self.rolling_viscosity or self.contour_viscosity
        return bool(isinstance(self.sliding, Stribeck) or viscous)

    @property
    def plain(self) -> bool:
        """Are its limits discs that never change?"""
        return not (
            self.varies or self.along_contour or self.contact_radius or self.coupling != "none"
        )

    @property
    def most_sliding(self) -> float:
        """The largest mu."""
        mu = self.sliding
        return max(mu.static, mu.kinetic) if isinstance(mu, Stribeck) else mu


class LawTable:
    """Laws by pairs of material names."""

    def __init__(self) -> None:
        self.default = ContactLaw()
        self.default_is_set = False
        self._numbers: dict[str, int] = {}
        self._pairs: dict[tuple[int, int], ContactLaw] = {}
        self._tables: tuple[FloatArray, FloatArray] | None = None
        self._softness: FloatArray | None = None
        self._frictions: FloatArray | None = None

    def number(self, material: str) -> int:
        """The number of a material; a new name gets the next."""
        if not isinstance(material, str) or not material:
            raise InputError(f"material = {material!r}: must be a name")
        if material not in self._numbers:
            self._numbers[material] = len(self._numbers)
            self._tables = self._softness = self._frictions = None
        return self._numbers[material]

    def name(self, number: int) -> str:
        return self.materials[number]

    def set(self, law: ContactLaw, materials: tuple[str, ...]) -> None:
        """For one pair, or with no materials the default."""
        if not isinstance(law, ContactLaw):
            raise InputError(f"law = {law!r}: must be a ContactLaw")
        if len(materials) not in (0, 2):
            raise InputError(
                f"materials {materials}: must be two names (the same one twice for bodies "
                "of one material), or none for the default law"
            )
        if materials:
            a, b = sorted(self.number(name) for name in materials)
            self._pairs[a, b] = law
        else:
            self.default, self.default_is_set = law, True
        self._tables = self._softness = self._frictions = None

    def law(self, first: str, second: str) -> ContactLaw:
        a, b = sorted((self.number(first), self.number(second)))
        return self._pairs.get((a, b), self.default)

    def without_law(self, first: int, second: int) -> bool:
        """Do these materials, by number, meet with a law that nobody has set?"""
        pair = (min(first, second), max(first, second))
        return not self.default_is_set and pair not in self._pairs

    @property
    def materials(self) -> list[str]:
        """The names, by number."""
        return list(self._numbers)

    @property
    def pairs(self) -> dict[tuple[str, str], ContactLaw]:
        """The laws that were set for pairs, by names."""
        names = self.materials
        return {(names[a], names[b]): law for (a, b), law in self._pairs.items()}

    def laws(self) -> list[ContactLaw]:
        return [self.default, *self._pairs.values()]

    @property
    def rows(self) -> int:
        """Rows that every contact needs: 3 for sliding alone, else 6."""
        turning = any(law.rolling or law.spinning or not law.plain for law in self.laws())
        return 6 if turning else 3

    @property
    def vary(self) -> bool:
        """Do limits of friction depend on speed somewhere?"""
        return any(law.varies for law in self.laws())

    @property
    def along_contours(self) -> bool:
        """Does contour friction act somewhere?"""
        return any(law.along_contour for law in self.laws())

    def copy(self) -> LawTable:
        twin = LawTable()
        twin.default, twin.default_is_set = self.default, self.default_is_set
        twin._numbers, twin._pairs = dict(self._numbers), dict(self._pairs)
        return twin

    def tables(self) -> tuple[FloatArray, FloatArray]:
        """What kernels read: radii (k, k, 5) as problems have them, restitution (k, k)."""
        if self._tables is None:
            k = max(len(self._numbers), 1)
            radii, restitution = np.empty((k, k, 5)), np.empty((k, k))
            radii[:], restitution[:] = _radii(self.default), self.default.restitution
            for (a, b), law in self._pairs.items():
                radii[a, b] = radii[b, a] = _radii(law)
                restitution[a, b] = restitution[b, a] = law.restitution
            self._tables = radii, restitution
        return self._tables

    def softness(self) -> FloatArray | None:
        """What kernels read of compliance: (k, k, 4), along the normal and along tangents (m/N),
        E* and G* of Hertz and Mindlin (Pa), zero where they do not apply. None if all is rigid."""
        if not any(any(_soft(law)) for law in self.laws()):
            return None
        if self._softness is None:
            self._softness = self._table(4, _soft)
        return self._softness

    def frictions(self) -> FloatArray | None:
        """What kernels read of laws whose limits are not discs that never change (k * k, columns
        as in FIELDS). None if all are plain."""
        if all(law.plain for law in self.laws()):
            return None
        if self._frictions is None:
            self._frictions = self._table(len(FIELDS), _friction).reshape(-1, len(FIELDS))
        return self._frictions

    def _table(self, width: int, row: Callable[[ContactLaw], tuple[float, ...]]) -> FloatArray:
        """(k, k, width): a row of numbers for every two materials."""
        k = max(len(self._numbers), 1)
        table = np.empty((k, k, width))
        table[:] = row(self.default)
        for (a, b), law in self._pairs.items():
            table[a, b] = table[b, a] = row(law)
        return table


def _not_negative(name: str, value: float) -> float:
    return positive_number(name, value, zero=True)


def _radii(law: ContactLaw) -> tuple[float, ...]:
    """Of discs; those of laws that are not plain are not read."""
    return law.most_sliding, law.most_sliding, law.rolling, law.rolling, law.spinning


def _friction(law: ContactLaw) -> tuple[float, ...]:
    mu = law.sliding
    falls = (mu.static, mu.kinetic, mu.speed) if isinstance(mu, Stribeck) else (mu, mu, 0.0)
    kind = float(DISC)
    if law.pressure is not None:
        kind = float(PRESSURES[law.pressure])
    elif law.coupling == "ellipsoid":
        kind = float(ELLIPSOID)
    return (
        kind, *falls, law.contact_radius, law.rolling, law.spinning, law.contour,
        law.rolling_viscosity, law.contour_viscosity,
    )  # fmt: skip


def _soft(law: ContactLaw) -> tuple[float, float, float, float]:
    soft = law.compliance
    if isinstance(soft, HertzMindlin):
        return 0.0, 0.0, soft.normal_modulus, soft.shear_modulus
    normal, tangential = soft if isinstance(soft, tuple) else (soft, soft)
    return normal, tangential, 0.0, 0.0
