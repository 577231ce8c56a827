"""Bodies as triangles: surfaces in body axes, bodies that share one, and where they are.

Surfaces are unit ones that a body's three scales stretch along its axes, so that
thousands of bodies are drawn as copies of one mesh. Triangles run counter-clockwise seen from
outside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray, positive_number, whole_number
from rollcone.collision.shapes import BOX, CAPSULE, CLUMP, DISK, PLANE, SPHERE
from rollcone.mechanics.world import World

_SAME = 1e-9  # relative difference of proportions that nobody sees
_THICK = 0.01  # of the radius: half the thickness of a disk, so that it is seen from its side, too


@dataclass(frozen=True)
class Surface:
    """A closed mesh, or a square for a plane."""

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
        """The surface in two parts, to make turning visible: every other octant of a sphere,
        every other quarter of a capsule or a disk; of other shapes all is in the first part."""
        if shape not in (SPHERE, CAPSULE, DISK):
            return self, Surface(self.vertices, self.triangles[:0])
        middles = self.vertices[self.triangles].mean(axis=1)
        axes = 3 if shape == SPHERE else 2
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


def groups(world: World, *, detail: int = 3, half_width: float = 1.0) -> list[BodyGroup]:
    """All bodies, also removed ones, group by group: spheres, boxes, disks, capsules of equal
    proportions, clumps of the same balls, planes as squares.

    detail      how fine round surfaces are: 8, 32, 128, 512 triangles of a sphere at 0, 1, 2, 3
    half_width  of the squares (m); see `framing.extent`
    """
    whole_number("detail", detail)
    shape, size = world.state.shape, world.state.size
    found = []
    for code, surface in ((SPHERE, sphere(detail)), (BOX, box()), (DISK, disk(detail))):
        numbers = np.flatnonzero(shape == code)
        if len(numbers):
            found.append(BodyGroup(code, numbers, surface, size[numbers].copy()))
    found += _capsule_groups(np.flatnonzero(shape == CAPSULE), size, detail)
    found += _clump_groups(world, np.flatnonzero(shape == CLUMP), detail)
    planes = np.flatnonzero(shape == PLANE)
    if len(planes):
        scales = np.full((len(planes), 3), positive_number("half_width", half_width))
        found.append(BodyGroup(PLANE, planes, square(), scales))
    return found


def _capsule_groups(numbers: IntArray, size: FloatArray, detail: int) -> list[BodyGroup]:
    proportion = size[numbers, 2] / size[numbers, 0]
    order = np.argsort(proportion, kind="stable")
    ends = np.flatnonzero(np.diff(proportion[order]) > _SAME * proportion[order][:-1]) + 1
    return [
        BodyGroup(
            CAPSULE,
            numbers[part],
            capsule(proportion[part[0]], detail),
            size[numbers[part]][:, [0, 0, 0]],
        )
        for part in np.split(order, ends)
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
    around, rings = 8 * 2 ** max(detail - 1, 0), 2**detail + 1
    turn = 2.0 * np.pi * np.arange(around) / around
    tilt = np.linspace(0.0, 0.5 * np.pi, rings)[1:]  # from the end to the widest ring
    ring = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(around)])
    core = half_length - 1.0
    upper = [np.sin(s) * ring + (0, 0, core + np.cos(s)) for s in tilt]
    lower = [np.sin(s) * ring - (0, 0, core + np.cos(s)) for s in tilt[::-1]]
    ends = [(0.0, 0.0, half_length), (0.0, 0.0, -half_length)]
    here = np.arange(around)
    beside = np.roll(here, -1)
    count = 2 * len(tilt) * around
    last = count - around
    parts = [
        np.column_stack([np.full(around, count), here, beside]),
        np.column_stack([np.full(around, count + 1), last + beside, last + here]),
    ]
    for first in range(0, last, around):
        above, below = first + here, first + around + here
        above_beside, below_beside = first + beside, first + around + beside
        parts.append(np.column_stack([above, below, below_beside]))
        parts.append(np.column_stack([above, below_beside, above_beside]))
    return Surface(np.concatenate([*upper, *lower, ends]), np.concatenate(parts))


def disk(detail: int) -> Surface:
    """Radius 1 about z, drawn with a little thickness. Faces and side have points of their own, so
    that smooth shading keeps the rim sharp."""
    around = 8 * 2**detail
    turn = 2.0 * np.pi * np.arange(around) / around
    ring = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(around)])
    up = np.array([0.0, 0.0, _THICK])
    here = np.arange(around)
    beside = np.roll(here, -1)
    rings = [ring + up, ring - up, ring + up, ring - up]
    top, bottom, above, below = ((k * around + here, k * around + beside) for k in range(4))
    middle = np.full(around, 4 * around)
    triangles = [
        np.column_stack([middle, *top]),
        np.column_stack([middle + 1, *reversed(bottom)]),
        np.column_stack([above[0], below[0], below[1]]),
        np.column_stack([above[0], below[1], above[1]]),
    ]
    return Surface(np.concatenate([*rings, [up, -up]]), np.concatenate(triangles))


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
