"""Many bodies at once: on a grid, or at random in a box without overlap. All or none are added."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, bounded_array, positive_number, whole_number
from rollcone.errors import InputError
from rollcone.mechanics.body import Body, vector
from rollcone.mechanics.free_space import FreeSpace
from rollcone.mechanics.recipe import MOST, Recipe

if TYPE_CHECKING:
    from rollcone.mechanics.world import World

_TRIES = 2000  # places for one body of a packing


def add_grid(
    world: World,
    recipe: Recipe,
    counts: ArrayLike,
    spacing: ArrayLike,
    origin: ArrayLike,
    jitter: float,
    seed: int,
) -> list[Body]:
    """See `World.add_grid`."""
    shape, pitch = grid_counts(counts), grid_spacing(spacing)
    corner, spread = vector("origin", origin), positive_number("jitter", jitter, zero=True)
    random = np.random.default_rng(whole_number("seed", seed))
    recipe.check_names(world, range(math.prod(shape)))
    bodies = []
    for k, place in enumerate(np.ndindex(*shape[::-1])):
        draft = recipe.draft(random)
        shift = spread * random.uniform(-1.0, 1.0, 3)
        position = corner + pitch * np.array(place[::-1]) + shift
        bodies.append(recipe.place(world, draft, position, k))
    return bodies


def add_packing(
    world: World, recipe: Recipe, low: ArrayLike, high: ArrayLike, count: int, seed: int
) -> list[Body]:
    """See `World.add_packing`."""
    number = how_many(count)
    region = box_region(low, high)
    random = np.random.default_rng(whole_number("seed", seed))
    recipe.check_names(world, range(number))
    space = FreeSpace(world, *region, recipe.reach)
    placed = []
    for k in range(number):
        draft = recipe.draft(random)
        place = find_place(space, region, draft.reach, random, _TRIES)
        if place is None:
            raise InputError(
                f"count = {count}: {k} found a place without overlap; "
                "make the region larger, or the bodies smaller or fewer"
            )
        placed.append((draft, place))
    return [recipe.place(world, *one, k) for k, one in enumerate(placed)]


def find_place(
    space: FreeSpace,
    region: tuple[FloatArray, FloatArray],
    radius: float,
    random: np.random.Generator,
    tries: int,
) -> FloatArray | None:
    """A random point of the region that has room for a ball, which is taken; None: not found."""
    low, high = region
    for _ in range(tries):
        point = low + (high - low) * random.random(3)
        if space.fits(point, radius):
            space.take(point, radius)
            return np.asarray(point)
    return None


def box_region(low: ArrayLike, high: ArrayLike) -> tuple[FloatArray, FloatArray]:
    a, b = vector("low", low).copy(), vector("high", high).copy()
    if np.any(a > b):
        raise InputError(f"high = {b.tolist()}: must not be below low = {a.tolist()}")
    return a, b


def how_many(count: int) -> int:
    number = whole_number("count", count, least=1)
    if number > MOST:
        raise InputError(f"count = {count}: must be at most {MOST}")
    return number


def grid_counts(counts: ArrayLike) -> list[int]:
    array = np.asarray(counts)
    if (
        array.shape != (3,)
        or array.dtype.kind not in "iu"
        or array.min() < 1
        or any(isinstance(n, bool) for n in cast(Iterable[object], counts))
    ):
        raise InputError(f"counts = {counts!r}: must be three whole numbers >= 1")
    shape = [int(n) for n in array]
    if math.prod(shape) > MOST:
        raise InputError(f"counts = {counts!r}: must make at most {MOST} bodies")
    return shape


def grid_spacing(spacing: ArrayLike) -> FloatArray:
    pitch = bounded_array("spacing", spacing)
    if pitch.shape not in ((), (3,)) or pitch.min() <= 0:
        raise InputError(f"spacing = {spacing!r}: must be one length > 0, or three")
    return pitch
