"""What is likely a mistake in a world, though it can be simulated."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np

from rollcone.mechanics.bodies import DYNAMIC, REMOVED

if TYPE_CHECKING:
    from rollcone.mechanics.materials import LawTable
    from rollcone.mechanics.world import World

_SHOWN = 5  # bodies, or pairs of them
_ROUNDED = 1e-3  # of moments of inertia that are given with few digits


def warnings(world: World) -> list[str]:
    """Bodies that overlap or cannot be, and materials that meet without a law."""
    laws = world.laws
    pairs = [pair for pair in _material_pairs(world) if laws.without_law(*pair)]
    return [*_overlaps(world), *_inertias(world), *(no_law(laws, *pair) for pair in pairs)]


def _inertias(world: World) -> list[str]:
    """Moments of which no body is made: the largest is at most the sum of the others."""
    state = world.state
    most, total = state.inertia.max(axis=1), state.inertia.sum(axis=1)
    odd = (2.0 * most > (1.0 + _ROUNDED) * total) & (state.kind == DYNAMIC)
    return [
        f"inertia of {world.name_of(int(k))!r} = {state.inertia[k]} kg m2 about principal axes: "
        "no body is made so, the largest is more than the sum of the others"
        for k in np.flatnonzero(odd)[:_SHOWN]
    ]


def no_law(laws: LawTable, first: int, second: int) -> str:
    """Of two materials, by number, that have no law."""
    return (
        f"no contact law was set for {laws.name(first)!r} and {laws.name(second)!r}: they touch "
        "without friction; a scene sets it by [contact] or a [[pair]], Python by "
        "world.set_contact_law"
    )


def untreated(world: World, first: int, second: int) -> str:
    """Of two bodies, by number, whose shapes cannot touch: two meshes, or one is in a bowl."""
    one, other = world.body(first), world.body(second)
    if one.shape == "bowl":
        one, other = other, one
    near = f"{one.shape} {one.name!r} is near the {other.shape} {other.name!r}: "
    if other.shape == "bowl":
        return near + (
            "ellipsoids, cones and meshes cannot touch bowls yet, nor compounds with such parts or "
            "with cylinders; take boxes, capsules, disks or hulls, or a fixed mesh for the bowl"
        )
    return near + (
        "two meshes cannot touch yet; of one of them, take the hull by add_convex, or convex parts "
        "by add_compound"
    )


def _overlaps(world: World) -> list[str]:
    from rollcone.collision.detect import TOUCH, Detector
    from rollcone.collision.grid import UntreatedPairError

    state = world.state
    if len(state) < 2 or not np.any(state.kind == DYNAMIC):
        return []
    still = np.zeros((len(state), 3))
    state.apart = world.joints.apart()
    try:
        found = Detector().detect(state, still, still, 0.0, np.zeros(len(state)))
    except UntreatedPairError as pair:
        return [untreated(world, *pair.bodies)]
    smaller = state.size[found.bodies].min(axis=(1, 2))
    deepest: dict[tuple[int, int], float] = {}
    for k in np.flatnonzero(found.gap < -TOUCH * smaller):
        a, b = (int(number) for number in found.bodies[k])
        deepest[a, b] = max(deepest.get((a, b), 0.0), -float(found.gap[k]))
    if not deepest:
        return []
    order = sorted(deepest, key=lambda pair: -deepest[pair])
    words = [
        f"{world.name_of(a)!r} and {world.name_of(b)!r} by {deepest[a, b]:.3g} m"
        for a, b in order[:_SHOWN]
    ]
    if len(order) > _SHOWN:
        words.append(f"and {len(order) - _SHOWN} more")
    return [f"bodies overlap at the start: {', '.join(words)}"]


def _material_pairs(world: World) -> list[tuple[int, int]]:
    """Of bodies that may touch: one of the two can move. Those to be poured count, too."""
    state, there, moving = world.state, Counter[int](), Counter[int]()
    there.update(state.material[state.kind != REMOVED].tolist())
    moving.update(state.material[state.kind == DYNAMIC].tolist())
    for emitter in world.emitters:
        material, rest = world.laws.number(emitter.recipe.material), emitter.count - emitter.placed
        there[material] += rest
        moving[material] += 0 if emitter.recipe.options.get("fixed") else rest
    return [
        (a, b)
        for a, b in combinations_with_replacement(sorted(+there), 2)
        if (moving[a] or moving[b]) and (a != b or there[a] > 1)
    ]
