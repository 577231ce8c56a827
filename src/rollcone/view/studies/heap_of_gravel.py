"""The heap of gravel: figures 10, 11 and 13 of Tasora and Anitescu 2013."""

from __future__ import annotations

from typing import Any

from rollcone._check import FloatArray
from rollcone.view.studies.heap_pictures import heaps_figure
from rollcone.view.studies.style import COLOURS, GREY, label, panels


def draw(points: list[dict[str, Any]], slope: float) -> Any:
    """Angle of repose and height over 2 rho / D; `slope` is the angle of sliding friction."""
    figure, axes = panels(1, 2, 9.0, 4.2)
    angle, height = axes[0]
    x = [point["2rho/D"] for point in points]
    for one, name, error in ((angle, "angle", "angle_error"), (height, "height", "height_error")):
        one.errorbar(
            x, [point[name] for point in points], yerr=[point[error] for point in points],
            color=COLOURS[0], marker="o", markersize=5, capsize=3,
        )  # fmt: skip
        one.set_ylim(bottom=0)
    words: dict[str, Any] = {"fontsize": 8, "color": GREY}
    angle.axhline(slope, color=GREY, linewidth=0.8, linestyle="--")
    angle.text(0.98, slope - 1, "sliding friction, atan(mu)",
               ha="right", va="top", transform=angle.get_yaxis_transform(), **words)  # fmt: skip
    label(angle, r"$2 \rho / D$", "angle of repose (degrees)", "Angle of repose")
    label(height, r"$2 \rho / D$", "height / D", "Height of the heap")
    return figure


def draw_heaps(heaps: dict[float, tuple[FloatArray, float]], radius: float, edge: float) -> Any:
    """Pictures of heaps by rho (m), from positions and times, in trays of that edge."""
    named = {rf"$\rho = \sigma$ = {rho:g} m": heap for rho, heap in heaps.items()}
    return heaps_figure(named, radius, 0.6 * edge, columns=1)
