"""The sphere of Acary and Bourrier 2021: figure 3 (three cases) and figure 2 (the map)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.view.studies.style import COLOURS, EXACT, label, panels

if TYPE_CHECKING:
    from rollcone.recording.run import Run


def draw_cases(
    runs: dict[str, Run], cases: dict[str, Any], exact: Callable[..., Any], R: float, weight: float
) -> Any:
    """Position, velocities and reactions over time; exact curves dashed."""
    figure, axes = panels(3, 3, 11.0, 8.0, sharex="col", sharey="row")
    for column, (name, run) in enumerate(runs.items()):
        case, t, track = cases[name], run.time, run.body(1)
        reaction = np.array([run.contacts(i).reaction[0] for i in range(1, len(t))])
        middle = t[1:] - run.step / 2  # reactions are means over steps
        fine = np.linspace(0, t[-1], 2001)
        x, U, W, force, moment = exact(case, fine)
        position, velocity, forces = axes[:, column]
        words = f"h = {run.step:g} s"
        position.plot(t, track.position[:, 0], color=COLOURS[0], linewidth=2.2, label=words)
        position.plot(fine, x, **EXACT)
        for colour, words, values, curve in (
            (COLOURS[0], r"$U$", track.velocity[:, 0], U),
            (COLOURS[1], r"$R\,\Omega$", R * track.angular_velocity[:, 1], R * W),
        ):
            velocity.plot(t, values, color=colour, linewidth=2.2, label=words)
            velocity.plot(fine, curve, **(EXACT | {"label": None}))
        for colour, words, rows, curve in (
            (COLOURS[2], r"$|r_T|$ (kN)", slice(1, 3), force),
            (COLOURS[3], r"$|m_R|$ (kN m)", slice(3, 5), moment),
        ):
            sizes = np.linalg.norm(reaction[:, rows], axis=1) / 1e3
            forces.plot(middle, sizes, color=colour, linewidth=2.2, label=words)
            forces.plot(fine, curve * weight / 1e3, **(EXACT | {"label": None}))
        title = rf"{name}: $\mu$ = {case.sliding:g}, $\mu_r$ = {case.rolling:g} m, "
        title += rf"$\Omega_0$ = {case.turning:g} rad/s"
        label(position, "", "position (m)" if column == 0 else "", title)
        label(velocity, "", "velocity (m/s)" if column == 0 else "")
        label(forces, "time (s)", "force, moment" if column == 0 else "")
        if column == 0:
            for one in axes[:, 0]:
                one.legend(frameon=False, fontsize=9)
    return figure


def draw_map(coefficients: list[FloatArray], found: FloatArray, far: FloatArray, R: float) -> Any:
    """Distance over both coefficients, and its relative error."""
    from matplotlib.colors import LogNorm

    sliding, rolling = coefficients
    figure, axes = panels(1, 2, 10.0, 4.2)
    error = np.maximum(np.abs(found / far - 1.0), 1e-16)
    pictures = ((axes[0, 0], found, "Distance (m)"), (axes[0, 1], error, "Relative error"))
    for one, values, title in pictures:
        one.grid(False)
        mesh = one.pcolormesh(rolling, sliding, values, norm=LogNorm(), cmap="viridis")
        figure.colorbar(mesh, ax=one)
        one.set_xscale("log")
        one.set_yscale("log")
        one.set_autoscale_on(False)
        one.plot(rolling, 5 * rolling / (7 * R), color="white", linewidth=1.5)
        label(one, r"rolling friction $\mu_r$ (m)", r"sliding friction $\mu$", title)
    axes[0, 0].text(0.97, 0.06, "slides", color="white", ha="right", transform=axes[0, 0].transAxes)
    axes[0, 0].text(0.05, 0.9, "rolls", color="white", transform=axes[0, 0].transAxes)
    return figure
