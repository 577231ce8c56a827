"""Errors against the step, doubly logarithmic, with fitted orders."""

from __future__ import annotations

from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.view.studies.style import COLOURS, GREY, label, panels

_MARKERS = "osDsoD^"
_WIDTHS = (6.0, 3.5, 1.2, 6.0, 3.5, 1.2, 0.6)  # so that lines on top of each other are seen


def draw(steps: tuple[float, ...], curves: dict[str, dict[str, tuple[FloatArray, float]]]) -> Any:
    """One panel per scene; `curves` has errors and fitted orders by scene and scheme."""
    figure, axes = panels(1, len(curves), 14.0, 4.6)
    h = np.array(steps)
    for one, (scene, lines) in zip(axes[0], curves.items(), strict=True):
        for number, (name, (error, order)) in enumerate(lines.items()):
            one.loglog(
                h, error, color=COLOURS[number], marker=_MARKERS[number],
                linewidth=_WIDTHS[number], markersize=6,
                label=f"{name}: order {order:.2f}",
            )  # fmt: skip
        for power, name in ((1, "DVI"), (2, "GapAhead")):
            start = lines[name][0][0] / 3  # of a line with that slope
            one.loglog(h, start * (h / h[0]) ** power, color=GREY, linestyle=(0, (4, 3)), lw=1)
            one.text(h[-1], start * (h[-1] / h[0]) ** power, f" $h^{power}$", color=GREY,
                     va="top")  # fmt: skip
        one.set_xticks(h, [f"{value:g}" for value in h])
        one.minorticks_off()
        one.legend(fontsize=8, loc="center left" if scene != "ball on a ball" else "lower right")
        label(one, "step h (s)", "error of the final position (m)", scene.capitalize())
    return figure
