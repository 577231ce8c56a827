"""`rc.load_urdf`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from numpy.typing import ArrayLike

from rollcone._arguments import named_arguments
from rollcone._check import one_of, true_or_false
from rollcone.errors import InputError
from rollcone.mechanics.body import vector
from rollcone.mechanics.rotations import rotation_matrix, unit_quaternion
from rollcone.mechanics.world import World
from rollcone.urdf.build import Builder
from rollcone.urdf.meshes import MESHES, Meshes
from rollcone.urdf.parts import parts_of, start_positions
from rollcone.urdf.pose import Pose
from rollcone.urdf.read import read_robot
from rollcone.urdf.robot import Robot


@named_arguments()
def load_urdf(
    path: str | os.PathLike[str],
    *,
    world: World | None = None,
    position: ArrayLike = (0.0, 0.0, 0.0),
    orientation: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    fixed_base: bool = False,
    name: str | None = None,
    material: str = "default",
    joint_positions: Mapping[str, float] | None = None,
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    meshes: str = "hull",
) -> Robot:
    """The robot of a URDF file, in a world.

    world            where it is put; a new one without gravity, if not given
    position         of the frame of its root link (m), and orientation, a unit quaternion
    fixed_base       True: the root link does not move
    name             'left' gives bodies and joints the names 'left arm' and so on
    material         of all its bodies
    joint_positions  where joints begin, by name (rad or m); at 0 if not given
    packages         folders by name, for meshes at package://name/...
    meshes           'hull': the convex hull stands for a mesh; 'box': the box around it

    What of the file is not used is told in `robot.notes`; what is wrong with it is an
    `InputError`, a file that cannot be read a `FileError`. Then the world stays as it was.
    """
    root = Pose(
        vector("position", position), rotation_matrix(unit_quaternion("orientation", orientation))
    )
    fixed = true_or_false("fixed_base", fixed_base)
    for word, text in (("name", name), ("material", material)):
        if text is not None and (not isinstance(text, str) or not text):
            raise InputError(f"{word} = {text!r}: must be a text")
    one_of("meshes", meshes, MESHES)
    if world is not None and not isinstance(world, World):
        raise InputError(f"world = {world!r}: must be a World")
    for word, table in (("joint_positions", joint_positions), ("packages", packages)):
        if table is not None and not isinstance(table, Mapping):
            raise InputError(f"{word} = {table!r}: must be a dict by names")
    robot = read_robot(path)
    noted: list[str] = []
    positions = start_positions(robot, joint_positions or {}, noted)
    parts = parts_of(robot, root, positions)
    read = Meshes(Path(os.fsdecode(path)).parent, packages or {}, meshes)

    def build(into: World) -> Robot:
        return Builder(into, robot, name or "", material, read).build(parts, positions, fixed)

    if world is not None:
        build(world.copy())  # what is refused leaves no half a robot
    made = build(World() if world is None else world)
    made.notes.extend(noted)
    return made
