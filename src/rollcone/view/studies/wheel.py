"""The wheel: figures 4 and 5 of Peiret and others 2016, and its path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.view.studies.style import COLOURS, EXACT, GREY, label, panels

if TYPE_CHECKING:
    from rollcone.studies.wheel_measures import Errors, Trace
    from rollcone.studies.wheel_reference import Motion

_FLOOR = 1e-8  # of errors on a logarithmic axis


def draw_errors(errors: dict[str, Errors], t: FloatArray, slip_ends: float) -> Any:
    """Normalised friction force; errors of place, of energy, of the direction of friction."""
    figure, axes = panels(2, 2, 11.0, 7.4, sharex=True)
    (force, place), (energy, angle) = axes
    for number, (name, each) in enumerate(errors.items()):
        look = _look(number, name)
        force.plot(t, each.share, **look)
        place.semilogy(t, _above(100 * each.position_relative), **look)
        energy.semilogy(t, _above(np.abs(each.energy)), **look)
        angle.plot(t, each.misalignment_after, **look)
    force.plot(t, each.wanted, **EXACT | {"label": "reference"})
    force.set_ylim(0.0, 1.5)
    for one in axes.flat:
        one.axvline(slip_ends, color=GREY, linewidth=0.7, linestyle=":")
    force.text(slip_ends, 1.42, " slip ends", color=GREY, fontsize=8)
    force.legend(frameon=False, fontsize=8, loc="lower left")
    label(force, "", r"$|\lambda_T| / (\mu\,\lambda_N)$", "Normalised friction force")
    label(place, "", "error / distance (%)", "Place of the centre")
    label(energy, "time (s)", "error (J)", "Mechanical energy")
    label(angle, "time (s)", "angle (degrees)", "Friction against the slip after the step")
    return figure


def draw_path(traces: dict[str, Trace], motion: Motion) -> Any:
    """The centre from above, y stretched; and how far it is from where it should be."""
    figure, axes = panels(1, 2, 11.0, 4.2)
    path, apart = axes[0]
    for number, (name, trace) in enumerate(traces.items()):
        look = _look(number, name)
        path.plot(trace.position[:, 0], trace.position[:, 1], **look)
        far = np.linalg.norm((trace.position - motion.position)[:, :2], axis=1)
        apart.semilogy(trace.time, _above(far), **look)
    path.plot(motion.position[:, 0], motion.position[:, 1], **EXACT | {"label": "reference"})
    path.legend(frameon=False, fontsize=8)
    label(path, "x (m)", "y (m)", "Path of the centre, from above")
    label(apart, "time (s)", "distance (m)", "Distance to the exact path at the same time")
    return figure


def _look(number: int, name: str) -> dict[str, Any]:
    """Equal lines lie on each other: later ones are thinner."""
    return {"color": COLOURS[number], "linewidth": 2.6 - 0.35 * number, "label": name}


def _above(values: FloatArray) -> FloatArray:
    return np.where(values < _FLOOR, np.nan, values)
