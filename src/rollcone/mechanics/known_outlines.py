"""Bodies as spheres, boxes and capsules, which hold them: balls of clumps, parts of compounds,
rectangles around the triangles of fixed meshes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rollcone._check import FloatArray
from rollcone.collision.grid import outlines
from rollcone.collision.kernels.detect import Outlines
from rollcone.collision.parts import Part
from rollcone.collision.shapes import BOX, CAPSULE, CLUMP, CONE, DISK, MESH, SPHERE
from rollcone.collision.triangles import Surface
from rollcone.mechanics.bodies import DYNAMIC, REMOVED, Bodies
from rollcone.mechanics.part_forms import size_of


class _Piece(NamedTuple):
    """Of a body, in its axes."""

    owner: int
    shape: int
    size: FloatArray
    place: FloatArray
    turn: FloatArray  # its own axes as columns


def known_outlines(state: Bodies, low: FloatArray, high: FloatArray) -> Outlines:
    """All bodies; of fixed meshes only what is between the corners, unless it is a periodic box."""
    made = (state.shape == CLUMP) | (state.shape >= CONE)
    if not made.any():
        return outlines(state)
    if state.period.any():
        low, high = np.full(3, -np.inf), np.full(3, np.inf)
    there = np.flatnonzero((state.shape >= CONE) & (state.kind != REMOVED)).tolist()
    pieces = [piece for body in there for piece in _pieces(state, body, low, high)]
    first, balls = state.clumps.rows(len(state))
    owner = np.repeat(np.arange(len(state)), np.diff(first))
    owner = np.concatenate([owner, np.array([piece.owner for piece in pieces], dtype=np.int64)])
    own = [np.tile(np.eye(3), (len(balls), 1, 1)), *(piece.turn[None] for piece in pieces)]
    places = np.concatenate([balls[:, :3], *(piece.place[None] for piece in pieces)])
    of_bodies = _matrices(state.orientation[owner])
    rest = [getattr(state, name)[~made] for name in Outlines._fields]
    shapes = np.array([SPHERE] * len(balls) + [piece.shape for piece in pieces], dtype=np.int64)
    parts = [
        state.kind[owner],
        shapes,
        np.concatenate([balls[:, [3, 3, 3]], *(piece.size[None] for piece in pieces)]),
        state.position[owner] + np.einsum("nij,nj->ni", of_bodies, places),
        _quaternions(of_bodies @ np.concatenate(own)),
    ]
    return Outlines(*(np.concatenate(both) for both in zip(rest, parts, strict=True)))


def _pieces(state: Bodies, body: int, low: FloatArray, high: FloatArray) -> Iterator[_Piece]:
    parts = state.parts.of(body)
    if not parts:  # a cone
        yield _Piece(body, BOX, state.size[body], np.zeros(3), np.eye(3))
    elif isinstance(parts[0].geometry, Surface) and state.kind[body] != DYNAMIC:
        placed = state.position[body], _matrices(state.orientation[body])
        for rectangle in zip(*_rectangles(parts[0].geometry, placed, low, high), strict=True):
            yield _Piece(body, BOX, *rectangle)
    else:
        for part in parts:
            if part.kind != MESH:
                turn = np.array(part.turn).reshape(3, 3).T
                yield _Piece(body, *_simple(part), np.array(part.x), turn)


def _simple(part: Part) -> tuple[int, FloatArray]:
    """A part as it is, or the box around it."""
    size = size_of(part)
    if part.kind in (SPHERE, CAPSULE):
        return part.kind, size
    if part.kind == DISK:
        return BOX, np.array([size[0], size[0], size[1] - size[0]])
    return BOX, size


def _rectangles(
    mesh: Surface, placed: tuple[FloatArray, FloatArray], low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Around triangles, along their longest edges: half edges, places, axes; of those that are
    between the corners of a region where the body is placed."""
    x, axes = placed
    corners = mesh.corners[mesh.triangles]
    there = x + corners @ axes.T
    near = (there.min(axis=1) <= high).all(axis=1) & (there.max(axis=1) >= low).all(axis=1)
    corners, normal = corners[near], mesh.normals[near]
    edges = np.roll(corners, -1, axis=1) - corners
    length = np.linalg.norm(edges, axis=2)
    every, longest = np.arange(len(corners)), length.argmax(axis=1)
    along = edges[every, longest] / length[every, longest][:, None]
    turn = np.stack([along, np.cross(normal, along), normal], axis=-1)
    own = corners @ turn
    middle = 0.5 * (own.min(axis=1) + own.max(axis=1))
    return 0.5 * np.ptp(own, axis=1), np.einsum("nij,nj->ni", turn, middle), turn


def _matrices(orientation: FloatArray) -> FloatArray:
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_quat(np.roll(orientation, -1, axis=-1)).as_matrix())


def _quaternions(turns: FloatArray) -> FloatArray:
    from scipy.spatial.transform import Rotation

    return np.roll(Rotation.from_matrix(turns).as_quat(), 1, axis=1)
