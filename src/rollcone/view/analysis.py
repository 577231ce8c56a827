"""An analysis as a picture: bodies, contacts coloured by what becomes of them, forces with their
friction cones, loads, accelerations.

Forces are drawn on the body that forces move; between two such bodies on the one that the report
names first, as in 'ladder' on 'floor'. Contacts have the numbers of the report's table. Of several
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
from rollcone.analysis.acceleration.motion import Motion
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.words import fates, verdict_words
from rollcone.collision.shapes import BOWL, endless
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC, REMOVED
from rollcone.mechanics.joint_places import joint_places
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.mechanics.world import World
from rollcone.view.analysis_marks import (
    ACCELERATION,
    CONE,
    FATES,
    FORCE,
    LOAD,
    Scale,
    draw_accelerations,
    draw_contacts,
    draw_loads,
    has_cone,
    scale_of,
    write_names,
)
from rollcone.view.analysis_views import Sight, sights
from rollcone.view.output import check_output, write_whole
from rollcone.view.side import STILL, draw_endless
from rollcone.view.side_bodies import back_to_front, draw_body
from rollcone.view.studies.style import GREY

Panel = tuple[Motion | None, Sight, str]
SUFFIXES = (".png", ".pdf", ".svg")
_MOVING = "#f2dcae"
_PANELS = 3
_MARGIN = 0.06
_EDGE_ON = 0.2  # planes that the viewer looks at more steeply are not drawn
_WIDE, _HIGH = 6.0, 4.6  # inches of a panel, at most
_LEAST = 5.0  # inches of a picture


def draw_analysis(analysis: Analysis, world: World, path: Path | str, title: str = "") -> None:
    """To a picture file; the world is the one that was analysed."""
    from matplotlib.figure import Figure

    path = Path(path)
    check_output("picture", path, SUFFIXES)
    if analysis.problem.places is None:
        raise InputError("analysis: is not of a world; there are no places to draw")
    panels = _panels(analysis, world)
    drawn = [motion for motion, _, _ in panels if motion is not None]
    scale = scale_of(analysis.problem, drawn, world)
    figure = Figure(dpi=150, layout="constrained")
    figure.set_layout_engine("constrained", h_pad=0.06, w_pad=0.06)
    grid = figure.add_gridspec(1, len(panels))
    axes = [figure.add_subplot(cell) for cell in grid]
    spans = np.array(
        [
            _draw(one, *panel, analysis.problem, world, scale)
            for one, panel in zip(axes, panels, strict=True)
        ]
    )
    sizes = spans * min(_WIDE / spans[:, 0].max(), _HIGH / spans[:, 1].max())  # one scale for all
    sizes *= min(1.0, 2.2 / len(panels))
    width = max(float(sizes[:, 0].sum()) + 0.8 * len(sizes), _LEAST)
    height = float(sizes[:, 1].max()) + 0.8
    if (
        len(panels) > 1 and sizes[:, 0].mean() > 1.05 * sizes[:, 1].max()
    ):  # wide ones, below each other
        below = figure.add_gridspec(len(panels), 1, height_ratios=sizes[:, 1].tolist())
        for one, cell in zip(axes, below, strict=True):
            one.set_subplotspec(cell)
        width = max(float(sizes[:, 0].max()) + 0.8, _LEAST)
        height = float(sizes[:, 1].sum()) + 1.0 * len(sizes)
    else:
        grid.set_width_ratios(sizes[:, 0].tolist())
    for one, size in zip(axes, sizes, strict=True):
        one.locator_params(axis="x", nbins=max(2, int(1.3 * size[0])))
        one.locator_params(axis="y", nbins=max(2, int(1.6 * size[1])))
    told = [title, *verdict_words(analysis)]
    words = [line for text in told for line in textwrap.wrap(text, int(12 * width))]
    figure.suptitle("\n".join(words), fontsize=10, x=0.02, ha="left")
    rows = _legend(figure, drawn, scale)
    figure.set_size_inches(
        width, height + 0.2 + 0.25 * any(panel[2] for panel in panels) + 0.2 * (len(words) + rows)
    )
    write_whole("picture", path, lambda made: figure.savefig(made))


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
            (several[k], found[:2][-1], f"motion {k + 1} of {len(several)}: {fates(several[k])}")
            for k in chosen
        ]
    name = "nearest motion (relaxed model)" if motion is not None and motion.relaxed else ""
    return [
        (motion, sight, ", ".join(filter(None, (name, sight.name if len(found) > 1 else ""))))
        for sight in found
    ]


def _draw(
    axes: Any, motion: Motion | None, sight: Sight, title: str, problem: AccelerationProblem,
    world: World, scale: Scale,
) -> FloatArray:  # fmt: skip
    """One panel; its width and height in metres."""
    _draw_bodies(axes, world, sight)
    box = axes.dataLim
    low, high = np.array(box.min), np.array(box.max)
    size = float((high - low).max())
    ends = [low, high, *draw_loads(axes, problem, world, sight, size, scale.newtons)]
    if motion is not None:
        ends += draw_contacts(axes, motion, sight, size, scale.newtons)
        ends += draw_accelerations(axes, motion, world, sight, size, scale)
    margin = _MARGIN * size
    low, high = np.min(ends, axis=0) - margin, np.max(ends, axis=0) + margin
    narrow = 0.5 * max(0.0, 0.5 * float((high - low).max()) - float(high[0] - low[0]))
    low[0], high[0] = low[0] - narrow, high[0] + narrow
    state = world.state
    for body in np.flatnonzero(endless(state.shape) & (state.kind != REMOVED)):
        normal = sight.turn @ rotation_matrix(state.orientation[body])[:, 2]
        if state.shape[body] == BOWL or abs(normal[1]) < _EDGE_ON:
            point = sight.turn @ state.position[body]
            draw_endless(axes, state, int(body), normal, point, low, high)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    axes.set_xlabel(sight.labels[0])
    axes.set_ylabel(sight.labels[1])
    axes.set_title(title, fontsize=9, loc="left")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    write_names(axes, problem, motion, world, sight, size)
    return np.asarray(high - low)


def _draw_bodies(axes: Any, world: World, sight: Sight) -> None:
    """From back to front, with the points of joints."""
    from matplotlib.colors import to_rgb

    state = world.state
    position = world.wrapped(state.position) @ sight.turn.T
    seen = ~endless(state.shape) & (state.kind != REMOVED)
    order = back_to_front(state, position)
    for body in order[seen[order]]:
        turn = sight.turn @ rotation_matrix(state.orientation[body])
        color = np.array(to_rgb(_MOVING if state.kind[body] == DYNAMIC else STILL))
        draw_body(axes, state, int(body), position[body], turn, color, linewidth=0.7, alpha=0.85)
    if len(world.joints):
        joints = joint_places(
            world.joints.arrays(), state.position, state.orientation, state.period
        )
        points = sight.flat(joints.body_point)
        axes.plot(*points.T, "o", color="#444444", markersize=3.5, zorder=3)


def _legend(figure: Any, drawn: list[Motion], scale: Scale) -> int:
    """The number of its rows."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    def line(colour: str, name: str, most: float, unit: str) -> Any:
        return Line2D([], [], color=colour, linewidth=2, label=f"{name}, longest {most:.3g} {unit}")

    used = {found.words for motion in drawn for found in motion.transitions}
    handles: list[Any] = [
        Line2D([], [], marker=mark, color=colour, linestyle="", mec="black", mew=0.9, label=word)
        for word, (colour, mark) in FATES.items()
        if word in used
    ]
    if scale.force > 0.0:
        handles.append(line(FORCE, "contact force", scale.force, "N"))
    if any(has_cone(motion, i) for motion in drawn for i in range(motion.problem.contacts)):
        handles.append(Patch(facecolor="#ecf7f3", edgecolor=CONE, lw=0.5, label="friction cone"))
    if scale.load > 0.0:
        handles.append(line(LOAD, "load", scale.load, "N"))
    if scale.acceleration > 0.0:
        handles.append(line(ACCELERATION, "acceleration", scale.acceleration, "m/s2"))
    elif drawn:
        handles.append(Line2D([], [], linestyle="", label="no acceleration"))
    figure.legend(
        handles=handles, loc="outside lower left", ncols=2, frameon=False, fontsize=8,
        labelcolor=GREY,
    )  # fmt: skip
    return -(-len(handles) // 2)
