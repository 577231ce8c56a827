"""The guideway: its section, the resisting force against time and against rho (figure 8 of Tasora
and Anitescu 2013)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone.view.studies.style import COLOURS, EXACT, label, panels

if TYPE_CHECKING:
    from rollcone.recording.run import Run

_MM = 1e3


def draw(run: Run, still: Run, curves: dict[float, list[tuple[float, float]]]) -> Any:
    """`run` in motion, `still` held by friction; by the force of the seals, (rho, force) each."""
    figure, axes = panels(1, 3, 12.0, 3.9)
    section, history, force = axes[0]
    _section(section, run)
    _history(history, run, still)
    _force(force, curves)
    return figure


def _section(axes: Any, run: Run) -> None:
    """Across the rail, at the end of the run: what carries is filled."""
    from matplotlib.patches import Circle, Polygon

    world, found = run.world, run.contacts(-1)
    carry = set(found.bodies[found.reaction[:, 0] > 0].reshape(-1).tolist())
    for body in world.bodies:
        y, z = body.position[1:] * _MM
        if body.shape == "sphere":
            colour = COLOURS[1] if body.id in carry else "white"
            axes.add_patch(Circle((y, z), body.size[0] * _MM, facecolor=colour, edgecolor="black"))
            continue
        half = body.size[1:] / 2 * _MM
        w, x = body.orientation[:2]
        turn = 2 * np.arctan2(x, w)
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
        c, s = np.cos(turn), np.sin(turn)
        placed = corners @ np.array([[c, s], [-s, c]]) + (y, z)
        colour = "0.55" if not body.dynamic else COLOURS[0]
        axes.add_patch(Polygon(placed, facecolor=colour, alpha=0.6, edgecolor="black"))
    axes.set_aspect("equal")
    axes.set_xlim(-36, 36)
    axes.set_ylim(-20, 40)
    label(axes, "y (mm)", "z (mm)", "Section; balls that carry in colour")


def _history(axes: Any, run: Run, still: Run) -> None:
    for number, (each, words) in enumerate(
        ((run, "driven at 10 mm/s"), (still, "0.99 of that force"))
    ):
        track = each.joint("drive")
        axes.plot(
            each.time[1:] * _MM, track.effort["slide.motor"][1:], color=COLOURS[number], label=words
        )
    axes.set_ylim(0.0, 1.5 * float(run.joint("drive").effort["slide.motor"][-1]))
    axes.legend(frameon=False, fontsize=9, loc="lower right")
    label(axes, "time (ms)", "force of the motor (N)", "Moving, and held by friction")


def _force(axes: Any, curves: dict[float, list[tuple[float, float]]]) -> None:
    from rollcone.studies.guideway import LOAD, RB, statics

    most = max(rho for points in curves.values() for rho, _ in points)
    rho = np.linspace(0.0, most, 50)
    for number, (seals, points) in enumerate(curves.items()):
        words = f"seals {seals:g} N" if seals else "no seals"
        x, y = np.array(points).T
        axes.plot(x * _MM, y, "o", color=COLOURS[number], label=words)
        exact = [statics(value, LOAD, seals) for value in rho]
        axes.plot(rho * _MM, exact, **(EXACT | {"label": "statics" if number == 0 else None}))
        formula = rho / RB * LOAD + seals
        axes.plot(rho * _MM, formula, ":", color="0.4", label=None if number else "manufacturer")
    axes.set_ylim(bottom=0.0)
    named = zip(*axes.get_legend_handles_labels(), strict=True)
    dots_first = sorted(named, key=lambda pair: pair[1] in ("statics", "manufacturer"))
    axes.legend(*zip(*dots_first, strict=True), frameon=False, fontsize=9)
    label(axes, r"$\rho$ (mm)", "resisting force (N)", f"Load {LOAD:g} N")
