"""Where the camera stands, and the squares that stand for planes."""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray
from rollcone.mechanics.rotations import rotation_matrix

_FROM = np.array([0.55, -0.75, 0.42])  # seen from the right, the front and above
_CELLS = 24.0  # about as many cells along a square
_STEPS = 1000.0  # about as many of a slider
_SAME = 1e-6  # of a step


def camera(
    low: FloatArray, high: FloatArray, field_of_view: float
) -> tuple[FloatArray, FloatArray, float]:
    """Place, target and distance that put the box from `low` to `high` into the picture."""
    target = 0.5 * (low + high)
    radius = 0.5 * float(np.linalg.norm(high - low)) or 1.0
    distance = radius / np.sin(0.5 * field_of_view)
    return target + distance * _FROM / np.linalg.norm(_FROM), target, float(distance)


def cell_width(half_width: float) -> float:
    """1, 2 or 5 times a power of ten (m)."""
    return _nice(2.0 * half_width / _CELLS)


def slider_range(start: float, end: float) -> tuple[float, float, float]:
    """Least, greatest and step of a slider over time, with few digits, so that they can be read."""
    step = _nice((end - start) / _STEPS) if end > start else 1.0
    digits = max(0, int(np.ceil(-np.log10(step))))
    low, high = step * np.floor(start / step + _SAME), step * np.ceil(end / step - _SAME)
    return round(float(low), digits), round(float(high), digits), step


def _nice(wanted: float) -> float:
    """1, 2 or 5 times a power of ten, the nearest."""
    power = int(np.floor(np.log10(wanted)))
    numbers = [float(f"{nice}e{power}") for nice in (1, 2, 5, 10)]
    return min(numbers, key=lambda number: abs(number - wanted))


def square_center(
    point: FloatArray, orientation: FloatArray, middle: FloatArray, cell: float
) -> FloatArray:
    """The point of the plane to draw its square about: nearest to `middle`, in whole cells from
    the plane's own point, so that lines belong to the body and a belt is seen to run."""
    axes = rotation_matrix(orientation)
    local = axes.T @ (middle - point)
    local[:2] = cell * np.round(local[:2] / cell)
    local[2] = 0.0
    return np.asarray(point + axes @ local)
