"""The mesh files of a robot, as what simulations can touch: convex hulls or boxes around them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np

from rollcone._check import FloatArray, did_you_mean
from rollcone.collision.hull import hull_of
from rollcone.errors import InputError
from rollcone.mechanics.mesh_file import read_mesh
from rollcone.urdf.model import ShapeModel
from rollcone.urdf.numbers import LARGEST
from rollcone.urdf.pose import Pose
from rollcone.urdf.tree import Element

MESHES = ("hull", "box")


class Meshes:
    """Reads each file once; `how` is one of MESHES, `packages` the folders of package://."""

    def __init__(
        self, folder: Path, packages: Mapping[str, str | os.PathLike[str]], how: str
    ) -> None:
        self._folder, self._packages, self._how = folder, packages, how
        self._points: dict[Path, FloatArray] = {}

    def solid(self, shape: ShapeModel, notes: list[str]) -> ShapeModel:
        """A shape of which nothing is left to be read."""
        if shape.kind != "mesh":
            return shape
        element, name = shape.element, str(shape.sizes["file"])
        points = self._read(element, name) * np.asarray(shape.sizes["scale"])
        if self._how == "box":
            notes.append(f"{element.owner}the mesh {name!r} is taken as the box around it.")
            return _box(shape, points)
        corners = _hull(element, name, points)
        notes.append(
            f"{element.owner}the mesh {name!r} is taken as its convex hull of {len(corners)} "
            "corners."
        )
        return ShapeModel("convex", {"points": corners}, shape.pose, element)

    def _read(self, element: Element, name: str) -> FloatArray:
        path = self._path(element, name)
        if path not in self._points:
            self._points[path] = _vertices(element, name, path)
        return self._points[path]

    def _path(self, element: Element, name: str) -> Path:
        said = f"<mesh> filename = {name!r}"
        try:
            parts = urlsplit(name)
        except ValueError as error:
            raise element.wrong(f"{said}: {error}") from None
        if parts.scheme == "package":
            if parts.netloc not in self._packages:
                hint = did_you_mean(parts.netloc, self._packages)
                raise element.wrong(
                    f"{said}: the folder of the package {parts.netloc!r} is not known{hint}; give "
                    f"packages={{{parts.netloc!r}: folder}}"
                )
            return Path(self._packages[parts.netloc]) / unquote(parts.path).lstrip("/")
        if parts.scheme == "file":
            return self._folder / unquote(parts.path)
        if "://" in name:
            raise element.wrong(f"{said}: must be a file, file:// or package://")
        return self._folder / name


def _vertices(element: Element, name: str, path: Path) -> FloatArray:
    """(n, 3), of all that is in a file."""
    try:
        points, _ = read_mesh(path)
    except (InputError, OSError, ValueError) as error:
        raise element.wrong(f"<mesh> filename = {name!r}: {error}") from None
    if not (np.abs(points) <= LARGEST).all():
        raise element.wrong(
            f"<mesh> filename = {name!r}: must have vertices of finite numbers up to {LARGEST:g}"
        )
    return points


def _box(shape: ShapeModel, points: FloatArray) -> ShapeModel:
    """Along the axes of the mesh."""
    low, high = points.min(axis=0), points.max(axis=0)
    if not (high - low > 0.0).all():
        raise shape.element.wrong("<mesh> is flat: must have a volume")
    pose = shape.pose @ Pose(0.5 * (low + high))
    return ShapeModel("box", {"size": high - low}, pose, shape.element)


def _hull(element: Element, name: str, points: FloatArray) -> FloatArray:
    """The corners of the convex hull."""
    try:
        return hull_of("vertices", points).corners
    except InputError as error:
        raise element.wrong(f"<mesh> filename = {name!r}: {error}") from None
