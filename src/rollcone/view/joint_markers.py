"""Joints as small solids, and where they are.

    spherical                      a ball
    revolute, cylindrical          a pin along the axis, through both bodies
    free                           a thin one: it holds nothing
    universal                      two pins that cross
    prismatic, point-on-line       a rail along the axis
    point-on-plane                 a plate across the axis
    fixed                          a cube
    distance, link                 a rod from point to point, for a link a thin one, or a coil if
                                   it has a spring; a knob at each end
    gear                           nothing

They are at the joint's point on its body and along its axis on the base. An arm leads to the point
from the centre of a body that does not reach there. All is made once; for a moment, poses of all
copies of a surface are computed together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone.collision.shapes import BOX, CLUMP, CONE, DISK, ELLIPSOID, SPHERE, endless, reach
from rollcone.mechanics.elements import Spring
from rollcone.mechanics.joint_places import JointPlaces, composed, joint_places, turned
from rollcone.mechanics.joints import WORLD, JointSpec
from rollcone.mechanics.kernels.joint_work import JointArrays
from rollcone.mechanics.world import World
from rollcone.recording.run import Run
from rollcone.view.joint_surfaces import coil, cylinder
from rollcone.view.surface_forms import Surface, box, sphere

COLOURS = {"arm": "#7b828c", "rod": "#5b626c", "coil": "#5b626c"}  # others:
_DARK = "#343a43"
_SIZE = 0.35  # of markers, over the mean of the least and the largest half width of their body
_MOST = 1.2  # over the least
_FAR = 3.0  # half widths of the smaller body that a pin reaches at most
_PIN, _ROD, _ROPE, _ARM, _COIL, _KNOB = 0.6, 0.35, 0.15, 0.25, 0.9, 0.5  # radii, over that size
_THIN, _RAIL, _CUBE, _PLATE = 0.2, (0.35, 0.2), 0.9, (4.0, 0.12)
_SHAFT = 1.6  # rails and pins that slide, over the width of the body
_MANY = 300  # joints: from here on coarser surfaces
_DOWN = -0.3  # height of a direction from which on it is turned round
_Z_TO_X = np.array([0.5**0.5, 0.0, 0.5**0.5, 0.0])
_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Markers:
    """Copies of one surface at one moment; NaN for joints that are not there."""

    name: str
    surface: Surface
    colour: str
    numbers: IntArray  # (k,), of the joints
    position: FloatArray  # (k, 3)
    orientation: FloatArray  # (k, 4)
    scales: FloatArray  # (k, 3)

    @property
    def there(self) -> NDArray[np.bool_]:
        return np.isfinite(self.position[:, 0]) & np.isfinite(self.orientation[:, 0])

    @property
    def shape(self) -> int:
        """The shape of bodies that is most like it."""
        return SPHERE if self.name in ("ball", "knob") else BOX


class JointMarkers:
    """Of all joints that a world has or had; `at` places them."""

    def __init__(self, world: World) -> None:
        specs = world.joints.ever()
        self._joints = world.joints.ever_arrays()
        self._period = world.state.period
        kind = np.array([spec.kind for spec in specs], dtype=np.str_)
        sprung = np.array([_has_spring(spec) for spec in specs], dtype=bool)
        sizes = _Sizes(world, self._joints)
        every: list[_Rigid | _Span] = [*_rigid(kind, sizes), *_spans(kind, sprung, sizes)]
        self._groups = [group for group in every if len(group.numbers)]
        self._surfaces = _surfaces(8 if len(specs) > _MANY else 24)

    def __len__(self) -> int:
        return len(self._joints.base)

    def at(
        self, position: FloatArray, orientation: FloatArray, there: NDArray[np.bool_]
    ) -> list[Markers]:
        """From the states of all bodies; `there`: of joints by number, those beyond are not."""
        places = joint_places(self._joints, position, orientation, self._period)
        shown = np.zeros(len(self), dtype=bool)
        shown[: len(there)] = there[: len(self)]
        found = []
        for group in self._groups:
            x, q, scales = group.pose(places)
            x = np.where(shown[group.numbers, None], x, np.nan)
            colour = COLOURS.get(group.name, _DARK)
            surface = self._surfaces[group.name]
            found.append(Markers(group.name, surface, colour, group.numbers, x, q, scales))
        return found


def markers_at(run: Run, markers: JointMarkers, moment: int) -> list[Markers]:
    """As the run has recorded its bodies and joints."""
    position, orientation = (run.states(n)[moment] for n in ("position", "orientation"))
    there = np.isfinite(run.joints(moment).point[:, 0])
    return markers.at(run.world.wrapped(position), orientation, there)


@dataclass(frozen=True)
class _Rigid:
    """Markers at the point of a joint, turned as one of its frames is."""

    name: str
    numbers: IntArray  # (k,)
    scales: FloatArray  # (k, 3)
    along: FloatArray  # (k,), of the middle from the point, m
    at_base: bool = False  # the point on the base
    second: bool = False  # along the first axis of the frame on the body

    def pose(self, places: JointPlaces) -> tuple[FloatArray, FloatArray, FloatArray]:
        point = (places.base_point if self.at_base else places.body_point)[self.numbers]
        turn = (places.body_frame if self.second else places.base_frame)[self.numbers]
        if self.second:
            turn = composed(turn, np.broadcast_to(_Z_TO_X, turn.shape))
        axis = turned(turn, np.broadcast_to(_UP, point.shape))
        return point + self.along[:, None] * axis, turn, self.scales


@dataclass(frozen=True)
class _Span:
    """Markers from one point of a joint to another, which may come nearer or go away."""

    name: str
    numbers: IntArray  # (k,)
    radius: FloatArray  # (k,), m
    ends: tuple[str, str]  # fields of JointPlaces

    def pose(self, places: JointPlaces) -> tuple[FloatArray, FloatArray, FloatArray]:
        start, end = (getattr(places, name)[self.numbers] for name in self.ends)
        way = end - start
        length = np.linalg.norm(way, axis=1)
        scales = np.column_stack([self.radius, self.radius, 0.5 * length])
        return 0.5 * (start + end), from_z(way), np.nan_to_num(scales)


def from_z(directions: FloatArray) -> FloatArray:
    """Quaternions (k, 4) that turn z to the directions (k, 3), or, where these lead down, to their
    opposites: near straight down the turn would depend on rounding."""
    length = np.linalg.norm(directions, axis=1, keepdims=True)
    d = np.where(length > 0, directions, _UP) / np.where(length > 0, length, 1.0)
    d = np.where(d[:, 2:] < _DOWN, -d, d)
    q = np.column_stack([1.0 + d[:, 2], -d[:, 1], d[:, 0], np.zeros(len(d))])
    return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))


class _Sizes:
    """How large the bodies of joints are: sides are base and body; NaN for the world, planes
    and bowls."""

    def __init__(self, world: World, joints: JointArrays) -> None:
        state = world.state
        number = np.stack([joints.base, joints.body])
        solid = (number != WORLD) & ~endless(state.shape[number])
        self._shape = state.shape[number]
        self._size = np.where(solid[..., None], state.size[number], np.nan)
        self._points = np.stack([joints.base_point, joints.body_point])
        self._frames = np.stack([joints.base_frame, joints.body_frame])
        least, most = self._size.min(axis=2), self._size.max(axis=2)
        self.usual = _smaller(np.minimum(_MOST * least, _SIZE * np.sqrt(least * most)))
        self.standing_out = _smaller(np.minimum(_MOST * least, _SIZE * most))  # of a bar's sides
        flat = self._size.reshape(-1, 3)
        around = reach(self._shape.ravel(), flat).reshape(number.shape)
        self.outside = np.linalg.norm(self._points, axis=2) > around  # (2, j): the joint's point

    def across(self, *, second: bool = False) -> tuple[FloatArray, FloatArray]:
        """Where along the axis, from the point, the bodies begin and end (j,)."""
        local = np.array([1.0, 0.0, 0.0]) if second else _UP
        axis = np.stack([turned(f, np.broadcast_to(local, (len(f), 3))) for f in self._frames])
        middle = -(self._points * axis).sum(axis=2)
        straight = np.abs(axis)
        size, core = self._size, self._size[..., 2] - self._size[..., 0]
        half = np.where(
            (self._shape == BOX) | (self._shape >= CONE), (straight * size).sum(axis=2),
            np.where(self._shape == CLUMP, size[..., 2], size[..., 0] + core * straight[..., 2]),
        )  # fmt: skip
        ring, height = size[..., 0] - core, size[..., 1] - size[..., 2]  # core: the edge radius
        rim = ring * np.hypot(axis[..., 0], axis[..., 1]) + height * straight[..., 2] + core
        half = np.where(self._shape == DISK, rim, half)
        half = np.where(self._shape == ELLIPSOID, np.linalg.norm(size * axis, axis=2), half)
        most = _FAR * np.fmin.reduce(half, axis=0)
        low = np.fmin.reduce(middle - half, axis=0)
        high = np.fmax.reduce(middle + half, axis=0)
        return np.nan_to_num(np.clip(low, -most, 0.0)), np.nan_to_num(np.clip(high, 0.0, most))


def _smaller(sizes: FloatArray) -> FloatArray:
    """(j,): of both sides; 1 if there is none."""
    return np.asarray(np.nan_to_num(np.fmin.reduce(sizes, axis=0), nan=1.0))


def _has_spring(spec: JointSpec) -> bool:
    return any(isinstance(element, Spring) for element in spec.elements.get("length", ()))


def _surfaces(around: int) -> dict[str, Surface]:
    round_one, ball = cylinder(around), sphere(2 if around < 12 else 3)
    return {
        "ball": ball, "knob": ball, "pin": round_one, "cross": round_one, "rail": box(),
        "plate": round_one, "cube": box(), "rod": round_one, "arm": round_one,
        "coil": coil(max(around // 3, 4)),
    }  # fmt: skip


def _rigid(kind: NDArray[np.str_], sizes: _Sizes) -> list[_Rigid]:
    usual = sizes.usual

    def of(*kinds: str) -> IntArray:
        return np.flatnonzero(np.isin(kind, kinds))

    def centred(
        name: str, numbers: IntArray, *shape: float, size: FloatArray = usual, at_base: bool = False
    ) -> _Rigid:
        scales = size[numbers, None] * np.array(shape)
        return _Rigid(name, numbers, scales, np.zeros(len(numbers)), at_base)

    def through(
        name: str, numbers: IntArray, *shape: float, reach: float = 1.0, second: bool = False
    ) -> _Rigid:
        """From one side of the bodies to the other and a little on."""
        low, high = (end[numbers] for end in sizes.across(second=second))
        half = 0.5 * reach * (high - low) + _PIN * usual[numbers]
        scales = np.column_stack([*(radius * usual[numbers] for radius in shape), half])
        return _Rigid(name, numbers, scales, 0.5 * (low + high), second=second)

    ends, large = of("distance", "link"), sizes.standing_out
    return [
        centred("ball", of("spherical"), 1.0, 1.0, 1.0, size=large),
        centred("cube", of("fixed"), _CUBE, _CUBE, _CUBE, size=large),
        centred("plate", of("point-on-plane"), _PLATE[0], _PLATE[0], _PLATE[1]),
        centred("knob", ends, _KNOB, _KNOB, _KNOB),
        centred("knob", ends, _KNOB, _KNOB, _KNOB, at_base=True),
        through("pin", of("revolute", "universal"), _PIN, _PIN),
        through("pin", of("cylindrical"), _PIN, _PIN, reach=_SHAFT),
        through("pin", of("free"), _THIN, _THIN, reach=_SHAFT),
        through("cross", of("universal"), _PIN, _PIN, second=True),
        through("rail", of("prismatic", "point-on-line"), *_RAIL, reach=_SHAFT),
    ]


def _spans(kind: NDArray[np.str_], sprung: NDArray[np.bool_], sizes: _Sizes) -> list[_Span]:
    usual, points = sizes.usual, ("base_point", "body_point")
    link = kind == "link"
    held = np.isin(kind, ("spherical", "revolute", "universal", "fixed", "distance"))
    apart = ~np.isin(kind, ("gear", "free"))

    def span(name: str, which: NDArray[np.bool_], radius: float, ends: tuple[str, str]) -> _Span:
        numbers = np.flatnonzero(which)
        return _Span(name, numbers, radius * usual[numbers], ends)

    return [
        span("rod", kind == "distance", _ROD, points),
        span("rod", link & ~sprung, _ROPE, points),
        span("coil", link & sprung, _COIL, points),
        span("arm", sizes.outside[0] & (held | link), _ARM, ("base_center", "base_point")),
        span("arm", sizes.outside[1] & apart, _ARM, ("body_center", "body_point")),
    ]
