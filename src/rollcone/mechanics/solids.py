"""What follows from the sizes of a solid, for one body or for rows of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray
from rollcone.collision.shapes import BOX, CAPSULE, DISK, PLANE, SPHERE
from rollcone.mechanics.inertia import (
    box_moments,
    capsule_moments,
    capsule_volume,
    disk_moments,
    sphere_moments,
)


class Solid(NamedTuple):
    """Of one body, or with a row for each."""

    shape: int
    size: FloatArray  # (..., 3), as in bodies.py
    volume: FloatArray  # m3
    moments: FloatArray  # (..., 3), per kilogram


def sphere(radius: ArrayLike) -> Solid:
    r = np.asarray(radius, dtype=np.float64)
    volume = 4.0 / 3.0 * np.pi * r * r * r
    return Solid(SPHERE, np.stack([r, r, r], axis=-1), volume, sphere_moments(r))


def box(size: ArrayLike) -> Solid:
    """Edges (..., 3)."""
    sides = np.asarray(size, dtype=np.float64)
    volume = sides[..., 0] * sides[..., 1] * sides[..., 2]
    return Solid(BOX, sides / 2, volume, box_moments(sides))


def capsule(radius: ArrayLike, length: ArrayLike) -> Solid:
    r, h = np.asarray(radius, dtype=np.float64), np.asarray(length, dtype=np.float64)
    size = np.stack([r, r, 0.5 * h + r], axis=-1)
    return Solid(CAPSULE, size, capsule_volume(r, h), capsule_moments(r, h))


def disk(radius: ArrayLike) -> Solid:
    """Of no thickness."""
    r = np.asarray(radius, dtype=np.float64)
    return Solid(DISK, np.stack([r, r, r], axis=-1), np.zeros_like(r), disk_moments(r))


def half_space() -> Solid:
    """A plane; it has no end."""
    return Solid(PLANE, np.full(3, np.inf), np.array(np.inf), np.full(3, np.inf))


SOLIDS: dict[str, Callable[..., Solid]] = {"sphere": sphere, "box": box, "capsule": capsule}
