"""What is told of the elements of a joint: what limits, friction, motors and springs are set to."""

from __future__ import annotations

import math

from rollcone.mechanics.elements import Element, JointFriction, Limits, Motor
from rollcone.mechanics.joints import UNITS
from rollcone.mechanics.signals import Signal, Sine, TimeTable


def effort_unit(coordinate: str) -> str:
    """Of what acts on it."""
    return "N m" if UNITS[coordinate] == "rad" else "N"


def element_words(element: Element, coordinate: str) -> str:
    """'12 rad/s, at most 0.8 N m', say."""
    unit, effort = UNITS[coordinate], effort_unit(coordinate)
    if isinstance(element, Limits):
        words = [_range(element.lower, element.upper, unit)]
        return ", ".join(words + _part(element.restitution, "restitution {:.4g}"))
    if isinstance(element, JointFriction):
        words = _part(element.limit, "at most {:.4g} " + effort)
        words += _part(element.coefficient, "coefficient {:.4g}")
        return ", ".join(words + _part(element.radius, "radius {:.4g} m"))
    if isinstance(element, Motor):
        rate = f"{unit}/s" if element.position is None else unit
        words = [("" if element.position is None else "to ") + _signal(element.signal, rate)]
    else:
        words = _part(element.stiffness, "{:.4g} " + f"{effort}/{unit}")
        words += _part(element.damping, "{:.4g} " + f"{effort} s/{unit}")
        if element.rest is not None:
            words.append(f"rest {_signal(element.rest, unit)}")
    if math.isfinite(element.limit):
        words.append(f"at most {element.limit:.4g} {effort}")
    return ", ".join(words)


def _part(value: float, words: str) -> list[str]:
    """Nothing of what is zero."""
    return [words.format(value)] if value else []


def _range(lower: float, upper: float, unit: str) -> str:
    if math.isinf(lower):
        return f"up to {upper:.4g} {unit}"
    if math.isinf(upper):
        return f"from {lower:.4g} {unit}"
    return f"{lower:.4g} to {upper:.4g} {unit}"


def _signal(signal: Signal, unit: str) -> str:
    if isinstance(signal, Sine):
        return f"a sine of {signal.frequency:.4g} Hz"
    if isinstance(signal, TimeTable):
        return "a table"
    return "a function" if callable(signal) else f"{signal:.4g} {unit}"
