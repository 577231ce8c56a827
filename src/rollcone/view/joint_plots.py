"""Joints over time: coordinates, what acts on them, and the forces that joints hold, each unit on
axes of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.mechanics.joints import UNITS
from rollcone.recording.run import Run

MOST = 6  # curves on one pair of axes
_TITLES = {
    "rad": ("Angles of joints", "angle (rad)"),
    "m": ("Slides and lengths of joints", "slide, length (m)"),
    "on rad": ("What acts on angles", "torque (N m)"),
    "on m": ("What acts on slides and lengths", "force (N)"),
    "held": ("Forces that joints hold", "force (N)"),
}


@dataclass(frozen=True)
class Curve:
    """One of a joint; `name` is that of a coordinate or an effort, or '' for the force it holds."""

    joint: int
    name: str
    words: str


@dataclass(frozen=True)
class JointPanel:
    """What one pair of axes shows."""

    title: str
    upright: str
    curves: list[Curve]

    def shown(self, run: Run) -> dict[str, FloatArray]:
        """The first few, by their words."""
        return {curve.words: _values(run, curve) for curve in self.curves[:MOST]}


def joint_panels(run: Run) -> list[JointPanel]:
    """Those that have curves."""
    found: dict[str, list[Curve]] = {name: [] for name in _TITLES}
    for number, spec in enumerate(run.world.joints.ever()):
        for name in spec.coordinates:
            unit = UNITS[name]
            found[unit].append(Curve(number, name, f"{name} of {spec.name}"))
            found[f"on {unit}"] += [
                Curve(number, f"{name}.{e.word}", f"{e.word} on {name} of {spec.name}")
                for e in spec.elements.get(name, ())
            ]
        if spec.kind not in ("gear", "free", "link"):
            found["held"].append(Curve(number, "", spec.name))
    return [JointPanel(*_TITLES[name], curves) for name, curves in found.items() if curves]


def started(values: FloatArray) -> FloatArray:
    """Without the zero of the first moment, before which there was no step."""
    if len(values) > 1 and values[0] == 0.0:
        values = values.copy()
        values[0] = np.nan
    return values


def _values(run: Run, curve: Curve) -> FloatArray:
    track = run.joint(curve.joint)
    if curve.name in track.coordinate:
        return track.coordinate[curve.name]
    if curve.name:
        return started(track.effort[curve.name])
    return started(np.linalg.norm(track.force, axis=1))
