"""Bodies in bowls: all of them are inside, so they must be small enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rollcone._check import FloatArray
from rollcone.collision.parts import Part
from rollcone.collision.shapes import BOWL, CLUMP, CONE, reach
from rollcone.errors import BodyError
from rollcone.mechanics.bodies import DYNAMIC, REMOVED
from rollcone.mechanics.part_forms import half_width

if TYPE_CHECKING:
    from rollcone.mechanics.world import World


def check_bowls(world: World) -> None:
    """Can every body that moves be inside every bowl? A `BodyError` if not."""
    state = world.state
    bowls = np.flatnonzero((state.shape == BOWL) & (state.kind != REMOVED))
    if not len(bowls):
        return
    smallest = bowls[state.size[bowls, 0].argmin()]
    radius = float(state.size[smallest, 0])
    needed = _needed(world)
    large = [(repr(world.name_of(int(k))), needed[k]) for k in np.flatnonzero(needed >= radius)]
    large += [
        (repr(emitter), emitter.recipe.reach)
        for emitter in world.emitters
        if emitter.recipe.reach >= radius
    ]
    if large:
        words, size = large[0]
        raise BodyError(
            f"radius = {radius:g} of the bowl {world.name_of(int(smallest))!r}: must be more than "
            f"{size:g} m, for {words} to be inside",
            int(smallest),
        )


def _needed(world: World) -> FloatArray:
    """Radius of the least ball that holds each body that moves, or is no larger than that."""
    state, size = world.state, world.state.size
    found = reach(state.shape, state.size)
    for k in np.flatnonzero(state.shape == CLUMP):  # reach is about the centre of mass
        found[k] = state.clumps.of(int(k))[:, 3].max()
    for k in np.flatnonzero(state.shape >= CONE):
        parts = state.parts.of(int(k)) or [Part(CONE, (size[k, 0], size[k, 2] / 0.75, 0.0))]
        found[k] = max(half_width(part) for part in parts)
    return np.where(state.kind == DYNAMIC, found, 0.0)
