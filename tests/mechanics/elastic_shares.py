"""How a load is shared by many elastic contacts: a reference that knows nothing of time steps.

A rigid carriage is held by springs without tension, each at a position r, pushing the carriage
along the unit direction n with the load of Hertz,

    N = K max(delta, 0)^(3/2),        delta = -n . (t + theta x r),

where (t, theta) is the small displacement of the carriage. Under a force and a torque (about the
origin of the positions) the energy sum 2/5 K max(delta, 0)^(5/2) - force . t - torque . theta is
convex, and least where all is in equilibrium; there the loads are unique. Found by Newton's method.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]

ACCURACY = 1e-12  # of equilibrium, as a share of the sum of the loads
_MOST_STEPS = 200
_MOST_HALVES = 60


class Shares(NamedTuple):
    translation: FloatArray  # of the point of the carriage at the origin (m)
    rotation: FloatArray  # small (rad)
    loads: FloatArray  # of the springs (N)


def series(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """K of two contacts one after the other, a ball between two raceways: the load is one, the
    approaches add up."""
    soft = np.asarray(first) ** (-2.0 / 3.0) + np.asarray(second) ** (-2.0 / 3.0)
    return np.asarray(soft**-1.5)


def shares(
    positions: ArrayLike,
    directions: ArrayLike,
    constants: ArrayLike,
    force: ArrayLike,
    torque: ArrayLike = (0.0, 0.0, 0.0),
) -> Shares:
    """Displacement of the carriage and loads of the springs. What no spring resists stays zero
    in the displacement; a `ValueError` if the springs cannot hold the load."""
    r, n = np.atleast_2d(positions).astype(float), np.atleast_2d(directions).astype(float)
    K = np.broadcast_to(np.asarray(constants, dtype=float), len(r))
    np.testing.assert_allclose(np.linalg.norm(n, axis=1), 1.0, rtol=1e-12)
    # Lengths, loads and approaches in units of the case, so that all numbers are about 1.
    length = np.linalg.norm(r, axis=1).max() or 1.0
    wrench = np.concatenate([np.asarray(force, float), np.asarray(torque, float) / length])
    load = np.linalg.norm(wrench)
    if load == 0.0:
        return Shares(np.zeros(3), np.zeros(3), np.zeros(len(r)))
    depth = (load / K.min()) ** (2.0 / 3.0)
    pushes = np.hstack([n, np.cross(r / length, n)])
    # Within the motions that springs resist: no equation is empty.
    _, sizes, axes = np.linalg.svd(pushes, full_matrices=False)
    basis = axes[sizes > 1e-10 * sizes[0]]
    wanted = wrench / load
    if np.linalg.norm(wanted - basis.T @ (basis @ wanted)) > ACCURACY:
        raise ValueError("no spring resists a part of the load")
    y, scaled = _least_energy(pushes @ basis.T, K / K.min(), basis @ wanted)
    move = depth * (basis.T @ y)
    return Shares(move[:3], move[3:] / length, load * scaled)


def _least_energy(
    pushes: FloatArray, K: FloatArray, wanted: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Newton's method with a term that vanishes as equilibrium comes near; steps are halved until
    the energy, or near the end where that is rounded the lack of equilibrium, has become less."""
    y = np.zeros(len(wanted))
    for _ in range(_MOST_STEPS):
        energy, lack, loads, delta = _state(pushes, K, wanted, y)
        amiss = np.linalg.norm(lack)
        if amiss <= ACCURACY * max(loads.sum(), 1.0):
            return y, loads
        slope = (pushes.T * (1.5 * K * np.sqrt(delta))) @ pushes + amiss * np.eye(len(y))
        step = -np.linalg.solve(slope, lack)
        for _ in range(_MOST_HALVES):
            less, left, *_ = _state(pushes, K, wanted, y + step)
            if less < energy or np.linalg.norm(left) < amiss:
                break
            step *= 0.5
        y += step
    raise ValueError("no equilibrium was found: springs push, they do not pull")


def _state(
    pushes: FloatArray, K: FloatArray, wanted: FloatArray, y: FloatArray
) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    """Energy, its gradient, loads, approaches."""
    delta = np.maximum(-pushes @ y, 0.0)
    loads = K * delta**1.5
    return 0.4 * loads @ delta - wanted @ y, -pushes.T @ loads - wanted, loads, delta
