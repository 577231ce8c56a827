"""Joints on the page: copies of the surfaces of their markers, as bodies are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone.recording.run import Run
from rollcone.view.joint_markers import JointMarkers, Markers
from rollcone.viewer.frames import Frame
from rollcone.viewer.light import PICKED, linear
from rollcone.viewer.picking import NOTHING, Solids

NODE = "/joints"


class JointNodes:
    """Meshes of all joints that a run has or had, and what of them a frame shows."""

    def __init__(self, server: Any, run: Run) -> None:
        self._server, self._run = server, run
        self._markers = JointMarkers(run.world)
        self._there: tuple[int, NDArray[np.bool_]] | None = None
        self._meshes: list[Any] = []
        self._picked: int | None = None

    def show(self, frame: Frame, *, visible: bool, picked: int | None = None) -> None:
        """Poses of all of them, or none; the one that is picked has another colour."""
        if not len(self._markers):
            return
        found = self.at(frame) if visible else []
        if not self._meshes:
            self._meshes = [self._add(k, group) for k, group in enumerate(found)]
            self._picked = None
        for mesh in self._meshes:
            mesh.visible = visible
        for mesh, group in zip(self._meshes, found, strict=False):
            there = group.there[:, None]
            mesh.batched_positions = np.where(there, group.position, 0.0).astype(np.float32)
            level = (1.0, 0.0, 0.0, 0.0)
            mesh.batched_wxyzs = np.where(there, group.orientation, level).astype(np.float32)
            mesh.batched_scales = np.where(there, group.scales, 0.0).astype(np.float32)
            if picked != self._picked:
                marked = (group.numbers == picked)[:, None]
                mesh.batched_colors = linear(np.where(marked, PICKED, _colour(group)))
        self._picked = picked if visible else self._picked

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
        count = len(group.numbers)
        return self._server.scene.add_batched_meshes_simple(
            f"{NODE}/{k}", group.surface.vertices, group.surface.triangles,
            np.tile((1.0, 0.0, 0.0, 0.0), (count, 1)), np.zeros((count, 3)),
            batched_scales=np.zeros((count, 3)),
            batched_colors=linear(np.tile(_colour(group), (count, 1))),
            lod="off", cast_shadow=False, receive_shadow=False,
        )  # fmt: skip


def _colour(group: Markers) -> NDArray[np.uint8]:
    from matplotlib.colors import to_rgb

    return np.asarray(np.round(255 * np.array(to_rgb(group.colour))), dtype=np.uint8)
