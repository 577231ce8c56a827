"""Bodies as triangles: which share a surface (surface_forms.py), and where they are.

A body's three scales stretch its surface along its axes, so that thousands of bodies are drawn as
copies of one mesh.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray, positive_number, whole_number
from rollcone.collision.hull import Hull
from rollcone.collision.parts import Part
from rollcone.collision.shapes import (
    BOWL,
    BOX,
    CAPSULE,
    CLUMP,
    CONE,
    CONVEX,
    DISK,
    ELLIPSOID,
    PLANE,
    SPHERE,
)
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.mechanics.world import World
from rollcone.view.surface_forms import (
    Surface,
    box,
    cap,
    capsule,
    clump,
    cone,
    disk,
    parts_surface,
    sphere,
    square,
)

_SAME = 1e-9  # relative difference of proportions that nobody sees
_FULLEST = 2.0  # radians from the middle of a bowl to where it is cut off, at most


@dataclass(frozen=True)
class BodyGroup:
    """Bodies that are copies of one surface, each stretched by its scales."""

    shape: int  # collision.shapes
    numbers: IntArray  # (k,), of the bodies
    surface: Surface
    scales: FloatArray  # (k, 3)

    def part(self, which: NDArray[np.bool_]) -> BodyGroup:
        """Some of them (k,)."""
        return BodyGroup(self.shape, self.numbers[which], self.surface, self.scales[which])

    def place(self, position: FloatArray, orientation: FloatArray) -> FloatArray:
        """Vertices of all copies in world axes, (k, v, 3), from the states of ALL bodies (n, 3)
        and (n, 4); NaN for bodies that are not there."""
        from scipy.spatial.transform import Rotation

        turns = orientation[self.numbers]
        here = np.isfinite(turns).all(axis=1, keepdims=True)
        turns = np.where(here, turns, (1.0, 0.0, 0.0, 0.0))  # SciPy takes no NaN
        axes = Rotation.from_quat(np.roll(turns, -1, axis=1)).as_matrix()
        stretched = self.scales[:, None, :] * self.surface.vertices
        return np.asarray(position[self.numbers, None, :] + stretched @ axes.transpose(0, 2, 1))


def groups(
    world: World, *, detail: int = 3, half_width: float = 1.0, middle: FloatArray | None = None
) -> list[BodyGroup]:
    """All bodies, also removed ones, group by group: spheres, ellipsoids, boxes, cones, disks and
    capsules of equal proportions, clumps of the same balls, hulls that are one but for their size,
    compounds and meshes of the same parts, planes as squares, bowls as caps.

    detail      how fine round surfaces are: 8, 32, 128, 512 triangles of a sphere at 0, 1, 2, 3
    half_width  of the squares (m); see `framing.extent`
    middle      (3,): bowls are drawn to half a width beyond it; their own middle if not given
    """
    whole_number("detail", detail)
    half_width = positive_number("half_width", half_width)
    shape, size = world.state.shape, world.state.size
    found = []
    ball = sphere(detail)
    for code, surface in (
        (SPHERE, ball), (ELLIPSOID, ball), (BOX, box()), (CONE, cone(detail)),
    ):  # fmt: skip
        numbers = np.flatnonzero(shape == code)
        if len(numbers):
            found.append(BodyGroup(code, numbers, surface, size[numbers].copy()))
    found += _proportioned(DISK, world, lambda h, e: disk(h - 1.0, e - 1.0, detail))
    found += _proportioned(CAPSULE, world, lambda _, end: capsule(end, detail))
    found += _clump_groups(world, np.flatnonzero(shape == CLUMP), detail)
    found += _part_groups(world, detail)
    planes = np.flatnonzero(shape == PLANE)
    if len(planes):
        found.append(BodyGroup(PLANE, planes, square(), np.full((len(planes), 3), half_width)))
    for number in np.flatnonzero(shape == BOWL):
        surface = cap(_opening(world, int(number), half_width, middle), detail)
        scales = np.full((1, 3), size[number, 0])
        found.append(BodyGroup(BOWL, np.array([number]), surface, scales))
    return found


def _opening(world: World, number: int, half_width: float, middle: FloatArray | None) -> float:
    """The angle from the middle of a bowl to its edge that holds what is about `middle`."""
    radius = float(world.state.size[number, 0])
    wide = float(np.arcsin(min(half_width / radius, 1.0)))
    if middle is not None:
        up = rotation_matrix(world.state.orientation[number])[:, 2]
        place = middle - world.state.position[number] - radius * up
        wide += float(np.arctan2(np.linalg.norm(np.cross(place, up)), -place @ up))
    return min(wide, _FULLEST)


def _proportioned(
    code: int, world: World, make: Callable[[float, float], Surface]
) -> list[BodyGroup]:
    """Groups of disks or capsules: those that are one, but for their radius, share a surface."""
    numbers, size = np.flatnonzero(world.state.shape == code), world.state.size
    proportions = size[numbers, 1:] / size[numbers, :1]
    order = np.lexsort(proportions.T)
    other = np.abs(np.diff(proportions[order], axis=0)) > _SAME * proportions[order][:-1]
    return [
        BodyGroup(
            code,
            numbers[part],
            make(*proportions[part[0]]),
            size[numbers[part]][:, [0, 0, 0]],
        )
        for part in np.split(order, np.flatnonzero(other.any(axis=1)) + 1)
        if len(part)
    ]


def _clump_groups(world: World, numbers: IntArray, detail: int) -> list[BodyGroup]:
    alike: dict[bytes, list[int]] = {}
    for number in numbers:
        alike.setdefault(world.state.clumps.of(number).tobytes(), []).append(number)
    return [
        BodyGroup(
            CLUMP,
            np.array(same),
            clump(world.state.clumps.of(same[0]), detail),
            np.ones((len(same), 3)),
        )
        for same in alike.values()
    ]


def _part_groups(world: World, detail: int) -> list[BodyGroup]:
    """Of all bodies that are made of parts."""
    state = world.state
    alike: dict[tuple[int, object], list[int]] = {}
    for number in np.flatnonzero(state.shape >= CONVEX).tolist():
        key = _form(state.parts.of(number), state.size[number, 0])
        alike.setdefault((int(state.shape[number]), key), []).append(number)
    found = []
    for (code, _), same in alike.items():
        surface = parts_surface(state.parts.of(same[0]), detail)
        scale = state.size[same, 0] if code == CONVEX else np.ones(len(same))
        unit = Surface(surface.vertices / scale[0], surface.triangles)
        found.append(BodyGroup(code, np.array(same), unit, np.tile(scale[:, None], 3)))
    return found


def _form(parts: list[Part], size: float) -> object:
    """What two bodies have in common that share a surface; of one hull, but for its size."""
    hull = parts[0].geometry
    if len(parts) > 1 or not isinstance(hull, Hull):
        return tuple((*part[:-1], id(part.geometry)) for part in parts)  # equal ones are kept once
    corners = (np.array(parts[0].x) + hull.corners) / size
    return (np.round(corners / _SAME) + 0.0).tobytes(), hull.loops.tobytes(), hull.starts.tobytes()


def under(
    world: World, position: FloatArray, orientation: FloatArray, middle: FloatArray
) -> FloatArray:
    """`position` (n, 3), with those of planes moved within the plane to the foot of `middle`:
    where their squares are to be."""
    from scipy.spatial.transform import Rotation

    moved = position.copy()
    for number in np.flatnonzero((world.state.shape == PLANE) & np.isfinite(position[:, 0])):
        turn = Rotation.from_quat(np.roll(orientation[number], -1))
        normal = turn.apply((0.0, 0.0, 1.0))
        moved[number] = middle - normal * (normal @ (middle - position[number]))
    return moved
