"""Capsules, and the distance between any two of their cores, boxes and centres of spheres."""

from __future__ import annotations

import numpy as np
from collision_cases import Scene, body, random_turn, turns
from scipy.optimize import lsq_linear

from rollcone.collision.shapes import BOX, CAPSULE, SPHERE


def capsule(r=0.5, half=1.0, **options) -> Scene:
    """Half: of the core."""
    return body(CAPSULE, (r, r, half + r), **options)


def radius(one: Scene) -> float:
    """What lies around the core; boxes are all core."""
    return 0.0 if one.shape[0] == BOX else one.size[0, 0]


def _core(one: Scene) -> tuple[np.ndarray, np.ndarray]:
    """Columns along which the core extends (3, k), and how far (k,)."""
    turn = turns(one)[0].as_matrix()
    if one.shape[0] == SPHERE:
        return np.zeros((3, 1)), np.ones(1)
    if one.shape[0] == BOX:
        return turn, one.size[0]
    return turn[:, 2:], np.array([one.size[0, 2] - one.size[0, 0]])


def apart(one: Scene, other: Scene, way=(0.0, 0.0, 0.0)) -> np.ndarray:
    """The shortest vector from the core of `one` to that of `other`, moved by `way`."""
    columns, bounds = zip(_core(one), _core(other), strict=True)
    d = other.position[0] + way - one.position[0]
    slopes = np.hstack([columns[0], -columns[1]])
    far = np.maximum(np.concatenate(bounds), 1e-300)
    found = lsq_linear(slopes * far, d, bounds=(-1.0, 1.0), method="bvls", tol=1e-15)
    return d - slopes @ (far * found.x)


def gap_of(one: Scene, other: Scene, way=(0.0, 0.0, 0.0)) -> float:
    return float(np.linalg.norm(apart(one, other, way))) - radius(one) - radius(other)


def off_surface(one: Scene, arm) -> float:
    """How far from the surface of `one` the arm from its centre ends."""
    point = body(size=0.0, at=one.position[0] + arm)
    if one.shape[0] == BOX:
        inside = np.abs(turns(one)[0].inv().apply(arm)) - one.size[0]
        return max(abs(inside.max()), gap_of(one, point))
    return abs(gap_of(one, point))


def random_partner(rng, shape, **options) -> Scene:
    turn = random_turn(rng)
    if shape == BOX:
        return body(BOX, 10 ** rng.uniform(-1, 0.2, 3), turn=turn, **options)
    if shape == SPHERE:
        return body(size=rng.uniform(0.05, 0.6), **options)
    return capsule(rng.uniform(0.05, 0.6), rng.choice([0.0, rng.uniform(0, 2)], p=[0.1, 0.9]),
                   turn=turn, **options)  # fmt: skip
