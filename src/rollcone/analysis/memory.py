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


@dataclass(frozen=True)
class ArraySize:
    """`each`: what its length depends on, 'body', 'contact' or 'once'."""

    group: str
    name: str
    each: str
    bytes: int


def array_sizes(simulation: Simulation) -> list[ArraySize]:
    """All arrays of the bodies and of a step, with the room that they have to spare. Memory that
    several use in turn is counted for the first of them."""
    space = simulation._stepper.space
    bodies, contacts = len(simulation.world.state), len(space.near.key)
    found, counted = [], _Counted()
    for group, name, array in _arrays(simulation):
        base = array.base
        if base is not None and base.dtype == array.dtype and base.ndim == array.ndim:
            array = base  # a slice of an array with room for more bodies counts as all of it
        if group not in ("state", "motion") and (name in _OF_PAIRS or len(array) == contacts):
            each = CONTACT
        else:
            each = BODY if len(array) >= bodies > 0 else ONCE
        size = counted.add(array)
        if size:
            found.append(ArraySize(group, name, each, size))
    return found


class _Counted:
    """Which bytes of memory have been counted."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, int]] = []  # apart from each other

    def add(self, array: NDArray[Any]) -> int:
        """How many more they are with this array."""
        begin = array.ctypes.data
        end = begin + array.nbytes
        inside = [(a, b) for a, b in self._parts if a < end and begin < b]
        new = end - begin - sum(min(b, end) - max(a, begin) for a, b in inside)
        ends = [value for part in inside for value in part]
        self._parts = [part for part in self._parts if part not in inside]
        self._parts.append((min(begin, *ends, end), max(begin, *ends, end)))
        return new


def _arrays(simulation: Simulation) -> Iterator[tuple[str, str, NDArray[Any]]]:
    space = simulation._stepper.space
    for name, array in simulation.world.state._room.items():
        yield "state", name, array
    groups: dict[str, Any] = {
        "cells": space.cells, "motion": space.motion, "near": space.near, "mid": space.mid,
        "contacts": space.contacts, "known": space.known, "seen": space.seen,
        "grid": space.grid.work,
    }  # fmt: skip
    for group, arrays in groups.items():
        for name, array in arrays._asdict().items():
            yield group, name, np.asarray(array)
