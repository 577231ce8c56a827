"""A handle on one body: a world and a row of its arrays."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, IntArray, bounded_array
from rollcone.collision.shapes import SHAPE_NAMES
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC, REMOVED
from rollcone.mechanics.part_forms import plain_part
from rollcone.mechanics.rotations import unit_quaternion

if TYPE_CHECKING:
    from rollcone.mechanics.world import World

Load = ArrayLike | Callable[[float, "Body"], ArrayLike]


def vector(name: str, value: ArrayLike) -> FloatArray:
    """Three finite numbers."""
    array = bounded_array(name, value)
    if array.shape != (3,):
        raise InputError(f"{name} = {value!r}: must be three numbers")
    return array


def edges(name: str, value: ArrayLike) -> FloatArray:
    """Three lengths above zero."""
    lengths = vector(name, value)
    if not np.all(lengths > 0):
        raise InputError(f"{name} = {lengths.tolist()}: must be three lengths > 0")
    return lengths


def direction(name: str, value: ArrayLike) -> FloatArray:
    """Three numbers that are not all zero."""
    array = vector(name, value)
    if not array.any():
        raise InputError(f"{name} = {array.tolist()}: must not be zero")
    return array


def check_load(name: str, function: Callable[..., object]) -> None:
    """A force or torque must take the time and the body."""
    try:
        inspect.signature(function).bind(0.0, None)
    except TypeError:
        raise InputError(
            f"{name} = {function!r}: must be a function of two arguments, time and body"
        ) from None
    except ValueError:  # built in, says nothing of itself
        return


class Body:
    """What is known of one body, to read and to set; a mistyped name raises.

    `force` and `torque` (world axes, at the centre of mass) are constants, or functions of the
    time and the body that return three numbers: `body.force = lambda t, body: (0, 0, sin(t))`.
    """

    __slots__ = ("id", "world")

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.id = number

    @property
    def name(self) -> str:
        return self.world.name_of(self.id)

    @property
    def shape(self) -> str:
        return SHAPE_NAMES[int(self._row("shape"))]

    @property
    def size(self) -> FloatArray:
        """Radius three times for a sphere or a bowl, edges of a box, (radius, radius, length) of a
        capsule, (radius, thickness, edge radius) of a disk, semi-axes of an ellipsoid, (radius,
        radius, height) of a cone; of a clump the smallest radius, twice, and how far it reaches
        from its centre of mass; of a convex body, a compound or a mesh the edges of the box about
        its centre of mass, along its axes, that holds it (m)."""
        size = self._copy("size")
        if self.shape == "capsule":
            r, end = size[0], size[2]
            return np.array([r, r, 2.0 * (end - r)])
        if self.shape == "disk":
            return np.array([size[0], 2.0 * (size[1] - size[0]), size[2] - size[0]])
        if self.shape == "bowl":
            return np.full(3, size[0])
        if self.shape == "cone":
            return np.array([size[0], size[1], size[2] / 0.75])
        if self.shape == "mesh":  # the state has more where it is flat
            return 2.0 * np.array(self.world.state.parts.of(self.id)[0].p)
        return size * (2.0 if self.shape in ("box", "convex", "compound") else 1.0)

    @property
    def spheres(self) -> FloatArray:
        """Of a clump: rows (x, y, z, radius), in body axes about its centre of mass (m)."""
        return self.world.state.clumps.of(self.id)

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Of a compound or a convex body: dicts as `World.add_compound` takes them, in body axes
        about its centre of mass; none of others."""
        if self.shape not in ("compound", "convex"):
            return []
        return [plain_part(part) for part in self.world.state.parts.of(self.id)]

    @property
    def surface(self) -> tuple[FloatArray, IntArray]:
        """Of a convex body or a mesh: vertices (v, 3) in body axes about its centre of mass (m),
        and triangles (t, 3), counterclockwise as seen from outside."""
        if self.shape not in ("convex", "mesh"):
            raise InputError(f"surface: a {self.shape} has none; convex bodies and meshes have")
        part = self.world.state.parts.of(self.id)[0]
        assert part.geometry is not None
        return np.array(part.x) + part.geometry.corners, part.geometry.triangles.copy()

    @property
    def material(self) -> str:
        return self.world.laws.name(int(self._row("material")))

    @property
    def dynamic(self) -> bool:
        return bool(self._row("kind") == DYNAMIC)

    @property
    def removed(self) -> bool:
        return bool(self.world.state.kind[self.id] == REMOVED)

    @property
    def mass(self) -> float:
        """kg; infinite for a body that is not moved by forces."""
        return float(self._row("mass")) if self.dynamic else float("inf")

    @property
    def inertia(self) -> FloatArray:
        """The principal moments (kg m2)."""
        return self._copy("inertia")

    @property
    def position(self) -> FloatArray:
        return self._copy("position")

    @position.setter
    def position(self, value: ArrayLike) -> None:
        self._row("position")[:] = vector("position", value)

    @property
    def orientation(self) -> FloatArray:
        """Unit quaternion (w, x, y, z)."""
        return self._copy("orientation")

    @orientation.setter
    def orientation(self, value: ArrayLike) -> None:
        self._row("orientation")[:] = unit_quaternion("orientation", value)

    @property
    def velocity(self) -> FloatArray:
        return self._copy("velocity")

    @velocity.setter
    def velocity(self, value: ArrayLike) -> None:
        self._row("velocity")[:] = vector("velocity", value)

    @property
    def angular_velocity(self) -> FloatArray:
        """rad/s, world axes."""
        return self._copy("angular_velocity")

    @angular_velocity.setter
    def angular_velocity(self, value: ArrayLike) -> None:
        self._row("angular_velocity")[:] = vector("angular_velocity", value)

    @property
    def force(self) -> Load:
        return self.world.loads.get((self.id, "force"), self._copy("force"))

    @force.setter
    def force(self, value: Load) -> None:
        self._set_load("force", value)

    @property
    def torque(self) -> Load:
        return self.world.loads.get((self.id, "torque"), self._copy("torque"))

    @torque.setter
    def torque(self, value: Load) -> None:
        self._set_load("torque", value)

    def _set_load(self, field: str, value: Load) -> None:
        row = self._row(field)
        if callable(value):
            check_load(field, value)
            self.world.loads[self.id, field] = value
            row[:] = 0.0
        else:
            row[:] = vector(field, value)
            self.world.loads.pop((self.id, field), None)

    def _row(self, field: str) -> Any:
        if self.removed:
            raise InputError(f"body {self.name!r} has been removed from its world")
        return getattr(self.world.state, field)[self.id]

    def _copy(self, field: str) -> FloatArray:
        """Not to be written to: `body.velocity[0] = 1` would change the copy alone."""
        copy: FloatArray = self._row(field).copy()
        copy.flags.writeable = False
        return copy

    def __repr__(self) -> str:
        if self.removed:
            return f"Body({self.name!r}, removed)"
        kind = "" if self.dynamic else ", fixed"
        x, y, z = self.position
        return f"Body({self.name!r}, {self.shape}{kind}, at ({x:g}, {y:g}, {z:g}))"
