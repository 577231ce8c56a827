"""Containers: fixed boxes or planes whose inner faces enclose a tray, a cylinder or a hopper.

- A **tray** has a floor and four walls; `size` is its room inside.
- A **cylinder** has a floor and a prism of `sides` flat walls for its round one. Their inner faces
  touch the circle of the given radius, so the room is the regular polygon around it: by the
  share (pi / sides)^2 / 3 larger than the circle, 0.6 % with 24 sides.
- A **hopper** has a funnel, open at the outlet, and straight walls above it if there is a `wall`;
  likewise of `sides` flat ones, which touch the circles of the radius and of the outlet.

A wall stands on a side of a convex polygon and reaches past its ends, where it is outside of the
others' inner faces: walls leave no gaps and take no room, and they meet in sharp corners.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from rollcone._arguments import unknown_argument
from rollcone._check import FloatArray, one_of, positive_number, whole_number
from rollcone.errors import InputError
from rollcone.mechanics.body import Body, edges, vector
from rollcone.mechanics.rotations import (
    quaternion_of_matrix,
    rotation_matrix,
    unit_quaternion,
)

if TYPE_CHECKING:
    from rollcone.mechanics.world import World

WALLS = ("boxes", "planes")
CONTAINERS: dict[str, tuple[str, ...]] = {  # what each shape needs
    "tray": ("size",),
    "cylinder": ("radius", "height"),
    "hopper": ("radius", "height", "outlet"),
}
_EXTRAS = {"tray": (), "cylinder": ("sides",), "hopper": ("wall", "sides")}
_ALL_MEASURES = ("size", "radius", "height", "outlet", "wall", "sides")
_ORIGIN, _X, _Y, _UP = np.array(
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
)
_SIDES = 24
_MOST_SIDES = 360
_THIN = 0.1  # of the smallest measure inside: how thick walls are unless it is said


class ContainerOptions(TypedDict, total=False):
    """What `World.add_container` takes; all by keyword.

    shape        'tray' (size), 'cylinder' (radius, height) or 'hopper' (radius, height, outlet)
    size         of a tray: its room inside along x, y and z (m)
    radius       inside; of a hopper, at the top of its funnel (m)
    height       of a cylinder's walls, or of a hopper's funnel (m)
    outlet       radius of the opening at the bottom of a hopper (m)
    wall         height of the straight walls above a hopper's funnel (m); none if not given
    sides        flat walls that stand for a round one, 24 if not given
    walls        'boxes' (if not given), or 'planes', which have no end: nothing leaves over the
                 rim; a hopper is made of boxes
    thickness    of boxes (m); if not given, a tenth of the smallest measure inside
    position     centre of the floor, or of the outlet (m)
    orientation  unit quaternion; the container stands along its own z axis
    material     a name, 'default' if not given
    name         'bin' names the bodies 'bin floor', 'bin wall 0', 'bin funnel 0' and so on
    """

    shape: str
    size: ArrayLike
    radius: float
    height: float
    outlet: float
    wall: float
    sides: int
    walls: str
    thickness: float
    position: ArrayLike
    orientation: ArrayLike
    material: str
    name: str


class Panel(NamedTuple):
    """The inner face of a flat piece, in the container's axes."""

    name: str
    middle: FloatArray
    inward: FloatArray  # unit normal
    upward: FloatArray  # unit, within the face
    width: float
    height: float


def add_container(world: World, given: ContainerOptions) -> list[Body]:
    """See `World.add_container`. All of it is added, or nothing."""
    shape, measures, options = _measures(dict(given))
    walls = one_of("walls", options.pop("walls", WALLS[0]), WALLS)
    if walls == "planes" and shape == "hopper":
        raise InputError("walls = 'planes': a hopper is made of boxes; planes would close it")
    if walls == "planes" and "thickness" in options:
        raise InputError("thickness: planes have none")
    least = min(np.min(measures[key]) for key in CONTAINERS[shape])
    thickness = positive_number("thickness", options.pop("thickness", _THIN * least))
    place = vector("position", options.pop("position", (0.0, 0.0, 0.0)))
    orientation = unit_quaternion("orientation", options.pop("orientation", (1, 0, 0, 0)))
    name = options.pop("name", None)
    panels = list(_PANELS[shape](measures, thickness))
    named = [_name(world, name, panel) for panel in panels]
    world.laws.number(options.get("material", "default"))  # the last thing that could be wrong
    add = _add_plane if walls == "planes" else partial(_add_box, thickness=thickness)
    return [
        add(world, panel, place=place, orientation=orientation, options=options | called)
        for panel, called in zip(panels, named, strict=True)
    ]


