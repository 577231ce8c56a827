"""Pairs of convex bodies, and their distance by means of their own: points of one body as a convex
combination, or an optimiser over both surfaces."""

from __future__ import annotations

import numpy as np
from scipy.optimize import nnls
from scipy.spatial.transform import Rotation

import rollcone as rc
from rollcone.collision.contacts import Contacts
from rollcone.collision.detect import Detector

ROUND = ("sphere", "capsule", "cylinder", "cone", "ellipsoid")
FLAT = ("box", "convex")
KINDS = (*ROUND, *FLAT)


def sizes(kind: str, rng: np.random.Generator) -> dict[str, object]:
    a, b, c = rng.uniform(0.3, 1.0, 3)
    points = rng.normal(size=(int(rng.integers(5, 25)), 3))
    points *= np.array([a, b, c]) / np.linalg.norm(points, axis=1)[:, None]
    return {
        "sphere": {"radius": a},
        "capsule": {"radius": a, "length": b},
        "cylinder": {"radius": a, "height": b},
        "cone": {"radius": a, "height": b},
        "ellipsoid": {"semi_axes": (a, b, c)},
        "box": {"size": (a, b, c)},
        "convex": {"points": points},
    }[kind]


def turned(rng: np.random.Generator) -> np.ndarray:
    return Rotation.random(random_state=int(rng.integers(2**31))).as_quat(scalar_first=True)


def pair(one: str, other: str, seed: int, apart: float = 2.2) -> rc.World:
    """Two bodies at random, the second so far from the first."""
    rng = np.random.default_rng(seed)
    way = rng.normal(size=3)
    world = rc.World()
    for kind, at in ((one, np.zeros(3)), (other, apart * way / np.linalg.norm(way))):
        add = getattr(world, f"add_{kind}")
        add(**sizes(kind, rng), density=1.0, position=at, orientation=turned(rng))
    return world


def look(
    world: rc.World, margin: float = 0.0, horizon: float = 0.0, touch: float = 1e-6
) -> Contacts:
    """Contacts now; with a horizon, at the bodies' own velocities."""
    state, n = world.state, len(world.state.kind)
    v, w = (state.velocity, state.angular_velocity) if horizon else (np.zeros((n, 3)),) * 2
    return Detector(touch).detect(state, v, w, horizon, np.full(n, margin))


def cloud(body: rc.Body) -> tuple[np.ndarray, float]:
    """Points whose hull, rounded by a radius, is the body; very many, where that is nearly so."""
    size, kind = body.size, body.shape
    angle = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    radius = 0.0
    if kind == "sphere":
        points, radius = np.zeros((1, 3)), size[0]
    elif kind == "capsule":
        points, radius = np.array([[0, 0, -size[2] / 2], [0, 0, size[2] / 2]]), size[0]
    elif kind == "disk":
        half = size[1] / 2
        rim = np.column_stack([size[0] * circle, np.zeros(len(angle))])
        points = np.vstack([rim + np.array([0, 0, half]), rim - np.array([0, 0, half])])
    elif kind == "box":
        points = np.stack(np.meshgrid(*[(-s / 2, s / 2) for s in size]), -1).reshape(-1, 3)
    else:
        part = body.world.state.parts.of(body.id)[0]
        points = part.geometry.corners + np.array(part.x)
    turn = Rotation.from_quat(body.orientation, scalar_first=True)
    return turn.apply(points) + body.position, radius


def hull_distance(one: np.ndarray, other: np.ndarray) -> float:
    """Between the hulls of two clouds: least |sum x_i a_i - sum y_j b_j| with weights >= 0 that sum
    to one, as least squares with non-negative weights."""
    heavy = 1e4
    rows = np.vstack(
        [
            np.hstack([one.T, -other.T]),
            heavy * np.hstack([np.ones(len(one)), np.zeros(len(other))]),
            heavy * np.hstack([np.zeros(len(one)), np.ones(len(other))]),
        ]
    )
    weights, _ = nnls(rows, np.array([0, 0, 0, heavy, heavy]), maxiter=10_000)
    x, y = weights[: len(one)], weights[len(one) :]
    return float(np.linalg.norm(x @ one / x.sum() - y @ other / y.sum()))
