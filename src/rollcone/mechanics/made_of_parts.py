"""Hulls, compounds and meshes as they are given: solids, and the parts they are made of."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rollcone._arguments import unknown_argument
from rollcone._check import FloatArray, bounded_array, one_of, positive_number
from rollcone.collision.hull import Hull, hull_of
from rollcone.collision.parts import Part
from rollcone.collision.shapes import (
    BOX,
    CAPSULE,
    COMPOUND,
    CONE,
    CONVEX,
    DISK,
    ELLIPSOID,
    MESH,
    SPHERE,
)
from rollcone.collision.triangles import Surface, surface_of
from rollcone.errors import InputError
from rollcone.mechanics.body import edges, vector
from rollcone.mechanics.polyhedron import Enclosed, enclosed, is_closed
from rollcone.mechanics.rotations import rotation_matrix, unit_quaternion
from rollcone.mechanics.solids import Solid, box, capsule, cone, disk, ellipsoid, sphere

MOST_PARTS = 256
PLACE = ("shape", "position", "orientation", "axes")
_SQUARE = 1e-6  # axes whose products differ by less from those of a turn are one
_CENTRED = 1e-12  # of its size: a hull whose centroid is nearer to the origin is about it


class Made:
    """A solid that is made of parts; `parts` are about its centre of mass."""

    def __init__(self, shape: int, inside: Enclosed, about: FloatArray, parts: list[Part]) -> None:
        self.parts = parts
        self._shape, self._inside, self._about = shape, inside, about

    def __call__(self) -> Solid:
        moments = self._inside.moments_about(self._about)
        reach = np.max([_half_edges(part) for part in self.parts], axis=0)
        if self._shape == MESH:  # of which a share counts as touching: a sheet has no thickness
            reach = np.maximum(reach, 0.5 * reach.max())
        return Solid(self._shape, reach, np.array(self._inside.volume), moments)


def _half_edges(part: Part) -> FloatArray:
    """Of the box about the origin, along the body's axes, that holds a part."""
    turn, x = np.array(part.turn).reshape(3, 3), np.array(part.x)
    if part.geometry is not None:
        points = x + part.geometry.corners @ turn
        return np.asarray(np.abs(points).max(axis=0))
    p, q, s = part.p
    if part.kind == BOX:
        far = np.abs(turn).T @ np.array(part.p)
    elif part.kind == ELLIPSOID:
        far = np.linalg.norm(turn.T * np.array(part.p), axis=1)
    elif part.kind == CAPSULE:
        far = np.abs(turn[2]) * s
    elif part.kind == SPHERE:
        far = np.zeros(3)
    else:  # a disk, or a cone
        half = 0.75 * q if part.kind == CONE else q
        far = p * np.hypot(turn[0], turn[1]) + np.abs(turn[2]) * half
    return np.asarray(np.abs(x) + far + part.r)


def made_convex(points: ArrayLike, center: ArrayLike | None) -> Made:
    """The hull of these points."""
    hull = hull_of("points", points)
    inside = _inside(hull)
    about = inside.centroid if center is None else vector("center", center)
    return Made(CONVEX, inside, about, [_hull_part(hull, inside, about)])


def _inside(hull: Hull) -> Enclosed:
    """A hull that was moved to its centroid stays there: corners that are written and read again
    keep their bits."""
    found = enclosed(hull.corners, hull.triangles)
    if np.abs(found.centroid).max() < _CENTRED * np.abs(hull.corners).max():
        return found._replace(centroid=np.zeros(3))
    return found


def _hull_part(hull: Hull, inside: Enclosed, about: FloatArray) -> Part:
    """A hull about its own centroid, so that equal ones are equal wherever they are."""
    corners = hull.corners - inside.centroid
    least = float(np.abs(corners).max(axis=0).min())
    reach = float(np.linalg.norm(corners, axis=1).max())
    moved = Hull(corners, hull.starts, hull.loops)
    x = inside.centroid - about
    return Part(CONVEX, (least, least, reach), x=_three(x), geometry=moved)


def _three(values: FloatArray) -> tuple[float, float, float]:
    a, b, c = np.asarray(values, dtype=np.float64).tolist()
    return a, b, c


