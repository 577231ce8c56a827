"""An analysis as numbers, texts, lists and tables by name, for JSON. Not finite: None."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone.analysis.acceleration.enumeration import Enumeration
from rollcone.analysis.acceleration.joint_forces import joint_forces
from rollcone.analysis.acceleration.motion import Motion
from rollcone.analysis.acceleration.words import (
    contact_name,
    is_stop,
    notes,
    slide_direction,
    verdict_words,
)

if TYPE_CHECKING:
    from rollcone.analysis.acceleration.analyze import Analysis


def plain(analysis: Analysis) -> dict[str, Any]:
    """All that is known; forces in N and N m, accelerations in m/s2 and rad/s2."""
    problem, lemke = analysis.problem, analysis.lemke
    rest, nearest = analysis.rest, analysis.relaxed
    document = {
        "verdict": analysis.verdict,
        "words": " ".join(verdict_words(analysis)),
        "painleve": analysis.painleve,
        "contacts": problem.contacts,
        "rows_per_contact": problem.rows_per_contact,
        "coordinates": problem.size,
        "friction": problem.friction,
        "motions": [motion_plain(motion) for motion in analysis.motions],
        "existence": analysis.existence.plain(),
        "tried": [{"solver": name, "residual": found} for name, found in analysis.cone.tried],
        "cone_motions": _enumeration(analysis.cone_motions),
        "pyramid_motions": _enumeration(analysis.pyramid_motions),
        "lemke": {
            "status": lemke.status.name.lower(),
            "message": lemke.message,
            "iterations": lemke.iterations,
            "ray": lemke.ray is not None,
            "motion": None if analysis.pyramid is None else motion_plain(analysis.pyramid),
        },
        "rest": None if rest is None else {"verdict": rest.verdict, "reason": rest.reason},
        "relaxed": None,
        "notes": notes(analysis),
    }
    if nearest is not None:
        document["relaxed"] = {
            "motion": None if nearest.motion is None else motion_plain(nearest.motion),
            "distance": nearest.distance,
            "bound": nearest.bound,
            "complete": nearest.complete,
            "departure": nearest.departure,
            "cells": nearest.cells,
        }
    found: dict[str, Any] = _safe(document)
    return found


def motion_plain(motion: Motion) -> dict[str, Any]:
    """One motion: its contacts, accelerations and forces of joints."""
    found: dict[str, Any] = _safe(
        {
            "modes": motion.modes,
            "model": motion.model,
            "solver": motion.solver,
            "relaxed": motion.relaxed,
            "certified": motion.certified,
            "residual": motion.residual,
            "residuals": motion.residuals,
            "contacts": [_contact(motion, i) for i in range(motion.problem.contacts)],
            "accelerations": motion.accelerations,
            "bodies": _bodies(motion),
            "held": _held(motion),
        }
    )
    return found


def _contact(motion: Motion, i: int) -> dict[str, Any]:
    problem, found = motion.problem, motion.transitions[i]
    facts: dict[str, Any] = {
        "contact": i,
        "before": found.before,
        "after": found.after,
        "words": found.words,
        "direction": slide_direction(problem, found),
        "force": found.force,
        "acceleration": found.acceleration,
        "grazing": found.grazing,
        "turning": found.turning,
    }
    places = problem.places
    if places is not None:
        against, body = (places.name_of(k) for k in places.bodies[i])
        frame = {} if is_stop(problem, i) else {"point": places.point[i], "frame": places.frames[i]}
        facts |= {"body": body, "against": against, "name": contact_name(problem, i), **frame}
    return facts


def _bodies(motion: Motion) -> list[dict[str, Any]]:
    places, v = motion.problem.places, motion.accelerations
    if places is None:
        return []
    return [
        {
            "name": places.names[body],
            "acceleration": v[6 * k : 6 * k + 3],
            "angular_acceleration": v[6 * k + 3 : 6 * k + 6],
        }
        for k, body in enumerate(places.movers)
    ]


def _held(motion: Motion) -> dict[str, Any]:
    """Joints, with what they hold their bodies with; motors and drives; and all given rows."""
    places, q = motion.problem.places, motion.held_forces
    if places is None:
        return {"joints": [], "drives": [], "rows": q}
    drives = [
        {"name": row.name, "force": force, "unit": row.unit, "given_acceleration": row.given,
         "limit": row.limit, "exceeds": abs(force) > row.limit}
        for row, force in zip(places.held, q, strict=True)
        if row.unit
    ]  # fmt: skip
    rows = [{"name": row.name, "force": f} for row, f in zip(places.held, q, strict=True)]
    return {"joints": [vars(one) for one in joint_forces(motion)], "drives": drives, "rows": rows}


def _enumeration(found: Enumeration | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "verdict": found.verdict,
        "complete": found.complete,
        "cells": found.cells,
        "families": len(found.families),
        "modes": [motion.modes for motion in found.motions],
    }


def _safe(value: Any) -> Any:
    """Plain Python, nothing that is not finite."""
    if isinstance(value, dict):
        return {str(key): _safe(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_safe(entry) for entry in value]
    if isinstance(value, np.ndarray):
        return _safe(value.tolist())
    if isinstance(value, np.generic):
        return _safe(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
