"""Forces as arrows: of contacts from their point along the force on the second body, of joints from
their point along the force on their body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.analysis.forces import contact_forces
from rollcone.collision.shapes import endless
from rollcone.recording.run import Run
from rollcone.view.moments import spread_moments

MOST = 3000  # arrows in a picture; the strongest are shown
_SAMPLED = 16  # moments, to see how strong forces are
_STRONG = 95.0  # percentile of the forces of a moment
_WEAK = 1e-6  # of the strongest: no arrow


@dataclass(frozen=True)
class Arrows:
    """Segments (k, 2, 3), from tail to head (m), whether they are of joints (k,), and how many
    contacts and joints push in all."""

    segments: FloatArray
    of_joints: NDArray[np.bool_]
    acting: int


def arrows(run: Run, moment: int, metres_per_newton: float, most: int = MOST) -> Arrows:
    """Of the contacts and joints that push at a moment, or of the strongest ones."""
    point, force, of_joints = forces_at(run, moment)
    strength = np.linalg.norm(force, axis=1)
    order = np.argsort(-strength, kind="stable")
    acting = int((strength > _WEAK * strength.max(initial=0.0)).sum())
    shown = order[: min(acting, most)]
    tail = run.world.wrapped(point[shown])
    segments = np.stack([tail, tail + metres_per_newton * force[shown]], axis=1)
    return Arrows(segments, of_joints[shown], acting)


def forces_at(run: Run, moment: int) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Points (k, 3), forces (k, 3), and whether they are of joints (k,): of contacts, as far as
    they are recorded, and of joints that were there."""
    joints = run.joints(moment)
    there = np.isfinite(joints.force[:, 0])
    points, forces = [joints.point[there]], [joints.force[there]]
    if run.contact_level == "full":
        contacts = run.contacts(moment)
        points.insert(0, contacts.point)
        forces.insert(0, contact_forces(contacts))
    point = np.concatenate(points)
    return point, np.concatenate(forces), np.arange(len(point)) >= len(point) - there.sum()


def length_unit(run: Run) -> float:
    """Metres per newton that make the arrow of a strong force, at a usual moment of the run, as
    long as bodies are wide. Impacts are much stronger than what follows."""
    strong = []
    for k in spread_moments(run, _SAMPLED):
        strength = np.linalg.norm(forces_at(run, int(k))[1], axis=1)
        if strength.any():
            strong.append(np.percentile(strength[strength > 0], _STRONG))
    return 2.0 * body_size(run) / float(np.median(strong)) if strong else 1.0


def body_size(run: Run) -> float:
    """The median of what moving bodies reach from their centres (m)."""
    state = run.world.state
    solid = ~endless(state.shape)
    moving = solid & (state.mass > 0)
    size = state.size[moving if moving.any() else solid].max(axis=1)
    return float(np.median(size)) if len(size) else 1.0
