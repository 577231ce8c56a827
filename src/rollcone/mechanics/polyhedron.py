"""Volume, centroid and inertia of what a closed surface of triangles encloses.

With a, b, c the corners of a triangle and V = a.(b x c) / 6 the volume of the tetrahedron between
it and the origin, the sums over all triangles are

    volume = sum V,   first = sum V (a + b + c) / 4,
    second = sum V ((a + b + c)(a + b + c)^T + a a^T + b b^T + c c^T) / 20.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rollcone._check import FloatArray, IntArray


class Enclosed(NamedTuple):
    """`second` is the integral of x x^T about the centroid, per unit of volume (m2)."""

    volume: float
    centroid: FloatArray
    second: FloatArray

    def moments_about(self, center: FloatArray) -> FloatArray:
        """The inertia tensor (3, 3) about a point, per kilogram."""
        way = self.centroid - center
        about = self.second + np.outer(way, way)
        return np.asarray(np.trace(about) * np.eye(3) - about)


def enclosed(corners: FloatArray, triangles: IntArray) -> Enclosed:
    """By a surface that is closed, with triangles counterclockwise as seen from outside."""
    origin = corners.mean(axis=0)
    a, b, c = np.moveaxis((corners - origin)[triangles], 1, 0)
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
    volume = float(volumes.sum())
    total = a + b + c
    first = volumes @ total / 4.0 / volume
    second = sum(np.einsum("i,ij,ik->jk", volumes, x, x) for x in (total, a, b, c))
    second = np.asarray(second) / 20.0 / volume - np.outer(first, first)
    return Enclosed(volume, origin + first, second)


def is_closed(triangles: IntArray) -> bool:
    """Has every edge two triangles, which run along it in opposite directions?"""
    edges = np.concatenate([triangles[:, [k, (k + 1) % 3]] for k in range(3)])
    there = {tuple(edge) for edge in edges.tolist()}
    return len(there) == len(edges) and all((b, a) in there for a, b in there)
