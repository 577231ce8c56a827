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
from rollcone.mechanics.recipe import MOST, Drafts, Recipe

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
    count = math.prod(shape)
    recipe.check_names(world, range(count))
    drawn = random.random((count, recipe.draws + 3))  # of each body in turn: sizes, then shifts
    places = np.indices(shape[::-1]).reshape(3, -1)[::-1].T
    with np.errstate(over="ignore"):  # what is not finite is refused
        position = corner + pitch * places + spread * (2.0 * drawn[:, recipe.draws :] - 1.0)
    drafts = recipe.drafts(drawn[:, : recipe.draws])
    return recipe.add(world, drafts, bounded_array("position", position), 0)


def add_packing(
    world: World, recipe: Recipe, low: ArrayLike, high: ArrayLike, count: int, seed: int
) -> list[Body]:
    """See `World.add_packing`."""
    number = how_many(count)
    region = box_region(low, high)
    random = np.random.default_rng(whole_number("seed", seed))
    recipe.check_names(world, range(number))
    space = FreeSpace(world, *region, recipe.reach, number)
    drafts, places = _packed(space, recipe, region, number, random)
    if len(places) < number:
        raise InputError(
            f"count = {count}: {len(places)} found a place without overlap; "
            "make the region larger, or the bodies smaller or fewer"
        )
    return recipe.add(world, drafts, places, 0)


def _packed(
    space: FreeSpace,
    recipe: Recipe,
    region: tuple[FloatArray, FloatArray],
    count: int,
    random: np.random.Generator,
) -> tuple[Drafts, FloatArray]:
    """Bodies and their places, up to the first that finds none."""
    if recipe.radii is not None:
        radii, places = space.pack(count, recipe.radii, random, _TRIES)
        return recipe.balls(radii), places
    low, high = region
    sizes, turns, found = [], [], []
    for _ in range(count):
        size, turn = recipe.draw(random)
        sizes.append(size)
        turns.append(turn)
        radius = recipe.drafts([size], [turn]).reach
        for _ in range(_TRIES):
            place = space.place(radius, (low + (high - low) * random.random(3)).reshape(1, 1, 3))
            if len(place):
                break
        else:
            break
        found.append(place[0])
    return recipe.drafts(sizes, turns), np.array(found)


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
