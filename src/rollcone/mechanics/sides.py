"""On which side of planes and bowls bodies begin: both are solid without end on the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rollcone._check import FloatArray
from rollcone.collision.shapes import PLANE, endless, reach
from rollcone.errors import BodyError
from rollcone.mechanics.bodies import DYNAMIC, REMOVED
from rollcone.mechanics.rotations import rotation_matrix

if TYPE_CHECKING:
    from rollcone.mechanics.world import World


def check_sides(world: World) -> None:
    """Does no body that moves begin wholly inside of what is solid, unless a joint joins the two?
    A `BodyError` if one does. Those that overlap in part are left to be pushed out."""
    state = world.state
    moving = np.flatnonzero(state.kind == DYNAMIC)
    for number in np.flatnonzero(endless(state.shape) & (state.kind != REMOVED)):
        inside = _depth(world, int(number))[moving] >= reach(state.shape, state.size)[moving]
        for body in moving[inside]:
            if not _joined(world, int(number), int(body)):
                raise BodyError(_words(world, int(number), int(body)), int(body))


def _normal(world: World, number: int) -> FloatArray:
    return rotation_matrix(world.state.orientation[number])[:, 2]


def _center(world: World, number: int) -> FloatArray:
    """Of a bowl's sphere."""
    state = world.state
    center = state.position[number] + state.size[number, 0] * _normal(world, number)
    return np.asarray(center)


def _depth(world: World, number: int) -> FloatArray:
    """How far the centres of all bodies are behind the surface of this plane or bowl (m)."""
    state = world.state
    if state.shape[number] == PLANE:
        return np.asarray((state.position[number] - state.position) @ _normal(world, number))
    away = np.linalg.norm(state.position - _center(world, number), axis=1)
    return np.asarray(away - state.size[number, 0])


def _joined(world: World, first: int, second: int) -> bool:
    key = (min(first, second) << 32) | max(first, second)
    return bool(np.isin(key, world.joints.apart()))


def _words(world: World, number: int, body: int) -> str:
    name, state = world.name_of(number), world.state
    if state.shape[number] == PLANE:
        there = f"on the side of its normal {_normal(world, number)} of the plane {name!r}"
    else:
        there = f"within the bowl {name!r}, a sphere of radius {state.size[number, 0]:g} m about "
        there += f"{_center(world, number)}"
    return (
        f"position = {state.position[body]} of {world.name_of(body)!r}: must be {there}; the "
        "body begins wholly inside of what is solid"
    )
