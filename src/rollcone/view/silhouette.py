"""Round bodies seen along y, by their outermost points; and bowls, cut at y = 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.collision.shapes import CONE, DISK

_POINTS = 96


def silhouette(shape: int, size: FloatArray, axes: FloatArray) -> FloatArray:
    """Points (m, 3) about the centre of a disk, a cone or an ellipsoid; axes (3, 3), the
    body's, as columns."""
    turn = 2.0 * np.pi * np.arange(_POINTS) / _POINTS
    outward = np.column_stack([np.cos(turn), np.zeros(_POINTS), np.sin(turn)])
    n = outward @ axes  # along the body's axes
    if shape == CONE:
        return np.asarray(_of_cone(size, n) @ axes.T)
    if shape != DISK:
        return np.asarray((size**2 * n / np.linalg.norm(size * n, axis=1)[:, None]) @ axes.T)
    edge = size[2] - size[0]
    flat = np.hypot(n[:, 0], n[:, 1])[:, None]
    ring = (size[0] - edge) * n[:, :2] / np.where(flat > 0.0, flat, 1.0)
    height = (size[1] - size[2]) * np.sign(n[:, 2])
    return np.asarray(np.column_stack([ring, height]) @ axes.T + edge * outward)


def _of_cone(size: FloatArray, n: FloatArray) -> FloatArray:
    """The points farthest along directions n (m, 3), in body axes: the tip, or one of the rim."""
    flat, base = np.hypot(n[:, 0], n[:, 1])[:, None], -size[2] / 3.0
    rim = np.column_stack([size[0] * n[:, :2] / np.where(flat > 0.0, flat, 1.0), base + 0 * flat])
    tip = np.array([0.0, 0.0, size[2]])
    return np.where((n @ tip > (n * rim).sum(axis=1))[:, None], tip, rim)


def draw_bowl(
    axes: Any, center: FloatArray, radius: float, low: FloatArray, high: FloatArray, colour: str
) -> None:
    """What is solid of a bowl at y = 0, as far as it is seen; nothing if it is elsewhere."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    square = radius**2 - center[1] ** 2
    if square <= 0.0:
        return
    turn = np.linspace(0.0, -2.0 * np.pi, 721)  # the other way round than the frame: a hole
    hole = center[::2] + np.sqrt(square) * np.column_stack([np.cos(turn), np.sin(turn)])
    far = high - low + 2.0 * radius
    frame = [low - far, (high[0] + far[0], low[1] - far[1]), high + far]
    frame += [np.array((low[0] - far[0], high[1] + far[1])), low - far]
    path = Path.make_compound_path(Path(np.array(frame)), Path(hole))
    axes.add_patch(PathPatch(path, facecolor=colour, linewidth=0, zorder=0.5))
