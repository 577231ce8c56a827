"""A handle on one joint: a world and the number of a joint in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rollcone._check import FloatArray, one_of
from rollcone.errors import InputError
from rollcone.mechanics.elements import Element
from rollcone.mechanics.joints import COORDINATES, KINDS, WORLD, JointSpec
from rollcone.mechanics.kernels import joint_row as kernels
from rollcone.mechanics.new_joint import point_in_world, with_elements
from rollcone.mechanics.rotations import rotation_matrix

if TYPE_CHECKING:
    from rollcone.mechanics.body import Body
    from rollcone.mechanics.world import World


class Joint:
    """What is known of one joint, as its bodies are now. `rc.Run.joint` has it over time."""

    __slots__ = ("id", "world")

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.id = number

    @property
    def spec(self) -> JointSpec:
        """As it was added."""
        spec = self.world.joints.specs[self.id]
        if spec is None:
            raise InputError(f"joint {self.id} has been removed from its world")
        return spec

    @property
    def removed(self) -> bool:
        return self.world.joints.specs[self.id] is None

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def kind(self) -> str:
        return self.spec.kind

    @property
    def base(self) -> Body | None:
        """None is the world."""
        return None if self.spec.base == WORLD else self.world.body(self.spec.base)

    @property
    def body(self) -> Body | None:
        """None for a gear."""
        return None if self.spec.body == WORLD else self.world.body(self.spec.body)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Their names: angle, angle2, slide, length, as the kind has them."""
        return KINDS[self.kind][1]

    @property
    def elements(self) -> dict[str, tuple[Element, ...]]:
        """What acts on each coordinate."""
        return dict(self.spec.elements)

    @property
    def point(self) -> FloatArray:
        """On the body (m, world axes)."""
        return point_in_world(self.world, self.spec.body, self.spec.body_point)

    @property
    def base_point(self) -> FloatArray:
        """On the base (m, world axes)."""
        return point_in_world(self.world, self.spec.base, self.spec.base_point)

    @property
    def axes(self) -> FloatArray:
        """(3, 3): the axes of the joint on its base, by rows in world axes; the last is `axis`.
        Reactions are told in them."""
        base, frame = self.spec.base, rotation_matrix(self.spec.base_frame)
        turn = np.eye(3) if base == WORLD else rotation_matrix(self.world.state.orientation[base])
        return np.asarray((turn @ frame).T)

    @property
    def axis(self) -> FloatArray:
        return np.asarray(self.axes[2])

    def add(self, *elements: Element, coordinate: str | None = None) -> None:
        """More that acts on a coordinate: rc.Motor and the like, one of each kind at most; the name
        of the coordinate may be left out where there is but one."""
        word = self._word(coordinate)
        now = self.coordinate(word)
        self.world.joints.change(self.id, with_elements(self.spec, word, elements, now))

    def coordinate(self, name: str | None = None) -> float:
        """rad or m; the name may be left out where there is but one."""
        return self._measured(name)[0]

    def rate(self, name: str | None = None) -> float:
        """Of a coordinate, rad/s or m/s."""
        _, G = self._measured(name)
        state, spec, total = self.world.state, self.spec, 0.0
        for side, number in enumerate((spec.base, spec.body)):
            if number != WORLD:
                total += G[0, side, :3] @ state.velocity[number]
                total += G[0, side, 3:] @ state.angular_velocity[number]
        return float(total)

    def _measured(self, name: str | None) -> tuple[float, FloatArray]:
        word = self._word(name)
        G, state = np.zeros((1, 4, 6)), self.world.state
        value = kernels.measure(
            self.world.joints.arrays(), self.id, COORDINATES[word], 1.0, state.position,
            state.orientation, G, 0, 0,
        )  # fmt: skip
        return float(value), G

    def _word(self, name: str | None) -> str:
        """Of a coordinate that it has."""
        names = self.coordinates
        if not names:
            raise InputError(f"joint {self.name!r}: a {self.kind} has no coordinate")
        if name is None and len(names) > 1:
            raise InputError(f"name: must be one of {', '.join(names)}")
        return names[0] if name is None else one_of("name", name, names)

    def __repr__(self) -> str:
        if self.removed:
            return f"Joint({self.id}, removed)"
        spec = self.spec
        if spec.kind == "gear":
            return f"Joint({spec.name!r}, gear)"
        ends = [
            "the world" if k == WORLD else repr(self.world.name_of(k))
            for k in (spec.base, spec.body)
        ]
        return f"Joint({spec.name!r}, {spec.kind}, {ends[0]} to {ends[1]})"
