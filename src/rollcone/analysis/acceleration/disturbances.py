"""Loads on bodies by name, as vectors over the coordinates of a problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rollcone._check import FloatArray, did_you_mean
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC
from rollcone.mechanics.body import vector
from rollcone.mechanics.world import World

_KEYS = ("body", "force", "torque")


def check_disturbance(given: Mapping[str, Any]) -> tuple[str, FloatArray]:
    """The body, and force and torque (6,), of which one is not zero."""
    for key in given:
        if key not in _KEYS:
            raise InputError(f"{key}: unknown key; there are {', '.join(_KEYS)}")
    body = given.get("body")
    if not isinstance(body, str):
        raise InputError(f"body = {body!r}: must be the name of a body")
    zero = np.zeros(3)
    load = np.concatenate([vector(key, given.get(key, zero)) for key in _KEYS[1:]])
    if not load.any():
        raise InputError("force, torque: one of them must not be zero")
    return body, load


def check_body(world: World, name: str) -> None:
    """It must be there, and be moved by forces."""
    number = world.number_of(name)
    if world.state.kind[number] != DYNAMIC:
        raise InputError(f"body = {name!r}: is not moved by forces; must be a body that is")


def loads_on_bodies(problem: AccelerationProblem, given: Sequence[Mapping[str, Any]]) -> FloatArray:
    """(k, n); the problem must be that of a world."""
    if problem.places is None:
        raise InputError(
            f"disturbances: must be of shape (loads, {problem.size}); bodies by name are for worlds"
        )
    names = [problem.places.names[k] for k in problem.places.movers]
    found = np.zeros((len(given), problem.size))
    for row, one in enumerate(given):
        label = f"disturbances[{row}]"
        if not isinstance(one, Mapping):
            raise InputError(f"{label} = {one!r}: must be a table with {', '.join(_KEYS)}")
        try:
            body, load = check_disturbance(one)
        except InputError as error:
            raise InputError(f"{label}.{error}") from None
        if body not in names:
            hint = did_you_mean(body, names)
            raise InputError(f"{label}.body = {body!r}: is not moved by forces, or unknown{hint}")
        k = names.index(body)
        found[row, 6 * k : 6 * k + 6] = load
    return found
