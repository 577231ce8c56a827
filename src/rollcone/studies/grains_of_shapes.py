"""Grains of mixed convex shapes, and spheres of the same volumes.

Grain k of a seed is the same whenever it is asked for. Its volume is that of a sphere whose
diameter is drawn from 0.9 to 1.1 of D; its kind is one of four, each as likely as the others,
with three edges or axes in the ratios 1 : b : c, b and c drawn from 0.6 to 1:

    hull       of 12 to 20 points near an ellipsoid of these axes, about evenly spread
    box        with these edges
    cylinder   height over diameter is b or 1 / b
    ellipsoid  with these axes
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator, default_rng

from rollcone._check import FloatArray
from rollcone.collision.hull import hull_of
from rollcone.mechanics.polyhedron import enclosed
from rollcone.mechanics.world import World

Kind = Literal["hull", "box", "cylinder", "ellipsoid"]
KINDS: tuple[Kind, ...] = ("hull", "box", "cylinder", "ellipsoid")
SIZES = (0.9, 1.1)  # of D
ASPECT = (0.6, 1.0)
POINTS = (12, 20)
_JITTER = 0.2  # of the points of a hull, over the radius
_GOLDEN = math.pi * (3.0 - math.sqrt(5.0))


@dataclass(frozen=True)
class Grain:
    """radius       of the sphere of the same volume (m)
    kind, sizes  what `World` is told of it: arguments of add_convex, add_box and so on
    orientation  a quaternion, any as likely as any other
    """

    radius: float
    kind: Kind
    sizes: dict[str, Any]
    orientation: FloatArray


def grain(seed: int, k: int, diameter: float) -> Grain:
    rng = default_rng((seed, k))
    radius = 0.5 * diameter * rng.uniform(*SIZES)
    kind = KINDS[rng.integers(len(KINDS))]
    axes = np.array([1.0, *rng.uniform(*ASPECT, 2)])
    turn = rng.normal(size=4)
    sizes = _sizes(kind, axes, 4.0 / 3.0 * math.pi * radius**3, rng)
    return Grain(radius, kind, sizes, turn / np.linalg.norm(turn))


def add(world: World, one: Grain, convex: bool, **options: Any) -> None:
    """A grain to a world, or the sphere of its volume."""
    if not convex:
        world.add_sphere(radius=one.radius, **options)
        return
    makers: dict[Kind, Callable[..., Any]] = {
        "hull": world.add_convex, "box": world.add_box, "cylinder": world.add_cylinder,
        "ellipsoid": world.add_ellipsoid,
    }  # fmt: skip
    makers[one.kind](**one.sizes, orientation=one.orientation, **options)


def _sizes(kind: Kind, axes: FloatArray, volume: float, rng: Generator) -> dict[str, Any]:
    if kind == "box":
        return {"size": axes * (volume / axes.prod()) ** (1.0 / 3.0)}
    if kind == "ellipsoid":
        return {"semi_axes": axes * (0.75 * volume / math.pi / axes.prod()) ** (1.0 / 3.0)}
    if kind == "cylinder":
        slender = axes[1] if rng.random() < 0.5 else 1.0 / axes[1]  # height over diameter
        radius = (volume / (2.0 * math.pi * slender)) ** (1.0 / 3.0)
        return {"radius": radius, "height": 2.0 * slender * radius}
    points = axes * spread(int(rng.integers(POINTS[0], POINTS[1] + 1)), rng)
    hull = hull_of("points", points)
    inside = enclosed(hull.corners, hull.triangles)
    return {"points": points * (volume / inside.volume) ** (1.0 / 3.0)}


def spread(count: int, rng: Generator) -> FloatArray:
    """Points on the unit sphere: a spiral, each moved a little."""
    k = np.arange(count)
    z = 1.0 - (2 * k + 1) / count
    ring = np.sqrt(1.0 - z**2)
    spiral = np.column_stack([ring * np.cos(_GOLDEN * k), ring * np.sin(_GOLDEN * k), z])
    moved = spiral + _JITTER * rng.normal(size=(count, 3))
    return np.asarray(moved / np.linalg.norm(moved, axis=1)[:, None])
