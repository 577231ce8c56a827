"""The tables of bodies in a scene file, one for each shape; see tables.py."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, get_args

import numpy as np
from pydantic import Field, model_validator

from rollcone.collision.shapes import SHAPE_NAMES
from rollcone.errors import InputError
from rollcone.mechanics.mesh_file import read_mesh
from rollcone.mechanics.world import World
from rollcone.scene import fields as f
from rollcone.scene import shape_fields as s
from rollcone.scene.array_file import read_array
from rollcone.scene.table import Table, field, needed


class MovingTable(Table):
    """Of every `[[body]]`; also of a generator, for the bodies that it makes."""

    name: f.Text = field("To find the body again; made up if not given.")
    orientation: f.Quaternion = field(
        "Unit quaternion (w, x, y, z), body axes to world axes.", [1.0, 0.0, 0.0, 0.0]
    )
    rotation: f.Rotation = field(
        "Instead of an orientation: turned about an axis, { axis = [0, 0, 1], degrees = 30 }."
    )
    velocity: f.Vector = field("m/s; what is fixed keeps it for ever.", [0.0, 0.0, 0.0])
    angular_velocity: f.Vector = field("rad/s, world axes; likewise.", [0.0, 0.0, 0.0])
    material: f.Text = field("Name of the material.", "default")

    not_with_rotation: ClassVar[tuple[str, ...]] = ("orientation",)

    def given(self) -> dict[str, Any]:
        """As Python takes them."""
        return f.with_orientation(super().given(), self.not_with_rotation)


class MassTable(MovingTable):
    """Likewise."""

    mass: f.Positive = field("kg; mass or density, unless the body is fixed.")
    density: f.Positive = field("kg/m3; mass or density, unless the body is fixed.")
    inertia: f.Inertia = field(
        "Three principal moments about the body axes, or a tensor of three rows (kg m2); if not "
        "given, that of the homogeneous body."
    )
    principal_axes: f.Quaternion = field(
        "Unit quaternion, axes of the three principal moments to body axes.", [1.0, 0.0, 0.0, 0.0]
    )
    fixed: f.Flag = field("Not moved by forces.", False)
    force: f.Vector = field("Constant force on the centre of mass (N).", [0.0, 0.0, 0.0])
    torque: f.Vector = field("Constant torque, world axes (N m).", [0.0, 0.0, 0.0])
    linear_damping: f.NotNegative = field("c in dv/dt = ... - c v (1/s).", 0.0)
    angular_damping: f.NotNegative = field("Likewise for angular momentum (1/s).", 0.0)


class _Body(MovingTable):
    def add(self, world: World) -> None:
        options = self.given()
        getattr(world, f"add_{options.pop('shape')}")(**options)

    @model_validator(mode="after")
    def _is_a_body(self) -> _Body:
        self.add(World())
        return self


class _Solid(_Body, MassTable):
    position: f.Vector = field("Centre of mass (m).", [0.0, 0.0, 0.0])


class SphereTable(_Solid):
    """A ball."""

    shape: Literal["sphere"] = needed("What it is.")
    radius: f.Positive = needed("m")


class BoxTable(_Solid):
    """A cuboid."""

    shape: Literal["box"] = needed("What it is.")
    size: f.Edges = needed("Edges along the body axes (m).")


class CapsuleTable(_Solid):
    """A cylinder along the body's z axis with half a ball on each end."""

    shape: Literal["capsule"] = needed("What it is.")
    radius: f.Positive = needed("m")
    length: f.NotNegative = needed("Length of the cylinder, without the half balls (m).")


class ClumpTable(_Solid):
    """Several balls as one body; they may overlap."""

    shape: Literal["clump"] = needed("What it is.")
    spheres: f.Balls = needed(
        "Balls, rows of centre and radius [x, y, z, r] along the body axes (m)."
    )
    center: f.Vector = field(
        "Where the centre of mass is among the balls (m); if not given, at the centroid of the "
        "room that they fill."
    )


class DiskTable(_Solid):
    """A disk about the body's z axis."""

    shape: Literal["disk"] = needed("What it is.")
    radius: f.Positive = needed("m")
    thickness: f.NotNegative = field("m; a disk without any has no density.", 0.0)
    edge_radius: f.NotNegative = field(
        "Of its rounded edges, at most half the thickness and less than the radius (m).", 0.0
    )


class CylinderTable(_Solid):
    """A cylinder about the body's z axis: a disk of that thickness with sharp edges."""

    shape: Literal["cylinder"] = needed("What it is.")
    radius: f.Positive = needed("m")
    height: f.Positive = needed("m")


class EllipsoidTable(_Solid):
    """An ellipsoid; it cannot touch bowls."""

    shape: Literal["ellipsoid"] = needed("What it is.")
    semi_axes: f.Edges = needed("Semi-axes along the body axes (m).")


class ConeTable(_Solid):
    """A cone about the body's z axis, with its tip upwards and its centre of mass a quarter of the
    height above the base; it cannot touch bowls."""

    shape: Literal["cone"] = needed("What it is.")
    radius: f.Positive = needed("m")
    height: f.Positive = needed("m")


