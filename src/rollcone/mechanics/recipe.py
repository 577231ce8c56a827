"""Bodies of one kind, to be made many times: a shape whose sizes are numbers or ranges, and what
`World.add_...` takes besides. Grids, packings and emitters make bodies from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, bounded_array, one_of
from rollcone.errors import InputError

if TYPE_CHECKING:
    from rollcone.mechanics.body import Body, Load
    from rollcone.mechanics.world import World

SIZES = {"sphere": ("radius",), "box": ("size",), "capsule": ("radius", "length")}
_ALL_SIZES = ("radius", "size", "length")
MOST = 1_000_000  # bodies that one generator makes


class RecipeOptions(TypedDict, total=False):
    """What is said of every body that a generator makes; all by keyword.

    shape             'sphere' (radius), 'box' (size) or 'capsule' (radius, length)
    radius, length    m: a number, or (low, high) to draw from, each as likely
    size              of a box: three edges (m), each a number or (low, high)
    orientation       of all; if not given, grids turn nothing, and packings and emitters turn
                      boxes and capsules at random
    name              'grain' names them 'grain 0', 'grain 1' and so on

    and as in `BodyOptions`: velocity, angular_velocity, mass, density, inertia,
    principal_axes, material, fixed, force, torque, linear_damping, angular_damping.
    """

    shape: str
    radius: ArrayLike
    length: ArrayLike
    size: Any
    orientation: ArrayLike
    velocity: ArrayLike
    angular_velocity: ArrayLike
    mass: float
    density: float
    inertia: ArrayLike
    principal_axes: ArrayLike
    material: str
    fixed: bool
    force: Load
    torque: Load
    linear_damping: float
    angular_damping: float
    name: str


@dataclass(frozen=True)
class Draft:
    """A body that has a size and an orientation, but no place yet."""

    sizes: dict[str, Any]
    orientation: FloatArray | None
    reach: float  # radius of the ball around it, m


class Recipe:
    """Checked when it is made: all that it gives are bodies."""

    def __init__(self, given: RecipeOptions, *, turn: bool) -> None:
        """`turn`: at random, if no orientation is given."""
        options: dict[str, Any] = dict(given)
        if "shape" not in options:
            raise InputError(f"shape: must be given, one of {', '.join(SIZES)}")
        self.shape = one_of("shape", options.pop("shape"), SIZES)
        self.name: str | None = options.pop("name", None)
        if self.name is not None and (not isinstance(self.name, str) or not self.name):
            raise InputError(f"name = {self.name!r}: must be a text")
        for name in ("position", "motion"):
            if name in options:
                raise InputError(f"{name}: a generator says where its bodies are")
        self._low: dict[str, FloatArray] = {}
        self._high: dict[str, FloatArray] = {}
        for name in _ALL_SIZES:
            self._take_size(name, options)
        self.turn = turn and self.shape != "sphere" and "orientation" not in options
        self.options = options
        for sizes in (self._low, self._high):
            self._try(sizes)
        self.reach = self._reach(self._high)

    @property
    def material(self) -> str:
        return str(self.options.get("material", "default"))

    @property
    def sizes(self) -> dict[str, Any]:
        """As they were given: numbers, or [low, high]."""
        return {name: _as_given(low, self._high[name]) for name, low in self._low.items()}

    @property
    def functions(self) -> list[str]:
        """Options that are Python functions."""
        return [name for name, value in self.options.items() if callable(value)]

    def plain(self) -> dict[str, Any]:
        """As it was given: numbers, texts and lists alone."""
        name = {} if self.name is None else {"name": self.name}
        return (
            {"shape": self.shape}
            | name
            | self.sizes
            | {
                key: value if isinstance(value, str | bool) else np.asarray(value).tolist()
                for key, value in self.options.items()
            }
        )

    def draft(self, random: np.random.Generator) -> Draft:
        sizes = {}
        for name, low in self._low.items():
            high = self._high[name]
            sizes[name] = np.minimum(low + (high - low) * random.random(low.shape), high)
        orientation = None
        if self.turn:
            q = random.normal(size=4)
            orientation = q / np.linalg.norm(q)
        return Draft(sizes, orientation, self._reach(sizes))

    def place(self, world: World, draft: Draft, position: FloatArray, number: int) -> Body:
        options = dict(self.options)
        if draft.orientation is not None:
            options["orientation"] = draft.orientation
        if self.name is not None:
            options["name"] = f"{self.name} {number}"
        return self._add(world, draft.sizes, options | {"position": position})

    def check_names(self, world: World, numbers: range) -> None:
        """No name with one of these numbers may be taken."""
        for number in numbers if self.name is not None else ():
            if world.has_name(f"{self.name} {number}"):
                raise InputError(
                    f"name = {self.name!r}: a body is called '{self.name} {number}' already"
                )

    def _take_size(self, name: str, options: dict[str, Any]) -> None:
        if name not in SIZES[self.shape]:
            if name in options:
                raise InputError(
                    f"{name}: a {self.shape} has none, it takes {' and '.join(SIZES[self.shape])}"
                )
            return
        if name not in options:
            raise InputError(f"{name}: a {self.shape} needs it, in metres")
        value = options.pop(name)
        if name == "size":
            if not isinstance(value, list | tuple | np.ndarray) or len(value) != 3:
                raise InputError(f"size = {value!r}: must be three lengths > 0, or ranges of them")
            ends = np.array([_ends(f"size[{k}]", edge) for k, edge in enumerate(value)]).T
        else:
            ends = np.array(_ends(name, value))
        self._low[name], self._high[name] = ends

    def _try(self, sizes: dict[str, FloatArray]) -> None:
        """In a world of its own, whose checks are those of every body."""
        from rollcone.mechanics.world import World

        self._add(World(), sizes, dict(self.options))

    def _add(self, world: World, sizes: dict[str, Any], options: dict[str, Any]) -> Body:
        body: Body = getattr(world, f"add_{self.shape}")(**sizes, **options)
        return body

    def _reach(self, sizes: dict[str, Any]) -> float:
        if self.shape == "box":
            return float(0.5 * np.linalg.norm(sizes["size"]))
        return float(sizes["radius"] + 0.5 * sizes.get("length", 0.0))


def _ends(name: str, value: ArrayLike) -> tuple[float, float]:
    """A number or (low, high)."""
    array = bounded_array(name, value)
    if array.shape not in ((), (2,)) or (array.ndim and array[0] > array[1]):
        raise InputError(f"{name} = {value!r}: must be one number, or low and high")
    if name != "length" and array.min() <= 0:
        raise InputError(f"{name} = {value!r}: must be > 0")
    low, high = (array[0], array[1]) if array.ndim else (array, array)
    return float(low), float(high)


def _as_given(low: FloatArray, high: FloatArray) -> Any:
    if low.ndim:
        return [_as_given(a, b) for a, b in zip(low, high, strict=True)]
    return float(low) if low == high else [float(low), float(high)]
