"""Heaps of convex grains next to heaps of spheres with rolling friction."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from rollcone.errors import RollconeError
from rollcone.mechanics.world import World
from rollcone.simulation import Simulation
from rollcone.studies.grains_of_shapes import add, grain
from rollcone.view.render import render
from rollcone.view.studies.style import COLOURS, label, panels

_AXES = {
    "height": "height / D",
    "centre": "mean height of centres / D",
    "angle": "angle of repose (degrees)",
}
_SIZE = (900, 620)  # pixels
_VIEW = np.array([0.35, -1.5, 0.7])  # from the heap to the camera
_FIFTHS = ("poured first", "second fifth", "third fifth", "fourth fifth", "poured last")


def draw(
    points: list[dict[str, Any]],
    shape: dict[str, Any] | None,
    matches: dict[str, tuple[float, float]],
) -> Any:
    """Three measures of spheres over rho / R; convex grains are a line with a band of two standard
    errors."""
    figure, axes = panels(1, 3, 11.0, 3.9)
    x = [point["rho"] for point in points]
    for one, (name, words) in zip(axes[0], _AXES.items(), strict=True):
        one.errorbar(
            x, [point[name] for point in points], yerr=[point[name + "_error"] for point in points],
            color=COLOURS[0], marker="o", markersize=5, capsize=3, label="spheres",
        )  # fmt: skip
        if shape:
            value, error = shape[name], 2.0 * shape[name + "_error"]
            one.axhline(value, color=COLOURS[1], label="convex grains")
            one.axhspan(value - error, value + error, color=COLOURS[1], alpha=0.2, linewidth=0)
        rho = matches.get(name, (np.nan, np.nan))[0]
        title = f"the same at {rho:.2g}" if np.isfinite(rho) else ""
        one.set_ylim(bottom=0)
        label(one, r"rolling friction of spheres, $\rho / R$", words, title)
    axes[0][0].legend(fontsize=8, frameon=False, loc="lower right")
    return figure


def draw_heaps(heaps: dict[str, tuple[Any, dict[str, Any]]], diameter: float, edge: float) -> Any:
    """One picture for each run, from its case and result, side by side to the same scale."""
    figure, axes = panels(1, len(heaps), 4.2 * len(heaps), 3.3)
    for one, (title, (case, result)) in zip(axes.flat, heaps.items(), strict=True):
        one.axis("off")
        one.set_title(title, fontsize=10, loc="left")
        try:
            one.imshow(_picture(case, result, diameter, 0.45 * edge))
        except RollconeError as error:  # no OpenGL, or no PyVista
            one.text(0.5, 0.5, f"no picture: {error}", wrap=True, ha="center", fontsize=8)
    return figure


def _picture(case: Any, result: dict[str, Any], diameter: float, reach: float) -> Any:
    from matplotlib.image import imread

    world = World(gravity=(0, 0, -1))
    world.add_plane()
    count = len(result["position"])
    for k, (place, turn) in enumerate(zip(result["position"], result["orientation"], strict=True)):
        one = grain(case.seed, k, diameter)
        add(world, one, case.convex, mass=1.0, position=place, material=_FIFTHS[5 * k // count])
        world.body(k + 1).orientation = turn
    focus = np.array([0.0, 0.0, 0.18 * reach])
    camera = focus + 2.0 * reach * _VIEW
    with TemporaryDirectory() as folder:
        path = Path(folder) / "heap.png"
        run = Simulation(world, step=1.0, start_time=case.until).run
        render(run, path, colour="material", size=_SIZE, camera=[*camera, *focus])
        return imread(path)
