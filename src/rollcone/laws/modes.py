"""The modes of a contact, Acary and Bourrier 2021 (21), with spinning added.

    take-off                         p = 0
    sticking | sliding               u_T = 0 or not
    no-rolling | rolling             w_R = 0 or not       (5 rows and more)
    no-spinning | spinning           w_n = 0 or not       (6 rows)

Velocities are zero up to a tolerance that the caller gives, in the units of their
rows; a reaction is zero below 1e-12 of the largest one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.errors import InputError

TAKE_OFF = "take-off"
_NO_REACTION = 1e-12


def classify(y: FloatArray, p: FloatArray, tolerance: float) -> NDArray[np.str_]:
    """Names such as 'sliding, no-rolling, spinning', one per row of y and p (n, d)."""
    if p.shape != y.shape:
        raise InputError(f"velocities {y.shape} and reactions {p.shape}: must have one shape")
    n, d = y.shape
    names = _word(y[:, 1 : min(d, 3)], tolerance, "sliding", "sticking")
    if d > 3:
        names = _join(names, _word(y[:, 3:5], tolerance, "rolling", "no-rolling"))
    if d > 5:
        names = _join(names, _word(y[:, 5:6], tolerance, "spinning", "no-spinning"))
    largest = np.abs(p).max(initial=0.0)
    apart = np.abs(p).max(axis=1, initial=0.0) <= _NO_REACTION * largest
    return np.where(apart, TAKE_OFF, names) if n else names


def _word(rows: FloatArray, tolerance: float, moving: str, still: str) -> NDArray[np.str_]:
    return np.where(np.hypot.reduce(rows, axis=1) > tolerance, moving, still)


def _join(first: NDArray[np.str_], second: NDArray[np.str_]) -> NDArray[np.str_]:
    return np.char.add(np.char.add(first, ", "), second)
