"""Bowls as floors: lines by which one sees that they are hollow, and shadows of what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.view.surfaces import BodyGroup

_CIRCLES, _SPOKES = 6, 12
_LINES, _SHADOW = "#b3afa6", "#a5a198"
_CHORDS = 96  # of a circle


def net(opening: float) -> FloatArray:
    """Circles and lines out of the middle, as segments (k, 2, 3), on a sphere of radius 1 about
    (0, 0, 1), from the origin to the angle `opening` there."""
    slope = opening * np.arange(1, _CIRCLES + 1) / _CIRCLES
    around = np.linspace(0.0, 2.0 * np.pi, _CHORDS + 1)
    out = np.linspace(0.0, opening, _CHORDS // 4 + 1)
    turns = 2.0 * np.pi * np.arange(_SPOKES) / _SPOKES
    circles = _on_sphere(slope[:, None], around)
    spokes = _on_sphere(out, turns[:, None])
    return np.concatenate([_segments(circles), _segments(spokes)])


def _on_sphere(slope: FloatArray, turn: FloatArray) -> FloatArray:
    slope, turn = np.broadcast_arrays(slope, turn)
    sine = np.sin(slope)
    return np.stack([sine * np.cos(turn), sine * np.sin(turn), 1.0 - np.cos(slope)], axis=-1)


def _segments(lines: FloatArray) -> FloatArray:
    """Of lines (k, m, 3)."""
    return np.stack([lines[:, :-1], lines[:, 1:]], axis=2).reshape(-1, 2, 3)


def opening_of(bowl: BodyGroup) -> float:
    """The angle at which a cap ends."""
    return float(np.arccos(np.clip(1.0 - bowl.surface.vertices[:, 2].max(), -1.0, 1.0)))


def cast(points: FloatArray, centre: FloatArray, radius: float, light: FloatArray) -> FloatArray:
    """Where rays of light (from the direction `light`, of length 1) through points (n, 3) within
    a sphere come out of it."""
    p = points - centre
    along = p @ light
    root = np.sqrt(np.maximum(along**2 + radius**2 - (p**2).sum(axis=-1), 0.0))
    return np.asarray(points - (along + root)[..., None] * light)


class BowlFloors:
    """Actors of one stage, in its units of length."""

    def __init__(
        self, plotter: Any, bowls: Sequence[BodyGroup], casters: Sequence[BodyGroup],
        light: FloatArray, above: float,
    ) -> None:  # fmt: skip
        """`casters`: what throws shadows; `above`: how far shadows are from the surface, and lines
        half as far."""
        self._casters, self._light, self._above = casters, light, above
        self._parts = [self._add(plotter, bowl) for bowl in bowls]

    def _add(self, plotter: Any, bowl: BodyGroup) -> tuple[Any, ...]:
        import pyvista

        radius, opening = float(bowl.scales[0, 0]), opening_of(bowl)
        lifted = (0.0, 0.0, radius) + (radius - 0.5 * self._above) * (net(opening) - (0, 0, 1))
        lines = pyvista.line_segments_from_points(lifted.reshape(-1, 3))
        options: dict[str, Any] = {"lighting": False, "pickable": False}
        drawn = plotter.add_mesh(lines, color=_LINES, line_width=1, **options)
        shade = pyvista.PolyData(np.zeros((1, 3)))
        shadow = plotter.add_mesh(shade, color=_SHADOW, **options)
        return int(bowl.numbers[0]), radius, opening, drawn, shade, shadow

    def move(self, position: FloatArray, orientation: FloatArray) -> None:
        for number, radius, opening, drawn, shade, shadow in self._parts:
            drawn.visibility = shadow.visibility = bool(np.isfinite(position[number, 0]))
            if not drawn.visibility:
                continue
            frame = np.eye(4)
            frame[:3, :3], frame[:3, 3] = rotation_matrix(orientation[number]), position[number]
            drawn.user_matrix = frame
            up = frame[:3, 2]
            found = self._shadows(
                position, orientation, position[number] + radius * up, radius, up, np.cos(opening)
            )
            shadow.visibility = found.n_cells > 0
            if found.n_cells:
                shade.copy_from(found)

    def _shadows(
        self, position: FloatArray, orientation: FloatArray, centre: FloatArray, radius: float,
        up: FloatArray, least: float,
    ) -> Any:  # fmt: skip
        """Triangles on a bowl, but for those beyond its edge, at the cosine `least`."""
        import pyvista

        vertices, triangles, count = [np.zeros((0, 3))], [np.zeros((0, 3), dtype=np.int64)], 0
        for group in self._casters:
            for body in group.place(position, orientation):
                if not np.isfinite(body).all():
                    continue
                out = cast(body, centre, radius, self._light) - centre
                inside = -out @ up >= least * radius
                vertices.append(centre + (1.0 - self._above / radius) * out)
                corners = group.surface.triangles
                triangles.append(count + corners[inside[corners].all(axis=1)])
                count += len(body)
        faces = np.concatenate(triangles)
        faces = np.column_stack([np.full(len(faces), 3), faces])
        return pyvista.PolyData(np.concatenate(vertices), faces.ravel())
