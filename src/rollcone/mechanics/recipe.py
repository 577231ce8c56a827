"""Bodies of one kind, to be made many times: a shape whose sizes are numbers or ranges, and what
`World.add_...` takes besides. Grids, packings and emitters make bodies from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, one_of
from rollcone.collision.shapes import reach
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC, FIELDS
from rollcone.mechanics.clump import ball_rows
from rollcone.mechanics.distributions import Distribution, Uniform, distribution
from rollcone.mechanics.part_forms import farthest_corner, point_rows, scaled_part
from rollcone.mechanics.rotations import unit_quaternion
from rollcone.mechanics.solids import SOLIDS, Solid

if TYPE_CHECKING:
    from rollcone.mechanics.body import Body, Load
    from rollcone.mechanics.world import World

SIZES = {
    "sphere": ("radius",),
    "box": ("size",),
    "capsule": ("radius", "length"),
    "clump": ("spheres",),
    "cylinder": ("radius", "height"),
    "ellipsoid": ("semi_axes",),
    "cone": ("radius", "height"),
    "convex": ("points", "scale"),
}
# Of which all bodies have the same.
_FORMS: dict[str, Callable[[str, ArrayLike], FloatArray]] = {
    "spheres": ball_rows,
    "points": point_rows,
}
_THREE = ("size", "semi_axes")
_DEFAULTS = {"scale": 1.0}
MOST = 1_000_000  # bodies that one generator makes


class RecipeOptions(TypedDict, total=False):
    """What is said of every body that a generator makes; all by keyword.

    shape             'sphere' (radius), 'box' (size), 'capsule' (radius, length), 'clump'
                      (spheres), 'cylinder' (radius, height), 'ellipsoid' (semi_axes), 'cone'
                      (radius, height) or 'convex' (points, scale)
    radius, length, height
                      m: a number, (low, high) to draw from, each as likely, or a distribution
                      such as {"distribution": "normal", "mean": 0.02, "deviation": 0.002,
                      "min": 0.015, "max": 0.025} (rollcone.mechanics.distributions)
    size              of a box: three edges (m), each likewise
    semi_axes         of an ellipsoid: three (m), each likewise
    spheres           of a clump: rows (x, y, z, radius), as in `World.add_clump`
    points            of a convex body: rows (x, y, z), as in `World.add_convex`; all have that
                      form, and differ by their `scale`, a number or likewise, 1 if not given
    orientation       of all; if not given, grids turn nothing, and packings and emitters turn
                      all but spheres at random
    name              'grain' names them 'grain 0', 'grain 1' and so on

    and as in `BodyOptions`: velocity, angular_velocity, mass, density, inertia,
    principal_axes, material, fixed, force, torque, linear_damping, angular_damping.
    """

    shape: str
    radius: ArrayLike | Mapping[str, Any]
    length: ArrayLike | Mapping[str, Any]
    height: ArrayLike | Mapping[str, Any]
    size: Any
    semi_axes: Any
    spheres: ArrayLike
    points: ArrayLike
    scale: ArrayLike | Mapping[str, Any]
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
class Drafts:
    """Bodies that have sizes and orientations, but no places yet: arrays with a row for each."""

    sizes: dict[str, FloatArray]
    orientation: FloatArray | None
    reach: FloatArray  # radius of the ball around each, m

    def first(self, count: int) -> Drafts:
        sizes = {name: values[:count] for name, values in self.sizes.items()}
        turns = None if self.orientation is None else self.orientation[:count]
        return Drafts(sizes, turns, self.reach[:count])


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
        self._drawn: dict[str, list[Distribution]] = {}  # three for a box or an ellipsoid
        self._form: dict[str, Any] = {}  # of a clump or a convex body
        for name in dict.fromkeys(name for names in SIZES.values() for name in names):
            self._take_size(name, options)
        self.turn = turn and self.shape != "sphere" and "orientation" not in options
        self.options = options
        every = [one for drawn in self._drawn.values() for one in drawn]
        self.draws = len(every)  # random numbers for its sizes
        self.random = self.turn or any(one.low < one.high for one in every)  # do bodies differ?
        self._try(self._stacked([one.low for one in every]))
        largest = self._stacked([one.high for one in every])
        made = self._try(largest)
        if self.shape == "convex":
            made = self._try({"scale": np.ones(())})
        self._row = {name: getattr(made.world.state, name)[0] for name in FIELDS}
        self._balls, self._parts = made.spheres, made.world.state.parts.of(0)
        self.reach = float(self._reach(largest))

    @property
    def material(self) -> str:
        return str(self.options.get("material", "default"))

    @property
    def sizes(self) -> dict[str, Any]:
        """As they were given: numbers, [low, high] or tables."""
        return self._form | {
            name: [one.plain() for one in drawn] if name in _THREE else drawn[0].plain()
            for name, drawn in self._drawn.items()
            if len(drawn) > 1 or drawn[0].plain() != _DEFAULTS.get(name)
        }

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

    @property
    def radii(self) -> tuple[float, float] | None:
        """Of spheres with each radius as likely: the least and the largest."""
        radius = self._drawn["radius"][0] if self.shape == "sphere" else None
        return (radius.low, radius.high) if isinstance(radius, Uniform) else None

    def draw(self, random: np.random.Generator) -> tuple[FloatArray, FloatArray | None]:
        """What the size and the orientation of one body are made of."""
        sizes = random.random(self.draws)
        return sizes, random.normal(size=4) if self.turn else None

    def drafts(self, drawn: ArrayLike, turns: Sequence[FloatArray | None] = ()) -> Drafts:
        """Of what was drawn for each body."""
        rows = np.asarray(drawn, dtype=np.float64)
        every = [one for drawn in self._drawn.values() for one in drawn]
        sizes = self._stacked([one.at(rows[:, k]) for k, one in enumerate(every)])
        orientation = None
        if self.turn:
            units = (q / np.linalg.norm(q) for q in turns if q is not None)
            orientation = np.array([unit_quaternion("orientation", q) for q in units])
        reach = np.broadcast_to(self._reach(sizes), len(rows))
        return Drafts(sizes, orientation, reach)

    def balls(self, radii: FloatArray) -> Drafts:
        """Spheres of these radii."""
        return Drafts({"radius": radii}, None, radii)

    def add(self, world: World, drafts: Drafts, position: FloatArray, first: int) -> list[Body]:
        """Bodies at these places, named from the number `first` on."""
        from rollcone.mechanics.body import Body

        row = self._row | {"position": position}
        row["material"] = world.laws.number(self.material)
        if drafts.orientation is not None:
            row["orientation"] = drafts.orientation
        if self.shape == "convex":
            row |= self._scaled(drafts.sizes["scale"])
        elif self.shape != "clump":  # of which all are alike
            row |= self._measures(SOLIDS[self.shape](**drafts.sizes))
        loads = {name: self.options[name] for name in self.functions}
        count = len(position)
        begin = world.add_rows(count, self.name, first, loads, **row)
        if self.shape == "clump":
            world.state.clumps.add(begin, self._balls, count)
        if self.shape == "convex":
            for number, scale in enumerate(drafts.sizes["scale"].tolist(), start=begin):
                world.state.parts.add(number, [scaled_part(part, scale) for part in self._parts])
        return [Body(world, number) for number in range(begin, begin + count)]

    def _measures(self, solid: Solid) -> dict[str, Any]:
        """Sizes, masses and inertias of bodies."""
        found: dict[str, Any] = {"size": solid.size}
        if self._row["kind"] == DYNAMIC:
            mass = self._row["mass"]
            if self.options.get("density") is not None:
                mass = found["mass"] = float(self.options["density"]) * solid.volume
            if "inertia" not in self.options:
                found["inertia"] = np.multiply(mass, solid.moments.T).T
        return found

    def _scaled(self, scale: FloatArray) -> dict[str, Any]:
        """The same of convex bodies: lengths by that of the scale 1."""
        row, s = self._row, scale[:, None]
        found: dict[str, Any] = {"size": s * row["size"]}
        if row["kind"] == DYNAMIC:
            heavier = s**3 if self.options.get("density") is not None else np.ones_like(s)
            found["mass"] = row["mass"] * heavier[:, 0]
            if "inertia" not in self.options:
                found["inertia"] = row["inertia"] * heavier * s**2
        return found

    def check_names(self, world: World, numbers: range) -> None:
        """No name with one of these numbers may be taken."""
        taken = None if self.name is None else world.taken(self.name, numbers)
        if taken is not None:
            raise InputError(
                f"name = {self.name!r}: a body is called '{self.name} {taken}' already"
            )

    def _take_size(self, name: str, options: dict[str, Any]) -> None:
        if name not in SIZES[self.shape]:
            if name in options:
                raise InputError(
                    f"{name}: a {self.shape} has none, it takes {' and '.join(SIZES[self.shape])}"
                )
            return
        if name not in options and name not in _DEFAULTS:
            raise InputError(f"{name}: a {self.shape} needs it, in metres")
        value = options.pop(name, _DEFAULTS.get(name))
        if name in _FORMS:
            self._form = {name: _FORMS[name](name, value).tolist()}
            return
        if name in _THREE:
            if not isinstance(value, list | tuple | np.ndarray) or len(value) != 3:
                raise InputError(
                    f"{name} = {value!r}: must be three lengths > 0, or ranges of them"
                )
            drawn = [distribution(f"{name}[{k}]", edge) for k, edge in enumerate(value)]
        else:
            drawn = [distribution(name, value, zero=name == "length")]
        self._drawn[name] = drawn

    def _stacked(self, values: Sequence[ArrayLike]) -> dict[str, FloatArray]:
        """Sizes by name, of what was drawn for each: edges and semi-axes side by side."""
        for name in _THREE:
            if name in self._drawn:
                return {name: np.stack([np.asarray(edge) for edge in values], axis=-1)}
        return {name: np.asarray(one) for name, one in zip(self._drawn, values, strict=True)}

    def _try(self, sizes: dict[str, FloatArray]) -> Body:
        """In a world of its own, whose checks are those of every body."""
        from rollcone.mechanics.world import World

        given = self._form | sizes
        if self.shape == "convex":
            given = {"points": np.asarray(given["points"]) * given["scale"]}
        body: Body = getattr(World(), f"add_{self.shape}")(**given, **self.options)
        return body

    def _reach(self, sizes: dict[str, FloatArray]) -> FloatArray:
        if self.shape == "clump":
            return np.asarray(self._row["size"][2])
        if self.shape == "convex":
            return np.asarray(sizes["scale"] * farthest_corner(self._parts[0]))
        solid = SOLIDS[self.shape](**sizes)
        rows = np.atleast_2d(solid.size)
        return reach(np.full(len(rows), solid.shape), rows).reshape(solid.size.shape[:-1])
