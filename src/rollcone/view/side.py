"""A run seen from the side: all bodies along y, x to the right and z up, the far ones first.

The last of the moments is drawn in full; earlier ones are pale, and show a body only where it has
moved on since the one before, so that motion is seen. What never moves is grey, and fixed meshes
are behind all; of planes and bowls their cut with y = 0 is drawn. Joints of the last moment are in
front of the bodies.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.collision.shapes import BOWL, PLANE, endless
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC, Bodies
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.recording.run import Run
from rollcone.view.side_bodies import EDGE_ON, back_to_front, draw_body
from rollcone.view.side_joints import draw_joints
from rollcone.view.silhouette import draw_bowl

_PALE = 0.25  # opacity of earlier moments
STILL, GROUND = "#d8d4cb", "#777777"
_WIDEST, _HIGHEST = 9.0, 5.5  # inches
_NARROW = 0.6  # width over height, at least
_MARGIN = 0.04  # of what is seen, around it
_MOVED = 1e-2  # sizes, or halves of radians


def draw_side(
    run: Run, path: Path, moments: Sequence[int] = (-1,), title: str = "", caption: str = ""
) -> None:
    """To a picture file.

    moments  indices into run.time, the last of them in full
    caption  a line below: what is to be seen
    """
    from matplotlib.figure import Figure

    _check_moments(moments, len(run.time))
    if endless(run.world.state.shape).all():
        raise InputError(f"{run!r}: there is nothing to draw but planes and bowls")
    figure = Figure(dpi=150, layout="constrained")
    axes = figure.add_subplot()
    for moment, before in zip(moments[:-1], [None, *moments], strict=False):
        _draw_bodies(axes, run, moment, _moved(run, moment, before), _PALE)
    _draw_bodies(axes, run, moments[-1], np.ones(len(run.world.state), dtype=bool), None)
    draw_joints(axes, run, moments[-1])
    low, high = _limits(axes)
    _draw_planes(axes, run, low, high)
    width, height = high - low
    scale = min(_WIDEST / width, _HIGHEST / height)
    figure.set_size_inches(scale * width + 0.9, scale * height + 1.4)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    axes.set(xlabel="x (m)", ylabel="z (m)")
    axes.set_title(title, loc="left")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    lines = filter(None, (caption, _when(run, moments)))
    figure.supxlabel("\n".join(lines), fontsize="small", color="#555555")
    figure.savefig(path, bbox_inches="tight", pad_inches=0.08)


def _check_moments(moments: Sequence[int], count: int) -> None:
    if not len(moments) or not all(-count <= moment < count for moment in moments):
        raise InputError(
            f"moments = {moments!r}: must be indices into run.time, from {-count} to {count - 1}"
        )


def _when(run: Run, moments: Sequence[int]) -> str:
    *early, last = (f"{run.time[moment]:.3g}" for moment in moments)
    return f"t = {last} s" + (f"; pale: t = {', '.join(early)} s" if early else "")


def _moved(run: Run, moment: int, before: int | None) -> NDArray[np.bool_]:
    """Which bodies that forces move are elsewhere, or turned, than at the moment before."""
    moving: NDArray[np.bool_] = run.world.state.kind == DYNAMIC
    if before is None:
        return moving
    size = run.world.state.size.min(axis=1)
    places, turns = (run.states(name)[[before, moment]] for name in ("position", "orientation"))
    way = np.linalg.norm(places[1] - places[0], axis=1) / size
    turn = np.linalg.norm(turns[1] - turns[0], axis=1)
    return np.asarray(moving & (way + turn > _MOVED))


def _draw_bodies(
    axes: Any, run: Run, moment: int, which: NDArray[np.bool_], opacity: float | None
) -> None:
    """From back to front."""
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    state, position = run.world.state, run.world.wrapped(run.states("position")[moment])
    moving = state.kind == DYNAMIC
    share = (np.cumsum(moving) - 0.5) / max(moving.sum(), 1)
    seen = which & ~endless(state.shape) & np.isfinite(position[:, 0])  # NaN: not in the world
    order = back_to_front(state, position)
    for body in order[seen[order]]:
        warm = colormaps["YlOrRd"](0.1 + 0.6 * share[body])[:3]
        color = np.array(warm if moving[body] else to_rgb(STILL))
        turn = rotation_matrix(run.states("orientation")[moment, body])
        draw_body(axes, state, int(body), position[body], turn, color, alpha=opacity, linewidth=0.6)


def _limits(axes: Any) -> tuple[FloatArray, FloatArray]:
    """Least and greatest (x, z) of what has been drawn, with a margin; never very narrow."""
    low, high = np.array(axes.dataLim.min), np.array(axes.dataLim.max)
    width, height = high - low
    margin = np.full(2, _MARGIN * max(width, height))
    margin[0] = max(margin[0], 0.5 * (_NARROW * height - width))
    return low - margin, high + margin


def _draw_planes(axes: Any, run: Run, low: FloatArray, high: FloatArray) -> None:
    """What is solid at y = 0, as far as it is seen."""
    state = run.world.state
    for body in np.flatnonzero(endless(state.shape)):
        position = run.states("position")[-1, body]
        if np.isnan(position[0]):  # it has been removed
            continue
        normal = rotation_matrix(run.states("orientation")[-1, body])[:, 2]
        draw_endless(axes, state, int(body), normal, position, low, high)


def draw_endless(
    axes: Any, state: Bodies, body: int, normal: FloatArray, point: FloatArray, low: FloatArray,
    high: FloatArray,
) -> None:  # fmt: skip
    """A plane or a bowl at y = 0."""
    if state.shape[body] == PLANE:
        draw_plane(axes, normal, point, low, high)
    elif state.shape[body] == BOWL:
        radius = float(state.size[body, 0])
        draw_bowl(axes, point + radius * normal, radius, low, high, GROUND)


def draw_plane(
    axes: Any, normal: FloatArray, point: FloatArray, low: FloatArray, high: FloatArray
) -> None:
    """What is solid behind a plane at y = 0; nothing if it is seen from above."""
    from matplotlib.patches import Polygon

    length = float(np.hypot(normal[0], normal[2]))
    if length < EDGE_ON:
        return
    middle, far = 0.5 * (low + high), float(np.hypot(*(high - low)))
    n = normal[::2] / length
    foot = middle + n * (normal @ point / length - n @ middle)
    along, down = far * np.array([-n[1], n[0]]), -far * n
    corners = [foot + along, foot - along, foot - along + down, foot + along + down]
    axes.add_patch(Polygon(corners, facecolor=GROUND, linewidth=0, zorder=0.5))
