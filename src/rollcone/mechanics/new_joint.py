"""A joint from what is said of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from rollcone._arguments import unknown_argument
from rollcone._check import (
    LARGEST,
    FloatArray,
    bounded_array,
    one_number,
    one_of,
    positive_number,
    true_or_false,
)
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC
from rollcone.mechanics.body import Body, direction, vector
from rollcone.mechanics.elements import ELEMENTS, Element, JointFriction, Limits, Motor, Spring
from rollcone.mechanics.joints import COORDINATES, KINDS, WORLD, JointSpec
from rollcone.mechanics.rotations import quaternion_of_matrix, rotation_matrix, unit_quaternion

if TYPE_CHECKING:
    from rollcone.mechanics.joint import Joint
    from rollcone.mechanics.world import World

Elements = Element | Sequence[Element]
_WITH_AXIS = (
    "revolute", "prismatic", "cylindrical", "universal", "point-on-line", "point-on-plane", "free",
)  # fmt: skip
_WITH_POINT = ("spherical", "revolute", "cylindrical", "universal")
_TWO_POINTS = ("distance", "link")
_SQUARE = 1e-6  # so far from a right angle is still one, typed with few digits


class JointOptions(TypedDict, total=False):
    """What `add_joint` takes besides the kind; all by keyword. Points and axes are given in the
    world, as the bodies are now; the joint keeps them on its bodies.

    body          the body that is held: a handle, a name or a number
    base          what it is held against, likewise; the world if not given
    point         where (m); of some kinds the body's centre if not given. Of a distance or a link,
                  the point on the base
    point2        of a distance or a link, the point on the body; its centre if not given
    axis          the joint's axis; the line of a point-on-line, the normal of a point-on-plane
    axis2         of a universal joint, the axis that the body carries, at right angles to `axis`
    distance      of a distance, if it is not to be what it is now (m)
    angle, angle2, slide, length
                  what acts on a coordinate of the joint: rc.Limits, rc.JointFriction, rc.Motor,
                  rc.Spring, one of them or several. An angle and a slide are 0 now, a length is
                  what it is
    joints        of a gear, two joints, each by itself or with the name of its coordinate
    ratio         of a gear: the first coordinate changes by so much for 1 of the second
    offset        of a gear: first coordinate - ratio * second, if it is not to be what it is now
    compliance    m/N of what holds points, angular_compliance rad/(N m) of what holds
                  directions; rigid if not given
    collide       True: base and body touch all the same
    name          to find it again; made up if not given

    base_point, body_point, base_frame, body_frame (points and unit quaternions in the axes of the
    two bodies) and turns (angle, angle2) are there to write down a joint that has moved; the four
    together take the place of points and axes.
    """

    body: Body | str | int
    base: Body | str | int | None
    point: ArrayLike
    point2: ArrayLike
    axis: ArrayLike
    axis2: ArrayLike
    distance: float
    angle: Elements
    angle2: Elements
    slide: Elements
    length: Elements
    joints: Sequence[Any]
    ratio: float
    offset: float
    compliance: float
    angular_compliance: float
    collide: bool
    name: str
    base_point: ArrayLike
    body_point: ArrayLike
    base_frame: ArrayLike
    body_frame: ArrayLike
    turns: ArrayLike


_FRAMES = ("base_point", "body_point", "base_frame", "body_frame")
_RAW = (*_FRAMES, "turns")
_PLACES = ("point", "point2", "axis", "axis2")
_ALWAYS = ("name", "compliance", "angular_compliance", "collide", "body", "base")


def make_joint(world: World, kind: str, given: JointOptions) -> tuple[JointSpec, FloatArray]:
    """The joint, checked, and its turns (angle, angle2)."""
    one_of("kind", kind, KINDS)
    check_joint_options(kind, given)
    name = given.get("name", _made_up(world, kind))
    if not isinstance(name, str) or not name:
        raise InputError(f"name = {name!r}: must be a text")
    if world.joints.has(name):
        raise InputError(f"name = {name!r}: a joint has that name already")
    if kind == "gear":
        return _gear(world, name, given), np.zeros(2)
    base, body = _two_bodies(world, given)
    spec = JointSpec(
        name=name,
        kind=kind,
        base=base,
        body=body,
        compliance=_compliance("compliance", given.get("compliance", 0.0)),
        angular_compliance=_compliance("angular_compliance", given.get("angular_compliance", 0.0)),
        collide=true_or_false("collide", given.get("collide", False)),
        **_frames(world, kind, base, body, given),  # type: ignore[arg-type]
    )
    turns = two_angles("turns", given.get("turns", (0.0, 0.0)))
    length = _length(world, spec)
    if kind == "distance":
        held = given.get("distance", length)
        spec = replace(spec, zero=positive_number("distance", held))
    now = {"angle": turns[0], "angle2": turns[1], "slide": 0.0, "length": length}
    return replace(spec, elements=_elements(kind, given, now)), turns


def _compliance(name: str, value: float) -> float:
    soft = positive_number(name, value, zero=True)
    if 0.0 < soft < 1.0 / LARGEST:
        raise InputError(f"{name} = {value!r}: must be 0 or at least {1.0 / LARGEST:g}")
    return soft


def check_joint_options(kind: str, given: Iterable[str]) -> None:
    """Refuse what is no option of this kind, and ask for what is needed; by their names."""
    allowed, names = _allowed(kind), list(given)
    for name in names:
        if name not in JointOptions.__annotations__:
            raise unknown_argument(name, f"a joint of the kind {kind!r}", sorted(allowed))
        if name in COORDINATES and name not in allowed:
            there = ", ".join(KINDS[kind][1]) or "none"
            raise InputError(f"{name}: no coordinate of the kind {kind!r}, which has {there}")
        if name not in allowed:
            raise InputError(f"{name}: a joint of the kind {kind!r} has no such thing")
    raw = [name for name in _RAW if name in names]
    for name in names:
        if raw and name in _PLACES:
            raise InputError(f"{name}: there is also {raw[0]}; give one of them, not both")
    for name in _needed(kind, bool(raw)):
        if name not in names:
            raise InputError(f"{name}: must be given for a joint of the kind {kind!r}")


def _allowed(kind: str) -> set[str]:
    if kind == "gear":
        return {"joints", "ratio", "offset", "name"}
    allowed = {*_ALWAYS, *_RAW, *KINDS[kind][1]}
    allowed |= {"point"} if kind != "fixed" else set()
    allowed |= {"axis"} if kind in _WITH_AXIS else set()
    allowed |= {"axis2"} if kind == "universal" else set()
    allowed |= {"point2"} if kind in _TWO_POINTS else set()
    return allowed | ({"distance"} if kind == "distance" else set())


def _needed(kind: str, raw: bool) -> list[str]:
    """`raw`: points and frames are given, not points and axes in the world."""
    if kind == "gear":
        return ["joints", "ratio"]
    if raw:
        return ["body", *_FRAMES]
    needed = ["body"]
    needed += ["axis"] if kind in _WITH_AXIS else []
    needed += ["axis2"] if kind == "universal" else []
    needed += ["point"] if kind in _WITH_POINT else []
    return needed


def two_angles(name: str, value: ArrayLike) -> FloatArray:
    """(2,), rad; 0 for an angle that the joint does not have."""
    angles = bounded_array(name, value)
    if angles.shape != (2,):
        raise InputError(f"{name} = {angles.tolist()}: must be two numbers, angle and angle2")
    return angles


def _made_up(world: World, kind: str) -> str:
    number = len(world.joints)
    while world.joints.has(f"{kind} {number}"):
        number += 1
    return f"{kind} {number}"


def _two_bodies(world: World, given: JointOptions) -> tuple[int, int]:
    body = _number(world, "body", given["body"])
    base = WORLD if given.get("base") is None else _number(world, "base", given["base"])  # type: ignore[arg-type]
    if base == body:
        raise InputError(f"base: {world.name_of(body)!r} cannot be joined to itself")
    kinds = world.state.kind
    if kinds[body] != DYNAMIC and (base == WORLD or kinds[base] != DYNAMIC):
        raise InputError(
            f"body: {world.name_of(body)!r} is not moved by forces, nor is its base; a joint needs "
            "a body that is"
        )
    return base, body


def _number(world: World, name: str, which: Body | str | int) -> int:
    """Of a body; `name` is what it is to the joint."""
    try:
        return world.body(which).id
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _frames(
    world: World, kind: str, base: int, body: int, given: JointOptions
) -> dict[str, tuple[float, ...]]:
    """Points and frames in the axes of the two bodies."""
    if "base_frame" in given:
        return _raw_frames(given)
    position = world.state.position
    point2 = vector("point2", given.get("point2", position[body]))
    point = vector("point", given["point"]) if "point" in given else None
    if point is None:
        point = position[body] if kind not in _TWO_POINTS or base == WORLD else position[base]
        if kind in _TWO_POINTS and base == WORLD:
            raise InputError(f"point: must be given for a {kind} to the world")
    frame = _triad(given)
    at_body = point2 if kind in _TWO_POINTS else point
    found: dict[str, tuple[float, ...]] = {}
    for word, number, place in (("base", base, point), ("body", body, at_body)):
        center, turn = np.zeros(3), np.eye(3)
        if number != WORLD:
            center, turn = position[number], rotation_matrix(world.state.orientation[number])
        found[f"{word}_point"] = tuple((turn.T @ (place - center)).tolist())
        found[f"{word}_frame"] = tuple(quaternion_of_matrix(turn.T @ frame).tolist())
    return found


def _raw_frames(given: JointOptions) -> dict[str, tuple[float, ...]]:
    found = {
        "base_point": vector("base_point", given["base_point"]),
        "body_point": vector("body_point", given["body_point"]),
        "base_frame": unit_quaternion("base_frame", given["base_frame"]),
        "body_frame": unit_quaternion("body_frame", given["body_frame"]),
    }
    return {name: tuple(value.tolist()) for name, value in found.items()}


def _triad(given: JointOptions) -> FloatArray:
    """Columns e1, e2, e3 of the frame: e3 along the axis, e1 along the second one."""
    e3 = _unit("axis", given.get("axis", (0.0, 0.0, 1.0)))
    if "axis2" in given:
        e1 = _unit("axis2", given["axis2"])
        if abs(e1 @ e3) > _SQUARE:
            raise InputError(
                f"axis2 = {np.asarray(given['axis2']).tolist()}: must be at right angles to axis"
            )
    else:
        e1 = np.eye(3)[np.argmin(np.abs(e3))]
    e1 = e1 - (e1 @ e3) * e3
    e1 = e1 / np.linalg.norm(e1)
    return np.stack([e1, np.cross(e3, e1), e3], axis=1)


def _unit(name: str, value: ArrayLike) -> FloatArray:
    """A direction of length 1; however short it was, its square may be below the least number."""
    given = direction(name, value)
    given = given / np.abs(given).max()
    return np.asarray(given / np.linalg.norm(given))


def _length(world: World, spec: JointSpec) -> float:
    """Between the two points, now."""
    start = point_in_world(world, spec.base, spec.base_point)
    return float(np.linalg.norm(point_in_world(world, spec.body, spec.body_point) - start))


def point_in_world(world: World, number: int, point: Sequence[float]) -> FloatArray:
    """A point that is given in the axes of a body, or of the world."""
    if number == WORLD:
        return np.array(point)
    turn = rotation_matrix(world.state.orientation[number])
    return np.asarray(world.state.position[number] + turn @ np.array(point))


def _elements(
    kind: str, given: JointOptions, now: dict[str, float]
) -> dict[str, tuple[Element, ...]]:
    """Of each coordinate, in one order, however they were given."""
    found: dict[str, tuple[Element, ...]] = {}
    order = list(ELEMENTS)
    for coordinate in KINDS[kind][1]:
        value: Any = given.get(coordinate, ())
        elements = tuple(value) if isinstance(value, list | tuple) else (value,)
        for element in elements:
            if not isinstance(element, Limits | JointFriction | Motor | Spring):
                raise InputError(
                    f"{coordinate} = {element!r}: must be rc.Limits, rc.JointFriction, rc.Motor or "
                    "rc.Spring, or a list of them"
                )
            _check_element(kind, coordinate, element)
        words = [element.word for element in elements]
        for word in words:
            if words.count(word) > 1:
                raise InputError(f"{coordinate}: has {word} twice; must be one at most")
        if elements:
            placed = sorted(elements, key=lambda element: order.index(element.word))
            found[coordinate] = tuple(_at_rest(e, now[coordinate]) for e in placed)
    return found


def with_elements(
    spec: JointSpec, coordinate: str, added: Sequence[Element], now: float
) -> JointSpec:
    """The joint with more that acts on a coordinate, whose value is `now`."""
    both = [*spec.elements.get(coordinate, ()), *added]
    given: Any = {coordinate: both}
    made = _elements(spec.kind, given, {coordinate: now})
    return replace(spec, elements=spec.elements | made)


def _check_element(kind: str, coordinate: str, element: Element) -> None:
    turning = coordinate in ("angle", "angle2")
    if isinstance(element, JointFriction) and element.radius and not turning:
        raise InputError(f"radius = {element.radius:g}: goes with friction of an angle")
    if isinstance(element, Limits) and coordinate == "length" and element.upper <= 0.0:
        raise InputError(f"upper = {element.upper:g}: a length has no end there; must be > 0")
    if isinstance(element, JointFriction) and element.coefficient:
        if turning and element.radius == 0.0:
            raise InputError(
                f"{coordinate}: friction that grows with load needs the radius of the pin"
            )
        if kind in ("link", "free", "distance"):
            raise InputError(
                f"{coordinate}: friction has a coefficient, but a {kind} holds nothing across; "
                "give a limit"
            )
    if kind == "distance" and not isinstance(element, JointFriction):
        raise InputError(f"{coordinate}: a distance is held; for a {element.word} use a link")


def _at_rest(element: Element, now: float) -> Element:
    """A spring that is not told where it rests does so here."""
    return (
        replace(element, rest=now)
        if isinstance(element, Spring) and element.rest is None
        else element
    )


def _gear(world: World, name: str, given: JointOptions) -> JointSpec:
    pair = given["joints"]
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise InputError(f"joints = {pair!r}: must be two joints")
    ratio = one_number("ratio", given["ratio"])
    if ratio == 0.0:
        raise InputError("ratio = 0: must not be zero")
    ends = tuple(_geared(world, entry) for entry in pair)
    if ends[0] == ends[1]:
        raise InputError(f"joints = {pair!r}: must be two different coordinates")
    first, second = (world.joint(number).coordinate(word) for number, word in ends)
    zero = one_number("offset", given.get("offset", first - ratio * second))
    return JointSpec(name=name, kind="gear", geared=ends, ratio=ratio, zero=zero)


def _geared(world: World, entry: Joint | str | int | Sequence[Any]) -> tuple[int, str]:
    """The number of a joint and the name of its coordinate."""
    which: Any = entry
    word = None
    if isinstance(entry, list | tuple):
        if len(entry) != 2:
            raise InputError(
                f"joints = {entry!r}: must be a joint, or a joint and the name of its coordinate"
            )
        which, word = entry
    try:
        joint = world.joint(which)
    except InputError as error:
        raise InputError(f"joints: {error}") from None
    there = KINDS[joint.kind][1]
    if word is None and len(there) != 1:
        raise InputError(
            f"joints: {joint.name!r} has {len(there)} coordinates; give ({joint.name!r}, name), "
            f"with a name of {', '.join(there) or 'none'}"
        )
    chosen = there[0] if word is None else one_of("joints", word, there)
    assert chosen in COORDINATES
    return joint.id, chosen
