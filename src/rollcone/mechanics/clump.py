"""A clump as it is given: several balls that move as one body."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, bounded_array
from rollcone.collision.clumps import MOST_BALLS
from rollcone.collision.shapes import CLUMP
from rollcone.errors import InputError
from rollcone.mechanics.solids import Solid
from rollcone.mechanics.union import Union, union_of


def clump_of(spheres: ArrayLike) -> tuple[FloatArray, Union]:
    """The balls (k, 4), checked, and what is to be known of the room that they fill."""
    balls = ball_rows("spheres", spheres)
    return balls, union_of(tuple(map(tuple, balls.tolist())))


def ball_rows(name: str, spheres: ArrayLike) -> FloatArray:
    """Rows (x, y, z, radius), a copy."""
    balls = bounded_array(name, spheres)
    if balls.ndim != 2 or balls.shape[1] != 4 or not len(balls):
        raise InputError(f"{name} = {spheres!r}: must be rows of four numbers (x, y, z, radius)")
    if len(balls) > MOST_BALLS:
        raise InputError(f"{name} has {len(balls)} rows: must be at most {MOST_BALLS}")
    if balls[:, 3].min() <= 0:
        worst = int(np.argmin(balls[:, 3]))
        raise InputError(f"{name}[{worst}] has the radius {balls[worst, 3]:g}: must be > 0")
    return balls.copy()


def clump_solid(balls: FloatArray, union: Union, about: FloatArray) -> Solid:
    """Of balls about their centre of mass, which was at `about` among them."""
    volume, moments = np.array(union.volume), union.moments_about(about)
    return Solid(CLUMP, clump_size(balls), volume, moments)


def clump_size(balls: FloatArray) -> FloatArray:
    """The smallest radius, twice, and how far the balls reach from the origin."""
    least = balls[:, 3].min()
    reach = np.max(np.linalg.norm(balls[:, :3], axis=1) + balls[:, 3])
    return np.array([least, least, reach])
