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


def nearest_points(pair: Scene) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of two solid boxes that are nearest to each other, (3,) each, by trying
    all corners and all pairs of edges. That no points are nearer is checked by the plane between
    them, on whose two sides all corners must lie."""
    ways = [*corner_ways(pair), *edge_ways(pair)]
    p, q = min(ways, key=lambda way: float(np.linalg.norm(way[1] - way[0])))
    length = np.linalg.norm(q - p)
    n = (q - p) / length
    between = (corners(pair, 1) @ n).min() - (corners(pair, 0) @ n).max()
    rounding = 1e-15 * (1.0 + abs(pair.position).max())  # of p and q; n has it, too, by length
    assert abs(between - length) < 10.0 * rounding * (1.0 + pair.size.max() / length)
    return p, q


def corner_ways(pair: Scene):
    """Yield the ways from A to B, (3,) and (3,), that begin or end at a corner."""
    for which in range(2):
        turn, centre, half = (
            axes_of(pair)[1 - which],
            pair.position[1 - which],
            pair.size[1 - which],
        )
        for x in corners(pair, which):
            y = centre + np.clip(turn @ (x - centre), -half, half) @ turn
            yield (x, y) if which == 0 else (y, x)


def edge_ways(pair: Scene):
    """Yield the ways from A to B, (3,) and (3,), at a right angle to an edge of each."""
    bits = [(i, j) for i in range(8) for j in range(i) if bin(i ^ j).count("1") == 1]
    a, b = corners(pair, 0), corners(pair, 1)
    for i, j in bits:
        for k, m in bits:
            e, g, r = a[j] - a[i], b[m] - b[k], b[k] - a[i]
            if np.linalg.norm(np.cross(e, g)) > 1e-9 * np.linalg.norm(e) * np.linalg.norm(g):
                s, t = np.linalg.lstsq(np.array([e, -g]).T, r, rcond=1e-14)[0]
                if 0 <= s <= 1 and 0 <= t <= 1:
                    yield a[i] + s * e, b[k] + t * g
