"""What a URDF file says, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from rollcone._check import FloatArray
from rollcone.urdf.pose import Pose
from rollcone.urdf.tree import Element

MOVING = ("revolute", "continuous", "prismatic")  # with one coordinate
KINDS = (*MOVING, "fixed", "floating", "planar")


@dataclass(frozen=True, eq=False)
class MassModel:
    """mass     kg
    center   where the centre of mass is (m)
    inertia  tensor about the centre of mass (kg m2)

    Both in the axes of the link, or of the body.
    """

    mass: float
    center: FloatArray
    inertia: FloatArray


@dataclass(frozen=True, eq=False)
class ShapeModel:
    """kind   box, sphere, cylinder, capsule or mesh; convex once a mesh has been read
    sizes  by the names that World takes; of a mesh its file and scale
    pose   of its centre in the axes of the link, or of the body
    """

    kind: str
    sizes: dict[str, object]
    pose: Pose
    element: Element  # where it is told


@dataclass(frozen=True, eq=False)
class LinkModel:
    name: str
    mass: MassModel | None
    shapes: tuple[ShapeModel, ...]
    visuals: int  # how many visual shapes it has, which are not used
    element: Element


@dataclass(frozen=True)
class JointLimits:
    """What the file says of a joint's limits; None for what it does not say.

    lower, upper  ends of the range (rad or m)
    effort        the greatest torque (N m) or force (N) of a motor
    velocity      the greatest speed (rad/s or m/s) of a motor
    """

    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None


@dataclass(frozen=True)
class Mimic:
    """coordinate = multiplier * that of `joint` + offset."""

    joint: str
    multiplier: float
    offset: float


@dataclass(frozen=True, eq=False)
class JointModel:
    """origin is the frame of the joint in that of the parent link; the child's frame is there when
    the coordinate is 0. axis is a unit vector in it."""

    name: str
    kind: str
    parent: str
    child: str
    origin: Pose
    axis: FloatArray
    limits: JointLimits
    damping: float
    friction: float
    mimic: Mimic | None
    element: Element


@dataclass(frozen=True, eq=False)
class RobotModel:
    """Links and joints by name, in the order of the file, and what was not used of it."""

    name: str
    links: dict[str, LinkModel]
    joints: dict[str, JointModel]
    notes: tuple[str, ...]
    element: Element
