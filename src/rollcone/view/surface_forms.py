"""Surfaces in body axes, as triangles that run counter-clockwise seen from outside: unit ones that
a body's three scales stretch, and those of bodies that are made of parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.collision.hull import Hull
from rollcone.collision.parts import Part
from rollcone.collision.shapes import BOX, CAPSULE, CONE, DISK, ELLIPSOID, MESH, SPHERE
from rollcone.collision.triangles import Surface as Triangles
from rollcone.mechanics.part_forms import size_of

_THICK = 0.01  # of the radius: half the thickness of a thin disk, to be seen from its side, too
_SMOOTH = np.cos(np.radians(30.0))  # triangles of a mesh that meet at less are one round surface


@dataclass(frozen=True)
class Surface:
    """A mesh; closed, but for a square for a plane, a cap for a bowl, and open meshes."""

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
        an ellipsoid, every other quarter of a capsule, a disk or a cone; of others all is in the
        first."""
        if shape not in (SPHERE, ELLIPSOID, CAPSULE, DISK, CONE):
            return self, Surface(self.vertices, self.triangles[:0])
        middles = self.vertices[self.triangles].mean(axis=1)
        axes = 3 if shape in (SPHERE, ELLIPSOID) else 2
        first = middles[:, :axes].prod(axis=1) > 0
        return Surface(self.vertices, self.triangles[first]), Surface(
            self.vertices, self.triangles[~first]
        )


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


def cone(detail: int) -> Surface:
    """Radius 1 about z, its tip at 1, its base at -1/3. The tip has a point for each triangle, so
    that smooth shading shows no round one."""
    around = 8 * 2**detail
    base = turned_about(np.array([(1.0, -1.0 / 3.0), (0.0, -1.0 / 3.0)]), around)
    here = np.arange(around)
    vertices = np.concatenate([base.vertices[:around], np.tile((0.0, 0.0, 1.0), (around, 1))])
    side = np.column_stack([around + here, here, np.roll(here, -1)])
    return joined([Surface(vertices, side), base])


def joined(surfaces: Sequence[Surface]) -> Surface:
    """Several as one."""
    first = np.cumsum([0, *(len(one.vertices) for one in surfaces)])
    triangles = [one.triangles + k for one, k in zip(surfaces, first, strict=False)]
    return Surface(np.concatenate([one.vertices for one in surfaces]), np.concatenate(triangles))


def hull_surface(hull: Hull) -> Surface:
    """Each face has corners of its own, so that edges stay sharp."""
    fans = [
        first + np.column_stack([np.zeros(k, int), np.arange(1, k + 1), np.arange(2, k + 2)])
        for first, k in zip(hull.starts[:-1], np.diff(hull.starts) - 2, strict=True)
    ]
    return Surface(hull.corners[hull.loops], np.concatenate(fans))


def mesh_surface(mesh: Triangles) -> Surface:
    """Smooth where triangles nearly lie in one plane; elsewhere they have corners of their own."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count, triangles = mesh.triangles.size, mesh.triangles
    begin, end = triangles.reshape(-1), np.roll(triangles, -1, axis=1).reshape(-1)
    corner = np.arange(count)
    following = corner.reshape(-1, 3)[:, [1, 2, 0]].reshape(-1)
    order = np.lexsort((np.maximum(begin, end), np.minimum(begin, end)))
    one, other = order[:-1], order[1:]
    meet = (begin[one] == end[other]) & (end[one] == begin[other])
    meet &= np.einsum("ij,ij->i", mesh.normals[one // 3], mesh.normals[other // 3]) > _SMOOTH
    one, other = one[meet], other[meet]  # edges, which two triangles run along in opposite ways
    links = np.concatenate([one, following[one]]), np.concatenate([following[other], other])
    graph = coo_array((np.ones(len(links[0]), dtype=np.int8), links), shape=(count, count))
    vertices, label = connected_components(graph, directed=False)
    places = np.empty((vertices, 3))
    places[label] = mesh.corners[begin]
    return Surface(places, label.reshape(-1, 3).astype(np.int64))


def part_surface(part: Part, detail: int) -> Surface:
    """Of one part of a body, where that has it."""
    if isinstance(part.geometry, Hull):
        own = hull_surface(part.geometry)
    elif part.geometry is not None:
        own = mesh_surface(part.geometry)
    else:
        own = _of_size(part.kind, size_of(part), detail)
    turn = np.array(part.turn).reshape(3, 3)
    return Surface(np.array(part.x) + own.vertices @ turn, own.triangles)


def _of_size(kind: int, size: FloatArray, detail: int) -> Surface:
    """Of a body that has no parts."""
    if kind == DISK:
        half, edge = (size[1:] / size[0] - 1.0).tolist()
        unit, scales = disk(half, edge, detail), size[[0, 0, 0]]
    elif kind == CAPSULE:
        unit, scales = capsule(size[2] / size[0], detail), size[[0, 0, 0]]
    else:
        unit = box() if kind == BOX else cone(detail) if kind == CONE else sphere(detail)
        scales = size
    return Surface(scales * unit.vertices, unit.triangles)


def parts_surface(parts: Sequence[Part], detail: int) -> Surface:
    """Of a body that is made of them; the hull of a mesh is not seen."""
    seen = parts[:1] if parts[0].kind == MESH else parts
    return joined([part_surface(part, detail) for part in seen])
