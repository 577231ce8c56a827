"""Bodies seen along y, x to the right and z up, as patches.

Boxes and hulls show the faces that look at the viewer, each a little darker the more it turns from
the light, meshes their triangles likewise; of disks and cones, quarters of the flat sides have two
tones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.collision.hull import Hull
from rollcone.collision.shapes import BOX, CLUMP, CONE, DISK, ELLIPSOID, MESH
from rollcone.collision.triangles import Surface
from rollcone.mechanics.bodies import DYNAMIC, Bodies
from rollcone.mechanics.part_forms import size_of
from rollcone.view.cut import outline
from rollcone.view.silhouette import silhouette

EDGE = "#333333"
EDGE_ON = 1e-9  # a face or plane that the viewer sees as a line, or not at all
_LIGHT = np.array([-0.36, -0.64, 0.68])  # where light comes from
_DARK = 0.8  # of the brightness: every other quarter of a disk
_SIDE = 0.9  # of a disk with thickness
Patches = list[tuple[Any, float | FloatArray]]  # each with its brightness


def back_to_front(state: Bodies, position: FloatArray) -> IntArray:
    """Bodies (n,) by their places (n, 3); fixed meshes, such as ground, are behind all."""
    ground = (state.shape == MESH) & (state.kind != DYNAMIC)
    return np.lexsort((-position[:, 1], ~ground[: len(position)]))


def draw_body(
    axes: Any, state: Bodies, body: int, center: FloatArray, turn: FloatArray, color: FloatArray,
    **style: Any,
) -> None:  # fmt: skip
    """One that is no plane or bowl; turn (3, 3): its axes as columns."""
    from matplotlib.collections import Collection

    for patch, brightness in body_patches(state, body, center, turn):
        many = isinstance(patch, Collection)
        patch.set(facecolor=np.clip(brightness * color, 0.0, 1.0), joinstyle="round", **style)
        patch.set(edgecolor="face" if many else EDGE)
        (axes.add_collection if many else axes.add_patch)(patch)


def body_patches(state: Bodies, body: int, center: FloatArray, axes: FloatArray) -> Patches:
    """What a body that is no plane or bowl shows; axes (3, 3) as columns."""
    if state.shape[body] == CLUMP:
        balls = state.clumps.of(body)
        places = center + balls[:, :3] @ axes.T
        order = np.argsort(-places[:, 1], kind="stable")
        return [(outline(places[k], balls[k, 3], np.zeros(3)), 1.0) for k in order]
    parts = state.parts.of(body)
    if not parts:
        return _solid(int(state.shape[body]), state.size[body], center, axes)
    if isinstance(parts[0].geometry, Surface):
        return _mesh(parts[0].geometry, center, axes)
    places = center + np.array([part.x for part in parts]) @ axes.T
    found: Patches = []
    for k in np.argsort(-places[:, 1], kind="stable"):
        own = axes @ np.array(parts[k].turn).reshape(3, 3).T
        hull = parts[k].geometry
        if isinstance(hull, Hull):
            found += _hull(hull, places[k], own)
        else:
            found += _solid(parts[k].kind, size_of(parts[k]), places[k], own)
    return found


def visible_faces(axes: FloatArray, half: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
    """Normal (3,) and corners (4, 3) of the faces of a box that look towards -y.

    axes (3, 3): the body's, as columns; half (3,): half the edges.
    """
    faces = []
    for k in range(3):
        if abs(axes[1, k]) < EDGE_ON:
            continue
        normal = -np.sign(axes[1, k]) * axes[:, k]
        i, j = (k + 1) % 3, (k + 2) % 3
        a, b = half[i] * axes[:, i], half[j] * axes[:, j]
        corners = half[k] * normal + np.array([a + b, a - b, -a - b, b - a])
        faces.append((normal, corners))
    return faces


def disk_quarters(axes: FloatArray, radius: float) -> list[FloatArray]:
    """Points (m, 3) around each quarter of a disk about its centre; axes (3, 3) as columns."""
    turns = [np.linspace(0.5 * k, 0.5 * (k + 1), 17) * np.pi for k in range(4)]
    arcs = [radius * (np.column_stack([np.cos(t), np.sin(t)]) @ axes[:, :2].T) for t in turns]
    return [np.concatenate([arc, np.zeros((1, 3))]) for arc in arcs]


def _solid(shape: int, size: FloatArray, center: FloatArray, axes: FloatArray) -> Patches:
    """A shape that follows from its size."""
    from matplotlib.patches import Polygon

    if shape == ELLIPSOID:
        return [(Polygon((center + silhouette(ELLIPSOID, size, axes))[:, ::2]), 1.0)]
    if shape in (DISK, CONE):
        around = _turned(shape, size, center, axes)
        return [(Polygon(points[:, ::2]), brightness) for points, brightness in around]
    if shape != BOX:
        return [(outline(center, size[0], (size[2] - size[0]) * axes[:, 2]), 1.0)]
    return [_face(normal, center + corners) for normal, corners in visible_faces(axes, size)]


def _turned(
    shape: int, size: FloatArray, center: FloatArray, axes: FloatArray
) -> list[tuple[FloatArray, float]]:
    """A disk or a cone: its side, then a flat side, if it is seen."""
    towards = -np.sign(axes[1, 2])  # which end of its axis is
    if shape == DISK:
        edge, half = size[2] - size[0], size[1] - size[0]
        ring, end, seen = size[0] - edge, towards * half, abs(axes[1, 2]) > EDGE_ON or half == 0.0
    else:
        ring, end, half, seen = size[0], -size[2] / 3.0, size[2], axes[1, 2] > EDGE_ON
    around = [(center + silhouette(shape, size, axes), _SIDE)] if half > 0.0 else []
    if seen:
        face = center + end * axes[:, 2]
        quarters = enumerate(disk_quarters(axes, ring))
        around += [(face + points, _DARK if k % 2 else 1.0) for k, points in quarters]
    return around


def _face(normal: FloatArray, corners: FloatArray) -> tuple[Any, float]:
    from matplotlib.patches import Polygon

    return Polygon(corners[:, ::2]), 0.75 + 0.25 * max(0.0, float(normal @ _LIGHT))


def _hull(hull: Hull, center: FloatArray, axes: FloatArray) -> Patches:
    normals, corners = hull.normals @ axes.T, center + hull.corners @ axes.T
    return [
        _face(normal, corners[face])
        for normal, face in zip(normals, hull.faces, strict=True)
        if normal[1] < -EDGE_ON
    ]


def _mesh(mesh: Surface, center: FloatArray, axes: FloatArray) -> Patches:
    """All triangles, the far ones first; of an open mesh one sees both sides."""
    from matplotlib.collections import PolyCollection

    corners = center + mesh.corners[mesh.triangles] @ axes.T
    normals = mesh.normals @ axes.T
    order = np.argsort(-corners[:, :, 1].mean(axis=1), kind="stable")
    light = np.where(normals[:, 1] > 0.0, -1.0, 1.0) * (normals @ _LIGHT)
    brightness = 0.75 + 0.25 * np.maximum(light[order], 0.0)
    return [(PolyCollection(corners[order][..., ::2]), brightness[:, None])]
