"""The world: bodies, gravity, and what their materials do to each other."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Callable
from typing import Any, TypedDict, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, positive_number, true_or_false
from rollcone.collision.shapes import BOX, CAPSULE, PLANE, SHAPE_NAMES, SPHERE
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC, FIXED, REMOVED, STATE, Bodies
from rollcone.mechanics.body import Body, Load, check_load, vector
from rollcone.mechanics.inertia import (
    body_mass,
    box_moments,
    capsule_moments,
    capsule_volume,
    principal_axes,
    sphere_moments,
)
from rollcone.mechanics.materials import ContactLaw, LawTable
from rollcone.mechanics.rotations import quaternion_between, unit_quaternion

Motion = Callable[[float], tuple[ArrayLike, ArrayLike]]
_NONE = (0.0, 0.0, 0.0)
_NOT_OF_PLANES = (
    "position", "orientation", "mass", "density", "inertia", "force", "torque", "fixed",
    "linear_damping", "angular_damping",
)  # fmt: skip
_VECTORS = ("position", "velocity", "angular_velocity")


class BodyOptions(TypedDict, total=False):
    """What every `add_...` takes besides the shape; all by keyword.

    position          of the centre of mass (m)
    orientation       unit quaternion (w, x, y, z), body axes to world axes
    velocity          m/s; with fixed=True the body keeps it for ever
    angular_velocity  rad/s, world axes; likewise
    mass | density    kg, or kg/m3: one of them, for bodies that are not fixed
    inertia           principal moments about the body axes (3,) or a tensor (3, 3), kg m2;
                      if not given, that of the homogeneous body
    material          a name, 'default' if not given
    fixed             True: not moved by forces
    motion            a function of time that returns velocity and angular velocity; the body
                      follows it whatever touches it
    force, torque     constants, or functions of time and body (N, N m, world axes)
    linear_damping    c in dv/dt = ... - c v (1/s); none if not given
    angular_damping   likewise for the angular momentum
    name              to find the body again; made up if not given
    """

    position: ArrayLike
    orientation: ArrayLike
    velocity: ArrayLike
    angular_velocity: ArrayLike
    mass: float
    density: float
    inertia: ArrayLike
    material: str
    fixed: bool
    motion: Motion
    force: Load
    torque: Load
    linear_damping: float
    angular_damping: float
    name: str


class World:
    """Bodies and laws. `gravity` in m/s2; there is none unless it is given.

    world = World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0, 0, 1))
    ball = world.add_sphere(radius=0.5, density=2500, position=(0, 0, 0.5))
    world.set_contact_law(ContactLaw(sliding=0.2, rolling=0.04))
    """

    __slots__ = (
        "_gravity", "_names", "_numbers", "family", "laws", "loads", "motions", "state"
    )  # fmt: skip

    def __init__(self, *, gravity: ArrayLike = _NONE) -> None:
        self.gravity = gravity
        self.state = Bodies()
        self.laws = LawTable()
        self.loads: dict[tuple[int, str], Callable[[float, Body], ArrayLike]] = {}
        self.motions: dict[int, Motion] = {}
        self.family = object()  # shared with copies: their bodies have the same numbers
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []

    @property
    def gravity(self) -> FloatArray:
        return self._gravity

    @gravity.setter
    def gravity(self, value: ArrayLike) -> None:
        self._gravity = vector("gravity", value).copy()

    def add_sphere(self, *, radius: float, **options: Unpack[BodyOptions]) -> Body:
        """A ball; see `BodyOptions` for position, mass and the rest."""
        r = positive_number("radius", radius)
        volume = 4.0 / 3.0 * np.pi * r * r * r
        return self._add(SPHERE, (r, r, r), volume, sphere_moments(r), options)

    def add_box(self, *, size: ArrayLike, **options: Unpack[BodyOptions]) -> Body:
        """A cuboid with edges `size` (3,) in metres along the body axes."""
        edges = vector("size", size)
        if not np.all(edges > 0):
            raise InputError(f"size = {edges.tolist()}: must be three lengths > 0")
        return self._add(BOX, edges / 2, float(edges.prod()), box_moments(edges), options)

    def add_capsule(self, *, radius: float, length: float, **options: Unpack[BodyOptions]) -> Body:
        """A cylinder of that length along the body's z axis, with half a ball on each end."""
        r = positive_number("radius", radius)
        h = positive_number("length", length, zero=True)
        volume, moments = capsule_volume(r, h), capsule_moments(r, h)
        return self._add(CAPSULE, (r, r, 0.5 * h + r), volume, moments, options)

    def add_plane(
        self,
        *,
        normal: ArrayLike = (0.0, 0.0, 1.0),
        point: ArrayLike = _NONE,
        **options: Unpack[BodyOptions],
    ) -> Body:
        """A half space, solid behind the plane through `point`; never moved by forces."""
        outward = vector("normal", normal)
        if not outward.any():
            raise InputError(f"normal = {outward.tolist()}: must not be zero")
        for name in _NOT_OF_PLANES:
            if name in options:
                raise InputError(
                    f"{name}: a plane takes normal and point, and is not moved by forces"
                )
        options["fixed"] = True
        options["position"] = vector("point", point)
        options["orientation"] = quaternion_between((0.0, 0.0, 1.0), outward)
        return self._add(PLANE, (np.inf,) * 3, np.inf, np.full(3, np.inf), options)

    def set_contact_law(self, law: ContactLaw, *materials: str) -> None:
        """For a pair of materials, or with none named for all pairs that have no law of
        their own. Until one is set contacts have no friction and no rebound."""
        self.laws.set(law, materials)

    def remove(self, body: Body | str | int) -> None:
        """Take a body out of the world, also while it runs. Its number is not used again."""
        number = self.body(body).id
        self.state.kind[number] = REMOVED
        self.state.velocity[number] = self.state.angular_velocity[number] = 0.0
        self.motions.pop(number, None)
        for key in [key for key in self.loads if key[0] == number]:
            del self.loads[key]

    @property
    def bodies(self) -> list[Body]:
        """Handles on all bodies that have not been removed."""
        return [Body(self, int(i)) for i in np.flatnonzero(self.state.kind != REMOVED)]

    def body(self, which: Body | str | int) -> Body:
        """A handle by name or number, or on this world's twin of another world's body."""
        body = Body(self, self.number_of(which))
        if body.removed:
            raise InputError(f"body {body.name!r} has been removed from its world")
        return body

    def number_of(self, which: Body | str | int) -> int:
        """The number of a body, also if it has been removed."""
        number = self._numbers.get(which, -1) if isinstance(which, str) else which
        if isinstance(number, Body):
            if number.world.family is not self.family:
                raise InputError(f"body {number.name!r} belongs to another world")
            number = number.id
        if not isinstance(number, int | np.integer) or not 0 <= number < len(self.state):
            raise InputError(f"body {which!r}: there is none of that name or number")
        return int(number)

    def name_of(self, number: int) -> str:
        return self._names[number]

    def copy(self) -> World:
        """An independent twin with the same bodies, names and numbers."""
        twin = World(gravity=self.gravity)
        twin.state, twin.laws = self.state.copy(), self.laws.copy()
        twin.loads, twin.motions = dict(self.loads), dict(self.motions)
        twin._numbers, twin._names = dict(self._numbers), list(self._names)
        twin.family = self.family
        return twin

    def drive(self, time: float) -> None:
        """Give bodies with a prescribed motion the velocity that they have at `time`."""
        for number in self.motions:
            driven = self.driven_velocity(number, time)
            self.state.velocity[number], self.state.angular_velocity[number] = (
                driven[:3],
                driven[3:],
            )

    def driven_velocity(self, number: int, time: float) -> FloatArray:
        """Velocity and angular velocity (6,) that its motion gives to a body."""
        name, value = self.name_of(number), self.motions[number](time)
        try:
            v, w = value
        except (TypeError, ValueError):
            raise InputError(
                f"motion of {name!r} gave {value!r}: must be velocity and angular velocity"
            ) from None
        parts = vector(f"velocity of {name!r}", v), vector(f"angular velocity of {name!r}", w)
        return np.concatenate(parts)

    def check(self) -> None:
        """Everything may have been changed through arrays: is it still finite?"""
        for field in STATE:
            values = getattr(self.state, field)
            bad = ~np.isfinite(values).all(axis=1) & (self.state.kind != REMOVED)
            if bad.any():
                worst = int(np.argmax(bad))
                raise InputError(
                    f"{field} of body {self.name_of(worst)!r} = {values[worst]}: must be finite"
                )

    def __repr__(self) -> str:
        kinds = self.state.kind
        moving, fixed = int((kinds == DYNAMIC).sum()), int((kinds == FIXED).sum())
        return f"World({moving} dynamic and {fixed} fixed bodies)"

    def _add(
        self, shape: int, size: ArrayLike, volume: float, moments: FloatArray, options: BodyOptions
    ) -> Body:
        """`moments` per unit of mass."""
        for name in set(options) - set(BodyOptions.__annotations__):
            close = difflib.get_close_matches(name, BodyOptions.__annotations__, n=1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            raise TypeError(f"unknown argument {name!r}{hint}")
        row = self._row(shape, volume, moments, options)
        loads = {field: options[field] for field in ("force", "torque") if field in options}
        for field, value in loads.items():
            if callable(value):
                check_load(field, value)
            else:
                vector(field, value)
        motion = options.get("motion")
        if motion is not None and not callable(motion):
            raise InputError(f"motion = {motion!r}: must be a function of time")
        name = self._new_name(shape, options.get("name"))
        number = self.state.add(shape=shape, size=size, **row)
        self._numbers[name] = number
        self._names.append(name)
        body = Body(self, number)
        for field, value in loads.items():
            setattr(body, field, value)
        if motion is not None:
            self.motions[number] = motion
        return body

    def _row(
        self, shape: int, volume: float, moments: FloatArray, options: BodyOptions
    ) -> dict[str, Any]:
        fixed = options.get("fixed", False)
        fixed = true_or_false("fixed", fixed) or options.get("motion") is not None
        damping = (options.get("linear_damping", 0.0), options.get("angular_damping", 0.0))
        row: dict[str, Any] = {
            "kind": FIXED if fixed else DYNAMIC,
            "orientation": unit_quaternion("orientation", options.get("orientation", (1, 0, 0, 0))),
            "material": self.laws.number(options.get("material", "default")),
            "damping": [
                positive_number(name, value, zero=True)
                for name, value in zip(("linear_damping", "angular_damping"), damping, strict=True)
            ],
            "force": 0.0,
            "torque": 0.0,
        }
        given = {name: options.get(name, _NONE) for name in _VECTORS}
        row |= {name: vector(name, cast(ArrayLike, value)) for name, value in given.items()}
        mass, inertia, principal = 0.0, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
        if not fixed or "mass" in options or "density" in options:
            mass = body_mass(volume, options.get("mass"), options.get("density"))
        if not fixed or "inertia" in options:
            inertia, principal = principal_axes(options.get("inertia", mass * moments))
        if fixed:  # what was given has been checked, and does not matter
            mass, inertia = 0.0, np.zeros(3)
        return row | {"mass": mass, "inertia": inertia, "principal": principal}

    def _new_name(self, shape: int, name: str | None) -> str:
        if name is None:
            word = SHAPE_NAMES[shape]
            numbers = itertools.count(len(self._names))
            return next(f"{word} {k}" for k in numbers if f"{word} {k}" not in self._numbers)
        if not isinstance(name, str) or not name:
            raise InputError(f"name = {name!r}: must be a text")
        if name in self._numbers:
            raise InputError(f"name = {name!r}: a body has that name already")
        return name
