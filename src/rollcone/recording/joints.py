"""What is kept of the joints of each recorded moment.

JOINT numbers per joint: the force and the torque on its body, at its point there, in the axes of
the joint on its base (N, N m; means over the last step); its coordinates (rad or m), in the order
of its kind, and their rates; and what limits, friction, motor and spring do on each (N m or N).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rollcone._check import FloatArray
from rollcone.mechanics.elements import ELEMENTS
from rollcone.mechanics.joint_places import joint_places, turned
from rollcone.mechanics.joints import COORDINATES, KINDS, WORLD
from rollcone.mechanics.kernels.joint_row import joint_coordinates

if TYPE_CHECKING:
    from rollcone.mechanics.world import World
    from rollcone.stepping.step import Step

WORDS = tuple(ELEMENTS)
_FORCE, _TORQUE, _VALUE, _RATE, _EFFORT = 0, 3, 6, 8, 10
JOINT = _EFFORT + 2 * len(WORDS)


@dataclass(frozen=True)
class JointTrack:
    """One joint over the recorded times; NaN before it was added and after it was removed.

    force, torque  (moments, 3) on its body at its point there, N and N m, in the axes of the joint
                   on its base, the third of which is the joint's; means over the last step
    coordinate     by name ('angle', 'angle2', 'slide', 'length'), rad or m, (moments,)
    rate           of the coordinates
    effort         by name of coordinate and element ('angle.motor', 'slide.friction'), N m or N
    """

    force: FloatArray
    torque: FloatArray
    coordinate: dict[str, FloatArray]
    rate: dict[str, FloatArray]
    effort: dict[str, FloatArray]


@dataclass(frozen=True)
class RecordedJoints:
    """All joints at one recorded moment, by number, in world axes; NaN where there was none. Gears
    have no points and no forces."""

    point: FloatArray  # (j, 3), on the body, m
    base_point: FloatArray  # (j, 3), on the base, m
    axis: FloatArray  # (j, 3), on the base
    force: FloatArray  # (j, 3), on the body at its point, N, mean over the last step
    torque: FloatArray  # (j, 3), likewise, N m

    def __len__(self) -> int:
        return len(self.point)


class JointStates:
    """An array (moments, joints, JOINT) that grows; joints that were not there yet have NaN."""

    def __init__(self) -> None:
        self._columns: list[tuple[int, FloatArray]] = []

    def append(self, world: World, step: Step | None) -> None:
        self._columns.append((len(world.joints), joint_numbers(world, step)))

    def at(self, moment: int) -> FloatArray:
        """(joints, JOINT) of those that were there by then."""
        return self._columns[moment][1]

    def of(self, number: int) -> FloatArray:
        """(moments, JOINT) of one joint, NaN where there is none."""
        found = np.full((len(self._columns), JOINT), np.nan)
        for k, (count, values) in enumerate(self._columns):
            if number < count:
                found[k] = values[number]
        return found

    def all(self) -> FloatArray:
        """NaN where there is none."""
        width = max((count for count, _ in self._columns), default=0)
        found = np.full((len(self._columns), width, JOINT), np.nan)
        for k, (count, values) in enumerate(self._columns):
            found[k, :count] = values
        return found


def joint_numbers(world: World, step: Step | None) -> FloatArray:
    """(joints, JOINT) now; reactions are those of the step that led here, if there was one."""
    joints, state = world.joints.arrays(), world.state
    found = np.full((len(joints.base), JOINT), np.nan)
    if not len(found):
        return found
    codes = np.full((len(found), 2), -1, dtype=np.int64)
    for number, spec in world.joints:
        found[number, _EFFORT:] = 0.0
        for k, name in enumerate(KINDS[spec.kind][1]):
            codes[number, k] = COORDINATES[name]
    values, rates = found[:, _VALUE:_RATE].copy(), found[:, _RATE:_EFFORT].copy()
    joint_coordinates(
        joints, codes, state.position, state.orientation, state.velocity, state.angular_velocity,
        np.zeros((1, 4, 6)), values, rates,
    )  # fmt: skip
    found[:, _VALUE:_RATE], found[:, _RATE:_EFFORT] = values, rates
    for number, _ in world.joints:
        found[number, :_VALUE] = 0.0
    if step is not None:
        _put_reactions(world, step, found)
    return found


def _put_reactions(world: World, step: Step, found: FloatArray) -> None:
    """Of joints that are still there."""
    last, specs = step.mechanism.last, world.joints.specs
    for number, wrench in enumerate(last.wrench):
        if specs[number] is not None:
            found[number, :_VALUE] = wrench
    for (number, name, element), p in zip(last.elements, last.p, strict=True):
        spec = specs[number]
        if element is not None and spec is not None:
            slot = spec.coordinates.index(name) * len(WORDS)
            found[number, _EFFORT + slot + WORDS.index(element.word)] += p / step.h


@np.errstate(over="ignore", invalid="ignore")  # what is no number in a file is none here
def recorded_joints(
    world: World, values: FloatArray, position: FloatArray, orientation: FloatArray
) -> RecordedJoints:
    """From the numbers (joints, JOINT) and the states of all bodies at one moment; joints that came
    later may have no row."""
    joints, given = world.joints.ever_arrays(), values
    values = np.full((len(joints.base), JOINT), np.nan)
    values[: len(given)] = given
    places = joint_places(joints, position, orientation, np.zeros(3))
    there = (np.isfinite(values[:, _FORCE]) & (joints.body != WORLD))[:, None]
    frame = np.where(there, places.base_frame, np.nan)
    return RecordedJoints(
        point=np.where(there, places.body_point, np.nan),
        base_point=np.where(there, places.base_point, np.nan),
        axis=turned(frame, np.tile((0.0, 0.0, 1.0), (len(frame), 1))),
        force=turned(frame, values[:, _FORCE:_TORQUE]),
        torque=turned(frame, values[:, _TORQUE:_VALUE]),
    )


def joint_track(world: World, number: int, values: FloatArray) -> JointTrack:
    """From the numbers (moments, JOINT) of one joint."""
    spec = world.joints.ever()[number]
    names = spec.coordinates
    efforts = {
        f"{name}.{element.word}": values[:, _EFFORT + k * len(WORDS) + WORDS.index(element.word)]
        for k, name in enumerate(names)
        for element in spec.elements.get(name, ())
    }
    return JointTrack(
        force=values[:, _FORCE:_TORQUE],
        torque=values[:, _TORQUE:_VALUE],
        coordinate={name: values[:, _VALUE + k] for k, name in enumerate(names)},
        rate={name: values[:, _RATE + k] for k, name in enumerate(names)},
        effort=efforts,
    )
