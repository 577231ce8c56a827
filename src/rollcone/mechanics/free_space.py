"""Is there room for a ball of some radius at a point of a region?

Spheres, boxes, capsules, planes and bowls that are in the world count with their own shape, clumps
and compounds by their balls and parts, fixed meshes by their triangles, as the rectangles around
them: what is inside is room. Disks and ellipsoids count as the balls around them, others as the
boxes. Bodies that are placed on the way count as the balls around them (kernels/free_space.py).
In a periodic box, so do their images.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from rollcone._check import FloatArray
from rollcone.collision.kernels.detect import Outlines
from rollcone.collision.shapes import endless
from rollcone.errors import InputError
from rollcone.mechanics.kernels import free_space as kernels
from rollcone.mechanics.known_outlines import known_outlines

if TYPE_CHECKING:
    from rollcone.mechanics.world import World

_MOST_CELLS = 2.0**40
_MOST_WIDE = 3.0  # of a region, in lengths of a periodic box
_STREAM = 2**16  # random numbers that are drawn at once


class FreeSpace:
    """The box from `low` to `high`, for the centres of up to `more` balls no larger than `reach`
    (m)."""

    def __init__(
        self, world: World, low: FloatArray, high: FloatArray, reach: float, more: int
    ) -> None:
        self._low, self._high, self._reach = low, high, reach
        bodies = _with_images(world, low, high, reach)
        kind = bodies.kind
        shifts = image_shifts(world.state.period, low, high)
        more *= len(shifts)
        room = len(kind) + more
        cells = int(min(math.prod(((high - low) / (2.0 * reach) + 3.0).tolist()), _MOST_CELLS))
        # Not touched, room costs nothing.
        self._space = kernels.Space(
            bodies.shape, np.ascontiguousarray(bodies.size), bodies.position, bodies.orientation,
            centers=np.empty((room, 3)),
            radii=np.empty(room),
            others=np.empty(len(kind), dtype=np.int64),
            heads=np.empty(4 * min(room, cells) + 1, dtype=np.int64),
            before=np.empty(room, dtype=np.int64),
            counts=np.empty(3, dtype=np.int64),
            shifts=shifts,
        )  # fmt: skip
        kernels.enter_bodies(self._space, kind, low, high, reach, more, cells)

    def place(self, radii: FloatArray, points: FloatArray) -> FloatArray:
        """Balls in turn, each at the first of its points (b, tries, 3) where nothing is nearer than
        its radius, up to the first that finds none: where they are."""
        places = np.empty((len(radii), 3))
        given = np.ascontiguousarray(radii), points
        count = kernels.place_balls(self._space, self._reach, *given, places)
        return places[:count]

    def pack(
        self, count: int, radius: tuple[float, float], random: np.random.Generator, tries: int
    ) -> tuple[FloatArray, FloatArray]:
        """Balls of random radii at random points, up to the first that finds no place: radii and
        places. Each takes one random number for its radius and three for each try."""
        radii, places = np.empty(count), np.empty((count, 3))
        stream, used, done, full = np.empty(0), 0, 0, False
        while done < count and not full:
            more = random.random(min(_STREAM, 4 * count) + 3 * tries)
            stream, used = np.concatenate([stream[used:], more]), 0
            done, full, used = kernels.pack_balls(
                self._space, self._reach, *radius, self._low, self._high, tries, stream, used,
                radii, places, done,
            )  # fmt: skip
        return radii[:done], places[:done]


def image_shifts(period: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """(s, 3): from a place of the region to those of its images that can be near it; the first is
    zero."""
    wide = (high - low) / np.where(period > 0, period, np.inf)
    if wide.max() > _MOST_WIDE:
        raise InputError(
            f"high = {high.tolist()}: the region must not be more than {_MOST_WIDE:g} times as "
            "long as the periodic box"
        )
    turns = np.where(period > 0, np.maximum(np.rint(wide), 1.0), 0.0).astype(int)
    steps = itertools.product(*(range(-most, most + 1) for most in turns))
    order = sorted(steps, key=lambda step: sum(map(abs, step)))
    return np.array(order, dtype=np.float64) * period


def _with_images(world: World, low: FloatArray, high: FloatArray, reach: float) -> Outlines:
    """The bodies, in shapes that kernels know; in a periodic box, all images near the region."""
    period = world.state.period
    bodies = known_outlines(world.state, low - reach, high + reach)
    if not period.any():
        return bodies
    plane = endless(bodies.shape)[:, None]
    middle = 0.5 * (low + high)
    turns = np.rint((bodies.position - middle) / np.where(period > 0, period, np.inf))
    near = bodies.position - np.where(plane, 0.0, period * turns)
    shifts = image_shifts(period, low, high)
    count = len(shifts)
    return Outlines(
        np.tile(bodies.kind, count),
        np.tile(bodies.shape, count),
        np.tile(bodies.size, (count, 1)),
        np.concatenate([near + np.where(plane, 0.0, shift) for shift in shifts]),
        np.tile(bodies.orientation, (count, 1)),
    )
