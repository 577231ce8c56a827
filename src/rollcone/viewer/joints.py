"""Joints on the page: copies of the surfaces of their markers, as bodies are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone.recording.run import Run
from rollcone.view.joint_markers import JointMarkers, Markers
from rollcone.viewer.frames import Frame
from rollcone.viewer.light import linear
from rollcone.viewer.picking import NOTHING, Solids

NODE = "/joints"


class JointNodes:
    """Meshes of all joints that a run has or had, and what of them a frame shows."""

    def __init__(self, server: Any, run: Run) -> None:
        self._server, self._run = server, run
        self._markers = JointMarkers(run.world)
        self._there: tuple[int, NDArray[np.bool_]] | None = None
        self._meshes: list[Any] = []

    def show(self, frame: Frame, *, visible: bool) -> None:
        """Poses of all of them, or none."""
        if not len(self._markers):
            return
        found = self.at(frame) if visible else []
        if not self._meshes:
            self._meshes = [self._add(k, group) for k, group in enumerate(found)]
        for mesh in self._meshes:
            mesh.visible = visible
        for mesh, group in zip(self._meshes, found, strict=False):
            there = group.there[:, None]
            mesh.batched_positions = np.where(there, group.position, 0.0).astype(np.float32)
            level = (1.0, 0.0, 0.0, 0.0)
            mesh.batched_wxyzs = np.where(there, group.orientation, level).astype(np.float32)
            mesh.batched_scales = np.where(there, group.scales, 0.0).astype(np.float32)

    def at(self, frame: Frame) -> list[Markers]:
        """The markers of a frame; which joints there are is that of its recorded moment."""
        k = frame.moment
        if self._there is None or self._there[0] != k:
            self._there = k, np.isfinite(self._run.joints(k).point[:, 0])
        return self._markers.at(frame.position, frame.orientation, self._there[1])

    def solids(self, frame: Frame) -> Solids:
        """The markers, for clicks."""
        found = self.at(frame) if len(self._markers) else []
        columns = zip(
            *(
                (m.numbers, np.full(len(m.numbers), m.shape), m.scales, m.position, m.orientation)
                for m in found
            ),
            strict=True,
        )
        return Solids(*map(np.concatenate, columns)) if found else NOTHING

    def _add(self, k: int, group: Markers) -> Any:
        from matplotlib.colors import to_rgb

        count = len(group.numbers)
        return self._server.scene.add_batched_meshes_simple(
            f"{NODE}/{k}", group.surface.vertices, group.surface.triangles,
            np.tile((1.0, 0.0, 0.0, 0.0), (count, 1)), np.zeros((count, 3)),
            batched_scales=np.zeros((count, 3)),
            batched_colors=linear(np.round(255 * np.array(to_rgb(group.colour))).astype(np.uint8)),
            lod="off", cast_shadow=False, receive_shadow=False,
        )  # fmt: skip
