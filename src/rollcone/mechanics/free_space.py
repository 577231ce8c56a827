"""Is there room for a ball of some radius at a point of a region?

Bodies that are in the world count with their own shape; bodies
that are placed on the way count as the balls around them, kept in cubic cells as wide as the
largest of them, so that only neighbours are looked at.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from rollcone._check import FloatArray
from rollcone.collision.shapes import BOX, CAPSULE, PLANE, SPHERE
from rollcone.mechanics.bodies import REMOVED

if TYPE_CHECKING:
    from rollcone.mechanics.world import World

_NEIGHBOURS = tuple(itertools.product((-1, 0, 1), repeat=3))


class FreeSpace:
    """The box from `low` to `high`, for centres of balls no larger than `reach` (m)."""

    def __init__(self, world: World, low: FloatArray, high: FloatArray, reach: float) -> None:
        self._edge = 2.0 * reach
        self._cells: dict[tuple[int, ...], list[tuple[FloatArray, float]]] = {}
        state = world.state
        there = state.kind != REMOVED
        ball = there & (state.shape == SPHERE)
        beside = state.position[ball] - np.clip(state.position[ball], low, high)
        near = np.linalg.norm(beside, axis=1) < state.size[ball, 0] + reach
        self._centers, self._radii = state.position[ball][near], state.size[ball, 0][near]
        self._others = [
            (shape, *_placed(world, there & (state.shape == shape)))
            for shape in (PLANE, BOX, CAPSULE)
        ]

    def fits(self, point: FloatArray, radius: float) -> bool:
        """Nothing is nearer to `point` than `radius`."""
        for shift in _NEIGHBOURS:
            cell = tuple(a + b for a, b in zip(self._cell(point), shift, strict=True))
            for center, other in self._cells.get(cell, ()):
                if np.linalg.norm(point - center) < radius + other:
                    return False
        if np.any(np.linalg.norm(self._centers - point, axis=1) < self._radii + radius):
            return False
        return not any(
            np.any(_distances(shape, point, *rest) < radius) for shape, *rest in self._others
        )

    def take(self, point: FloatArray, radius: float) -> None:
        """A ball has been placed here."""
        self._cells.setdefault(self._cell(point), []).append((point, radius))

    def _cell(self, point: FloatArray) -> tuple[int, ...]:
        return tuple(int(c // self._edge) for c in point)


def _placed(world: World, which: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Position, axes as columns (k, 3, 3) and size of some bodies."""
    from scipy.spatial.transform import Rotation

    state = world.state
    turns = np.roll(state.orientation[which], -1, axis=1)
    axes = Rotation.from_quat(turns).as_matrix() if len(turns) else np.empty((0, 3, 3))
    return state.position[which], axes, state.size[which]


def _distances(
    shape: int, point: FloatArray, position: FloatArray, axes: FloatArray, size: FloatArray
) -> FloatArray:
    """From a point to bodies of one shape; below or at zero inside."""
    local = np.einsum("kji,kj->ki", axes, point - position)
    if shape == PLANE:
        return np.asarray(local[:, 2])
    if shape == BOX:
        return np.asarray(np.linalg.norm(np.maximum(np.abs(local) - size, 0.0), axis=1))
    half = size[:, 2] - size[:, 0]
    local[:, 2] -= np.clip(local[:, 2], -half, half)
    return np.asarray(np.linalg.norm(local, axis=1) - size[:, 0])
