"""Which fixed bodies hide what moves: they are to be seen through."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.collision.shapes import endless, reach
from rollcone.mechanics.bodies import Bodies
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.recording.run import Run
from rollcone.view.rays import entries, first_entry
from rollcone.view.surface_forms import parts_surface

_HIDDEN = 0.1  # of the moving bodies may stay hidden
_LOOKED_AT = 200  # moving bodies, evenly taken
_DETAIL = 1  # of round parts
_TINY = np.finfo(float).tiny
_ROUNDING = 1e-6  # distances are differences of squares


def veils(run: Run, eye: FloatArray, moments: Sequence[int]) -> NDArray[np.bool_]:
    """Per body (n,): is it one of the fixed ones that hide too much at one of these moments? Planes
    never are."""
    found = np.zeros(len(run.world.state), dtype=bool)
    for moment in moments:
        position, orientation = (run.states(n)[moment] for n in ("position", "orientation"))
        found |= _veils(run, eye, run.world.wrapped(position), orientation)
    return found


def _veils(
    run: Run, eye: FloatArray, position: FloatArray, orientation: FloatArray
) -> NDArray[np.bool_]:
    """From the fixed body that hides most on, as many as it takes until at most a tenth of what
    moves is hidden: so the many pieces of a drum count as one wall does."""
    state = run.world.state
    there = np.isfinite(position[:, 0])
    fixed = np.flatnonzero(there & (state.mass == 0) & ~endless(state.shape))
    moving = np.flatnonzero(there & (state.mass > 0))
    found = np.zeros(len(state), dtype=bool)
    if not len(moving):
        return found
    moving = moving[:: -(-len(moving) // _LOOKED_AT)]
    towards = position[moving] - eye
    fixed = fixed[_near(position[fixed] - eye, reach(state.shape, state.size)[fixed], towards)]
    if not len(fixed):
        return found
    hides = np.array(
        [_enters(state, int(k), position[k] - eye, orientation[k], towards) for k in fixed]
    )
    order = np.argsort(-hides.sum(axis=1), kind="stable")
    hides = hides[order]
    # How many of the first must go until a moving body is seen, and until enough of them are.
    needed = np.sort(np.where(hides.any(axis=0), len(fixed) - hides[::-1].argmax(axis=0), 0))
    enough = needed[len(needed) - 1 - int(_HIDDEN * len(needed))]
    found[fixed[order[:enough]]] = True
    return found


def _near(places: FloatArray, reach: FloatArray, towards: FloatArray) -> NDArray[np.bool_]:
    """Which of the balls about `places` (n, 3) touch a line from the origin along `towards` (k, 3)?
    A floor of thousands of fixed bodies is not looked at one by one."""
    directions = towards / np.maximum(np.linalg.norm(towards, axis=1), _TINY)[:, None]
    beside = (places**2).sum(axis=1)[:, None] - (places @ directions.T) ** 2
    return np.asarray((beside <= (1.0 + _ROUNDING) * reach[:, None] ** 2).any(axis=1))


def _enters(
    state: Bodies, body: int, place: FloatArray, orientation: FloatArray, towards: FloatArray
) -> NDArray[np.bool_]:
    """Do lines from the origin to the points `towards` (k, 3) enter a body there? (k,)"""
    parts = state.parts.of(body)
    axes, count = rotation_matrix(orientation), len(towards)
    length = np.linalg.norm(towards, axis=1)
    directions = towards / np.maximum(length, _TINY)[:, None]
    o, d = -place @ axes, directions @ axes
    if parts:
        surface = parts_surface(parts, _DETAIL)
        corners = surface.vertices[surface.triangles]
        way = np.array([first_entry(corners, o, one) for one in d])
    else:
        shape, size = np.full(count, state.shape[body]), np.tile(state.size[body], (count, 1))
        way = entries(shape, size, np.tile(o, (count, 1)), d)
    return np.asarray(way < length)
