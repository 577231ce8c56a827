"""Plain twins of gaps between bodies, from recorded positions alone."""

from __future__ import annotations

import itertools

import numpy as np
from scipy.spatial.transform import Rotation

import rollcone as rc

SIGNS = np.array(list(itertools.product((-1, 1), repeat=3)))


def ball_gaps(run: rc.Run) -> np.ndarray:
    """(moments, pairs): of all pairs of spheres, and of each with the floor at z = 0, if there is
    one as body 0."""
    radius, x = run.world.state.size[:, 0], run.states("position")
    gaps = []
    for i, j in itertools.combinations(range(len(radius)), 2):
        if np.isinf(radius[i]):
            gaps.append(x[:, j, 2] - x[:, i, 2] - radius[j])
        else:
            gaps.append(np.linalg.norm(x[:, j] - x[:, i], axis=1) - radius[i] - radius[j])
    return np.array(gaps).T


def box_gap(run: rc.Run, one: rc.Body, two: rc.Body) -> np.ndarray:
    """(moments,): the widest gap between the projections of two boxes on the normals of faces and
    the products of edges; below zero, minus the least overlap."""
    placed = zip(*_axes_and_corners(run, one), *_axes_and_corners(run, two), strict=True)
    return np.array([_widest_gap(*moment) for moment in placed])


def _axes_and_corners(run: rc.Run, body: rc.Body) -> tuple[np.ndarray, np.ndarray]:
    """(moments, 3, 3) by rows, and (moments, 8, 3)."""
    track = run.body(body)
    axes = np.swapaxes(Rotation.from_quat(np.roll(track.orientation, -1, axis=1)).as_matrix(), 1, 2)
    return axes, track.position[:, None] + (SIGNS * run.world.state.size[body.id]) @ axes


def _widest_gap(a: np.ndarray, p: np.ndarray, b: np.ndarray, q: np.ndarray) -> float:
    products = np.cross(a[:, None], b[None]).reshape(9, 3)
    length = np.linalg.norm(products, axis=1)
    n = np.vstack([a, b, products[length > 1e-7] / length[length > 1e-7, None]]).T
    p, q = p @ n, q @ n
    apart = np.maximum(q.min(axis=0) - p.max(axis=0), p.min(axis=0) - q.max(axis=0))
    return float(apart.max())
