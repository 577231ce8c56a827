"""A <joint> of a URDF file."""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray, one_of
from rollcone.errors import InputError
from rollcone.urdf.model import KINDS, MOVING, JointLimits, JointModel, Mimic
from rollcone.urdf.numbers import not_negative, number, origin, three
from rollcone.urdf.tree import Element

_UNIT = 1e-3  # so far off the length 1 an axis is typed with few digits


def read_joint(element: Element, notes: list[str]) -> JointModel:
    """`notes`: what is taken in another way than the file says it."""
    name = element.need("name")
    element.owner = f"joint {name!r}: "
    try:
        kind = one_of("type", element.need("type"), KINDS)
    except InputError as error:
        raise element.wrong(str(error)) from None
    moving = kind in MOVING
    damping, friction = _dynamics(element) if moving else (0.0, 0.0)
    return JointModel(
        name=name,
        kind=kind,
        parent=element.needed("parent").need("link"),
        child=element.needed("child").need("link"),
        origin=origin(element),
        axis=_axis(element, notes) if moving or kind == "planar" else np.array([1.0, 0.0, 0.0]),
        limits=_limits(element, kind) if moving else JointLimits(),
        damping=damping,
        friction=friction,
        mimic=_mimic(element) if moving else None,
        element=element,
    )


def _axis(joint: Element, notes: list[str]) -> FloatArray:
    element = joint.one("axis")
    given = np.array([1.0, 0.0, 0.0]) if element is None else three(element, "xyz", (1.0, 0.0, 0.0))
    size = np.abs(given).max()
    if element is not None and size == 0.0:
        raise element.wrong(f"<axis> xyz = {element.get('xyz')!r}: must not be zero")
    length = float(size * np.linalg.norm(given / size))
    if abs(length - 1.0) > _UNIT:
        notes.append(
            f"{joint.owner}the axis has the length {length:.6g}; only its direction counts."
        )
    unit = given / size
    return np.asarray(unit / np.linalg.norm(unit))


def _limits(joint: Element, kind: str) -> JointLimits:
    element = joint.one("limit")
    bounded = kind != "continuous"
    if element is None:
        if bounded:
            raise joint.wrong(
                f"<limit> is missing: a {kind} joint must have one"
                + (", or the type continuous" if kind == "revolute" else "")
            )
        return JointLimits()
    effort, velocity = not_negative(element, "effort"), not_negative(element, "velocity")
    if not bounded:
        return JointLimits(effort=effort, velocity=velocity)
    lower, upper = number(element, "lower") or 0.0, number(element, "upper") or 0.0
    if lower > upper:
        raise element.wrong(f"<limit> lower = {lower:g}: must not be above upper = {upper:g}")
    return JointLimits(lower, upper, effort, velocity)


def _dynamics(joint: Element) -> tuple[float, float]:
    element = joint.one("dynamics")
    if element is None:
        return 0.0, 0.0
    return not_negative(element, "damping") or 0.0, not_negative(element, "friction") or 0.0


def _mimic(joint: Element) -> Mimic | None:
    element = joint.one("mimic")
    if element is None:
        return None
    multiplier = number(element, "multiplier")
    return Mimic(
        joint=element.need("joint"),
        multiplier=1.0 if multiplier is None else multiplier,
        offset=number(element, "offset") or 0.0,
    )
