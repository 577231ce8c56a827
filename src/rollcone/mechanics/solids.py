"""What follows from the sizes of a solid, for one body or for rows of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray
from rollcone.collision.shapes import BOWL, BOX, CAPSULE, CONE, DISK, ELLIPSOID, PLANE, SPHERE
from rollcone.mechanics.inertia import (
    box_moments,
    capsule_moments,
    capsule_volume,
    ellipsoid_moments,
    sphere_moments,
)
from rollcone.mechanics.rounded_disk import rounded_moments, rounded_volume


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


def disk(radius: ArrayLike, thickness: ArrayLike = 0.0, edge_radius: ArrayLike = 0.0) -> Solid:
    r, h = np.asarray(radius, dtype=np.float64), 0.5 * np.asarray(thickness, dtype=np.float64)
    e = np.asarray(edge_radius, dtype=np.float64)
    size = np.stack([r, r + h, r + e], axis=-1)
    return Solid(DISK, size, rounded_volume(r, h, e), rounded_moments(r, h, e))


def cylinder(radius: ArrayLike, height: ArrayLike) -> Solid:
    """A disk of that thickness."""
    return disk(radius, height)


def cone(radius: ArrayLike, height: ArrayLike) -> Solid:
    """About its centre of mass, a quarter of the height above the base."""
    r, h = np.asarray(radius, dtype=np.float64), np.asarray(height, dtype=np.float64)
    across = 3.0 / 20.0 * r * r + 3.0 / 80.0 * h * h
    moments = np.stack([across, across, 0.3 * r * r], axis=-1)
    return Solid(CONE, np.stack([r, r, 0.75 * h], axis=-1), np.pi * r * r * h / 3.0, moments)


def ellipsoid(semi_axes: ArrayLike) -> Solid:
    """Semi-axes (..., 3)."""
    semi = np.asarray(semi_axes, dtype=np.float64)
    volume = 4.0 / 3.0 * np.pi * semi[..., 0] * semi[..., 1] * semi[..., 2]
    return Solid(ELLIPSOID, semi.copy(), volume, ellipsoid_moments(semi))


def bowl(radius: ArrayLike) -> Solid:
    """It has no end."""
    size = np.array([float(np.asarray(radius)), np.inf, np.inf])
    return Solid(BOWL, size, np.array(np.inf), np.full(3, np.inf))


def half_space() -> Solid:
    """A plane; it has no end."""
    return Solid(PLANE, np.full(3, np.inf), np.array(np.inf), np.full(3, np.inf))


SOLIDS: dict[str, Callable[..., Solid]] = {
    "sphere": sphere,
    "box": box,
    "capsule": capsule,
    "cylinder": cylinder,
    "ellipsoid": ellipsoid,
    "cone": cone,
}
