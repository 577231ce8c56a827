"""A vertical cut through a heap of spheres and capsules, in front of a pale view of the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rollcone._check import FloatArray, IntArray

_CUT = 1.5  # mean radii: bodies whose centre is nearer to the plane y = 0 are in the cut
_MOST = 3.0  # times the mean load: the end of the colours


def normal_sums(pairs: IntArray, normal: FloatArray, bodies: int) -> FloatArray:
    """The sum of the normal reactions (c,) on each body (n,).

    `pairs` (c, 2): a number outside 0 to `bodies` - 1 is left out.
    """
    total = np.zeros(bodies)
    for side in (0, 1):
        real = (pairs[:, side] >= 0) & (pairs[:, side] < bodies)
        np.add.at(total, pairs[real, side], normal[real])
    return total


def loads(pairs: IntArray, normal: FloatArray, bodies: int) -> FloatArray:
    """`normal_sums` over the mean of those bodies that carry any."""
    total = normal_sums(pairs, normal, bodies)
    carried = total[total > 0]
    return total / carried.mean() if len(carried) else total


def draw_cut(
    centers: FloatArray,
    radii: FloatArray,
    load: FloatArray,
    path: Path,
    title: str,
    cores: FloatArray | None = None,
) -> None:
    """Spheres (n, 3), (n,) coloured by their load (n,), to a picture file.

    cores (n, 3): from the centre of a capsule to that of its end; zero for a sphere.
    """
    from matplotlib.figure import Figure

    cores = np.zeros_like(centers) if cores is None else cores
    depth, mean = centers[:, 1], radii.mean()
    in_cut = np.abs(depth) < _CUT * mean
    order = np.argsort(-depth)
    front, behind = order[in_cut[order]], order[~in_cut[order]]

    figure = Figure(figsize=(9, 3.2), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    pale = {"facecolor": "#f4f2ee", "edgecolor": "#dedad3", "linewidth": 0.5}
    axes.add_collection(_outlines(centers[behind], radii[behind], cores[behind], **pale))
    style = {"cmap": "YlOrRd", "edgecolor": "#333333", "linewidth": 0.6}
    cut = _outlines(centers[front], radii[front], cores[front], **style)
    cut.set_array(load[front])
    cut.set_clim(0.0, _MOST)
    axes.add_collection(cut)
    axes.autoscale_view()
    axes.axhspan(-0.25 * mean, 0.0, color="#777777", linewidth=0)
    axes.set_ylim(bottom=-0.25 * mean)
    axes.set_aspect("equal")
    axes.set(xlabel="x (m)", ylabel="z (m)")
    axes.set_title(title, loc="left")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.colorbar(
        cut, ax=axes, label="load / mean load", extend="max", shrink=0.75, aspect=12, pad=0.01
    )
    figure.savefig(path, bbox_inches="tight", pad_inches=0.08)


def _outlines(centers: FloatArray, radii: FloatArray, cores: FloatArray, **style: Any) -> Any:
    from matplotlib.collections import PatchCollection

    shapes = [outline(*body) for body in zip(centers, radii, cores, strict=True)]
    return PatchCollection(shapes, **style)


def outline(center: FloatArray, radius: float, core: FloatArray) -> Any:
    """A sphere or a capsule seen along y, as a patch."""
    from matplotlib.patches import Circle, Polygon

    if core.any():
        return Polygon(capsule_outline(center[::2], radius, core[::2]))
    return Circle((center[0], center[2]), radius)


def capsule_outline(center: FloatArray, radius: float, core: FloatArray) -> FloatArray:
    """Points (m, 2) round a capsule seen from the side: half a circle about either end."""
    turn = np.arctan2(core[1], core[0]) + np.linspace(-0.5 * np.pi, 0.5 * np.pi, 25)
    half = radius * np.column_stack([np.cos(turn), np.sin(turn)])
    outline: FloatArray = np.concatenate([center + core + half, center - core - half])
    return outline
