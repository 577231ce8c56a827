"""Which links move as one body, and where they are.

Links that a joint holds fast are one part, which has the frame of its first link. A part is moved
by one joint, but for that of the root.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from rollcone._check import did_you_mean, one_number
from rollcone.errors import InputError
from rollcone.urdf.model import MOVING, JointModel, RobotModel
from rollcone.urdf.pose import Pose, about

_ROUNDED = 1e-9  # rad or m: so far outside of a range is still its end


@dataclass(eq=False)
class Part:
    """joint  that moves it; None for the part of the root
    base   the part that its joint is on
    pose   in the world
    links  where they are in it
    """

    joint: JointModel | None
    base: Part | None
    pose: Pose
    links: dict[str, Pose] = field(default_factory=dict)

    @property
    def first(self) -> str:
        """The name of its first link."""
        return next(iter(self.links))

    @property
    def held(self) -> bool:
        """Does a joint hold it?"""
        return self.joint is not None and self.joint.kind != "floating"


def motion(joint: JointModel, value: float) -> Pose:
    """Of the child, from where it is when the coordinate is 0."""
    if joint.kind == "prismatic":
        return Pose(value * joint.axis)
    return about(joint.axis, value) if joint.kind in MOVING else Pose()


def locked(robot: RobotModel, joint: JointModel) -> float | None:
    """The coordinate of a joint that cannot move; None if it can."""
    ends = joint.limits
    if joint.kind == "fixed":
        return 0.0
    if ends.lower is not None and ends.lower == ends.upper:
        return ends.lower
    if joint.mimic is None:
        return None
    followed = locked(robot, robot.joints[joint.mimic.joint])
    if joint.mimic.multiplier == 0.0:
        return joint.mimic.offset
    return None if followed is None else joint.mimic.multiplier * followed + joint.mimic.offset


def start_positions(
    robot: RobotModel, given: Mapping[str, float], notes: list[str]
) -> dict[str, float]:
    """Coordinates of all joints that have one, at the start: as given, or 0, or next to it in the
    joint's range."""
    free = {
        name: joint
        for name, joint in robot.joints.items()
        if joint.kind in MOVING and joint.mimic is None and locked(robot, joint) is None
    }
    for name in given:
        if name not in free:
            why = "it has none of its own" if name in robot.joints else "there is no such joint"
            raise InputError(
                f"joint_positions: {name!r}: {why}{did_you_mean(name, free)}; there are "
                f"{', '.join(free) or 'none'}"
            )
    found: dict[str, float] = {}
    for name, joint in free.items():
        lower, upper = _ends(joint)
        value = one_number(f"joint_positions: {name!r}", given[name]) if name in given else 0.0
        near = min(max(value, lower), upper)
        if name in given and abs(near - value) > _ROUNDED:
            raise InputError(
                f"joint_positions: {name!r} = {value:g}: must be from {lower:g} to {upper:g}"
            )
        if name not in given and near != value:
            notes.append(f"joint {name!r}: 0 is not in its range, so it begins at {near:g}.")
        found[name] = near
    for name, joint in robot.joints.items():
        if joint.kind in MOVING and name not in found:
            found[name] = _following(robot, joint, found)
    return found


def _ends(joint: JointModel) -> tuple[float, float]:
    lower, upper = joint.limits.lower, joint.limits.upper
    return (-np.inf if lower is None else lower, np.inf if upper is None else upper)


def _following(robot: RobotModel, joint: JointModel, found: dict[str, float]) -> float:
    """Of a joint that cannot move, or that follows another."""
    held = locked(robot, joint)
    if held is not None:
        return held
    chain = [joint]
    while chain[-1].mimic is not None and chain[-1].name not in found:
        chain.append(robot.joints[chain[-1].mimic.joint])
    value = found[chain[-1].name]
    for one in reversed(chain[:-1]):
        assert one.mimic is not None
        value = one.mimic.multiplier * value + one.mimic.offset
    lower, upper = _ends(joint)
    if not lower - _ROUNDED <= value <= upper + _ROUNDED:
        raise joint.element.wrong(
            f"follows {chain[-1].name!r} to {value:g}: must be from {lower:g} to {upper:g}; begin "
            f"elsewhere with joint_positions={{{chain[-1].name!r}: ...}}"
        )
    return value


def parts_of(robot: RobotModel, root: Pose, positions: Mapping[str, float]) -> list[Part]:
    """Those of a robot whose root link is at `root`, parents first."""
    below: dict[str, list[JointModel]] = {}
    for joint in robot.joints.values():
        below.setdefault(joint.parent, []).append(joint)
    children = {joint.child for joint in robot.joints.values()}
    first = next(name for name in robot.links if name not in children)
    parts = [Part(None, None, root, {first: Pose()})]
    waiting = [(first, parts[0])]
    for link, part in waiting:
        for joint in below.get(link, ()):
            turned = part.links[link] @ joint.origin @ motion(joint, positions.get(joint.name, 0.0))
            own = part
            if locked(robot, joint) is None:
                own = Part(joint, part, part.pose @ turned)
                parts.append(own)
                turned = Pose()
            own.links[joint.child] = turned
            waiting.append((joint.child, own))
    return parts
