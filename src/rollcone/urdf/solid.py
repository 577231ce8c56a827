"""One body of a world for the collision shapes of a part, wherever its centre of mass is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.mechanics.body import Body
from rollcone.mechanics.world import World
from rollcone.urdf.model import MassModel, ShapeModel
from rollcone.urdf.pose import Pose

_PLAIN = ("box", "sphere", "cylinder", "capsule")
_CENTRAL = 1e-9  # of the body's radius of gyration: so far a centre is off by rounding
GHOST = 0.01  # of the radius of gyration: the radius of the ball of a body without a shape


def add_solid(
    world: World,
    shapes: Sequence[ShapeModel],
    mass: MassModel | None,
    pose: Pose,
    options: dict[str, Any],
) -> tuple[Body, Pose]:
    """The body, and its frame in that of its part, which is at `pose`; a body without a mass is
    fixed."""
    single = shapes[0] if len(shapes) == 1 else None
    center = _center(shapes) if mass is None else mass.center
    kind, sizes, frame = "compound", dict[str, Any](), Pose(center)
    if single is not None and single.kind in _PLAIN and _central(single, center, mass):
        kind, sizes, frame = single.kind, dict(single.sizes), Pose(center, single.pose.turn)
    elif not shapes:
        assert mass is not None
        kind, sizes = "sphere", {"radius": GHOST * _gyration(mass)}
    elif all(shape.kind == "sphere" for shape in shapes):
        rows = [[*shape.pose.position, shape.sizes["radius"]] for shape in shapes]
        kind, sizes = "clump", {"spheres": rows, "center": center}
    elif single is not None and single.kind == "convex":
        kind, sizes = "convex", {"points": _points(single), "center": center}
    else:
        sizes = {"parts": [_part(shape) for shape in shapes], "center": center}
    placed = pose @ frame
    given = options | {"position": placed.position, "orientation": placed.quaternion}
    if mass is None:
        given["fixed"] = True
    else:
        given |= {"mass": mass.mass, "inertia": frame.turn.T @ mass.inertia @ frame.turn}
    return getattr(world, f"add_{kind}")(**sizes, **given), frame


def _center(shapes: Sequence[ShapeModel]) -> FloatArray:
    """Of a fixed body, where it does not matter: amid the shapes."""
    return np.asarray(np.mean([shape.pose.position for shape in shapes], axis=0))


def _gyration(mass: MassModel) -> float:
    return float(np.sqrt(0.5 * np.trace(mass.inertia) / mass.mass))


def _central(shape: ShapeModel, center: FloatArray, mass: MassModel | None) -> bool:
    off = float(np.linalg.norm(shape.pose.position - center))
    return off <= (0.0 if mass is None else _CENTRAL * _gyration(mass))


def _points(shape: ShapeModel) -> FloatArray:
    points = np.asarray(shape.sizes["points"])
    return np.asarray(shape.pose.position + points @ shape.pose.turn.T)


def _part(shape: ShapeModel) -> dict[str, Any]:
    place = {"position": shape.pose.position, "orientation": shape.pose.quaternion}
    return {"shape": shape.kind} | shape.sizes | place
