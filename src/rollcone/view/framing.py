"""What a picture makes room for: what most bodies do, and what stands about them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rollcone._check import FloatArray
from rollcone.collision.shapes import ENDLESS, endless, reach
from rollcone.recording.run import Run
from rollcone.view.moments import spread_moments
from rollcone.view.surfaces import groups

_SAMPLED = 64  # moments, to see how far bodies get
_STRAGGLERS = 10  # of so many bodies one may get far from the others; of fewer, none
_MARGIN = 0.3  # of the range of the others: what is farther outside is far
_LIKE = 2.0  # times the size of what moves: fixed bodies up to this are made room for


def extent(run: Run, moments: Sequence[int] | None = None) -> tuple[FloatArray, FloatArray]:
    """Least and greatest corner (3,) of a box around what moves, at these moments or at any."""
    return box_around(*movers(run, moments))


def box_around(centers: FloatArray, reach: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Least and greatest corner (3,) of a box around balls."""
    return (centers - reach[:, None]).min(axis=0), (centers + reach[:, None]).max(axis=0)


def movers(run: Run, moments: Sequence[int] | None = None) -> tuple[FloatArray, FloatArray]:
    """Balls around what moves: centres (k, 3), radii (k,), at these moments or some of all.

    Stragglers, a tenth of the bodies on each side, are not followed far from the others. Where
    nothing moves, all bodies but planes and bowls count; where there are none, balls of 1 m
    about their points.
    """
    state, places = run.world.state, run.states("position")
    position = np.array([places[int(k)] for k in spread_moments(run, _SAMPLED)])
    first = position[np.isfinite(position[..., 0]).argmax(axis=0), np.arange(len(state))]
    driven = np.nan_to_num(np.abs(position - first)).max(axis=(0, 2)) > 0
    if moments is not None:
        position = np.array([places[run.index(k)] for k in moments])
    position = run.world.wrapped(position)
    solid = ~endless(state.shape)
    moving = solid & ((state.mass > 0) | driven)
    shown = moving if moving.any() else solid if solid.any() else ~solid
    around = np.where(solid, reach(state.shape, state.size), 1.0)
    return _followed(position[:, shown], around[shown])


def surroundings(run: Run, seen: tuple[FloatArray, FloatArray], moment: int = -1) -> FloatArray:
    """Outermost points (k, 3) of fixed bodies that stand about the box `seen`, like the walls of a
    container; not of those that are much larger than what moves in the whole run, like a ground."""
    state = run.world.state
    position, orientation = (run.states(name)[moment] for name in ("position", "orientation"))
    low, high = extent(run)
    largest = 0.5 * _LIKE * float(np.linalg.norm(high - low))
    fixed = (state.mass == 0) & (reach(state.shape, state.size) <= largest)
    low, high = seen
    around = 0.5 * float(np.linalg.norm(high - low))
    found = [np.zeros((0, 3))]
    for group in groups(run.world, detail=0):
        if group.shape not in ENDLESS:
            points = group.part(fixed[group.numbers]).place(position, orientation)
            apart = (points.min(axis=1) > high + around) | (points.max(axis=1) < low - around)
            there = np.isfinite(points[:, 0, 0]) & ~apart.any(axis=1)
            found.append(points[there].reshape(-1, 3))
    return np.concatenate(found)


def joint_points(run: Run, seen: tuple[FloatArray, FloatArray], moment: int = -1) -> FloatArray:
    """Points (k, 3) of joints whose bodies are in the box `seen`: where a pendulum hangs."""
    low, high = seen
    world, joints = run.world, run.joints(moment)
    place = world.wrapped(run.states("position")[moment])
    inside = np.append(((place >= low) & (place <= high)).all(axis=1), True)  # the world
    ever = world.joints.ever_arrays()
    shown = inside[ever.base] & inside[ever.body] & np.isfinite(joints.point[:, 0])
    away = world.wrapped(joints.point) - joints.point
    return np.concatenate([(joints.point + away)[shown], (joints.base_point + away)[shown]])


def _followed(position: FloatArray, around: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where most bodies get, of positions (m, n, 3): balls about these places."""
    ever = np.isfinite(position[..., 0]).any(axis=0)
    position, around = position[:, ever], around[ever]
    if not len(around):
        return np.zeros((1, 3)), np.ones(1)
    least, most = np.nanmin(position, axis=0), np.nanmax(position, axis=0)
    some = len(around) // _STRAGGLERS
    low, high = np.sort(least, axis=0)[some], np.sort(most, axis=0)[-1 - some]
    way = _MARGIN * (high - low).max() + np.median(around)
    steady = ((least >= low - way) & (most <= high + way)).all(axis=1)
    counts = (steady[:, None] | ((position >= low) & (position <= high))).all(axis=2)
    counts &= np.isfinite(position[..., 0])
    return position[counts], np.broadcast_to(around, counts.shape)[counts]
