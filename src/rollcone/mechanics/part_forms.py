"""Parts of bodies in other forms: by a size, as bodies have it, and as plain tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, bounded_array
from rollcone.collision.hull import Hull
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
from rollcone.errors import InputError


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


def point_rows(name: str, points: ArrayLike, least: int = 4) -> FloatArray:
    """Rows (x, y, z), a copy."""
    rows = bounded_array(name, points)
    if rows.ndim != 2 or rows.shape[1] != 3 or len(rows) < least:
        raise InputError(
            f"{name} of shape {rows.shape}: must be {least} or more rows of three numbers (m)"
        )
    return rows.copy()


def scaled_part(part: Part, scale: float) -> Part:
    """A hull so many times as large."""
    hull = part.geometry
    assert isinstance(hull, Hull)
    (a, b, c), (x, y, z), s = part.p, part.x, scale
    larger = Hull(hull.corners * s, hull.starts, hull.loops)
    return part._replace(p=(a * s, b * s, c * s), x=(x * s, y * s, z * s), geometry=larger)


def farthest_corner(part: Part) -> float:
    """Of a hull, from the body's position (m)."""
    assert part.geometry is not None
    return float(np.linalg.norm(np.array(part.x) + part.geometry.corners, axis=1).max())


def half_width(part: Part) -> float:
    """Half the largest edge of the box around a part, along its own axes: no ball that holds it is
    smaller (m)."""
    if part.geometry is not None:
        return 0.5 * float(np.ptp(part.geometry.corners, axis=0).max())
    (a, b, c), r = part.p, part.r
    if part.kind == CONE:
        return max(a, 0.5 * b)
    return max(a, b, c) + r


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
