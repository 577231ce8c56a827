"""Numbers in the attributes of a URDF file, checked."""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray
from rollcone.urdf.pose import Pose, from_rpy
from rollcone.urdf.tree import Element

LARGEST = 1e12  # so that products of several are numbers, too
LEAST = 1e-30  # what is smaller is what rounding has left of 0
_ONE = "one number"
_THREE = "three numbers"


def needed_number(element: Element, name: str) -> float:
    """An attribute that must be there and be one number."""
    return _numbers(element, name, element.need(name), 1, _ONE)[0]


def number(element: Element, name: str) -> float | None:
    """The same, or None if it is not there."""
    return None if element.get(name) is None else needed_number(element, name)


def not_negative(element: Element, name: str) -> float | None:
    """A number >= 0, or None if it is not there."""
    value = number(element, name)
    if value is not None and value < 0.0:
        raise _wrong(element, name, element.need(name), "one number >= 0")
    return value


def positive(element: Element, name: str) -> float:
    """A number > 0."""
    value = needed_number(element, name)
    if value <= 0.0:
        raise _wrong(element, name, element.need(name), "one number > 0")
    return value


def three(element: Element, name: str, default: tuple[float, float, float]) -> FloatArray:
    """Three numbers."""
    if element.get(name) is None:
        return np.array(default)
    return np.array(_numbers(element, name, element.need(name), 3, _THREE))


def three_positive(element: Element, name: str) -> FloatArray:
    """Three lengths > 0, which must be there."""
    values = np.array(_numbers(element, name, element.need(name), 3, _THREE))
    if values.min() <= 0.0:
        raise _wrong(element, name, element.need(name), "three numbers > 0")
    return values


def origin(element: Element) -> Pose:
    """Its <origin>; no shift and no turn if there is none."""
    found = element.one("origin")
    if found is None:
        return Pose()
    return from_rpy(three(found, "xyz", (0.0, 0.0, 0.0)), three(found, "rpy", (0.0, 0.0, 0.0)))


def _numbers(element: Element, name: str, text: str, count: int, allowed: str) -> list[float]:
    words = text.split()
    try:
        if len(words) != count or "_" in text:  # Python takes 1_000 for a number
            raise ValueError
        values = [float(word) for word in words]
    except ValueError:
        raise _wrong(element, name, text, allowed) from None
    if not all(abs(value) <= LARGEST for value in values):
        raise _wrong(element, name, text, f"{allowed} of at most {LARGEST:g} in size")
    return [value if abs(value) >= LEAST else 0.0 for value in values]


def _wrong(element: Element, name: str, text: str, allowed: str) -> Exception:
    shown = text if len(text) <= 60 else f"{text[:60]} ..."
    return element.wrong(f"<{element.tag}> {name} = {shown!r}: must be {allowed}")