def _measures(options: dict[str, Any]) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """(shape, its measures, the other options)."""
    if "shape" not in options:
        raise InputError(f"shape: must be given, one of {', '.join(CONTAINERS)}")
    shape = one_of("shape", options.pop("shape"), CONTAINERS)
    known = ContainerOptions.__annotations__
    for name in options:
        if name not in known:
            raise unknown_argument(name, "add_container", known)
    allowed = (*CONTAINERS[shape], *_EXTRAS[shape])
    found: dict[str, Any] = {"wall": 0.0, "sides": _SIDES}
    for name in _ALL_MEASURES:
        if name in options and name not in allowed:
            raise InputError(f"{name}: a {shape} has none, it takes {', '.join(allowed)}")
        if name not in options and name in CONTAINERS[shape]:
            raise InputError(f"{name}: a {shape} needs it, in metres")
        if name in options:
            found[name] = _checked(name, options.pop(name))
    if shape == "hopper" and found["outlet"] >= found["radius"]:
        raise InputError(f"outlet = {found['outlet']!r}: must be below radius = {found['radius']}")
    return shape, found, options


def _checked(name: str, value: Any) -> Any:
    if name == "size":
        return edges(name, value)
    if name != "sides":
        return positive_number(name, value, zero=name == "wall")
    sides = whole_number(name, value, least=3)
    if sides > _MOST_SIDES:
        raise InputError(f"sides = {sides}: must be at most {_MOST_SIDES}")
    return sides


def _name(world: World, name: Any, panel: Panel) -> dict[str, str]:
    if name is None:
        return {}
    if not isinstance(name, str) or not name:
        raise InputError(f"name = {name!r}: must be a text")
    if world.has_name(f"{name} {panel.name}"):
        raise InputError(f"name = {name!r}: a body is called '{name} {panel.name}' already")
    return {"name": f"{name} {panel.name}"}


def _tray(measures: dict[str, Any], thickness: float) -> Iterator[Panel]:
    x, y, z = measures["size"]
    yield Panel("floor", _ORIGIN, _UP, _Y, x + 2 * thickness, y + 2 * thickness)
    for k, (axis, across, away) in enumerate([(_X, y, x), (-_X, y, x), (_Y, x, y), (-_Y, x, y)]):
        middle = 0.5 * away * axis + 0.5 * z * _UP
        yield Panel(f"wall {k}", middle, -axis, _UP, across + 2 * thickness, z)


def _cylinder(measures: dict[str, Any], thickness: float) -> Iterator[Panel]:
    radius, sides = measures["radius"], measures["sides"]
    across = 2.0 * (radius / math.cos(math.pi / sides) + thickness)
    yield Panel("floor", _ORIGIN, _UP, _Y, across, across)
    yield from _round("wall", sides, radius, radius, 0.0, measures["height"], thickness)


def _hopper(measures: dict[str, Any], thickness: float) -> Iterator[Panel]:
    outlet, radius, height = (measures[name] for name in ("outlet", "radius", "height"))
    sides, wall = measures["sides"], measures["wall"]
    yield from _round("funnel", sides, outlet, radius, 0.0, height, thickness)
    if wall > 0.0:  # it begins lower, behind the funnel, so that nothing gets through between them
        low, high = height - thickness, height + wall
        yield from _round("wall", sides, radius, radius, low, high, thickness)


def _round(
    name: str, sides: int, below: float, above: float, low: float, high: float, thickness: float
) -> Iterator[Panel]:
    """Flat pieces that touch the circles of radius `below` at height `low`, `above` at `high`."""
    out, up = above - below, high - low
    slope = math.hypot(out, up)
    width = 2.0 * (max(below, above) + thickness) * math.tan(math.pi / sides)
    for k in range(sides):
        angle = 2.0 * math.pi * k / sides
        away = np.array([math.cos(angle), math.sin(angle), 0.0])
        yield Panel(
            f"{name} {k}",
            0.5 * (below + above) * away + 0.5 * (low + high) * _UP,
            (out * _UP - up * away) / slope,
            (out * away + up * _UP) / slope,
            width,
            slope,
        )


_PANELS = {"tray": _tray, "cylinder": _cylinder, "hopper": _hopper}


def _add_plane(
    world: World,
    panel: Panel,
    *,
    place: FloatArray,
    orientation: FloatArray,
    options: dict[str, Any],
) -> Body:
    turn = rotation_matrix(orientation)
    return world.add_plane(normal=turn @ panel.inward, point=place + turn @ panel.middle, **options)


def _add_box(
    world: World,
    panel: Panel,
    *,
    place: FloatArray,
    orientation: FloatArray,
    thickness: float,
    options: dict[str, Any],
) -> Body:
    """Behind its inner face. Where it is along the container's axes it is not turned: what is level
    is so to the last bit."""
    turn, size = rotation_matrix(orientation), np.array([panel.width, panel.height, thickness])
    axes = np.column_stack([np.cross(panel.upward, panel.inward), panel.upward, panel.inward])
    if np.isin(np.abs(axes), (0.0, 1.0)).all():
        size = np.abs(axes) @ size
    else:
        orientation = quaternion_of_matrix(turn @ axes)
    centre = panel.middle - 0.5 * thickness * panel.inward
    return world.add_box(
        size=size, position=place + turn @ centre, orientation=orientation, fixed=True, **options
    )