class ConvexTable(_Solid):
    """The convex hull of points, or of all that a file of triangles holds."""

    shape: Literal["convex"] = needed("What it is.")
    points: s.Points = field("Rows [x, y, z] along the body axes (m); these, or a file.")
    file: s.File = field("Of triangles (STL, OBJ, PLY, glTF and others), beside the scene file.")
    scale: s.Scale = field("By which what is in the file is multiplied: a number, or three.", 1.0)
    center: f.Vector = field(
        "Where the centre of mass is among the points (m); if not given, at the centroid."
    )

    def given(self) -> dict[str, Any]:
        """As Python takes them."""
        given = super().given()
        _one_of_both(given, "file", "points")
        scale = given.pop("scale", None)
        if "file" in given:
            vertices, _ = read_mesh(given.pop("file"), "file")
            given["points"] = vertices * np.asarray(1.0 if scale is None else scale)
        elif scale is not None:
            raise InputError("scale: is for a file; points are in metres")
        return given


class CompoundTable(_Solid):
    """Convex shapes that move as one body."""

    shape: Literal["compound"] = needed("What it is.")
    parts: s.Parts = needed(
        "Tables with a shape (sphere, box, capsule, cylinder, cone, ellipsoid or convex), its "
        "sizes, and where it is in body axes: position and orientation, rotation, or axes, its own "
        "three unit vectors."
    )
    center: f.Vector = field(
        "Where the centre of mass is among the parts (m); if not given, at their centroid."
    )


class MeshTable(_Solid):
    """A surface of triangles, solid behind it; it touches neither other meshes nor bowls. One that
    is not fixed must be closed. The position of a fixed one is that of its own origin."""

    shape: Literal["mesh"] = needed("What it is.")
    file: s.File = field("Of triangles (STL, OBJ, PLY, glTF and others), beside the scene file.")
    vertices: s.Vertices = field("Instead of a file: rows [x, y, z] (m).")
    triangles: s.Triangles = field(
        "With the vertices: rows of three of their numbers, from 0, counterclockwise as seen from "
        "outside."
    )
    scale: s.Scale = field("By which vertices are multiplied: a number, or three.", 1.0)
    center: f.Vector = field(
        "Where the centre of mass is among the vertices (m); if not given, at the centroid, or of "
        "what is fixed at their origin."
    )

    def given(self) -> dict[str, Any]:
        """As Python takes them."""
        given = super().given()
        _one_of_both(given, "file", "vertices")
        if "file" in given:
            given["vertices"], given["triangles"] = read_mesh(given.pop("file"), "file")
        elif "triangles" not in given:
            raise InputError("triangles: are missing: rows of three numbers of vertices")
        return given


class HeightFieldTable(_Body):
    """Fixed ground: heights on a grid over a rectangle about the position, solid below."""

    shape: Literal["height_field"] = needed("What it is.")
    size: s.TwoLengths = needed("Lengths of the rectangle along x and y (m).")
    heights: s.Heights = field("Rows along y, one for each x (m); these, or a file.")
    file: s.ArrayFile = field("Of heights (m), an array of NumPy, .npy, beside the scene file.")
    position: f.Vector = field("Of the rectangle's middle, at the height 0 (m).", [0.0, 0.0, 0.0])

    def given(self) -> dict[str, Any]:
        """As Python takes them."""
        given = super().given()
        _one_of_both(given, "file", "heights")
        if "file" in given:
            given["heights"] = read_array(given.pop("file"), "file")
        return given


def _one_of_both(given: dict[str, Any], one: str, other: str) -> None:
    if one in given and other in given:
        raise InputError(f"{one}: there are also {other}; give one of them, not both")
    if one not in given and other not in given:
        raise InputError(f"{other}: are missing; give them, or a {one}")


class PlaneTable(_Body):
    """A half space, solid behind the plane; never moved by forces."""

    shape: Literal["plane"] = needed("What it is.")
    normal: f.Direction = field("Outward normal, of any length.", [0.0, 0.0, 1.0])
    point: f.Vector = field("A point of the plane (m).", [0.0, 0.0, 0.0])

    not_with_rotation: ClassVar[tuple[str, ...]] = ("orientation", "normal")


class BowlTable(_Body):
    """A hollow that is part of a sphere, solid outside it; never moved by forces."""

    shape: Literal["bowl"] = needed("What it is.")
    radius: f.Positive = needed("Of the sphere (m); all bodies that move are inside it.")
    normal: f.Direction = field("Where it opens to, of any length.", [0.0, 0.0, 1.0])
    point: f.Vector = field("The middle of the hollow, a radius from its centre (m).", [0.0] * 3)

    not_with_rotation: ClassVar[tuple[str, ...]] = ("orientation", "normal")


Body = Annotated[
    SphereTable
    | BoxTable
    | CapsuleTable
    | ClumpTable
    | DiskTable
    | CylinderTable
    | EllipsoidTable
    | ConeTable
    | ConvexTable
    | CompoundTable
    | MeshTable
    | HeightFieldTable
    | PlaneTable
    | BowlTable,
    Field(discriminator="shape"),
]
BODIES: dict[str, type[Table]] = {
    get_args(t.model_fields["shape"].annotation)[0]: t for t in get_args(get_args(Body)[0])
}
assert set(BODIES) == {*SHAPE_NAMES, "cylinder", "height_field"}  # kinds of disk and of mesh
