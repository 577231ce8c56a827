"""The scene of the invariance study from above, and how far its views deviate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.view.studies.style import COLOURS, GREY, label, panels

if TYPE_CHECKING:
    from rollcone.recording.run import Run

_FLOOR = 1e-16  # rounding


def draw(run: Run, names: list[str], deviations: dict[str, FloatArray]) -> Any:
    figure, axes = panels(1, 2, 11.0, 4.8)
    plan, errors = axes[0]
    for number, name in enumerate(names):
        x, y = run.body(name).position[:, :2].T
        plan.plot(x, y, color=COLOURS[number], linewidth=2, label=name)
        plan.plot(x[-1:], y[-1:], "o", color=COLOURS[number])
    plan.set_aspect("equal", adjustable="datalim")
    plan.legend(frameon=False, fontsize=9, loc="lower right")
    label(plan, "x (m)", "y (m)", "Ways of the bodies, from above")
    for number, (name, values) in enumerate(deviations.items()):
        colour = COLOURS[number % len(COLOURS)]
        errors.semilogy(run.time, np.maximum(values, _FLOOR), color=colour, label=name)
    errors.axhline(1e-9, color=GREY, linewidth=1, linestyle=(0, (4, 3)))
    figure.legend(
        *errors.get_legend_handles_labels(), frameon=False, fontsize=9, ncols=4,
        loc="outside lower center",
    )  # fmt: skip
    label(errors, "time (s)", "deviation, relative", "From other points of view")
    return figure
