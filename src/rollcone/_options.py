"""Options of a solver, from the names and values that somebody gives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from rollcone._check import one_of
from rollcone.errors import InputError


def options_of(solver: str, kind: type[Any], given: dict[str, Any], beside: Iterable[str]) -> Any:
    """An object of the options class `kind`; an unknown name lists the valid ones, among them those
    that are given `beside` the solver, not as its options."""
    names = [field.name for field in fields(kind)]
    for name in given:
        one_of(f"option of solver {solver!r}", name, [*names, *beside])
        if name not in names:
            raise InputError(f"{name}: is not an option of a solver; give it beside the solver")
    return kind(**given)