def made_compound(parts: Sequence[Mapping[str, Any]], center: ArrayLike | None) -> Made:
    """Convex shapes that are fixed to each other. Their volumes add up, also where they overlap."""
    if isinstance(parts, Mapping | str) or not isinstance(parts, Sequence) or not len(parts):
        raise InputError(f"parts = {parts!r}: must be a list of tables, at least one")
    if len(parts) > MOST_PARTS:
        raise InputError(f"parts: {len(parts)} of them, must be at most {MOST_PARTS}")
    made = [_part(f"parts[{k}]", part) for k, part in enumerate(parts)]
    volume = sum(inside.volume for _, inside in made)
    centroid = np.asarray(sum(i.volume * i.centroid for _, i in made)) / volume
    second = np.zeros((3, 3))
    for _, inside in made:
        way = inside.centroid - centroid
        second += inside.volume / volume * (inside.second + np.outer(way, way))
    about = centroid if center is None else vector("center", center)
    moved = [part._replace(x=_three(np.array(part.x) - about)) for part, _ in made]
    return Made(COMPOUND, Enclosed(volume, centroid, second), about, moved)


PART_SIZES: dict[str, tuple[str, ...]] = {
    "sphere": ("radius",),
    "box": ("size",),
    "capsule": ("radius", "length"),
    "cylinder": ("radius", "height"),
    "cone": ("radius", "height"),
    "ellipsoid": ("semi_axes",),
    "convex": ("points",),
}


def _part(name: str, given: Mapping[str, Any]) -> tuple[Part, Enclosed]:
    """One of a compound, and what is to be known of its inside."""
    if not isinstance(given, Mapping) or "shape" not in given:
        raise InputError(f"{name} = {given!r}: must be a table with a shape and its sizes")
    shape = one_of(f"{name}.shape", given["shape"], PART_SIZES)
    known = (*PLACE, *PART_SIZES[shape])
    for key in given:
        if key not in known:
            raise unknown_argument(key, f"{name}, a {shape},", known)
    for key in PART_SIZES[shape]:
        if key not in given:
            raise InputError(f"{name}.{key}: must be given, a {shape} has it")
    x = vector(f"{name}.position", given.get("position", (0.0, 0.0, 0.0)))
    turn = _turn(name, given)
    sizes = {key: given[key] for key in PART_SIZES[shape]}
    plain, solid = _plain(name, shape, sizes)
    if isinstance(solid, Enclosed):
        inside, way = solid, turn @ np.array(plain.x)
    else:
        inside, way = _of_solid(solid), np.zeros(3)
    moved = plain._replace(x=_three(x + way), turn=tuple(turn.T.reshape(-1).tolist()))
    centroid = x + turn @ inside.centroid
    return moved, Enclosed(inside.volume, centroid, turn @ inside.second @ turn.T)


def _turn(name: str, given: Mapping[str, Any]) -> FloatArray:
    """The matrix whose columns are the part's axes."""
    if "axes" not in given:
        q = unit_quaternion(f"{name}.orientation", given.get("orientation", (1.0, 0.0, 0.0, 0.0)))
        return rotation_matrix(q)
    if "orientation" in given:
        raise InputError(f"{name}.axes: there is also an orientation; give one of them, not both")
    axes = bounded_array(f"{name}.axes", given["axes"])
    if axes.shape != (3, 3) or not (
        np.allclose(axes @ axes.T, np.eye(3), atol=_SQUARE) and np.linalg.det(axes) > 0.0
    ):
        raise InputError(
            f"{name}.axes = {given['axes']!r}: must be three unit vectors at right angles, the "
            "third the cross product of the others"
        )
    return np.asarray(axes.T)


def _of_solid(solid: Solid) -> Enclosed:
    """From moments per kilogram about its centre: second = trace / 2 - moments."""
    moments = np.asarray(solid.moments)
    second = np.diag(0.5 * moments.sum() - moments)
    return Enclosed(float(solid.volume), np.zeros(3), second)


def _plain(name: str, shape: str, sizes: dict[str, Any]) -> tuple[Part, Solid | Enclosed]:
    """A part in its own axes."""
    if shape == "convex":
        hull = hull_of(f"{name}.points", sizes["points"])
        inside = _inside(hull)
        return _hull_part(hull, inside, np.zeros(3)), inside
    if shape in ("box", "ellipsoid"):
        key = PART_SIZES[shape][0]
        three = edges(f"{name}.{key}", sizes[key])
        if shape == "box":
            return Part(BOX, _three(0.5 * three)), box(three)
        return Part(ELLIPSOID, _three(three)), ellipsoid(three)
    r = positive_number(f"{name}.radius", sizes["radius"])
    if shape == "sphere":
        return Part(SPHERE, r=r), sphere(r)
    if shape == "capsule":
        length = positive_number(f"{name}.length", sizes["length"], zero=True)
        return Part(CAPSULE, (0.0, 0.0, 0.5 * length), r), capsule(r, length)
    height = positive_number(f"{name}.height", sizes["height"])
    if shape == "cone":
        return Part(CONE, (r, height, 0.0)), cone(r, height)
    return Part(DISK, (r, 0.5 * height, 0.0)), disk(r, height)


