"""What two materials do to each other, and the table of all pairs.

The rule: two materials have the law that was set for their pair, or else the default law.
Coefficients of single materials are never mixed: friction belongs to a pair.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, finite_array, positive_number
from rollcone.errors import InputError
from rollcone.mechanics.hertz import HertzMindlin, one_or_two


@dataclass(frozen=True, kw_only=True)
class ContactLaw:
    """Dry friction, restitution and compliance of a pair of materials.

    sliding      mu, no unit
    rolling      rho, a length in metres
    spinning     sigma, a length in metres
    restitution  e of Newton's law, from 0 (no rebound) to 1
    compliance   how far a contact gives way per force, in m/N: 0 if rigid, a number, two (along the
                 normal, along tangents), or `HertzMindlin`, by which it depends on load and radii
    """

    sliding: float = 0.0
    rolling: float = 0.0
    spinning: float = 0.0
    restitution: float = 0.0
    compliance: float | tuple[float, float] | HertzMindlin = 0.0

    def __post_init__(self) -> None:
        for name in ("sliding", "rolling", "spinning"):
            object.__setattr__(self, name, positive_number(name, getattr(self, name), zero=True))
        e = finite_array("restitution", self.restitution)
        if e.ndim or not 0.0 <= e <= 1.0:
            raise InputError(f"restitution = {self.restitution!r}: must be a number from 0 to 1")
        object.__setattr__(self, "restitution", float(e))
        if not isinstance(self.compliance, HertzMindlin):
            allowed = "a number, two (normal, tangential), or a HertzMindlin"
            soft = one_or_two("compliance", self.compliance, _not_negative, allowed)
            object.__setattr__(self, "compliance", soft)


class LawTable:
    """Laws by pairs of material names."""

    def __init__(self) -> None:
        self.default = ContactLaw()
        self.default_is_set = False
        self._numbers: dict[str, int] = {}
        self._pairs: dict[tuple[int, int], ContactLaw] = {}
        self._tables: tuple[FloatArray, FloatArray] | None = None
        self._softness: FloatArray | None = None

    def number(self, material: str) -> int:
        """The number of a material; a new name gets the next."""
        if not isinstance(material, str) or not material:
            raise InputError(f"material = {material!r}: must be a name")
        if material not in self._numbers:
            self._numbers[material] = len(self._numbers)
            self._tables = self._softness = None
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
        self._tables = self._softness = None

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
        return 6 if any(law.rolling or law.spinning for law in self.laws()) else 3

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
            k = max(len(self._numbers), 1)
            table = np.empty((k, k, 4))
            table[:] = _soft(self.default)
            for (a, b), law in self._pairs.items():
                table[a, b] = table[b, a] = _soft(law)
            self._softness = table
        return self._softness


def _not_negative(name: str, value: float) -> float:
    return positive_number(name, value, zero=True)


def _radii(law: ContactLaw) -> tuple[float, ...]:
    return law.sliding, law.sliding, law.rolling, law.rolling, law.spinning


def _soft(law: ContactLaw) -> tuple[float, float, float, float]:
    soft = law.compliance
    if isinstance(soft, HertzMindlin):
        return 0.0, 0.0, soft.normal_modulus, soft.shear_modulus
    normal, tangential = soft if isinstance(soft, tuple) else (soft, soft)
    return normal, tangential, 0.0, 0.0
