"""Sketches of contact analyses: bodies as outlines, contact forces as arrows; the map of a push."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollcone.view.studies.style import COLOURS, GREY, label, panels

_FILLS = {"r": "#e8e8e8", "s": "#cfe3f1", "b": "#f3cdb4"}
_WORDS = {"r": "sticks", "s": "slides", "b": "tips"}
_LONGEST = 0.33  # of the width, the longest arrow


@dataclass
class Sketch:
    """Of one case, seen from the side or from above.

    outlines   closed lines (k, 2), m;  grounds   open ones
    circles    (x, y, radius)
    forces     (x, y, fx, fy) at contacts, N;  loads   likewise, applied
    """

    title: str
    outlines: list[NDArray[np.float64]] = field(default_factory=list)
    grounds: list[NDArray[np.float64]] = field(default_factory=list)
    circles: list[tuple[float, float, float]] = field(default_factory=list)
    forces: list[tuple[float, float, float, float]] = field(default_factory=list)
    loads: list[tuple[float, float, float, float]] = field(default_factory=list)

    def outline(self, *points: ArrayLike) -> None:
        self.outlines.append(np.array(points, dtype=float))

    def ground(self, *points: ArrayLike) -> None:
        self.grounds.append(np.array(points, dtype=float))


def draw(sketches: list[Sketch], push: PushMap) -> Any:
    figure, axes = panels(2, 3, 11.0, 6.6)
    for axis, sketch in zip(axes.flat, sketches, strict=False):
        _draw_sketch(axis, sketch)
    _draw_push(axes.flat[5], push)
    return figure


def _draw_sketch(axes: Any, sketch: Sketch) -> None:
    axes.grid(False)
    for outline in sketch.outlines:
        axes.fill(*outline.T, facecolor="#eeeeee", edgecolor=GREY, linewidth=1.2)
    for line in sketch.grounds:
        axes.plot(*line.T, color="#000000", linewidth=1.6)
    for x, y, r in sketch.circles:
        turn = np.linspace(0.0, 2.0 * np.pi, 60)
        axes.fill(
            x + r * np.cos(turn), y + r * np.sin(turn), facecolor="#eeeeee", edgecolor=GREY,
            linewidth=1.2,
        )  # fmt: skip
    everything = [*sketch.outlines, *sketch.grounds]
    everything += [np.array([[x - r, y - r], [x + r, y + r]]) for x, y, r in sketch.circles]
    points = np.vstack(everything)
    width = float(np.ptp(points, axis=0).max())
    arrows = [*sketch.forces, *sketch.loads]
    most = max(float(np.hypot(fx, fy)) for _, _, fx, fy in arrows)
    for number, (x, y, fx, fy) in enumerate(arrows):
        colour = COLOURS[1] if number < len(sketch.forces) else COLOURS[0]
        step = _LONGEST * width / most
        axes.annotate(
            "", xy=(x + step * fx, y + step * fy), xytext=(x, y),
            arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.4},
        )  # fmt: skip
        axes.plot([x, x + step * fx], [y, y + step * fy], alpha=0.0)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.08)
    label(axes, "m", "m", f"{sketch.title}, longest {most:.3g} N")


@dataclass(frozen=True)
class PushMap:
    """Modes of a pushed block by push (N) and height (m), with what the closed form says."""

    push: NDArray[np.float64]
    height: NDArray[np.float64]
    modes: NDArray[np.str_]
    slides_from: float
    tips_from: NDArray[np.float64]


def _draw_push(axes: Any, push: PushMap) -> None:
    for mode, colour in _FILLS.items():
        at = push.modes == mode
        rows, columns = np.nonzero(at)
        axes.plot(
            push.push[columns], push.height[rows], "s", color=colour, markersize=6,
            label=_WORDS[mode],
        )  # fmt: skip
    axes.axvline(push.slides_from, color="#000000", linestyle="--", linewidth=1.0)
    axes.plot(push.tips_from, push.height, color="#000000", linestyle=":", linewidth=1.4)
    axes.set_xlim(0.0, 1.05 * float(push.push.max()))
    axes.legend(frameon=True, fontsize=8, loc="lower left")
    label(axes, "push (N)", "height of the push (m)", "Pushed block: what begins")