def made_mesh(
    path: str | os.PathLike[str] | None,
    vertices: ArrayLike | None,
    triangles: ArrayLike | None,
    scale: ArrayLike,
    center: ArrayLike | None,
    moves: bool,
) -> Made:
    """A surface, from a file or as it is given. One that moves must be closed; one that does not
    stays where its own origin is, unless a centre is given."""
    if (path is None) == (vertices is None) or (vertices is None) != (triangles is None):
        raise InputError("a mesh takes path, or vertices and triangles")
    if path is not None:
        from rollcone.mechanics.mesh_file import read_mesh

        vertices, triangles = read_mesh(path)
    factor = scale_factor("scale", scale)
    surface = surface_of(np.asarray(vertices, dtype=np.float64) * factor, triangles)  # type: ignore[arg-type]
    if not moves:
        about = np.zeros(3) if center is None else vector("center", center)
        none = Enclosed(0.0, about, np.zeros((3, 3)))
        return Made(MESH, none, about, [_surface_part(surface, about)])
    surface, inside = _solid_surface(surface)
    about = inside.centroid if center is None else vector("center", center)
    moved = _surface_part(surface, about)
    hull = hull_of("vertices", surface.corners - about)
    return Made(MESH, inside, about, [moved, _hull_part(hull, _inside(hull), np.zeros(3))])


def _solid_surface(surface: Surface) -> tuple[Surface, Enclosed]:
    """Closed, with all triangles counterclockwise as seen from outside, and what it encloses."""
    if not is_closed(surface.triangles):
        raise InputError(
            "triangles: do not close; a mesh that moves must be closed, with triangles all "
            "counterclockwise as seen from outside; take its hull by add_convex, or give fixed=True"
        )
    inside = enclosed(surface.corners, surface.triangles)
    if inside.volume < 0.0:
        surface = Surface(surface.corners, np.ascontiguousarray(surface.triangles[:, ::-1]))
        inside = enclosed(surface.corners, surface.triangles)
    return surface, inside


def _surface_part(surface: Surface, about: FloatArray) -> Part:
    moved = Surface(surface.corners - about, surface.triangles)
    half = np.abs(moved.corners).max(axis=0)
    return Part(MESH, _three(half), geometry=moved)


def height_grid(name: str, heights: ArrayLike) -> FloatArray:
    """(nx, ny)"""
    grid = bounded_array(name, heights)
    if grid.ndim != 2 or min(grid.shape) < 2:
        raise InputError(f"{name} of shape {grid.shape}: must be a table (nx, ny), 2 or more each")
    return grid


def two_lengths(name: str, size: ArrayLike) -> FloatArray:
    """Above zero."""
    lengths = bounded_array(name, size)
    if lengths.shape != (2,) or not np.all(lengths > 0.0):
        raise InputError(f"{name} = {size!r}: must be two lengths > 0 (m)")
    return lengths


def scale_factor(name: str, scale: ArrayLike) -> FloatArray:
    """A number, or three."""
    factor = bounded_array(name, scale)
    if factor.shape not in ((), (3,)) or not np.all(factor > 0.0):
        raise InputError(f"{name} = {scale!r}: must be a number > 0, or three")
    return factor


def made_height_field(heights: ArrayLike, size: ArrayLike) -> tuple[FloatArray, np.ndarray]:
    """Vertices and triangles of ground whose heights (nx, ny) are given on a grid over the lengths
    `size` (2,), about the origin; the first index runs along x."""
    grid, lengths = height_grid("heights", heights), two_lengths("size", size)
    nx, ny = grid.shape
    x, y = (np.linspace(-0.5 * a, 0.5 * a, n) for a, n in zip(lengths, grid.shape, strict=True))
    corners = np.stack([*np.meshgrid(x, y, indexing="ij"), grid], axis=-1).reshape(-1, 3)
    number = np.arange(nx * ny).reshape(nx, ny)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    two = np.stack([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)], axis=2)
    return corners, two.reshape(-1, 3)
