"""Surfaces of triangles: their edges, and a tree of boxes to find those near a place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, IntArray, bounded_array
from rollcone.collision.kernels.triangle import LEAF
from rollcone.errors import InputError

MOST_TRIANGLES = 2_000_000


@dataclass(frozen=True, eq=False)
class Surface:
    """`corners` (v, 3) in metres and `triangles` (t, 3) of corner numbers, counterclockwise as
    seen from outside."""

    corners: FloatArray
    triangles: IntArray

    @cached_property
    def normals(self) -> FloatArray:
        """(t, 3), outward."""
        a, b, c = np.moveaxis(self.corners[self.triangles], 1, 0)
        normal = np.cross(b - a, c - a)
        return np.asarray(normal / np.linalg.norm(normal, axis=1)[:, None])

    @cached_property
    def neighbours(self) -> tuple[IntArray, IntArray]:
        """Corners at the other ends of the edges of corner i: second[first[i]:first[i + 1]]."""
        ends = np.concatenate([self.triangles[:, [k, (k + 1) % 3]] for k in range(3)])
        edges = np.unique(np.concatenate([ends, ends[:, ::-1]]), axis=0)
        return np.searchsorted(edges[:, 0], np.arange(len(self.corners) + 1)), edges[:, 1].copy()

    @cached_property
    def tree(self) -> tuple[IntArray, FloatArray]:
        """(order, boxes): the triangles along a curve through space, and a complete binary tree of
        boxes (lower, upper) over leaves of LEAF of them; the children of box i are 2 i + 1 and
        2 i + 2. Leaves that hold none have boxes that nothing meets."""
        corners = self.corners[self.triangles]
        lower, upper = corners.min(axis=1), corners.max(axis=1)
        order = np.argsort(_morton(0.5 * (lower + upper)), kind="stable")
        leaves = 1 << max(0, int(np.ceil(np.log2(max(1, -(-len(order) // LEAF))))))
        room = leaves * LEAF
        low, high = np.full((room, 3), np.inf), np.full((room, 3), -np.inf)
        low[: len(order)], high[: len(order)] = lower[order], upper[order]
        low, high = low.reshape(leaves, LEAF, 3).min(1), high.reshape(leaves, LEAF, 3).max(1)
        levels = [np.hstack([low, high])]
        while len(levels[-1]) > 1:
            pairs = levels[-1].reshape(-1, 2, 6)
            levels.append(np.hstack([pairs[..., :3].min(1), pairs[..., 3:].max(1)]))
        return order, np.concatenate(levels[::-1])


def _morton(points: FloatArray) -> IntArray:
    """Numbers along a curve that fills space, 21 bits a coordinate."""
    low, size = points.min(axis=0), float(np.ptp(points, axis=0).max())
    cell = ((points - low) / (size or 1.0) * (2**21 - 1)).astype(np.int64)
    for shift, mask in (
        (32, 0x1F00000000FFFF), (16, 0x1F0000FF0000FF), (8, 0x100F00F00F00F00F),
        (4, 0x10C30C30C30C30C3), (2, 0x1249249249249249),
    ):  # fmt: skip
        cell = (cell | cell << shift) & mask
    return np.asarray(cell[:, 0] | cell[:, 1] << 1 | cell[:, 2] << 2)


def surface_of(vertices: ArrayLike, triangles: ArrayLike) -> Surface:
    """A surface as it is given, checked; triangles without an area are left out."""
    corners = bounded_array("vertices", vertices)
    if corners.ndim != 2 or corners.shape[1] != 3 or len(corners) < 3:
        raise InputError(f"vertices of shape {corners.shape}: must be rows of three numbers (m)")
    numbers = np.asarray(triangles)
    if numbers.ndim != 2 or numbers.shape[1] != 3 or not len(numbers):
        raise InputError(f"triangles of shape {numbers.shape}: must be rows of three numbers")
    if len(numbers) > MOST_TRIANGLES:
        raise InputError(f"triangles: {len(numbers)} of them, must be at most {MOST_TRIANGLES}")
    if not np.issubdtype(numbers.dtype, np.integer):
        raise InputError(f"triangles of type {numbers.dtype}: must be whole numbers")
    if numbers.min() < 0 or numbers.max() >= len(corners):
        wrong = int(numbers.min() if numbers.min() < 0 else numbers.max())
        raise InputError(f"triangles name the vertex {wrong}: must be from 0 to {len(corners) - 1}")
    # Vertices at one place are one: files of triangles repeat them for each.
    _, first, same = np.unique(corners, axis=0, return_index=True, return_inverse=True)
    numbers = same.reshape(-1)[numbers.astype(np.int64)]
    corners = corners[first]
    a, b, c = np.moveaxis(corners[numbers], 1, 0)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    longest = np.max(
        [np.sum((b - a) ** 2, axis=1), np.sum((c - b) ** 2, axis=1), np.sum((a - c) ** 2, axis=1)],
        axis=0,
    )
    whole = area > 1e-9 * longest
    if not whole.any():
        raise InputError("triangles: none of them has an area")
    return Surface(np.ascontiguousarray(corners), np.ascontiguousarray(numbers[whole]))
