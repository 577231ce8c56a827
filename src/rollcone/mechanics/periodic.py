"""Periodic boxes: which can be, and which bodies they can hold.

Two bodies touch as their nearest images do. So that no body meets two images of another, or itself,
none may reach farther from its centre than a quarter of the box along a periodic axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone._check import FloatArray, bounded_array
from rollcone.collision.shapes import BOWL, PLANE, endless, reach
from rollcone.errors import InputError
from rollcone.mechanics.bodies import REMOVED

if TYPE_CHECKING:
    from rollcone.mechanics.world import World

_SHARE = 0.25
_LEVEL = 1e-12  # sine of the angle between a plane and a periodic axis that counts as rounding


def periodic_ends(given: Mapping[str, Any]) -> dict[str, list[float]]:
    """Of the axes, in their order."""
    for axis in given:
        if axis not in ("x", "y", "z"):
            raise InputError(f"{axis}: must be one of the axes x, y and z")
    found = {}
    for axis in sorted(given):
        name = f"periodic {axis}"
        ends = bounded_array(name, given[axis])
        if ends.shape != (2,) or not ends[0] < ends[1]:
            raise InputError(f"{name} = {given[axis]!r}: must be (low, high) in metres, low < high")
        found[axis] = [float(end) for end in ends]
    return found


def check_periodic(world: World) -> None:
    """Do all bodies fit into the periodic box, also those to be poured? An `InputError` if not."""
    for axis in world.periodic:
        k = "xyz".index(axis)
        length = float(world.state.period[k])
        _check_sizes(world, axis, length)
        _check_planes(world, axis, k)


def _check_sizes(world: World, axis: str, length: float) -> None:
    state = world.state
    solid = (state.kind != REMOVED) & ~endless(state.shape)
    far = np.where(solid, reach(state.shape, state.size), 0.0)
    found = [(float(far[k]), f"body {world.name_of(k)!r}") for k in _largest(far)]
    found += [(emitter.recipe.reach, repr(emitter)) for emitter in world.emitters]
    largest, words = max(found, default=(0.0, ""))
    if largest > _SHARE * length:
        raise InputError(
            f"periodic {axis} of length {length:g} m: {words} reaches {largest:g} m from its "
            f"centre; must be at most a quarter of the length"
        )


def _largest(far: FloatArray) -> list[int]:
    """The number of the body that reaches farthest, if there is any."""
    return [int(far.argmax())] if len(far) else []


def _check_planes(world: World, axis: str, k: int) -> None:
    from rollcone.mechanics.rotations import rotation_matrix

    state = world.state
    bowls = np.flatnonzero((state.kind != REMOVED) & (state.shape == BOWL))
    if len(bowls):
        raise InputError(f"bowl {world.name_of(int(bowls[0]))!r}: must not be in a periodic world")
    for number in np.flatnonzero((state.kind != REMOVED) & (state.shape == PLANE)):
        name = world.name_of(int(number))
        normal = rotation_matrix(state.orientation[number])[:, 2]
        if abs(normal[k]) > _LEVEL:
            raise InputError(
                f"plane {name!r} with the normal {normal.tolist()}: must be along {axis}, the axis "
                "of a periodic box"
            )
        if state.angular_velocity[number].any():
            raise InputError(f"plane {name!r}: must not turn in a periodic box")
