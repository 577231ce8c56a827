"""Pairs of boxes, and plain twins of their distance, overlap and common face."""

from __future__ import annotations

import numpy as np
from collision_cases import Scene, turns
from scipy.optimize import lsq_linear


def axes_of(pair: Scene) -> np.ndarray:
    """(2, 3, 3): the axes of both boxes, by rows."""
    return np.swapaxes(turns(pair).as_matrix(), 1, 2)


def corners(pair: Scene, which: int) -> np.ndarray:
    """(8, 3), by number: bits 0, 1, 2 say on which side."""
    signs = np.array([[1 if k >> j & 1 else -1 for j in range(3)] for k in range(8)])
    return pair.position[which] + (signs * pair.size[which]) @ axes_of(pair)[which]


def distance(pair: Scene) -> float:
    """Of two solid boxes, by bounded least squares over their six coordinates."""
    a, b = turns(pair).as_matrix()
    limits = np.concatenate(pair.size)
    way = pair.position[1] - pair.position[0]
    scale = limits.max() + np.linalg.norm(way)
    result = lsq_linear(
        np.hstack([a, -b]), way / scale, bounds=(-limits / scale, limits / scale), method="bvls",
        tol=1e-15, max_iter=200,
    )  # fmt: skip
    return scale * float(np.sqrt(2.0 * result.cost))


def separations(pair: Scene):
    """The gaps of the projections on all 15 axes, from the corners, as a function of time: both
    boxes are shifted, not turned."""
    a, b = axes_of(pair)
    axes = np.array([*a, *b, *(np.cross(x, y) for x in a for y in b)])
    length = np.linalg.norm(axes, axis=1)
    n = axes[length > 1e-7] / length[length > 1e-7, None]
    p, q = corners(pair, 0) @ n.T, corners(pair, 1) @ n.T
    right, left = q.min(axis=0) - p.max(axis=0), p.min(axis=0) - q.max(axis=0)
    speed = n @ (pair.velocity[1] - pair.velocity[0])
    return lambda t: np.maximum(right + t * speed, left - t * speed)


def separation(pair: Scene) -> float:
    """The largest of them: the distance between faces or edges; minus the least penetration."""
    return float(separations(pair)(0.0).max())


def on_surface(pair: Scene, which: int, arm, tolerance: float) -> bool:
    inside = abs(axes_of(pair)[which] @ arm) / pair.size[which]
    return bool(abs(inside.max() - 1.0) <= tolerance)
