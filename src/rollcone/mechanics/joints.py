"""Joints of a world: what each holds, and the rows that kernels read.

A joint holds `body` against `base` (the world, if none is given) by frames on both, whose third
axis is the joint's. The kinds, what they hold (kernels/joint_row.py), and the coordinates that
they leave free:

    spherical       the points together
    revolute        the points and the axes together              angle
    prismatic       all turning, and what is across the axis      slide
    cylindrical     the axes on one line                          angle, slide
    universal       the points; the axis at right angles to the   angle, angle2
                    second one, which the body carries
    fixed           everything
    distance        the points at a distance                      length
    point-on-line   the body's point on the axis                  slide
    point-on-plane  the body's point on the plane across the axis
    gear            coordinates of two joints in a ratio
    link            nothing; for springs, ropes, actuators        length
    free            nothing; for seals, torsion springs           angle, slide
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.errors import InputError
from rollcone.mechanics.elements import (
    RESPONSE,
    Element,
    JointFriction,
    Limits,
    Motor,
    Spring,
    element_of,
    functions_of,
    plain_element,
)
from rollcone.mechanics.kernels import joint_row as kernels
from rollcone.mechanics.kernels.joint_work import JointArrays, RowArrays

_POINT = (kernels.ALONG, kernels.ALONG + 1, kernels.ALONG + 2)
_ACROSS = _POINT[:2]
_AXES = (kernels.DOT + 2, kernels.DOT + 5)  # e1.f3, e2.f3
_TURNING = (kernels.DOT + 1, kernels.DOT + 5, kernels.DOT + 6)  # e1.f2, e2.f3, e3.f1
# Of each kind: the rows that hold, and its coordinates.
KINDS: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "spherical": (_POINT, ()),
    "revolute": (_POINT + _AXES, ("angle",)),
    "prismatic": (_ACROSS + _TURNING, ("slide",)),
    "cylindrical": (_ACROSS + _AXES, ("angle", "slide")),
    "universal": ((*_POINT, kernels.DOT + 6), ("angle", "angle2")),
    "fixed": (_POINT + _TURNING, ()),
    "distance": ((kernels.LENGTH,), ("length",)),
    "point-on-line": (_ACROSS, ("slide",)),
    "point-on-plane": ((kernels.ALONG + 2,), ()),
    "gear": ((), ()),
    "link": ((), ("length",)),
    "free": ((), ("angle", "slide")),
}
COORDINATES = {
    "angle": kernels.ANGLE,
    "angle2": kernels.SECOND,
    "slide": kernels.ALONG + 2,
    "length": kernels.LENGTH,
}
UNITS = {"angle": "rad", "angle2": "rad", "slide": "m", "length": "m"}
WORLD = -1  # the number of the base that is the world


@dataclass(frozen=True, kw_only=True)
class JointSpec:
    """A joint as it was added; points and frames are in the axes of the two bodies."""

    name: str
    kind: str
    base: int = WORLD
    body: int = WORLD
    base_point: tuple[float, ...] = (0.0, 0.0, 0.0)
    body_point: tuple[float, ...] = (0.0, 0.0, 0.0)
    base_frame: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
    body_frame: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
    zero: float = 0.0  # length of a distance; what a gear's difference is
    compliance: float = 0.0  # m/N of rows that hold points
    angular_compliance: float = 0.0  # rad/(N m) of those that hold turning
    geared: tuple[tuple[int, str], ...] = ()  # of a gear: two joints and their coordinates
    ratio: float = 0.0
    collide: bool = False
    elements: dict[str, tuple[Element, ...]] = field(default_factory=dict)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return KINDS[self.kind][1]

    def plain(self) -> dict[str, Any]:
        """Numbers, texts and lists alone."""
        given = {name: getattr(self, name) for name in self.__dataclass_fields__}
        given["elements"] = {
            coordinate: [(element.word, plain_element(element)) for element in elements]
            for coordinate, elements in self.elements.items()
        }
        return given

    @staticmethod
    def from_plain(plain: dict[str, Any], functions: dict[str, Any] | None = None) -> JointSpec:
        """`functions`: signals that no file can hold, by coordinate, element and field."""
        given = {k: tuple(v) if isinstance(v, list) else v for k, v in plain.items()}
        given["geared"] = tuple((int(j), str(c)) for j, c in plain["geared"])
        given["elements"] = {
            coordinate: tuple(
                element_of(word, _filled(made, f"{coordinate}.{word}", functions or {}))
                for word, made in elements
            )
            for coordinate, elements in plain["elements"].items()
        }
        return JointSpec(**given)  # type: ignore[arg-type]

    def functions(self) -> dict[str, Any]:
        """Python functions that drive it, by "angle.motor.speed" and the like."""
        return {
            f"{coordinate}.{element.word}.{name}": getattr(element, name)
            for coordinate, elements in self.elements.items()
            for element in elements
            for name in functions_of(element)
        }


def _filled(plain: dict[str, Any], place: str, functions: dict[str, Any]) -> dict[str, Any]:
    return {
        name: functions.get(f"{place}.{name}", _Lost(place, name)) if value is None else value
        for name, value in plain.items()
    }


class _Lost:
    """In the place of a Python function that a file could not keep."""

    def __init__(self, place: str, name: str) -> None:
        self._words = f"{name} of {place}: a Python function, which a file cannot keep"

    def __call__(self, time: float) -> float:
        raise InputError(self._words)


class Joints:
    """The joints of a world by number; None where one has been removed, which `removed` keeps for
    runs that have seen it. Arrays for kernels are made anew when joints come or go."""

    def __init__(self) -> None:
        self.specs: list[JointSpec | None] = []
        self.removed: dict[int, JointSpec] = {}
        self.turns: FloatArray = np.zeros((0, 2))
        self._ever: JointArrays | None = None
        self._numbers: dict[str, int] = {}  # by name
        self._apart: IntArray | None = None
        self._made: tuple[JointArrays, RowArrays, list[tuple[int, str, Element | None]]] | None = (
            None
        )

    def __len__(self) -> int:
        return len(self.specs)

    def __iter__(self) -> Iterator[tuple[int, JointSpec]]:
        """Those that there are."""
        for number, spec in enumerate(self.specs):
            if spec is not None:
                yield number, spec

    def plain(self) -> list[tuple[dict[str, Any] | None, list[float]]]:
        """All joints by number and their turns, for files."""
        turns = self.turns.tolist()
        return [(s if s is None else s.plain(), t) for s, t in zip(self.specs, turns, strict=True)]

    def add(self, spec: JointSpec | None, turns: Sequence[float]) -> int:
        """The next joint; None for one that has been removed."""
        self.specs.append(spec)
        self.turns = np.concatenate([self.turns, np.array([turns])])
        self._made = self._ever = self._apart = None
        if spec is not None:
            self._numbers[spec.name] = len(self.specs) - 1
        return len(self.specs) - 1

    def change(self, number: int, spec: JointSpec) -> None:
        """Another specification for a joint between the same bodies."""
        self.specs[number] = spec
        self._made = self._ever = None

    def remove(self, number: int) -> None:
        """With the gears that it is part of."""
        self.removed[number] = self.spec(number)
        self.specs[number] = None
        self._made = self._apart = None
        del self._numbers[self.removed[number].name]
        for other, spec in list(self):
            if any(joint == number for joint, _ in spec.geared):
                self.remove(other)

    def spec(self, number: int) -> JointSpec:
        """Of a joint that is there."""
        found = self.specs[number]
        assert found is not None
        return found

    def number(self, name: str) -> int | None:
        """Of the joint with that name, or of the last that had it and has been removed."""
        gone = (number for number, spec in reversed(self.removed.items()) if spec.name == name)
        return self._numbers[name] if name in self._numbers else next(gone, None)

    def has(self, name: str) -> bool:
        return name in self._numbers

    def ever(self) -> list[JointSpec]:
        """By number, with those that have been removed."""
        return [self.removed[k] if spec is None else spec for k, spec in enumerate(self.specs)]

    def ever_arrays(self) -> JointArrays:
        """Of the same; their turns are zero."""
        if self._ever is None:
            self._ever = _joint_arrays(self.ever(), np.zeros((len(self), 2)))
        return self._ever

    def copy(self) -> Joints:
        twin = Joints()
        twin.specs, twin.turns = list(self.specs), self.turns.copy()
        twin.removed, twin._numbers = dict(self.removed), dict(self._numbers)
        return twin

    def take_functions(self, other: Joints) -> None:
        """Drives that files could not keep, from joints of the same names."""
        given = {spec.name: spec.functions() for _, spec in other}
        for number, spec in list(self):
            if spec.functions():
                self.specs[number] = JointSpec.from_plain(spec.plain(), given.get(spec.name))
        self._made = None

    def arrays(self) -> JointArrays:
        return self._make()[0]._replace(turns=self.turns)

    def rows(self) -> RowArrays:
        return self._make()[1]

    def row_elements(self) -> list[tuple[int, str, Element | None]]:
        """Of each row its joint, the coordinate ('' where it holds) and the element."""
        return self._make()[2]

    @property
    def has_springs(self) -> bool:
        """That keep energy?"""
        return bool(self.rows().passive.any())

    def rest(self) -> FloatArray:
        """(m, 2): where such springs rest, and zeros."""
        found = np.zeros((len(self.rows().role), 2))
        for i, (_, _, element) in enumerate(self.row_elements()):
            if isinstance(element, Spring) and element.passive:
                found[i, 0] = float(element.rest)  # type: ignore[arg-type]
        return found

    def apart(self) -> IntArray:
        """Pairs of bodies that do not touch, since a joint joins them, or fixed joints one after
        the other: keys a * 2^32 + b, a < b, in order."""
        if self._apart is None:
            self._apart = self._find_apart()
        return self._apart

    def _find_apart(self) -> IntArray:
        joined = [
            (spec.kind, min(spec.base, spec.body), max(spec.base, spec.body))
            for _, spec in self
            if not spec.collide and min(spec.base, spec.body) >= 0
        ]
        pairs = {(a, b) for _, a, b in joined}
        for cluster in _clusters([(a, b) for kind, a, b in joined if kind == "fixed"]):
            pairs |= set(combinations(cluster, 2))
        return np.array(sorted((a << 32) | b for a, b in pairs), dtype=np.int64)

    def _make(self) -> tuple[JointArrays, RowArrays, list[tuple[int, str, Element | None]]]:
        if self._made is None:
            rows = _Rows()
            for number, spec in self:
                rows.add(number, spec)
            self._made = _joint_arrays(self.specs, self.turns), rows.arrays(), rows.elements
        return self._made


def _clusters(pairs: list[tuple[int, int]]) -> list[list[int]]:
    """Bodies that hang together by pairs, each in order."""
    found: dict[int, set[int]] = {}
    for a, b in pairs:
        whole = found.get(a, {a}) | found.get(b, {b})
        found.update(dict.fromkeys(whole, whole))
    return [sorted(cluster) for cluster in {id(c): c for c in found.values()}.values()]


def _joint_arrays(specs: Sequence[JointSpec | None], turns: FloatArray) -> JointArrays:
    filled = [spec or JointSpec(name="", kind="fixed") for spec in specs]

    def floats(name: str, width: int) -> FloatArray:
        return np.array([getattr(s, name) for s in filled], dtype=float).reshape(-1, width)

    counted = [[int(c in KINDS[s.kind][1]) for c in ("angle", "angle2")] for s in filled]
    return JointArrays(
        np.array([s.base for s in filled], dtype=np.int64),
        np.array([s.body for s in filled], dtype=np.int64),
        floats("base_point", 3),
        floats("body_point", 3),
        floats("base_frame", 4),
        floats("body_frame", 4),
        turns,
        np.array(counted, dtype=np.int64).reshape(-1, 2),
    )


class _Rows:
    """Rows of joints, gathered one by one."""

    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self.elements: list[tuple[int, str, Element | None]] = []

    def add(self, number: int, spec: JointSpec) -> None:
        if spec.kind == "gear":
            (one, first), (two, second) = spec.geared
            codes = (COORDINATES[first], COORDINATES[second])
            self._put((one, two), codes, (1.0, -spec.ratio), spec.zero, kernels.HOLD)
            self.elements.append((number, "", None))
        for code in KINDS[spec.kind][0]:
            self._hold(number, spec, code)
        for coordinate, elements in spec.elements.items():
            for element in elements:
                self._act(number, coordinate, element)

    def _hold(self, number: int, spec: JointSpec, code: int) -> None:
        zero = spec.zero if code == kernels.LENGTH else 0.0
        soft = spec.angular_compliance if code >= kernels.DOT else spec.compliance
        ends, codes, factors = (number, -1), (code, 0), (1.0, 0.0)
        if soft == 0.0:
            self._put(ends, codes, factors, zero, kernels.HOLD)
        else:
            spring = (1.0 / soft, 0.0, math.inf, 1)
            self._put(ends, codes, factors, zero, kernels.GIVES, *spring)
        self.elements.append((number, "", None))

    def _act(self, number: int, coordinate: str, element: Element) -> None:
        code = COORDINATES[coordinate]
        for role, numbers in _roles(coordinate, element):
            self._put((number, -1), (code, 0), (1.0, 0.0), 0.0, role, *numbers)
            self.elements.append((number, coordinate, element))

    def _put(
        self, joint: tuple[int, int], code: tuple[int, int], factor: tuple[float, float],
        zero: float, role: int, first: float = 0.0, second: float = 0.0, third: float = math.inf,
        passive: int = 0,
    ) -> None:  # fmt: skip
        self._rows.append((joint, code, factor, zero, role, first, second, third, passive))

    def arrays(self) -> RowArrays:
        columns = list(zip(*self._rows, strict=True)) if self._rows else [()] * 9
        kinds = (np.int64, np.int64, float, float, np.int64, float, float, float, np.int64)
        made = [np.array(c, dtype=kind) for c, kind in zip(columns, kinds, strict=True)]
        return RowArrays(*(a.reshape(-1, 2) if k < 3 else a for k, a in enumerate(made)))


def _roles(coordinate: str, element: Element) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """The rows of an element: their role, and first, second, third, passive."""
    if isinstance(element, Limits):
        if element.lower > -math.inf:
            yield kernels.LOWER, (element.lower, element.restitution)
        if element.upper < math.inf:
            yield kernels.UPPER, (element.upper, element.restitution)
    elif isinstance(element, JointFriction):
        arm = 1.0 if coordinate in ("slide", "length") else element.radius
        yield kernels.FRICTION, (element.limit, element.coefficient * arm)
    elif isinstance(element, Motor):
        role = kernels.SPEED if element.position is None else kernels.TRACK
        yield role, (element.limit, element.response or RESPONSE)
    else:
        numbers = (element.stiffness, element.damping, element.limit, int(element.passive))
        yield kernels.SPRING, numbers
