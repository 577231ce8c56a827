"""The table of a scene file that takes a robot from a URDF file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rollcone.errors import FileError, InputError
from rollcone.mechanics.world import World
from rollcone.scene import fields as f
from rollcone.scene.table import Table, field, needed


class RobotTable(Table):
    """A robot from a URDF file; its links and joints are bodies and joints like others."""

    file: f.Text = needed("The URDF file; its path is relative to that of the scene.")
    name: f.Text = field("'left' gives bodies and joints the names 'left arm' and so on.")
    position: f.Vector = field("Of the frame of its root link (m).", [0.0, 0.0, 0.0])
    orientation: f.Quaternion = field(
        "Unit quaternion (w, x, y, z), axes of the root link to world axes.", [1.0, 0.0, 0.0, 0.0]
    )
    rotation: f.Rotation = field("Instead of an orientation, as of bodies.")
    fixed_base: f.Flag = field("The root link does not move.", False)
    material: f.Text = field("Name of the material of all its bodies.", "default")
    joint_positions: f.NumbersByName = field(
        "Where joints begin, by name (rad or m); at 0 if not given: { elbow = 1.5 }."
    )
    packages: f.TextsByName = field(
        "Folders by name, for meshes at package://name/..., relative to that of the scene."
    )

    def given(self) -> dict[str, Any]:
        """As Python takes them."""
        return f.with_orientation(super().given(), ("orientation",))

    def add(self, world: World, folder: Path) -> None:
        """`folder` is that of the scene."""
        from rollcone.urdf.load import load_urdf

        options = self.given()
        path = folder / options.pop("file")
        if "packages" in options:
            folders = options["packages"].items()
            options["packages"] = {name: folder / place for name, place in folders}
        try:
            load_urdf(path, world=world, **options)
        except (FileError, InputError) as error:
            if not str(error).startswith(str(path)):
                raise
            raise InputError(f"file = {self.file!r}: {error}") from None
