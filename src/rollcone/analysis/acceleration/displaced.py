"""Bodies a moment before and after, at their present velocities: for rates of change of rows.

    dH/dt v = (H(x + d v) v - H(x - d v) v) / (2 d)

of second order in d, which is so small that the fastest body with a contact or a joint moves by a
hundred thousandth of the smallest one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.mechanics.bodies import REMOVED, Bodies
from rollcone.mechanics.kernels.motion import fly
from rollcone.mechanics.world import World

_SHARE = 1e-5


@dataclass(frozen=True, eq=False)
class Displaced:
    """d (s), and the bodies d after and d before; d = 0 where nothing moves."""

    d: float
    after: Bodies
    before: Bodies

    @property
    def pace(self) -> float:
        """The fastest speed over the smallest body, 1/s."""
        return _SHARE / self.d if self.d > 0.0 else 0.0


def displaced(world: World, bodies: IntArray) -> Displaced:
    """Both states, copies; `bodies` are those that matter, which set the pace."""
    state = world.state
    there = np.zeros(len(state), dtype=bool)
    there[bodies] = True
    there &= state.kind != REMOVED
    size = np.where(np.isfinite(state.size), state.size, 0.0).max(axis=1, initial=0.0)
    speed = np.linalg.norm(state.velocity, axis=1)
    speed += size * np.linalg.norm(state.angular_velocity, axis=1)
    fastest = float(speed[there].max(initial=0.0))
    if fastest == 0.0:
        return Displaced(0.0, state, state)
    smallest = float(state.size[there].min(initial=math.inf))
    d = _SHARE * (smallest if math.isfinite(smallest) else 1.0) / fastest
    return Displaced(d, _moved(state, d), _moved(state, -d))


def _moved(state: Bodies, d: float) -> Bodies:
    twin = state.copy()
    fly(
        d, state.kind, state.inertia, state.principal, twin.position, twin.orientation,
        state.velocity, state.angular_velocity,
    )  # fmt: skip
    return twin


def rate(d: float, after: FloatArray, before: FloatArray) -> FloatArray:
    """Of change; zero where nothing moves."""
    return np.zeros_like(after) if d == 0.0 else (after - before) / (2.0 * d)
