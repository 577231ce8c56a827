"""Pours bodies: at `rate` per second, from `start` on, `count` in all, at random places of a box.

The k-th body is owed at start + k / rate. It gets up to twenty random places; if all overlap
something, it and those after it stay owed until the next such time. What body k is like follows
from `seed` and k, and where it is tried from these and the number of such times that have passed:
no random generator has a state to keep, and to be asked too early does not matter.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, finite_array, one_of, positive_number, whole_number
from rollcone.errors import InputError
from rollcone.mechanics.free_space import FreeSpace
from rollcone.mechanics.generators import box_region, how_many
from rollcone.mechanics.recipe import Drafts, Recipe

if TYPE_CHECKING:
    from rollcone.mechanics.world import World

_TRIES = 20
_BATCH = 8  # bodies that are tried at first; more as long as all find a place
_FASTEST = 1e9  # bodies per second
_COUNTERS = ("ticks", "placed")


class Emitter:
    """Made by `World.add_emitter`; a simulation asks it at the end of each step.

    ticks   times start + k / rate that have passed
    placed  bodies that it has added
    """

    def __init__(
        self,
        recipe: Recipe,
        *,
        low: ArrayLike,
        high: ArrayLike,
        rate: float,
        count: int,
        start: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.recipe = recipe
        self.low, self.high = box_region(low, high)
        self.rate = positive_number("rate", rate)
        if self.rate > _FASTEST:
            raise InputError(f"rate = {rate!r}: must be at most {_FASTEST:g} per second")
        self.count = how_many(count)
        moment = finite_array("start", start)
        if moment.ndim:
            raise InputError(f"start = {start!r}: must be one number, seconds")
        self.start, self.seed = float(moment), whole_number("seed", seed)
        self.ticks = self.placed = 0

    def due(self) -> float:
        """When it is to be asked next (s); inf when all are poured."""
        return math.inf if self.placed == self.count else self._time(self.ticks)

    @property
    def waiting(self) -> int:
        """Bodies that were due when it was last asked, and found no room."""
        return min(self.ticks, self.count) - self.placed

    def emit(self, world: World, time: float) -> int:
        """Place the bodies owed at `time`, as far as they find room; how many were added."""
        if self.due() > time:
            return 0
        self._pass(time)
        owed, before, batch = self.placed + self.waiting, self.placed, _BATCH
        space = FreeSpace(world, self.low, self.high, self.recipe.reach, owed - before)
        while self.placed < owed:
            numbers = range(self.placed, min(self.placed + batch, owed))
            drafts, points = self._draw(numbers)
            places = space.place(drafts.reach, points)
            count = len(places)
            self.recipe.add(world, drafts.first(count), places, self.placed)
            self.placed += count
            if count < len(numbers):
                break
            batch *= 2
        return self.placed - before

    def _draw(self, numbers: range) -> tuple[Drafts, FloatArray]:
        """What these bodies are like, and the points (b, tries, 3) where they are tried."""
        recipe, seeds = self.recipe, [(self.seed, k) for k in numbers]
        if recipe.random:
            drawn, turns = zip(
                *(recipe.draw(np.random.default_rng(seed)) for seed in seeds), strict=True
            )
            drafts = recipe.drafts(drawn, turns)
        else:
            drafts = recipe.drafts(np.zeros((len(seeds), recipe.draws)))
        shares = [np.random.default_rng((*seed, self.ticks)).random((_TRIES, 3)) for seed in seeds]
        return drafts, self.low + (self.high - self.low) * np.array(shares)

    def plain(self) -> dict[str, Any]:
        """The arguments of `World.add_emitter` but for its state: numbers, texts and lists."""
        where = {"low": self.low.tolist(), "high": self.high.tolist()}
        numbers = {name: getattr(self, name) for name in ("rate", "count", "start", "seed")}
        return self.recipe.plain() | where | numbers

    def state(self) -> dict[str, Any]:
        """All that changes, as JSON has it."""
        return {name: getattr(self, name) for name in _COUNTERS}

    def restore(self, state: dict[str, Any]) -> None:
        for name in state:
            one_of("state of an emitter", name, _COUNTERS)
        ticks, placed = (whole_number(name, state.get(name, -1)) for name in _COUNTERS)
        if placed > min(ticks, self.count):
            raise InputError(
                f"placed = {placed}: must be at most ticks = {ticks} and count = {self.count}"
            )
        self.ticks, self.placed = ticks, placed

    def copy(self) -> Emitter:
        twin = Emitter(
            self.recipe, low=self.low, high=self.high, rate=self.rate, count=self.count,
            start=self.start, seed=self.seed,
        )  # fmt: skip
        twin.restore(self.state())
        return twin

    def _time(self, tick: int) -> float:
        return self.start + tick / self.rate

    def _pass(self, time: float) -> None:
        """Count the ticks up to `time`; the next one is later."""
        self.ticks = max(self.ticks + 1, math.floor((time - self.start) * self.rate))
        jump = 1
        while self._time(self.ticks) <= time:
            self.ticks += jump
            jump *= 2  # where 1 / rate is lost in the digits of the time

    def __repr__(self) -> str:
        waiting = f", no room for {self.waiting} more" if self.waiting else ""
        poured = f"{self.placed} of {self.count} bodies poured{waiting}"
        return f"Emitter({poured}, {self.rate:g} per second)"
