"""Convex hulls of few points, by trying the plane through any three of them.

This takes a millisecond and NumPy alone, where `scipy.spatial` takes longer than all else before a
first step to be imported. There is an answer only where every distance is clearly more than
rounding or clearly no more than that; otherwise Qhull decides (hull.py).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from rollcone._check import FloatArray, IntArray

MOST = 24  # points
# Of points whose extent is 1:
_ROUNDING = 1e-12  # a distance from a plane or line below this is none
_CLEAR = 1e-6  # above this there is one
_APART = 1e-3  # points must have this distance, and triangles this area


def faces_of(points: FloatArray) -> list[IntArray] | None:
    """Return the faces of the hull of points (n, 3) of extent 1, or None where that is in doubt.

    A face is a loop of numbers of points, counterclockwise as seen from outside.
    """
    apart = np.linalg.norm(points[:, None] - points, axis=2) + np.eye(len(points))
    if apart.min() < _APART:
        return None
    i, j, k = np.array(list(combinations(range(len(points)), 3))).T
    normals = np.cross(points[j] - points[i], points[k] - points[i])
    area = np.linalg.norm(normals, axis=1)
    if np.any((area > _ROUNDING) & (area < _APART)):
        return None
    some = area >= _APART
    normals = normals[some] / area[some, None]
    height = normals @ points.T - np.sum(normals * points[i[some]], axis=1)[:, None]
    below, above = height.max(axis=1) < _CLEAR, height.min(axis=1) > -_CLEAR
    outward = np.concatenate([normals[below], -normals[above]])
    height = np.abs(np.concatenate([height[below], height[above]]))
    if np.any((height > _ROUNDING) & (height < _CLEAR)):
        return None
    on_plane = {
        tuple(np.flatnonzero(on)): n for on, n in zip(height < _CLEAR, outward, strict=True)
    }
    loops = []
    for corners, normal in on_plane.items():
        loop = _outline(points[list(corners)], normal)
        if loop is None:
            return None
        loops.append(np.array(corners)[loop])
    # Euler's formula: corners and faces are two more than edges, each of which two faces have.
    used, edges = len(set(np.concatenate(loops).tolist())), sum(map(len, loops))
    return loops if 2 * (used + len(loops) - 2) == edges else None


def _outline(corners: FloatArray, normal: FloatArray) -> list[int] | None:
    """Return the corners of a flat face in order, without those within its edges.

    From a corner the next one is where all others are on the left, the farthest if there are
    several; None if a distance from such a line is in doubt.
    """
    at = start = int(np.argmax(np.linalg.norm(corners - corners.mean(axis=0), axis=1)))
    found: list[int] = []
    while len(found) < len(corners):
        found.append(at)
        edges = corners - corners[at]
        length = np.linalg.norm(edges, axis=1)
        left = np.cross(normal, edges) @ edges.T / np.maximum(length, _APART)[:, None]
        edge = (left.min(axis=1) > -_CLEAR) & (length > 0.0)
        aside = np.abs(left[edge])
        if not edge.any() or np.any((aside > _ROUNDING) & (aside < _CLEAR)):
            return None
        at = int(np.argmax(np.where(edge, length, 0.0)))
        if at == start:
            return found
    return None
