"""The bodies and joints of a robot, put into a world."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from rollcone.errors import InputError
from rollcone.mechanics.body import Body
from rollcone.mechanics.elements import Element as Acting
from rollcone.mechanics.elements import JointFriction, Limits, Spring
from rollcone.mechanics.inertia import principal_axes
from rollcone.mechanics.joint import Joint
from rollcone.mechanics.rotations import quaternion_between, rotation_matrix
from rollcone.mechanics.world import World
from rollcone.urdf.mass import merged, seen_from
from rollcone.urdf.meshes import Meshes
from rollcone.urdf.model import JointModel, MassModel, RobotModel, ShapeModel
from rollcone.urdf.parts import Part, locked
from rollcone.urdf.pose import Pose
from rollcone.urdf.robot import Robot
from rollcone.urdf.solid import add_solid
from rollcone.urdf.tree import Element

Made = TypeVar("Made")
_UP = (0.0, 0.0, 1.0)


class Builder:
    """Puts one robot into a world, part by part."""

    def __init__(
        self, world: World, robot: RobotModel, prefix: str, material: str, meshes: Meshes
    ) -> None:
        self._robot, self._prefix, self._material = robot, prefix, material
        self._meshes = meshes
        self._frames: dict[Part, Pose] = {}  # of bodies in their parts
        self._bodies: dict[Part, Body] = {}
        self._ghosts: set[Part] = set()  # bodies without a shape
        self.made = Robot(world, robot.name, {}, {}, {}, {}, list(robot.notes))

    def build(self, parts: list[Part], positions: dict[str, float], fixed_base: bool) -> Robot:
        for part in parts:
            self._add_part(part, part.joint is None and fixed_base, parts)
        for part in parts:
            if part.held:
                self._add_joint(part, positions)
        for joint in self._robot.joints.values():
            self._note_joint(joint)
        self._note_motors()
        self._add_gears()
        self._keep_ghosts_apart()
        return self.made

    def _add_part(self, part: Part, fixed: bool, parts: list[Part]) -> None:
        notes, links = self.made.notes, [self._robot.links[name] for name in part.links]
        if len(links) > 1:
            names = ", ".join(repr(link.name) for link in links)
            single = self._name(links[0].name)
            notes.append(
                f"links {names}: held fast to each other, so they are one body, named {single!r}."
            )
        found = [seen_from(link.mass, part.links[link.name]) for link in links if link.mass]
        shapes = [
            self._meshes.solid(_moved(shape, part.links[link.name]), notes)
            for link in links
            for shape in link.shapes
        ]
        mass = merged(found)
        first = links[0].element
        alone = not part.held and not any(other.base is part and other.held for other in parts)
        if not shapes and (fixed or (mass is None and alone)):
            notes.append(f"{first.owner}has no shape and does not move, so it has no body.")
            self.made.frames.update({name: part.pose @ at for name, at in part.links.items()})
            return
        if mass is None and not fixed:
            raise first.wrong(
                "has no mass, but can move: must have an <inertial> with a mass > 0"
                + ("" if part.joint is not None else ", or fixed_base=True")
            )
        if mass is not None and not fixed:
            tensor = mass.inertia
            _told(first, lambda: principal_axes(tensor))
        for link in links:
            if link.mass is None and not fixed:
                notes.append(f"link {link.name!r}: has no inertia; it adds none to its body.")
        if fixed and mass is not None:
            notes.append(f"{first.owner}is fixed, so its mass does not matter.")
        if not shapes:
            self._ghosts.add(part)
        body, frame = _told(first, lambda: self._solid(part, shapes, None if fixed else mass))
        if not shapes:
            notes.append(
                f"{first.owner}has no collision shape; it is a ball of radius {body.size[0]:.3g} m "
                "about its centre of mass, which touches no other part of the robot."
            )
        elif body.shape == "clump":
            notes.append(f"{first.owner}its balls are one body, a clump.")
        self._bodies[part], self._frames[part] = body, frame
        for name, at in part.links.items():
            self.made.bodies[name] = body
            self.made.frames[name] = frame.inverse() @ at

    def _solid(
        self, part: Part, shapes: list[ShapeModel], mass: MassModel | None
    ) -> tuple[Body, Pose]:
        options: dict[str, Any] = {"name": self._name(part.first), "material": self._material}
        return add_solid(self.made.world, shapes, mass, part.pose, options)

    def _name(self, name: str) -> str:
        return f"{self._prefix} {name}" if self._prefix else name

    def _add_joint(self, part: Part, positions: dict[str, float]) -> None:
        joint, base = part.joint, part.base
        assert joint is not None
        assert base is not None
        axis = Pose(np.zeros(3), rotation_matrix(quaternion_between(_UP, joint.axis)))
        on_base = base.links[joint.parent] @ joint.origin @ axis
        if base in self._bodies:
            on_base = self._frames[base].inverse() @ on_base
        else:
            on_base = base.pose @ on_base
        on_body = self._frames[part].inverse() @ axis
        options: dict[str, Any] = {
            "base": self._bodies.get(base),
            "body": self._bodies[part],
            "base_frame": on_base.quaternion,
            "body_frame": on_body.quaternion,
            "base_point": on_base.position,
            "body_point": on_body.position,
        }
        if joint.kind == "planar":
            self._add_plane(joint, on_body, options)
            return
        coordinate = "slide" if joint.kind == "prismatic" else "angle"
        if coordinate == "angle":
            options["turns"] = (positions[joint.name], 0.0)
        options["kind"] = "prismatic" if coordinate == "slide" else "revolute"
        options[coordinate] = _elements(joint)
        self.made.limits[joint.name] = joint.limits
        self._put(joint, self._name(joint.name), options)

    def _add_plane(self, joint: JointModel, on_body: Pose, options: dict[str, Any]) -> None:
        """Three points of the body on the plane: no row of these is one too many."""
        body: Body = options["body"]
        radius = float(np.sqrt(body.inertia.mean() / body.mass))
        for k in range(3):
            angle = 2.0 * np.pi * k / 3.0
            around = on_body.turn @ (radius * np.array([np.cos(angle), np.sin(angle), 0.0]))
            point = {"kind": "point-on-plane", "body_point": on_body.position + around}
            name = self._name(joint.name) + (f" {k + 1}" if k else "")
            self._put(joint, name, options | point)
        self.made.notes.append(
            f"joint {joint.name!r}: planar, so three points of the body are held on its plane, by "
            "three joints."
        )

    def _put(self, joint: JointModel, name: str, options: dict[str, Any]) -> None:
        world = self.made.world
        added = _told(joint.element, lambda: world.add_joint(name=name, **options))
        self.made.joints.setdefault(joint.name, added)

    def _note_joint(self, joint: JointModel) -> None:
        notes = self.made.notes
        value = locked(self._robot, joint)
        if joint.kind == "floating":
            notes.append(
                f"joint {joint.name!r}: floating, so there is no joint; its two links may touch."
            )
        elif value is not None and joint.kind != "fixed":
            notes.append(
                f"joint {joint.name!r}: has but one value, {value:g}, so it is a fixed joint."
            )

    def _note_motors(self) -> None:
        limits = self.made.limits.items()
        names = [repr(k) for k, ends in limits if (ends.effort, ends.velocity) != (None, None)]
        if names:
            self.made.notes.append(
                f"joints {', '.join(names)}: limits of effort and velocity are those of motors, "
                "which are not there until they are added; they are in robot.limits."
            )

    def _add_gears(self) -> None:
        world = self.made.world
        for name, joint in self._robot.joints.items():
            if joint.mimic is None or name not in self.made.joints:  # it cannot move
                continue
            followed = joint.mimic.joint
            pair = [self.made.joints[name], self.made.joints[followed]]
            options: dict[str, Any] = {
                "joints": pair,
                "ratio": joint.mimic.multiplier,
                "offset": joint.mimic.offset,
                "name": f"{self._name(name)} mimic",
            }
            self.made.gears[name] = _told(joint.element, _adder(world, options))
            self.made.notes.append(f"joint {name!r}: follows {followed!r} by a gear.")

    def _keep_ghosts_apart(self) -> None:
        """A joint that holds nothing keeps two bodies from touching."""
        for (one, body), (two, base) in combinations(self._bodies.items(), 2):
            joined = (one.base is two and one.held) or (two.base is one and two.held)
            if joined or not {one, two} & self._ghosts:
                continue
            self.made.world.add_joint(
                kind="free", body=body, base=base, axis=_UP, name=f"{body.name} not {base.name}"
            )


def _adder(world: World, options: dict[str, Any]) -> Callable[[], Joint]:
    return lambda: world.add_joint(kind="gear", **options)


def _moved(shape: ShapeModel, pose: Pose) -> ShapeModel:
    return ShapeModel(shape.kind, shape.sizes, pose @ shape.pose, shape.element)


def _elements(joint: JointModel) -> list[Acting]:
    ends, found = joint.limits, list[Acting]()
    if ends.lower is not None and ends.upper is not None:
        found.append(Limits(lower=ends.lower, upper=ends.upper))
    if joint.friction > 0.0:
        found.append(JointFriction(limit=joint.friction))
    if joint.damping > 0.0:
        found.append(Spring(damping=joint.damping))
    return found


def _told(element: Element, action: Callable[[], Made]) -> Made:
    """What the world refuses, with the place in the file."""
    try:
        return action()
    except InputError as error:
        raise element.wrong(str(error)) from None
