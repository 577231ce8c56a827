"""An analysis as a picture: bodies, contacts coloured by what becomes of them, forces with their
friction cones, accelerations.

Forces are drawn on the body that forces move; between two such bodies on the second. Of several
motions up to three are drawn; of more, the first and the one that differs most from it.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.analyze import Analysis
from rollcone.analysis.acceleration.enumeration import acceleration_distance
from rollcone.analysis.acceleration.motion import Motion, units
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.words import fates, is_stop, verdict_words
from rollcone.collision.shapes import PLANE
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC, REMOVED
from rollcone.mechanics.joint_places import joint_places
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.mechanics.world import World
from rollcone.view.analysis_views import Sight, sights
from rollcone.view.output import check_output, write_whole
from rollcone.view.side import EDGE, STILL, body_patches, draw_plane
from rollcone.view.studies.style import GREY

Panel = tuple[Motion | None, Sight, str]
Scale = tuple[float, float, float]
SUFFIXES = (".png", ".pdf", ".svg")
FATES = {  # Okabe and Ito's colours, and marks that differ in grey as well
    "stays rolling": ("#0072B2", "o"),
    "starts to slide": ("#E69F00", "s"),
    "slides on": ("#D55E00", "D"),
    "breaks": ("#FFFFFF", "X"),
}
_FORCE, _ACCELERATION, _CONE = "#009E73", "#CC3377", "#009E73"
_MOVING = "#f2dcae"
_PANELS = 3
_ARROW, _WEDGE, _TURN = 0.26, 0.17, 0.09  # of what is seen
_MARGIN = 0.06
_SHORT = 2e-3  # of what is seen: arrows that are only a head
_TURNS = 0.02  # of the fastest turn
_NOTHING = 1e-6  # of accelerations without contacts: not drawn
_WIDE, _HIGH = 6.0, 4.6  # inches of a panel, at most
_LEAST = 5.0  # inches of a picture
_NAMED = 8  # bodies at most, for names to be written


def draw_analysis(analysis: Analysis, world: World, path: Path, title: str = "") -> None:
    """To a picture file; the world is the one that was analysed."""
    from matplotlib.figure import Figure

    check_output("picture", path, SUFFIXES)
    if analysis.problem.places is None:
        raise InputError("analysis: is not of a world; there are no places to draw")
    panels = _panels(analysis, world)
    scale = _scale([motion for motion, _, _ in panels if motion is not None])
    figure = Figure(dpi=150, layout="constrained")
    figure.set_layout_engine("constrained", h_pad=0.06, w_pad=0.06)
    grid = figure.add_gridspec(1, len(panels))
    axes = [figure.add_subplot(cell) for cell in grid]
    spans = np.array(
        [_draw(one, *panel, world, scale) for one, panel in zip(axes, panels, strict=True)]
    )
    sizes = spans * min(_WIDE / spans[:, 0].max(), _HIGH / spans[:, 1].max())  # one scale for all
    width = max(float(sizes[:, 0].sum()) + 0.8 * len(sizes), _LEAST)
    height = float(sizes[:, 1].max()) + 0.8
    if len(panels) > 1 and width > 2.0 * height:  # wide ones, below each other
        below = figure.add_gridspec(len(panels), 1, height_ratios=sizes[:, 1].tolist())
        for one, cell in zip(axes, below, strict=True):
            one.set_subplotspec(cell)
        width = max(float(sizes[:, 0].max()) + 0.8, _LEAST)
        height = float(sizes[:, 1].sum()) + 1.0 * len(sizes)
    else:
        grid.set_width_ratios(sizes[:, 0].tolist())
    words = textwrap.wrap(verdict_words(analysis), int(12 * width))
    if title:
        words.insert(0, title)
    figure.suptitle("\n".join(words), fontsize=10, x=0.02, ha="left")
    rows = _legend(figure, panels, analysis.problem, scale)
    figure.set_size_inches(width, height + 0.5 + 0.2 * (len(words) + rows))
    write_whole("picture", path, lambda made: figure.savefig(made))


def _scale(motions: list[Motion]) -> Scale:
    """The longest force and acceleration of what is drawn, and the fastest turn; 0 where there is
    nothing but rounding."""
    longest = [0.0, 0.0, 0.0]
    for motion in motions:
        F, _ = units(motion.problem, motion.forces, motion.contact_accelerations)
        v, free = (
            a.reshape(-1, 6) for a in (motion.accelerations, motion.problem.free_accelerations)
        )
        for k, (values, unit) in enumerate(
            (
                (motion.forces[:, :3], F),
                (v[:, :3], np.abs(free).max(initial=0.0)),
                (v[:, 3:], np.abs(free).max(initial=0.0)),
            )
        ):
            most = float(np.linalg.norm(values, axis=1).max(initial=0.0))
            longest[k] = max(longest[k], most if most > _NOTHING * unit else 0.0)
    return longest[0], longest[1], longest[2]


def _panels(analysis: Analysis, world: World) -> list[Panel]:
    """Motions with their views and titles."""
    motion, several = analysis.motion, analysis.motions
    found = sights(world, motion)
    if len(several) > 1:
        chosen = list(range(len(several)))
        if len(several) > _PANELS:
            away = [acceleration_distance(several[0], other) for other in several]
            chosen = [0, int(np.argmax(away))]
        return [
            (several[k], found[-1], f"motion {k + 1} of {len(several)}: {fates(several[k])}")
            for k in chosen
        ]
    name = "nearest motion (relaxed model)" if motion is not None and motion.relaxed else ""
    return [
        (motion, sight, ", ".join(filter(None, (name, sight.name if len(found) > 1 else ""))))
        for sight in found
    ]


def _draw(
    axes: Any, motion: Motion | None, sight: Sight, title: str, world: World, scale: Scale
) -> FloatArray:
    """One panel; its width and height in metres."""
    _draw_bodies(axes, world, sight)
    box = axes.dataLim
    low, high = np.array(box.min), np.array(box.max)
    size = float((high - low).max())
    ends = [low, high]
    if motion is not None:
        ends += _draw_contacts(axes, motion, sight, size, scale[0])
        ends += _draw_accelerations(axes, motion, world, sight, size, scale[1:])
    margin = _MARGIN * size
    low, high = np.min(ends, axis=0) - margin, np.max(ends, axis=0) + margin
    narrow = 0.5 * max(0.0, 0.5 * float((high - low).max()) - float(high[0] - low[0]))
    low[0], high[0] = low[0] - narrow, high[0] + narrow
    for body in np.flatnonzero((world.state.shape == PLANE) & (world.state.kind != REMOVED)):
        normal = rotation_matrix(world.state.orientation[body])[:, 2]
        point = world.state.position[body]
        draw_plane(axes, sight.turn @ normal, sight.turn @ point, low, high)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    axes.locator_params(nbins=6)
    axes.set_xlabel(sight.labels[0])
    axes.set_ylabel(sight.labels[1])
    axes.set_title(title, fontsize=9, loc="left")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    _write_names(axes, motion, world, sight)
    return np.asarray(high - low)


def _draw_bodies(axes: Any, world: World, sight: Sight) -> None:
    """From back to front, with the points of joints."""
    from matplotlib.colors import to_rgb

    state = world.state
    position = world.wrapped(state.position) @ sight.turn.T
    seen = (state.shape != PLANE) & (state.kind != REMOVED)
    order = np.argsort(-position[:, 1], kind="stable")
    for body in order[seen[order]]:
        turn = sight.turn @ rotation_matrix(state.orientation[body])
        color = np.array(to_rgb(_MOVING if state.kind[body] == DYNAMIC else STILL))
        for patch, brightness in body_patches(state, int(body), position[body], turn):
            patch.set(facecolor=brightness * color, edgecolor=EDGE, linewidth=0.7)
            patch.set(joinstyle="round", alpha=0.85)
            axes.add_patch(patch)
    if len(world.joints):
        joints = joint_places(
            world.joints.arrays(), state.position, state.orientation, state.period
        )
        points = sight.flat(joints.body_point)
        axes.plot(*points.T, "o", color="#444444", markersize=3.5, zorder=3)


def _write_names(axes: Any, motion: Motion | None, world: World, sight: Sight) -> None:
    """Of few bodies that move, each away from its acceleration."""
    movers = np.flatnonzero(world.state.kind == DYNAMIC)
    if len(movers) > _NAMED:
        return
    v, unit = np.zeros((len(movers), 3)), 0.0
    if motion is not None:
        v = motion.accelerations.reshape(-1, 6)[:, :3]
        unit = float(np.abs(motion.problem.free_accelerations).max())
    for body, a in zip(movers, sight.flat(v), strict=True):
        size = float(np.linalg.norm(a))
        away = -12.0 * a / size if size > _NOTHING * unit else np.array([0.0, -12.0])
        place = sight.flat(world.wrapped(world.state.position[body]))
        axes.annotate(
            world.name_of(int(body)), place, tuple(away), textcoords="offset points", ha="center",
            va="center", fontsize=8, color="#333333", zorder=6, path_effects=_halo(),
        )  # fmt: skip


def _halo() -> list[Any]:
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=2.5, foreground="white", alpha=0.8)]


def _draw_contacts(
    axes: Any, motion: Motion, sight: Sight, size: float, most: float
) -> list[FloatArray]:
    """Marks, cones and forces; the ends of what was drawn."""
    from matplotlib.patches import Polygon

    problem, places = motion.problem, motion.problem.places
    assert places is not None
    movers = set(places.movers.tolist())
    ends: list[FloatArray] = []
    for i in range(problem.contacts):
        if is_stop(problem, i):
            continue
        sign = 1.0 if int(places.bodies[i, 1]) in movers else -1.0
        point, frame = places.point[i], places.frames[i]
        if problem.friction[i, 0] > 0.0:
            wedge = _wedge(point, sign * frame, float(problem.friction[i, 0]), _WEDGE * size, sight)
            style = {"facecolor": _CONE, "edgecolor": _CONE, "linewidth": 0.6}
            axes.add_patch(Polygon(wedge, alpha=0.13, zorder=2, **style))
            ends += list(wedge)
        start = sight.flat(point)
        force = sign * motion.forces[i, :3] @ frame
        tip = start + sight.flat(force) * (_ARROW * size / most if most > 0.0 else 0.0)
        _arrow(axes, start, tip, _FORCE, 4)
        colour, mark = FATES[motion.transitions[i].words]
        axes.plot(*start, mark, color=colour, markersize=7, mec="black", mew=0.9, zorder=5)
        ends += [start, tip]
    return ends


def _wedge(
    point: FloatArray, frame: FloatArray, mu: float, length: float, sight: Sight
) -> FloatArray:
    """Corners (m, 2) of what a friction cone looks like."""
    from scipy.spatial import ConvexHull

    turn = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    rim = frame[0] + mu * (np.outer(np.cos(turn), frame[1]) + np.outer(np.sin(turn), frame[2]))
    corners = sight.flat(point + length * np.vstack([np.zeros(3), rim / np.hypot(1.0, mu)]))
    return np.asarray(corners[ConvexHull(corners, qhull_options="QJ").vertices])


def _draw_accelerations(
    axes: Any, motion: Motion, world: World, sight: Sight, size: float, most: tuple[float, ...]
) -> list[FloatArray]:
    """Arrows at the centres, bent ones for turning; the ends of what was drawn."""
    from matplotlib.patches import FancyArrowPatch

    places, v = motion.problem.places, motion.accelerations.reshape(-1, 6)
    assert places is not None
    turn = v[:, 3:] @ -sight.turn[1]
    ends: list[FloatArray] = []
    for k, body in enumerate(places.movers):
        center = sight.flat(world.wrapped(world.state.position[body]))
        if most[0] > 0.0:
            tip = center + sight.flat(v[k, :3]) * (_ARROW * size / most[0])
            _arrow(axes, center, tip, _ACCELERATION, 4.5)
            ends.append(tip)
        if most[1] > 0.0 and abs(turn[k]) > _TURNS * most[1]:
            way, r = np.sign(turn[k]), _TURN * size
            arc = center + r * np.array([[0.5, -0.87 * way], [0.5, 0.87 * way]])
            bow = FancyArrowPatch(
                *arc, connectionstyle=f"arc3,rad={0.6 * way}", arrowstyle="-|>",
                mutation_scale=9, color=_ACCELERATION, linewidth=1.3, zorder=4.5,
            )  # fmt: skip
            axes.add_patch(bow)
            ends += [*arc, center + np.array([1.1 * r, 0.0])]
    return ends


def _arrow(axes: Any, start: FloatArray, tip: FloatArray, colour: str, order: float) -> None:
    from matplotlib.patches import FancyArrowPatch

    low, high = axes.dataLim.min, axes.dataLim.max
    if np.linalg.norm(tip - start) < _SHORT * float((high - low).max()):
        return
    style: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 10, "linewidth": 1.8}
    arrow = FancyArrowPatch(start, tip, color=colour, shrinkA=0, shrinkB=0, zorder=order, **style)
    axes.add_patch(arrow)


def _legend(
    figure: Any,
    panels: list[Panel],
    problem: AccelerationProblem,
    scale: Scale,
) -> int:
    """The number of its rows."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    drawn = [motion for motion, _, _ in panels if motion is not None]
    used = {found.words for motion in drawn for found in motion.transitions}
    handles: list[Any] = [
        Line2D([], [], marker=mark, color=colour, linestyle="", mec="black", mew=0.9, label=word)
        for word, (colour, mark) in FATES.items()
        if word in used
    ]
    if scale[0] > 0.0:
        label = f"contact force, longest {scale[0]:.3g} N"
        handles.append(Line2D([], [], color=_FORCE, linewidth=2, label=label))
    if problem.contacts and (problem.friction > 0.0).any():
        handles.append(Patch(facecolor=_CONE, alpha=0.2, label="friction cone"))
    label = f"acceleration, longest {scale[1]:.3g} m/s2" if scale[1] > 0.0 else "no acceleration"
    handles.append(Line2D([], [], color=_ACCELERATION, linewidth=2, label=label))
    figure.legend(
        handles=handles, loc="outside lower left", ncols=2, frameon=False, fontsize=8,
        labelcolor=GREY,
    )  # fmt: skip
    return -(-len(handles) // 2)
