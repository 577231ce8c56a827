"""Rendered pictures of heaps from the positions of their spheres, side by side in one figure."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.errors import RollconeError
from rollcone.mechanics.world import World
from rollcone.simulation import Simulation
from rollcone.view.render import render
from rollcone.view.studies.style import panels

_SIZE = (960, 600)  # pixels
_FIFTHS = ("poured first", "second fifth", "third fifth", "fourth fifth", "poured last")
_VIEW = np.array([0.35, -1.6, 0.75])  # from the heap to the camera


def heaps_figure(
    heaps: dict[str, tuple[FloatArray, float]], radius: float, reach: float, columns: int
) -> Any:
    """One picture per heap, from positions (n, 3) in the order of pouring and the time (s), all to
    the same scale; about `reach` (m) to each side of the axis is seen."""
    rows = -(-len(heaps) // columns)
    width = 9.0
    figure, axes = panels(rows, columns, width, rows * (width / columns * 0.625 + 0.35))
    for one in axes.flat:
        one.axis("off")
    for one, (title, (position, time)) in zip(axes.flat, heaps.items(), strict=False):
        one.set_title(title, fontsize=10, loc="left")
        try:
            one.imshow(_picture(position, time, radius, reach))
        except RollconeError as error:  # no OpenGL, or no PyVista
            one.text(0.5, 0.5, f"no picture: {error}", wrap=True, ha="center", fontsize=8)
    return figure


def _picture(position: FloatArray, time: float, radius: float, reach: float) -> Any:
    from matplotlib.image import imread

    world = World(gravity=(0, 0, -1))
    world.add_plane()
    for number, place in enumerate(position):
        fifth = _FIFTHS[5 * number // len(position)]
        world.add_sphere(radius=radius, mass=1.0, position=place, material=fifth)
    focus = np.array([0.0, 0.0, 0.12 * reach])
    camera = focus + 2.0 * reach * _VIEW
    with TemporaryDirectory() as folder:
        path = Path(folder) / "heap.png"
        run = Simulation(world, step=1.0, start_time=time).run
        render(run, path, colour="material", size=_SIZE, camera=[*camera, *focus])
        return imread(path)
