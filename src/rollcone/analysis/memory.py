"""What a simulation keeps in memory, array by array, besides its record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone.simulation import Simulation

BODY, CONTACT, ONCE = "body", "contact", "once"
_OF_PAIRS = ("pairs", "partners")  # of the grid; they grow as contacts do
_SHARED = "again_partners"  # lies within the pairs


@dataclass(frozen=True)
class ArraySize:
    """`each`: what its length depends on, 'body', 'contact' or 'once'."""

    group: str
    name: str
    each: str
    bytes: int


def array_sizes(simulation: Simulation) -> list[ArraySize]:
    """All arrays of the bodies and of a step, with the room that they have to spare."""
    space = simulation._stepper.space
    bodies, contacts = len(simulation.world.state), len(space.near.key)
    found = []
    for group, name, array in _arrays(simulation):
        base = array.base
        # A slice of an array with room for more bodies counts as all of it.
        whole = base if base is not None and base.ndim == array.ndim else array
        if group not in ("state", "motion") and (name in _OF_PAIRS or len(array) == contacts):
            each = CONTACT
        else:
            each = BODY if len(array) >= bodies > 0 else ONCE
        found.append(ArraySize(group, name, each, whole.nbytes))
    return found


def _arrays(simulation: Simulation) -> Iterator[tuple[str, str, NDArray[Any]]]:
    space = simulation._stepper.space
    for name, array in simulation.world.state._room.items():
        yield "state", name, array
    groups: dict[str, Any] = {
        "motion": space.motion, "grid": space.grid.work, "near": space.near, "mid": space.mid,
        "seen": space.seen, "contacts": space.contacts, "known": space.known, "cells": space.cells,
    }  # fmt: skip
    for group, arrays in groups.items():
        for name, array in arrays._asdict().items():
            if name != _SHARED:
                yield group, name, np.asarray(array)
