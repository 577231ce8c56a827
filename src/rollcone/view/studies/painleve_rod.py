"""The map of a sliding rod's motions, its closed-form boundaries, and the relaxed model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone.view.studies.style import COLOURS, EXACT, label, panels

if TYPE_CHECKING:
    from rollcone.studies.painleve_rod import Line, Map

Exact = Callable[[float], float]
_FILLS = ("#cfe3f1", "#cdeae0", "#f3cdb4", "#ecd7e4")


def draw(
    maps: list[Map], line: Line, regions: Sequence[str], edge: Exact, force: Callable[..., float]
) -> Any:
    """`edge` is mu by angle, `force` that of the relaxed model by mu and angle."""
    figure, axes = panels(1, 3, 12.0, 4.2)
    for axis, one in zip(axes[0], maps, strict=False):
        _draw_map(axis, one, regions, edge)
    _draw_line(axes[0, 2], line, edge(line.angle), force)
    return figure


def _draw_map(axes: Any, one: Map, regions: Sequence[str], exact: Exact) -> None:
    from matplotlib.colors import BoundaryNorm, ListedColormap

    degrees = np.degrees(one.angle)
    colours = ListedColormap(_FILLS)
    axes.pcolormesh(
        one.mu, degrees, np.ma.masked_less(one.found, 0), cmap=colours,
        norm=BoundaryNorm(np.arange(5) - 0.5, 4), shading="nearest", rasterized=True,
    )  # fmt: skip
    fine = np.radians(np.linspace(1.0, 89.0, 400))
    edge = np.array([exact(angle) for angle in fine])
    shown = edge <= one.mu[-1]
    axes.plot(edge[shown], np.degrees(fine[shown]), **(EXACT | {"label": "$A = 0$"}))
    if one.rate > 0.0:
        axes.axhline(
            math.degrees(one.lifts_from),
            color="#000000",
            linewidth=1.0,
            linestyle=":",
            label="$b = 0$",
        )
    axes.plot(4 / 3, math.degrees(math.atan(2.0)), "o", color="#000000", markersize=4)
    for number, words in enumerate(regions):
        if np.any(one.found == number):
            x, y = _inside(one, number)
            axes.text(x, y, words, fontsize=8, ha="center", va="center")
    axes.legend(frameon=False, fontsize=8, loc="lower right")
    label(axes, r"$\mu$", "angle (degrees)", f"Motions, $w$ = {one.rate:.3g} rad/s")


def _inside(one: Map, number: int) -> tuple[float, float]:
    """A point of a region far from its edge."""
    from scipy.ndimage import distance_transform_edt

    inside = np.pad(one.found == number, 1)
    far = distance_transform_edt(inside)[1:-1, 1:-1]
    i, j = np.unravel_index(int(np.argmax(far)), far.shape)
    shown = int(np.clip(j, 0.14 * len(one.mu), 0.84 * len(one.mu)))
    return float(one.mu[shown]), float(np.degrees(one.angle[i]))


def _draw_line(axes: Any, line: Line, edge: float, force: Callable[..., float]) -> None:
    for low, high, name in ((line.mu[0], edge - 1e-6, "exact"), (edge + 1e-6, line.mu[-1], None)):
        fine = np.linspace(low, high, 300)
        exact = [force(mu, line.angle) for mu in fine]
        axes.plot(fine, exact, **(EXACT | {"label": name}))
    axes.plot(line.mu, line.force, "o", color=COLOURS[0], markersize=3.5, label="normal force")
    axes.set_ylim(0.0, 60.0)
    other = axes.twinx()
    other.plot(line.mu, line.departure, "s", color=COLOURS[1], markersize=3, label="departure")
    other.set_ylim(-0.05, 1.6)
    other.set_ylabel("departure from Coulomb's law")
    lines = [one for one in (*axes.lines, *other.lines) if not one.get_label().startswith("_")]
    axes.legend(lines, [one.get_label() for one in lines], frameon=False, fontsize=8)
    label(axes, r"$\mu$", "normal force (N)", r"Relaxed model, $\tan\theta$ = 2, $w$ = 0")
