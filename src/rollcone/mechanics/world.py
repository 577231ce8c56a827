"""The world: bodies, gravity, and what their materials do to each other."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollcone._arguments import named_arguments
from rollcone._check import FloatArray, did_you_mean, true_or_false
from rollcone.collision.clumps import Clumps
from rollcone.collision.parts import Parts
from rollcone.collision.shapes import CLUMP, CONE, SHAPE_NAMES
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC, FIXED, REMOVED, STATE, Bodies
from rollcone.mechanics.body import Body, check_load, vector
from rollcone.mechanics.bowls import check_bowls
from rollcone.mechanics.containers import ContainerOptions, add_container
from rollcone.mechanics.emitter import Emitter
from rollcone.mechanics.generators import add_grid, add_packing
from rollcone.mechanics.joint import Joint
from rollcone.mechanics.joints import Joints
from rollcone.mechanics.materials import ContactLaw, LawTable
from rollcone.mechanics.names import Names
from rollcone.mechanics.new_body import body_row
from rollcone.mechanics.new_joint import JointOptions, make_joint
from rollcone.mechanics.options import BodyOptions, Motion
from rollcone.mechanics.periodic import check_periodic, periodic_ends
from rollcone.mechanics.recipe import Recipe, RecipeOptions
from rollcone.mechanics.solids import Solid
from rollcone.mechanics.world_shapes import WorldShapes

_NONE = (0.0, 0.0, 0.0)
_ASKED = 10_000  # names in which a misspelled one is looked for: it takes 0.2 s


class World(WorldShapes):
    """Bodies and laws. `gravity` in m/s2; there is none unless it is given.

    world = World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0, 0, 1))
    ball = world.add_sphere(radius=0.5, density=2500, position=(0, 0, 0.5))
    world.set_contact_law(ContactLaw(sliding=0.2, rolling=0.04))
    """

    __slots__ = (
        "_gravity", "_names", "_periodic", "emitters", "family", "joints", "laws", "loads",
        "motions", "state",
    )  # fmt: skip

    @named_arguments()
    def __init__(self, *, gravity: ArrayLike = _NONE) -> None:
        self.gravity = gravity
        self.state = Bodies()
        self.laws = LawTable()
        self.joints = Joints()
        self.loads: dict[tuple[int, str], Callable[[float, Body], ArrayLike]] = {}
        self.motions: dict[int, Motion] = {}
        self.emitters: list[Emitter] = []
        self.family = object()  # shared with copies: their bodies have the same numbers
        self._names = Names()
        self._periodic: dict[str, list[float]] = {}

    @property
    def gravity(self) -> FloatArray:
        return self._gravity

    @gravity.setter
    def gravity(self, value: ArrayLike) -> None:
        self._gravity = vector("gravity", value).copy()

    def add_container(self, **container: Unpack[ContainerOptions]) -> list[Body]:
        """A tray, a cylinder or a hopper of fixed boxes or planes; see `ContainerOptions`."""
        return add_container(self, container)

    def add_grid(
        self,
        *,
        counts: ArrayLike,
        spacing: ArrayLike,
        origin: ArrayLike = _NONE,
        jitter: float = 0.0,
        seed: int = 0,
        **recipe: Unpack[RecipeOptions],
    ) -> list[Body]:
        """Bodies in rows, columns and layers; see `RecipeOptions` for what they are.

        counts   along x, y and z; numbered along x first, then y, then z
        spacing  m, from centre to centre: one number or three
        origin   centre of the first body, the one with the least x, y and z
        jitter   m: every coordinate is shifted at random by up to this much, with `seed`

        That bodies do not overlap is left to the caller.
        """
        return add_grid(self, Recipe(recipe, turn=False), counts, spacing, origin, jitter, seed)

    def add_packing(
        self,
        *,
        low: ArrayLike,
        high: ArrayLike,
        count: int,
        seed: int = 0,
        **recipe: Unpack[RecipeOptions],
    ) -> list[Body]:
        """`count` bodies at random in a box, none overlapping another or what is there.

        Centres are between the corners `low` and `high` (m). Balls around the bodies are kept
        apart; expect to fill no more than a third of the box. See `RecipeOptions`.
        """
        return add_packing(self, Recipe(recipe, turn=True), low, high, count, seed)

    def add_emitter(
        self,
        *,
        low: ArrayLike,
        high: ArrayLike,
        rate: float,
        count: int,
        start: float = 0.0,
        seed: int = 0,
        state: dict[str, int] | None = None,
        **recipe: Unpack[RecipeOptions],
    ) -> Emitter:
        """Pour bodies while the world is simulated: `rate` per second from time `start` on, `count`
        in all, centres at random between the corners `low` and `high` (m), where there is
        room. See `RecipeOptions`; `velocity` is what they begin with. To go on where another
        emitter was, give its `state()`."""
        made = Recipe(recipe, turn=True)
        emitter = Emitter(made, low=low, high=high, rate=rate, count=count, start=start, seed=seed)
        if state is not None:
            emitter.restore(state)
        made.check_names(self, range(emitter.placed, emitter.count))
        self.laws.number(made.material)
        self.emitters.append(emitter)
        return emitter

    def add_joint(self, *, kind: str, **options: Unpack[JointOptions]) -> Joint:
        """Hold a body against another or the world: spherical, revolute, prismatic, cylindrical,
        universal, fixed, distance, point-on-line, point-on-plane, gear; link and free hold
        nothing, but have coordinates for springs and the like. See `JointOptions`."""
        spec, turns = make_joint(self, kind, options)
        number = self.joints.add(spec, (float(turns[0]), float(turns[1])))
        return Joint(self, number)

    def joint(self, which: Joint | str | int) -> Joint:
        """A handle by name or number, or on this world's twin of another world's joint."""
        joint = Joint(self, self.joint_number(which))
        if joint.removed:
            raise InputError(f"joint {which!r} has been removed from its world")
        return joint

    def joint_number(self, which: Joint | str | int) -> int:
        """The number of a joint, also if it has been removed."""
        number = self.joints.number(which) if isinstance(which, str) else which
        if isinstance(number, Joint):
            if number.world.family is not self.family:
                raise InputError("joint: belongs to another world")
            number = number.id
        if not isinstance(number, int | np.integer) or not 0 <= number < len(self.joints):
            known = [spec.name for _, spec in self.joints]
            hint = did_you_mean(which, known) if isinstance(which, str) else ""
            raise InputError(f"joint {which!r}: there is none of that name or number{hint}")
        return int(number)

    def remove_joint(self, joint: Joint | str | int) -> None:
        """Take a joint out of the world, also while it runs."""
        self.joints.remove(self.joint(joint).id)

    def set_periodic(self, **ends: tuple[float, float]) -> None:
        """Make the world repeat itself along some axes: set_periodic(x=(0, 1), y=(-2, 2)), in
        metres; without any, nowhere. What leaves at one end comes in at the other. Positions are
        not wrapped: they tell how far a body has gone; `wrapped` gives those within the box.
        Bodies must be small beside it, and planes along its periodic axes."""
        self._periodic = periodic_ends(ends)
        self.state.period[:] = [b - a for a, b in map(self._ends, "xyz")]

    @property
    def periodic(self) -> dict[str, list[float]]:
        """The axes along which the world repeats itself, with their two ends (m)."""
        return {axis: list(ends) for axis, ends in self._periodic.items()}

    def wrapped(self, position: ArrayLike) -> FloatArray:
        """Positions (..., 3) as they are within the periodic box."""
        low, length = np.array([self._ends(axis)[0] for axis in "xyz"]), self.state.period
        turns = np.floor((np.asarray(position) - low) / np.where(length > 0, length, np.inf))
        return np.asarray(position - length * turns)

    def _ends(self, axis: str) -> tuple[float, float]:
        low, high = self._periodic.get(axis, (0.0, 0.0))
        return low, high

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
        for joint, spec in list(self.joints):
            if number in (spec.base, spec.body) and self.joints.specs[joint] is not None:
                self.joints.remove(joint)
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
        number = self._names.body(which) if isinstance(which, str) else which
        if isinstance(number, Body):
            if number.world.family is not self.family:
                raise InputError(f"body {number.name!r} belongs to another world")
            number = number.id
        if not isinstance(number, int | np.integer) or not 0 <= number < len(self.state):
            some = itertools.islice(self._names, _ASKED)
            hint = did_you_mean(which, some) if isinstance(which, str) else ""
            raise InputError(f"body {which!r}: there is none of that name or number{hint}")
        return int(number)

    def name_of(self, number: int) -> str:
        return self._names.of(number)

    @property
    def names(self) -> tuple[str, ...]:
        """Of all bodies by their numbers, also of those that have been removed."""
        return tuple(self._names)

    def has_name(self, name: str) -> bool:
        """Does or did a body have that name?"""
        return self._names.body(name) >= 0

    def taken(self, word: str, numbers: range) -> int | None:
        """The least of these numbers with which `word` is or was the name of a body."""
        return self._names.first_taken(word, numbers)

    def copy(self) -> World:
        """An independent twin with the same bodies, names and numbers."""
        twin = World(gravity=self.gravity)
        twin.state, twin.laws = self.state.copy(), self.laws.copy()
        twin.loads, twin.motions = dict(self.loads), dict(self.motions)
        twin._names, twin.joints = self._names.copy(), self.joints.copy()
        twin.emitters = [emitter.copy() for emitter in self.emitters]
        twin.family, twin._periodic = self.family, self.periodic
        return twin

    def functions(self) -> list[str]:
        """Python functions that act on bodies, which no file can hold: "force of 'ball'"."""
        named = [f"{field} of {self.name_of(number)!r}" for number, field in self.loads]
        named += [f"motion of {self.name_of(number)!r}" for number in self.motions]
        for _, spec in self.joints:
            named += [f"{place} of {spec.name!r}" for place in spec.functions()]
        for emitter in self.emitters:
            named += [f"{name} of {emitter!r}" for name in emitter.recipe.functions]
        return named

    def adopt(
        self,
        names: Sequence[str],
        arrays: Mapping[str, NDArray[Any]],
        clumps: Clumps,
        parts: Parts,
    ) -> None:
        """Bodies as a file has them: their names, the arrays of `Bodies`, the balls of clumps and
        the parts of others."""
        self.state = Bodies.of(arrays, clumps, parts)
        self._names = Names(names)

    def to_scene(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        until: float,
        step: float,
        title: str = "",
        overwrite: bool = False,
        **settings: Any,
    ) -> str:
        """The text of a scene file with this world; written to `path`, if that is given.

        `settings` are those of `Simulation` (scheme, solver, tolerance and so on) and of the
        file's table [output]: every, contacts, flush. Loading gives the same bits. Removed
        bodies are left out, and those after them move up; names stay. Forces, torques and
        motions that are Python functions cannot be written.
        """
        from rollcone.scene.write import save_text, write_scene

        text = write_scene(self, title, {"until": until, "step": step} | settings)
        if path is not None:
            save_text(text, path, true_or_false("overwrite", overwrite))
        return text

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
        """Everything may have been changed through arrays: is it still finite, and does it fit into
        a periodic box and into bowls? What joints keep from touching is noted."""
        for field in STATE:
            values = getattr(self.state, field)
            if np.isfinite(values).all():
                continue
            bad = ~np.isfinite(values).all(axis=1) & (self.state.kind != REMOVED)
            if bad.any():
                worst = int(np.argmax(bad))
                raise InputError(
                    f"{field} of body {self.name_of(worst)!r} = {values[worst]}: must be finite"
                )
        check_periodic(self)
        check_bowls(self)
        self.check_contours()
        self.state.apart = self.joints.apart()

    def check_contours(self) -> None:
        """Is contour friction asked of no clump, cone, or body that is made of parts?"""
        shape = self.state.shape
        found = np.flatnonzero(((shape == CLUMP) | (shape >= CONE)) & (self.state.kind != REMOVED))
        if len(found) and self.laws.along_contours:
            body = self.body(int(found[0]))
            raise InputError(
                f"contour friction: body {body.name!r} is a {body.shape}, whose contacts do not "
                "tell how it is curved; use rolling friction"
            )

    def warnings(self) -> list[str]:
        """What is likely a mistake: bodies that overlap, materials that meet without a law."""
        from rollcone.mechanics.warnings import warnings

        return warnings(self)

    def __repr__(self) -> str:
        kinds = self.state.kind
        moving, fixed = int((kinds == DYNAMIC).sum()), int((kinds == FIXED).sum())
        return f"World({moving} dynamic and {fixed} fixed bodies)"

    def add_rows(
        self, count: int, word: str | None, first: int, loads: Mapping[str, Any], **rows: Any
    ) -> int:
        """So many bodies of one shape as rows of `Bodies`, which have been checked, named by `word`
        and the numbers from `first` on, or names are made up; the first body's number."""
        taken = None if word is None else self.taken(word, range(first, first + count))
        if taken is not None:
            raise _taken(f"{word} {taken}")
        begin = self.state.add(count, **rows)
        if word is None:
            self._names.make_up(SHAPE_NAMES[rows["shape"]], count)
        else:
            self._names.add_run(word, first, count)
        for field, function in loads.items():
            self.loads.update(((begin + k, field), function) for k in range(count))
        return begin

    def _add(
        self, solid: Callable[..., Solid], sizes: tuple[Any, ...], options: BodyOptions
    ) -> Body:
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused
            shape, size, volume, moments = solid(*sizes)
            row = body_row(self.laws, float(volume), moments, options)
        loads = {field: options[field] for field in ("force", "torque") if field in options}
        for field, value in loads.items():
            if callable(value):
                check_load(field, value)
            else:
                vector(field, value)
        motion = options.get("motion")
        if motion is not None and not callable(motion):
            raise InputError(f"motion = {motion!r}: must be a function of time")
        name = options.get("name")
        if name is not None:
            self._check_name(name)
        number = self.state.add(shape=shape, size=size, **row)
        if name is None:
            self._names.make_up(SHAPE_NAMES[shape], 1)
        else:
            self._names.add(name)
        body = Body(self, number)
        for field, value in loads.items():
            setattr(body, field, value)
        if motion is not None:
            self.motions[number] = motion
        return body

    def _check_name(self, name: str) -> None:
        if not isinstance(name, str) or not name:
            raise InputError(f"name = {name!r}: must be a text")
        if self._names.body(name) >= 0:
            raise _taken(name)


def _taken(name: str) -> InputError:
    return InputError(f"name = {name!r}: a body has that name already")
