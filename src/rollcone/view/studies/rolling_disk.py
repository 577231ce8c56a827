"""The rolling disk: figures 2 and 3 of Tasora and Anitescu 2013, the errors, and the hover gap."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone.view.studies.style import COLOURS, EXACT, label, panels

if TYPE_CHECKING:
    from rollcone.recording.run import Run

_UNTIL = 8.0  # s
_FLOOR = 1e-10  # smaller errors are rounding


def draw(runs: dict[str, Run], exact: Callable[..., Any], h: float, rho: float) -> Any:
    figure, axes = panels(2, 2, 9.0, 6.2)
    (position, speed), (error, gap) = axes
    default = runs["GapAhead"]
    shown = default.time <= _UNTIL
    t, track = default.time[shown], default.body(1)
    for axes_, values, which in ((position, track.position, 0), (speed, track.velocity, 1)):
        axes_.plot(t, values[shown, 0], color=COLOURS[0], linewidth=2.2, label=f"h = {h:g} s")
        axes_.plot(t, exact(t)[which], **EXACT)
        axes_.legend(frameon=False, fontsize=9)
    label(position, "time (s)", "position (m)", "Position")
    label(speed, "time (s)", "speed (m/s)", "Speed")
    for number, (name, run) in enumerate(runs.items()):
        t = run.time[run.time <= _UNTIL]
        wrong = np.abs(run.body(1).position[: len(t), 0] - exact(t)[0])
        wrong[wrong < _FLOOR] = np.nan
        width = (6.0, 3.5, 1.2)[number % 3]  # equal lines lie on each other
        error.semilogy(t, wrong, color=COLOURS[number], linewidth=width, label=name)
    error.set_ylim(bottom=1e-7)
    error.legend(frameon=False, fontsize=8, loc=(0.2, 0.15))
    label(error, "time (s)", "error of position (m)", f"Error, where above {_FLOOR:g} m")
    _hover(gap, list(runs.values())[-1], h, rho)
    return figure


def _hover(axes: Any, run: Run, h: float, rho: float) -> None:
    track = run.body(1)
    height = track.position[:, 2] - track.position[-1, 2]
    theory = h * rho * np.abs(track.angular_velocity[:, 1])
    axes.plot(run.time, 1e3 * height, color=COLOURS[5], linewidth=2.2, label="simulated")
    axes.plot(run.time, 1e3 * theory, **(EXACT | {"label": r"$h\,\rho\,|w_R|$"}))
    axes.legend(frameon=False, fontsize=9)
    label(axes, "time (s)", "gap (mm)", "Gap under the associated law")
