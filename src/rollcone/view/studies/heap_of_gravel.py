"""The heap of gravel: figures 10, 11 and 13 of Tasora and Anitescu 2013."""

from __future__ import annotations

from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.view.studies.heap_pictures import heaps_figure
from rollcone.view.studies.style import COLOURS, GREY, label, panels


def draw(points: list[dict[str, Any]], flat: float, steep: float) -> Any:
    """Angle of repose and height over 2 rho / D; `flat` and `steep` bound what counts as such."""
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
    top = max(50.0, *(point["angle"] for point in points if np.isfinite(point["angle"])))
    angle.axhspan(0, flat, color=COLOURS[5], alpha=0.15, linewidth=0)
    angle.axhspan(steep, top, color=COLOURS[2], alpha=0.12, linewidth=0)
    angle.set_ylim(0, top)
    angle.text(0.98, flat - 1, "the paper, no rolling friction: almost flat",
               ha="right", va="top", transform=angle.get_yaxis_transform(), **words)  # fmt: skip
    angle.text(0.02, steep + 1, "the paper, the largest: a steep cone",
               ha="left", va="bottom", transform=angle.get_yaxis_transform(), **words)  # fmt: skip
    label(angle, r"$2 \rho / D$", "angle of repose (degrees)", "Angle of repose")
    label(height, r"$2 \rho / D$", "height / D", "Height of the heap")
    return figure


def draw_heaps(heaps: dict[float, tuple[FloatArray, float]], radius: float, edge: float) -> Any:
    """Pictures of heaps by rho (m), from positions and times, in trays of that edge."""
    named = {rf"$\rho = \sigma$ = {rho:g} m": heap for rho, heap in heaps.items()}
    return heaps_figure(named, radius, 0.6 * edge, columns=1)
