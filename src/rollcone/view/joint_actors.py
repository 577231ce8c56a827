"""Joints of a run in front of a camera: copies of the surfaces of their markers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.recording.run import Run
from rollcone.view.glyphs import copier, mesh_of, move_copies, shadow_of, shiny
from rollcone.view.joint_markers import JointMarkers, markers_at


class JointActors:
    """Made once; `move` for each moment. Lengths are over `unit`."""

    def __init__(self, plotter: Any, run: Run, unit: float) -> None:
        import pyvista

        self._run, self._unit = run, unit
        self._markers = JointMarkers(run.world)
        self._points = []
        self.shadows: list[Callable[[], Any]] = []
        for group in markers_at(run, self._markers, 0):
            points = pyvista.PolyData(np.zeros((1, 3)))
            mesh = mesh_of(group.surface, group.surface.normals())
            plotter.renderer.AddActor(shiny(copier(points, mesh)))
            self._points.append(points)
            self.shadows.append(partial(shadow_of, points, mesh))

    def move(self, moment: int, middle: FloatArray) -> None:
        """To where joints are then; `middle` is the origin."""
        from matplotlib.colors import to_rgb

        found = markers_at(self._run, self._markers, moment)
        for points, group in zip(self._points, found, strict=True):
            here = group.there
            position, scales = (group.position[here] - middle) / self._unit, group.scales[here]
            colour = np.round(255 * np.array(to_rgb(group.colour))).astype(np.uint8)
            colours = np.tile(colour, (len(position), 1))
            move_copies(points, position, group.orientation[here], scales / self._unit, colours)
