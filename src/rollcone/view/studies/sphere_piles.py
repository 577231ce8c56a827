"""Piles of spheres: figures 4 and 5 of Acary and Bourrier 2021."""

from __future__ import annotations

from typing import Any

from rollcone._check import FloatArray
from rollcone.view.studies.heap_pictures import heaps_figure
from rollcone.view.studies.style import COLOURS, label, panels


def draw(points: list[dict[str, Any]]) -> Any:
    """Height and mean radius over mu_r, a curve for each mu."""
    figure, axes = panels(1, 2, 9.0, 4.2)
    for one, name, title in (
        (axes[0, 0], "height", "Height of the pile"),
        (axes[0, 1], "radius", "Mean radius of its base"),
    ):
        for k, mu in enumerate(dict.fromkeys(point["mu"] for point in points)):
            line = [point for point in points if point["mu"] == mu]
            one.errorbar(
                [point["mu_r"] for point in line], [point[name] for point in line],
                yerr=[point[f"{name}_error"] for point in line], color=COLOURS[k],
                marker="o", markersize=4, capsize=3, label=rf"$\mu$ = {mu:g}",
            )  # fmt: skip
        one.set_xscale("log")
        one.set_ylim(bottom=0)
        one.legend(frameon=False, fontsize=9)
        label(one, r"$\mu_r$ (m)", f"{name} / D", title)
    axes[0, 0].axhline(1.0, color="#999999", linewidth=0.8, zorder=0)
    axes[0, 1].set_yscale("log")
    axes[0, 1].set_ylim(bottom=1)
    return figure


def draw_piles(piles: dict[tuple[float, float], tuple[FloatArray, float]], diameter: float) -> Any:
    """Pictures of piles by (mu, mu_r), from positions and times."""
    named = {rf"$\mu$ = {mu:g}, $\mu_r$ = {mu_r:g} m": x for (mu, mu_r), x in piles.items()}
    return heaps_figure(named, diameter / 2, 12 * diameter, columns=2)
