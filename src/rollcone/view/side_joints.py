"""Joints seen from the side, along y: the outlines of their markers, in front of all bodies but for
arms, which begin inside of one."""

from __future__ import annotations

from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.mechanics.joint_places import turned
from rollcone.recording.run import Run
from rollcone.view.joint_markers import JointMarkers, Markers, markers_at
from rollcone.view.joint_surfaces import coil_path

_BEHIND = ("arm", "rod", "coil")  # are drawn before the others
_ORDER = {"arm": 0.9}  # bodies are at 1; others:
_FRONT = 1.5
_WIRE = 1.4  # points, of coils
_PER_TURN = 16  # points of a coil


def draw_joints(axes: Any, run: Run, moment: int) -> None:
    """Those that are there then."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Polygon

    found = markers_at(run, JointMarkers(run.world), moment)
    for group in sorted(found, key=lambda group: group.name not in _BEHIND):
        for k in np.flatnonzero(group.there):
            if group.name == "coil":
                path = _placed(group, int(k), coil_path(_PER_TURN))[:, ::2]
                axes.add_line(Line2D(*path.T, color=group.colour, linewidth=_WIRE, zorder=_FRONT))
            else:
                corners = _outline(_placed(group, int(k), group.surface.vertices)[:, ::2])
                style = {"facecolor": group.colour, "zorder": _ORDER.get(group.name, _FRONT)}
                axes.add_patch(Polygon(corners, linewidth=0, **style))


def _placed(group: Markers, k: int, points: FloatArray) -> FloatArray:
    """Points (p, 3) of the unit surface in world axes, for one copy."""
    turn = np.broadcast_to(group.orientation[k], (len(points), 4))
    return np.asarray(group.position[k] + turned(turn, points * group.scales[k]))


def _outline(points: FloatArray) -> FloatArray:
    """Corners of what the points (p, 2) enclose: these markers are convex."""
    from scipy.spatial import ConvexHull

    return np.asarray(points[ConvexHull(points, qhull_options="QJ").vertices])
