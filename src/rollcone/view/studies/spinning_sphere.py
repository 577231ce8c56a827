"""Spin and roll of balls with either friction, and the ways of balls in all directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.view.studies.style import COLOURS, EXACT, label, panels

if TYPE_CHECKING:
    from rollcone.recording.run import BodyTrack

_UNTIL = 8.0  # s


def draw(
    time: FloatArray,
    tracks: dict[str, BodyTrack],
    rays: list[BodyTrack],
    spin: tuple[float, float],
    roll: tuple[float, float],
) -> Any:
    """`spin` and `roll` are (start, rate) of the exact decay."""
    figure, axes = panels(1, 3, 12.0, 4.0)
    turning, rolling, plan = axes[0]
    shown = time <= _UNTIL
    t = time[shown]
    for number, (name, track) in enumerate(tracks.items()):
        style = {"color": COLOURS[number], "linewidth": 4.5 - number, "label": name}
        turning.plot(t, track.angular_velocity[shown, 2], **style)
        rolling.plot(t, track.velocity[shown, 0], **style)
    for one, (start, rate) in ((turning, spin), (rolling, roll)):
        one.plot(t, np.maximum(start - rate * t, 0.0), **EXACT)
    label(turning, "time (s)", "spin (rad/s)", "Spin about the normal")
    label(rolling, "time (s)", "speed (m/s)", "Speed")
    figure.legend(
        *turning.get_legend_handles_labels(), frameon=False, fontsize=9, ncols=5,
        loc="outside lower center",
    )  # fmt: skip
    for ray in rays:
        way = ray.position - ray.position[0]
        plan.plot(way[:, 0], way[:, 1], color=COLOURS[0], linewidth=1.8)
        plan.plot(way[-1:, 0], way[-1:, 1], "o", color=COLOURS[0], markersize=5)
    far = roll[0] ** 2 / (2 * roll[1])
    angle = np.linspace(0, 2 * np.pi, 200)
    plan.plot(far * np.cos(angle), far * np.sin(angle), **EXACT)
    plan.set_aspect("equal")
    label(plan, "x (m)", "y (m)", "Ways of balls that roll and spin")
    return figure
