"""The energy audit: where the energy of the bodies came from and where it went.

Every term from its own definition; with v_mean the velocity at which positions moved in a step:

    kinetic     sum (m |v|^2 + Omega.J Omega) / 2
    potential   -sum m g.x, and k d^2 / 2 of springs
    applied     h (f.v_mean + torque.(w- + w+) / 2) of given forces and torques, w- and w+ the rates
                before and after the impulses of the step
    damping     the same of the damping, where there is any
    drive       minus the work of the reactions on bodies with a prescribed motion
    sliding, rolling, contour, spinning, impact
                p.(y- + y+) / 2 of the friction rows and of the normal row, y- before and y+
                after the impulses; energy that contacts take is negative. The rolling rows are
                those of contour friction where the law has that
    implicit    h (m g + f).((v + v+) / 2 - v_mean): what positions miss of the work of loads where
                they do not move at the mean velocity, as in a step in which something lands, and in
                every step of an implicit scheme. Together with the impacts it takes energy
    gained      work of contacts with the wrong sign: of the normal row, and of friction rows where
                the whole contact adds energy (Newton's law of restitution together with friction)
    joints      the same of friction, dampers, limits and springs that a step does not resolve of
                joints, and of what closes their velocities; motors are part of drive
    correction  energy given by undoing overlap: p_n c / 2 of lasting contacts, p_n c of first
                touches that are pushed out at the speed c; and by moving bodies apart, or joints
                together
    changed     energy of bodies added or removed, or changed by hand
    remainder   what is left: (kinetic + potential) now minus at the start minus all work

The remainder is not a term to make the sum fit: for constant loads it is rounding in every step, of
every body and at every step size, since all impulses of a step come at one orientation, and bodies
turn freely before and after them (stepping/gap_ahead.py). It does not see friction that points the
wrong way. Loads that depend on time or place, and compliant contacts, leave O(h^2) per unit of
time.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.kernels import energy as kernels

if TYPE_CHECKING:
    from rollcone.mechanics.world import World

# Energy gained at contacts is worth a warning from this share of the energy in motion on.
_WORTH_TELLING = 1e-2
# Shares of the turnover: energy that rose by more came from nowhere; of the remainder, by less.
_RISEN, _UNEXPLAINED = 1e-2, 1e-3
_AT_REST = 1e-3  # of the bodies' sizes: a fall that counts as motion where energy rises


@dataclass
class StepWork:
    """Work summed over steps (J)."""

    applied: float = 0.0
    damping: float = 0.0
    drive: float = 0.0
    sliding: float = 0.0
    rolling: float = 0.0
    contour: float = 0.0
    spinning: float = 0.0
    impact: float = 0.0
    gained: float = 0.0
    joints: float = 0.0
    correction: float = 0.0
    changed: float = 0.0
    implicit: float = 0.0

    def total(self) -> float:
        return sum(self.values())

    def values(self) -> list[float]:
        return [getattr(self, name) for name in TERMS]


TERMS = tuple(field.name for field in fields(StepWork))
# What contacts take; positions that move at other than the mean velocity belong to impacts.
CONTACT_TERMS = ("sliding", "rolling", "contour", "spinning", "impact", "implicit")
_LATER = ("implicit", "contour", "joints")  # terms that older files do not have, the latest first


def read_work(values: list[float]) -> StepWork:
    """From the values of a file."""
    missing = _LATER[: len(TERMS) - len(values)]
    named = [name for name in TERMS if name not in missing]
    return StepWork(**dict(zip(named, values, strict=True)))


def kinetic(world: World) -> float:
    """Of all dynamic bodies (J)."""
    s = world.state
    return float(
        kernels.kinetic_energy(
            s.kind, s.mass, s.inertia, s.principal, s.orientation, s.velocity, s.angular_velocity
        )
    )


def potential(world: World, gives: bool = True) -> float:
    """In the world's gravity, zero at the origin, and in the springs of its joints (J). Not
    `gives`: but for joints that give way, which have their energy only when a step has ended."""
    s = world.state
    height = float(kernels.potential_energy(s.kind, s.mass, world.gravity, s.position))
    return height + elastic(world, gives) if world.joints.has_springs else height


def elastic(world: World, gives: bool) -> float:
    """In the springs of joints (J)."""
    from rollcone.stepping.kernels.joint import elastic_energy

    joints, rows = world.joints.arrays(), world.joints.rows()
    G = np.empty((len(rows.role), 4, 6))
    s = world.state
    rest = world.joints.rest()
    return float(elastic_energy(gives, s.position, s.orientation, rest, joints, rows, G))


@dataclass(frozen=True)
class EnergyAudit:
    """Arrays over the recorded times; work is summed from the start. See the module's text."""

    time: FloatArray
    kinetic: FloatArray
    potential: FloatArray
    applied: FloatArray
    damping: FloatArray
    drive: FloatArray
    sliding: FloatArray
    rolling: FloatArray
    contour: FloatArray
    spinning: FloatArray
    impact: FloatArray
    gained: FloatArray
    joints: FloatArray
    correction: FloatArray
    changed: FloatArray
    implicit: FloatArray
    weight: float = 0.0  # sum of m |g| size: what the bodies gain by falling their own size
    rounding: float = 0.0  # that of bodies that move a billionth of their size in a step
    springy: bool = False  # contacts are compliant: they give back what they have taken

    @property
    def work(self) -> FloatArray:
        """All work, of every kind."""
        return np.asarray(sum(getattr(self, name) for name in TERMS))

    @property
    def dissipated(self) -> FloatArray:
        """What contacts and damping have taken, as a positive number."""
        return np.asarray(-(self._at_contacts + self.damping + self.joints))

    @property
    def _at_contacts(self) -> FloatArray:
        """Work of contacts, but for what they have added."""
        return np.asarray(sum(getattr(self, name) for name in CONTACT_TERMS))

    @property
    def remainder(self) -> FloatArray:
        """What the terms leave unexplained."""
        total = self.kinetic + self.potential
        return np.asarray(total - total[0] - self.work)

    @property
    def scale(self) -> float:
        """To judge others by: the most kinetic energy or dissipation; at rest, that of a fall
        through a millionth of the bodies' sizes, or what rounding may do."""
        moving = max(self.kinetic.max(), np.abs(self.dissipated).max())
        return float(max(moving, 1e-6 * self.weight, self.rounding))

    @property
    def turnover(self) -> float:
        """What a rise of the energy is compared with (J): the most that moved, was dissipated, was
        given by loads or drives, or was there in height; at rest, that of a fall through a
        thousandth of the bodies' sizes, or what rounding may do."""
        given = np.abs(self.drive).max(), np.abs(self.applied).max(), np.ptp(self.potential)
        return float(max(self.scale, *given, _AT_REST * self.weight))

    @property
    def rise(self) -> float:
        """The most that the energy has risen, at any time, by more than loads, drives and changes
        by hand have given (J): by overlaps that were undone, joints that were closed, contacts that
        added energy, and errors of the scheme.

        Springs of compliant contacts give what they have taken, or had at the start: there contacts
        count as what gives, and what has been added since the start counts."""
        given = self.applied + self.drive + self.changed + (self.gained if self.springy else 0.0)
        left = self.kinetic + self.potential - given
        least = left[0] if self.springy else np.minimum.accumulate(left)
        return float((left - least).max())

    @property
    def unexplained(self) -> float:
        """The most that the remainder has risen above any earlier value (J): energy that no term of
        the audit gave."""
        remainder = self.remainder
        return float((remainder - np.minimum.accumulate(remainder)).max())

    def doubts(self) -> list[str]:
        """Return what speaks against the energy of the run, as parts of a sentence: a rise by more
        than a hundredth of the turnover, or a rise of the remainder by more than a thousandth."""
        if self.rise > _RISEN * self.turnover:
            return [f"the energy rose by {self.rise:.3g} J that no load or drive gave"]
        if self.unexplained > _UNEXPLAINED * self.turnover:
            return [f"the energy audit leaves a gain of {self.unexplained:.3g} J unexplained"]
        return []

    def rise_warning(self) -> str:
        """Return a sentence if energy came from nowhere (`doubts`), else nothing."""
        why = "overlaps or joints that are closed at once, impacts, or fast turning within a step"
        return "".join(f"{text} ({why}); a smaller step helps" for text in self.doubts())

    def remainder_warning(self) -> str:
        """Return a sentence if much of the energy went unaccounted for, else nothing."""
        left = float(abs(self.remainder[-1]))
        if left <= _RISEN * self.turnover:
            return ""
        return f"the energy audit leaves {left:.3g} J unexplained; a smaller step helps"

    def gain_warning(self) -> str:
        """A sentence if contacts, taken together, have added energy that matters, else nothing.

        Springs of compliant contacts take before they give: there it is what has been added since
        the start that counts, at the most."""
        work = self._at_contacts + self.gained
        rises = np.maximum(np.diff(work), 0.0)
        gained = float(work.max() - work[0] if self.springy else rises.sum())
        if gained <= _WORTH_TELLING * self.scale:
            return ""
        springs = "compliant contacts that were pushed in at the start, or " if self.springy else ""
        return (
            f"contacts added {gained:.3g} J ({springs}overlap undone by velocities, or Newton's "
            "law of restitution together with friction)"
        )
