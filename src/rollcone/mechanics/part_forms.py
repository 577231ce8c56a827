"""Parts of bodies in other forms: by a size, as bodies have it, and as plain tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.collision.parts import UNTURNED, Part
from rollcone.collision.shapes import (
    BOX,
    CAPSULE,
    CONE,
    CONVEX,
    DISK,
    SHAPE_NAMES,
    SPHERE,
)


def size_of(part: Part) -> FloatArray:
    """The size (3,) that a body of this shape would have (shapes.py)."""
    (a, b, c), r = part.p, part.r
    if part.kind == SPHERE:
        return np.full(3, r)
    if part.kind == CAPSULE:
        return np.array([r, r, c + r])
    if part.kind == DISK:
        radius = a + r
        return np.array([radius, radius + b + r, radius + r])
    if part.kind == CONE:
        return np.array([a, a, 0.75 * b])
    return np.array(part.p)


def plain_part(part: Part) -> dict[str, Any]:
    """As `World.add_compound` takes it."""
    (a, b, c), r = part.p, part.r
    sizes: dict[str, Any]
    if part.kind == CONVEX and part.geometry is not None:
        sizes = {"points": part.geometry.corners.tolist()}
    elif part.kind == SPHERE:
        sizes = {"radius": r}
    elif part.kind == CAPSULE:
        sizes = {"radius": r, "length": 2.0 * c}
    elif part.kind == DISK:
        sizes = {"radius": a, "height": 2.0 * b}
    elif part.kind == CONE:
        sizes = {"radius": a, "height": b}
    elif part.kind == BOX:
        sizes = {"size": [2.0 * a, 2.0 * b, 2.0 * c]}
    else:
        sizes = {"semi_axes": [a, b, c]}
    shape = "cylinder" if part.kind == DISK else SHAPE_NAMES[part.kind]
    place: dict[str, Any] = {"position": list(part.x)} if any(part.x) else {}
    if part.turn != UNTURNED:
        place["axes"] = np.array(part.turn).reshape(3, 3).tolist()
    return {"shape": shape, **sizes, **place}
