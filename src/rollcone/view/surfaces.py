"""Bodies as triangles: surfaces in body axes, bodies that share one, and where they are.

Surfaces are unit ones that a body's three scales stretch along its axes, so that
thousands of bodies are drawn as copies of one mesh. Triangles run counter-clockwise seen from
outside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray, positive_number, whole_number
from rollcone.collision.shapes import (
    BOWL,
    BOX,
    CAPSULE,
    CLUMP,
    DISK,
    ELLIPSOID,
    PLANE,
    SPHERE,
)
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.mechanics.world import World

_SAME = 1e-9  # relative difference of proportions that nobody sees
_THICK = 0.01  # of the radius: half the thickness of a thin disk, to be seen from its side, too
_FULLEST = 2.0  # radians from the middle of a bowl to where it is cut off, at most


@dataclass(frozen=True)
class Surface:
    """A closed mesh, a square for a plane, or a cap for a bowl."""

    vertices: FloatArray  # (v, 3)
    triangles: IntArray  # (t, 3), numbers of vertices

    def normals(self) -> FloatArray:
        """Outward, of length 1, at the vertices (v, 3): the mean of the triangles there."""
        a, b, c = (self.vertices[self.triangles[:, k]] for k in range(3))
        total = np.zeros_like(self.vertices)
        for k in range(3):
            np.add.at(total, self.triangles[:, k], np.cross(b - a, c - a))
        return np.asarray(total / np.linalg.norm(total, axis=1)[:, None])

    def two_tone(self, shape: int) -> tuple[Surface, Surface]:
        """The surface in two parts, to make turning visible: every other octant of a sphere or
        an ellipsoid, every other quarter of a capsule or a disk; of others all is in the first."""
        if shape not in (SPHERE, ELLIPSOID, CAPSULE, DISK):
            return self, Surface(self.vertices, self.triangles[:0])
        middles = self.vertices[self.triangles].mean(axis=1)
        axes = 3 if shape in (SPHERE, ELLIPSOID) else 2
        first = middles[:, :axes].prod(axis=1) > 0
        return Surface(self.vertices, self.triangles[first]), Surface(
            self.vertices, self.triangles[~first]
        )


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
    """All bodies, also removed ones, group by group: spheres, ellipsoids, boxes, disks and capsules
    of equal proportions, clumps of the same balls, planes as squares, bowls as caps.

    detail      how fine round surfaces are: 8, 32, 128, 512 triangles of a sphere at 0, 1, 2, 3
    half_width  of the squares (m); see `framing.extent`
    middle      (3,): bowls are drawn to half a width beyond it; their own middle if not given
    """
    whole_number("detail", detail)
    half_width = positive_number("half_width", half_width)
    shape, size = world.state.shape, world.state.size
    found = []
    ball = sphere(detail)
    for code, surface in ((SPHERE, ball), (ELLIPSOID, ball), (BOX, box())):
        numbers = np.flatnonzero(shape == code)
        if len(numbers):
            found.append(BodyGroup(code, numbers, surface, size[numbers].copy()))
    found += _proportioned(DISK, world, lambda h, e: disk(h - 1.0, e - 1.0, detail))
    found += _proportioned(CAPSULE, world, lambda _, end: capsule(end, detail))
    found += _clump_groups(world, np.flatnonzero(shape == CLUMP), detail)
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


def clump(balls: FloatArray, detail: int) -> Surface:
    """The spheres (x, y, z, r) one by one, also where they are inside each other."""
    unit = sphere(detail)
    vertices = balls[:, None, :3] + balls[:, None, 3:] * unit.vertices
    first = len(unit.vertices) * np.arange(len(balls))
    triangles = first[:, None, None] + unit.triangles
    return Surface(vertices.reshape(-1, 3), triangles.reshape(-1, 3))


def sphere(detail: int) -> Surface:
    """Of radius 1: an octahedron, every triangle cut into four `detail` times. So no triangle
    crosses a plane of two axes, and octants can have colours of their own."""
    vertices = np.concatenate([np.eye(3), -np.eye(3)])
    octants = [(x, y, z) for x in (0, 3) for y in (1, 4) for z in (2, 5)]
    outward = [np.linalg.det(vertices[list(face)]) > 0 for face in octants]
    triangles = np.array([f if out else f[::-1] for f, out in zip(octants, outward, strict=True)])
    for _ in range(detail):
        vertices, triangles = _finer(vertices, triangles)
    return Surface(vertices, triangles)


def _finer(vertices: FloatArray, triangles: IntArray) -> tuple[FloatArray, IntArray]:
    """Every triangle in four, by the middles of its edges, which go on the sphere."""
    sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]], axis=2).reshape(-1, 2)
    edges, which = np.unique(sides, axis=0, return_inverse=True)
    middles = vertices[edges].sum(axis=1)
    middles /= np.linalg.norm(middles, axis=1)[:, None]
    ab, bc, ca = (len(vertices) + which.reshape(-1, 3)).T
    a, b, c = triangles.T
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    finer = np.concatenate([np.column_stack(part) for part in parts])
    return np.concatenate([vertices, middles]), finer


def box() -> Surface:
    """Half edges 1. Each face has corners of its own, so that smooth shading keeps edges sharp."""
    face = np.array([(-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)], dtype=float)
    vertices = []
    for k in range(3):
        vertices.append(np.roll(face, k, axis=1))
        vertices.append(-np.roll(face[::-1], k, axis=1))  # a mirror image turns corners round
    first = 4 * np.arange(6)[:, None]
    triangles = (first + np.array([0, 1, 2, 0, 2, 3])).reshape(-1, 3)
    return Surface(np.concatenate(vertices), triangles)


def capsule(half_length: float, detail: int) -> Surface:
    """Radius 1 along z, its ends at +- half_length >= 1; rings from one end to the other."""
    tilt = np.linspace(0.0, 0.5 * np.pi, 2**detail + 1)[1:]  # from the end to the widest ring
    upper = np.column_stack([np.sin(tilt), half_length - 1.0 + np.cos(tilt)])
    outline = np.concatenate([[(0.0, half_length)], upper, _mirrored(upper), [(0.0, -half_length)]])
    return turned_about(outline, 8 * 2 ** max(detail - 1, 0))


def disk(half: float, e: float, detail: int) -> Surface:
    """Radius 1 about z, 2 half thick, with edges of radius e; a thin one is drawn with a little
    thickness. Faces and side have points of their own where the rim is sharp, so that smooth
    shading keeps it so."""
    half = max(half, _THICK)
    round_it = np.linspace(0.0, 0.5 * np.pi, 2 ** max(detail - 1, 1) + 1)
    corner = np.column_stack([1.0 - e + e * np.sin(round_it), half - e + e * np.cos(round_it)])
    if e == 0.0:
        corner = np.array([(1.0, half), (1.0, half)])
    outline = np.concatenate([[(0.0, half)], corner, _mirrored(corner), [(0.0, -half)]])
    return turned_about(outline, 8 * 2**detail)


def cap(opening: float, detail: int) -> Surface:
    """Of a sphere of radius 1 about (0, 0, 1), from the origin to an angle `opening` there; what
    looks at its centre is outside."""
    slope = np.linspace(0.0, opening, 4 * 2**detail + 1)  # upwards: its front is inside
    return turned_about(np.column_stack([np.sin(slope), 1.0 - np.cos(slope)]), 16 * 2**detail)


def _mirrored(outline: FloatArray) -> FloatArray:
    """Points (r, z) the other way up, in reverse."""
    return outline[::-1] * (1.0, -1.0)


def turned_about(outline: FloatArray, around: int) -> Surface:
    """The surface that points (r, z), from above to below, describe about z (from below, its front
    is inside): a ring for each, and one point for each on the axis. Between two that are the same
    there is nothing."""
    turn = 2.0 * np.pi * np.arange(around) / around
    here = np.arange(around)
    rings, vertices, count = [], [], 0
    for r, z in outline:
        points = around if r > 0.0 else 1
        angle = turn[:points]
        vertices.append(np.column_stack([r * np.cos(angle), r * np.sin(angle), np.full(points, z)]))
        rings.append(count + here % points)
        count += points
    triangles = []
    for k in range(len(rings) - 1):
        if (outline[k] == outline[k + 1]).all():
            continue
        above, below = rings[k], rings[k + 1]
        if outline[k + 1, 0] > 0.0:
            triangles.append(np.column_stack([above, below, np.roll(below, -1)]))
        if outline[k, 0] > 0.0:
            triangles.append(np.column_stack([above, np.roll(below, -1), np.roll(above, -1)]))
    return Surface(np.concatenate(vertices), np.concatenate(triangles))


def square() -> Surface:
    """Half width 1, normal along z."""
    vertices = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], dtype=float)
    return Surface(vertices, np.array([(0, 1, 2), (0, 2, 3)]))


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
