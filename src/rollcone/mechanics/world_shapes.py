"""The shapes that a world takes: one method for each."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from numpy.typing import ArrayLike

from rollcone._arguments import named_arguments
from rollcone._check import positive_number
from rollcone.errors import InputError
from rollcone.mechanics.bodies import Bodies
from rollcone.mechanics.body import Body, edges, vector
from rollcone.mechanics.clump import clump_of, clump_solid
from rollcone.mechanics.made_of_parts import (
    Made,
    made_compound,
    made_convex,
    made_height_field,
    made_mesh,
)
from rollcone.mechanics.new_body import plane_orientation
from rollcone.mechanics.options import BodyOptions
from rollcone.mechanics.solids import (
    Solid,
    bowl,
    box,
    capsule,
    cone,
    disk,
    ellipsoid,
    half_space,
    sphere,
)

_NONE = (0.0, 0.0, 0.0)
_NOT_OF_ENDLESS = (
    "position", "mass", "density", "inertia", "principal_axes", "force", "torque", "fixed",
    "linear_damping", "angular_damping",
)  # fmt: skip


class WorldShapes:
    """The part of `World` that adds bodies of every shape."""

    __slots__ = ()
    state: Bodies

    @abstractmethod
    def _add(
        self, solid: Callable[..., Solid], sizes: tuple[Any, ...], options: BodyOptions
    ) -> Body:
        """A body of that solid."""

    def _add_made(self, made: Made, options: BodyOptions) -> Body:
        body = self._add(made, (), options)
        self.state.parts.add(body.id, made.parts)
        return body

    @named_arguments(BodyOptions)
    def add_sphere(self, *, radius: float, **options: Unpack[BodyOptions]) -> Body:
        """A ball; see `BodyOptions` for position, mass and the rest."""
        return self._add(sphere, (positive_number("radius", radius),), options)

    @named_arguments(BodyOptions)
    def add_box(self, *, size: ArrayLike, **options: Unpack[BodyOptions]) -> Body:
        """A cuboid with edges `size` (3,) in metres along the body axes."""
        return self._add(box, (edges("size", size),), options)

    @named_arguments(BodyOptions)
    def add_capsule(self, *, radius: float, length: float, **options: Unpack[BodyOptions]) -> Body:
        """A cylinder of that length along the body's z axis, with half a ball on each end."""
        r = positive_number("radius", radius)
        h = positive_number("length", length, zero=True)
        return self._add(capsule, (r, h), options)

    @named_arguments(BodyOptions)
    def add_disk(
        self,
        *,
        radius: float,
        thickness: float = 0.0,
        edge_radius: float = 0.0,
        **options: Unpack[BodyOptions],
    ) -> Body:
        """A disk about the body's z axis; `edge_radius`, at most half the thickness and less than
        the radius, rounds its edges (m). A disk without thickness has a mass, but no density."""
        r = positive_number("radius", radius)
        h = positive_number("thickness", thickness, zero=True)
        e = positive_number("edge_radius", edge_radius, zero=True)
        if 2.0 * e > h or not e < r:
            raise InputError(
                f"edge_radius = {e!r}: must be at most half the thickness {h!r}, and less than the "
                f"radius {r!r}"
            )
        return self._add(disk, (r, h, e), options)

    @named_arguments(BodyOptions)
    def add_cylinder(self, *, radius: float, height: float, **options: Unpack[BodyOptions]) -> Body:
        """A cylinder of that height about the body's z axis: a disk of that thickness with
        sharp edges."""
        r, h = positive_number("radius", radius), positive_number("height", height)
        return self._add(disk, (r, h), options)

    @named_arguments(BodyOptions)
    def add_ellipsoid(self, *, semi_axes: ArrayLike, **options: Unpack[BodyOptions]) -> Body:
        """An ellipsoid with `semi_axes` (3,) in metres along the body axes."""
        return self._add(ellipsoid, (edges("semi_axes", semi_axes),), options)

    @named_arguments(BodyOptions)
    def add_clump(
        self,
        *,
        spheres: ArrayLike,
        center: ArrayLike | None = None,
        **options: Unpack[BodyOptions],
    ) -> Body:
        """Several balls as one body: rows (x, y, z, radius) in metres, in its own axes; they may
        overlap. `position` is where the centre of mass is, which among the balls is at
        `center`, if given, or at the centroid of the room they fill. That room is homogeneous
        unless an inertia is given; see rollcone.mechanics.union for how it is measured."""
        balls, union = clump_of(spheres)
        about = union.centroid if center is None else vector("center", center)
        balls[:, :3] -= about
        body = self._add(clump_solid, (balls, union, about), options)
        self.state.clumps.add(body.id, balls)
        return body

    @named_arguments(BodyOptions)
    def add_cone(self, *, radius: float, height: float, **options: Unpack[BodyOptions]) -> Body:
        """A cone about the body's z axis, with its tip upwards; its centre of mass, the body's
        position, is a quarter of the height above the base."""
        r, h = positive_number("radius", radius), positive_number("height", height)
        return self._add(cone, (r, h), options)

    @named_arguments(BodyOptions)
    def add_convex(
        self,
        *,
        points: ArrayLike,
        center: ArrayLike | None = None,
        **options: Unpack[BodyOptions],
    ) -> Body:
        """The convex hull of points (n, 3), in metres and the body's own axes. `position` is where
        the centre of mass is, which among the points is at `center`, if given, or at the
        centroid of the hull."""
        return self._add_made(made_convex(points, center), options)

    @named_arguments(BodyOptions)
    def add_compound(
        self,
        *,
        parts: Sequence[Mapping[str, Any]],
        center: ArrayLike | None = None,
        **options: Unpack[BodyOptions],
    ) -> Body:
        """Convex shapes that move as one body, each a dict with `shape` (sphere, box, capsule,
        cylinder, cone, ellipsoid or convex), its sizes as in `add_box` and so on, and where it is
        in the body's own axes, `position` and `orientation`, or instead of that `axes`, its own
        three unit vectors. `position` of the body is where its centre of mass is, which among the
        parts is at `center`, if given, or at their common centroid. Volumes add up: where parts
        overlap, give the inertia."""
        return self._add_made(made_compound(parts, center), options)

    @named_arguments(BodyOptions)
    def add_mesh(
        self,
        *,
        path: str | os.PathLike[str] | None = None,
        vertices: ArrayLike | None = None,
        triangles: ArrayLike | None = None,
        scale: ArrayLike = 1.0,
        center: ArrayLike | None = None,
        **options: Unpack[BodyOptions],
    ) -> Body:
        """A surface of triangles, solid behind it, from a file (STL, OBJ, PLY, glTF and others) or
        as `vertices` (v, 3) and `triangles` (t, 3), counterclockwise as seen from outside.
        `scale` takes it to metres. It touches planes and all that is convex, not other meshes.

        A mesh that moves must be closed; `position` is where its centre of mass is, as for
        `add_convex`. One that is fixed may be open, and `position` is where its own origin is."""
        moves = not (options.get("fixed") or options.get("motion") is not None)
        made = made_mesh(path, vertices, triangles, scale, center, moves)
        return self._add_made(made, options)

    @named_arguments(BodyOptions)
    def add_height_field(
        self, *, heights: ArrayLike, size: ArrayLike, **options: Unpack[BodyOptions]
    ) -> Body:
        """Fixed ground: `heights` (nx, ny) in metres on a grid that covers the lengths `size` (2,)
        along x and y about the position; the first index runs along x. A mesh of two
        triangles for each cell, solid below."""
        corners, triangles = made_height_field(heights, size)
        options.setdefault("fixed", True)
        if not options["fixed"]:
            raise InputError("fixed = False: a height field is ground, and does not move")
        made = made_mesh(None, corners, triangles, 1.0, None, moves=False)
        return self._add_made(made, options)

    @named_arguments(BodyOptions)
    def add_plane(
        self,
        *,
        normal: ArrayLike | None = None,
        point: ArrayLike = _NONE,
        **options: Unpack[BodyOptions],
    ) -> Body:
        """A half space, solid behind the plane through `point`; never moved by forces. Its
        outward normal is along z unless given, or unless an `orientation` turns z to it."""
        return self._add_endless("plane", half_space, (), normal, point, options)

    @named_arguments(BodyOptions)
    def add_bowl(
        self,
        *,
        radius: float,
        normal: ArrayLike | None = None,
        point: ArrayLike = _NONE,
        **options: Unpack[BodyOptions],
    ) -> Body:
        """A hollow that is part of a sphere of that radius, with `point` in its middle: solid
        outside the sphere about point + radius * normal; never moved by forces. `normal` as in
        `add_plane`. All bodies that move must be inside the sphere, which is whole: what
        flies about in it meets its upper half, too. Ellipsoids, cones and meshes cannot touch it
        yet, nor compounds with such parts or with cylinders."""
        sizes = (positive_number("radius", radius),)
        return self._add_endless("bowl", bowl, sizes, normal, point, options)

    def _add_endless(
        self,
        word: str,
        solid: Callable[..., Solid],
        sizes: tuple[Any, ...],
        normal: ArrayLike | None,
        point: ArrayLike,
        options: BodyOptions,
    ) -> Body:
        for name in _NOT_OF_ENDLESS:
            if name in options:
                raise InputError(
                    f"{name}: a {word} takes normal and point, and is not moved by forces"
                )
        options["fixed"] = True
        options["position"] = vector("point", point)
        if normal is not None or "orientation" not in options:
            options["orientation"] = plane_orientation(normal, options)
        return self._add(solid, sizes, options)
