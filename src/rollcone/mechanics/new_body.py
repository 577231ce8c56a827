"""The row of a new body in the arrays of a world, from what was said of it."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, positive_number, true_or_false
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC, FIXED
from rollcone.mechanics.body import direction, vector
from rollcone.mechanics.inertia import body_mass, principal_axes
from rollcone.mechanics.materials import LawTable
from rollcone.mechanics.options import BodyOptions
from rollcone.mechanics.rotations import quaternion_between, unit_quaternion

_NONE = (0.0, 0.0, 0.0)
_VECTORS = ("position", "velocity", "angular_velocity")


def body_row(
    laws: LawTable, volume: float, moments: FloatArray, options: BodyOptions
) -> dict[str, Any]:
    """All but its shape, size, force and torque; `moments` per unit of mass."""
    fixed = options.get("fixed", False)
    fixed = true_or_false("fixed", fixed) or options.get("motion") is not None
    damping = (options.get("linear_damping", 0.0), options.get("angular_damping", 0.0))
    row: dict[str, Any] = {
        "kind": FIXED if fixed else DYNAMIC,
        "orientation": unit_quaternion("orientation", options.get("orientation", (1, 0, 0, 0))),
        "material": laws.number(options.get("material", "default")),
        "damping": [
            positive_number(name, value, zero=True)
            for name, value in zip(("linear_damping", "angular_damping"), damping, strict=True)
        ],
        "force": 0.0,
        "torque": 0.0,
    }
    given = {name: options.get(name, _NONE) for name in _VECTORS}
    row |= {name: vector(name, cast(ArrayLike, value)) for name, value in given.items()}
    none = 0.0, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
    mass, inertia, principal = none
    if not fixed or "mass" in options or "density" in options:
        mass = body_mass(volume, options.get("mass"), options.get("density"))
    if not fixed or "inertia" in options:
        inertia, principal = principal_axes(options.get("inertia", mass * moments))
    if "principal_axes" in options:
        if np.shape(cast(Any, options.get("inertia"))) != (3,):
            raise InputError("principal_axes: give inertia, too, as three principal moments")
        principal = unit_quaternion("principal_axes", options["principal_axes"])
    if fixed:  # what was given has been checked, and does not matter
        mass, inertia, principal = none
    return row | {"mass": mass, "inertia": inertia, "principal": principal}


def plane_orientation(normal: ArrayLike | None, options: BodyOptions) -> FloatArray:
    """Turns z to the normal."""
    if "orientation" in options:
        raise InputError(f"normal = {normal!r} and orientation: give one of them, not both")
    up = (0.0, 0.0, 1.0)
    return quaternion_between(up, direction("normal", up if normal is None else normal))
