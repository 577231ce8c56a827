"""What acts on the coordinate of a joint: limits, dry friction, motors, springs and dampers.

A coordinate is an angle (rad), a slide or a length (m); forces on it are torques (N m) or forces
(N). Each element is one row of the step's problem, y its rate and p its impulse:

    Limits    p >= 0 _|_ rate at the end of the step, or the gap over h, or the rebound
    Friction  -S <= p / h <= S, p opposing the rate: the seals of Tasora and Anitescu 2013, 6.2
    Motor     the rate or the value that is asked for, with -limit <= p / h <= limit
    Spring    p = -h (k (value - rest) + c rate), implicit, so that no k or c limits the step
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from rollcone._check import one_number, positive_number
from rollcone.errors import InputError
from rollcone.mechanics.signals import Signal, check_signal, plain_signal, signal_of


@dataclass(frozen=True, kw_only=True)
class Limits:
    """lower, upper   the ends of the coordinate's range; infinite if not given
    restitution    e of Newton's law at the ends, from 0 (no rebound) to 1
    """

    lower: float = -math.inf
    upper: float = math.inf
    restitution: float = 0.0

    word = "limits"

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            object.__setattr__(self, name, range_end(name, getattr(self, name)))
        if not self.lower < self.upper:
            raise InputError(f"lower = {self.lower:g}: must be below upper = {self.upper:g}")
        if math.isinf(self.lower) and math.isinf(self.upper):
            raise InputError("lower, upper: one of them must be given")
        e = one_number("restitution", self.restitution)
        if not 0.0 <= e <= 1.0:
            raise InputError(f"restitution = {self.restitution!r}: must be a number from 0 to 1")


@dataclass(frozen=True, kw_only=True)
class JointFriction:
    """limit         S, the force (N) or torque (N m) that dry friction has at most
    coefficient   mu: friction that grows with the load, mu |F| more, F the force by which the
                  joint holds its points together, thrust along its axis included
    radius        of the pin (m), for turning: mu radius |F|
    """

    limit: float = 0.0
    coefficient: float = 0.0
    radius: float = 0.0

    word = "friction"

    def __post_init__(self) -> None:
        for name in ("limit", "coefficient", "radius"):
            object.__setattr__(self, name, positive_number(name, getattr(self, name), zero=True))
        if self.limit == self.coefficient == 0.0:
            raise InputError("friction: must have a limit or a coefficient > 0")


RESPONSE = 0.2  # s


@dataclass(frozen=True, kw_only=True)
class Motor:
    """speed | position   what the coordinate is to do: a number, rc.Sine, rc.TimeTable or a
                       function of time (rad/s or m/s; rad or m)
    limit              the force (N) or torque (N m) that it has at most; infinite if not given:
                       then the motion is prescribed, whatever it takes
    response           of a position with a limit: it asks for the rate of the position less its
                       error over this time (s), RESPONSE if not given. Where the limit is small,
                       take more: braking from an error e takes the acceleration e / response^2
    """

    speed: Signal | None = None
    position: Signal | None = None
    limit: float = math.inf
    response: float | None = None

    word = "motor"

    def __post_init__(self) -> None:
        if (self.speed is None) == (self.position is None):
            raise InputError("motor: must have a speed or a position, and not both")
        name = "speed" if self.position is None else "position"
        object.__setattr__(self, name, check_signal(name, getattr(self, name)))
        object.__setattr__(self, "limit", force_limit("limit", self.limit))
        if self.response is not None:
            object.__setattr__(self, "response", positive_number("response", self.response))
            if self.position is None or math.isinf(self.limit):
                raise InputError("response: must come with a position and a limit")

    @property
    def signal(self) -> Signal:
        given = self.position if self.speed is None else self.speed
        assert given is not None
        return given


@dataclass(frozen=True, kw_only=True)
class Spring:
    """stiffness   k, N/m or N m/rad
    damping     c, N s/m or N m s/rad
    rest        where it pulls to: a number, or a signal as of a motor; at present if not given
    limit       the force (N) or torque (N m) that it has at most; infinite if not given

    With a signal and a limit it is a servo that gives way.
    """

    stiffness: float = 0.0
    damping: float = 0.0
    rest: Signal | None = None
    limit: float = math.inf

    word = "spring"

    def __post_init__(self) -> None:
        for name in ("stiffness", "damping"):
            object.__setattr__(self, name, positive_number(name, getattr(self, name), zero=True))
        if self.stiffness == self.damping == 0.0:
            raise InputError("spring: must have a stiffness or a damping > 0")
        if self.rest is not None:
            object.__setattr__(self, "rest", check_signal("rest", self.rest))
        object.__setattr__(self, "limit", force_limit("limit", self.limit))

    @property
    def signal(self) -> Signal | None:
        return self.rest

    @property
    def passive(self) -> bool:
        """Does it keep energy, or a servo that may add some?"""
        return math.isinf(self.limit) and not (callable(self.rest) or hasattr(self.rest, "at"))


Element = Limits | JointFriction | Motor | Spring
ELEMENTS: dict[str, type[Element]] = {
    kind.word: kind for kind in (Limits, JointFriction, Motor, Spring)
}
_SIGNALS = ("speed", "position", "rest")


def plain_element(element: Element) -> dict[str, Any]:
    """Its fields but for defaults, for files; signals that are functions are None."""
    given = {field.name: getattr(element, field.name) for field in fields(element)}
    defaults = {field.name: field.default for field in fields(element)}
    return {
        name: plain_signal(value) if name in _SIGNALS else value
        for name, value in given.items()
        if value is not defaults[name] and value != defaults[name]
    }


def element_of(word: str, plain: dict[str, Any]) -> Element:
    """The other way round."""
    made: dict[str, Any] = dict(plain)
    for name in _SIGNALS:
        if made.get(name) is not None:
            made[name] = signal_of(name, made[name])
    return ELEMENTS[word](**made)


def functions_of(element: Element) -> list[str]:
    """Its fields that are Python functions."""
    return [name for name in _SIGNALS if callable(getattr(element, name, None))]


def range_end(name: str, value: float) -> float:
    """A number, or an infinity."""
    infinite = isinstance(value, int | float) and math.isinf(value)
    return value if infinite else one_number(name, value)


def force_limit(name: str, value: float) -> float:
    """A force or torque > 0, or infinity."""
    if isinstance(value, int | float) and value == math.inf:
        return math.inf
    return positive_number(name, value)
