"""Rays against bodies, compared with a walk along the ray in steps that hit nothing."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from rollcone.collision.shapes import BOX, CAPSULE, CLUMP, DISK, ELLIPSOID, PLANE, SPHERE
from rollcone.viewer.picking import pick


def distance(shape, size, place, turn, point):
    """From a point to the surface of a body, or to less than that."""
    local = Rotation.from_quat(np.roll(turn, -1)).inv().apply(point - place)
    if shape == BOX:
        return np.linalg.norm(np.maximum(np.abs(local) - size, 0.0))
    if shape == DISK:
        half = size[1] - size[0]
        return np.hypot(max(np.hypot(*local[:2]) - size[0], 0.0), max(abs(local[2]) - half, 0.0))
    if shape == ELLIPSOID:  # at least this far
        return (np.linalg.norm(local / size) - 1.0) * size.min()
    core = size[2] - size[0]
    local[2] -= np.clip(local[2], -core, core)
    return np.linalg.norm(local) - size[0]


def walk(bodies, origin, direction, far=60.0):
    """The body that is met first: steps as long as the way to the nearest one."""
    way = 0.0
    while way < far:
        gaps = [distance(*body, origin + way * direction) for body in bodies]
        if min(gaps) < 1e-9:
            return int(np.argmin(gaps))
        way += min(gaps)
    return None


def scene(rng, count):
    shape = rng.choice([SPHERE, BOX, CAPSULE, DISK, ELLIPSOID], count)
    size = rng.uniform(0.3, 1.0, (count, 3))
    ball = (shape == SPHERE) | (shape == DISK)
    size[ball] = size[ball][:, [0, 0, 0]]
    thick = (shape == DISK) & (rng.random(count) < 0.5)
    size[thick, 1] += rng.uniform(0.1, 0.5, thick.sum())
    tall = shape == CAPSULE
    size[tall] = np.column_stack([size[tall, 0], size[tall, 0], size[tall].sum(axis=1)])
    position = rng.uniform(-4, 4, (count, 3))
    orientation = rng.normal(size=(count, 4))
    return shape, size, position, orientation / np.linalg.norm(orientation, axis=1)[:, None]


def test_against_a_walk():
    rng = np.random.default_rng(5)
    hits = []
    for _ in range(40):
        shape, size, position, orientation = bodies = scene(rng, 6)
        origin = rng.normal(size=3)
        origin *= 12.0 / np.linalg.norm(origin)
        way = position[rng.integers(6)] + rng.normal(0, 0.7, 3) - origin
        wanted = walk(list(zip(*bodies, strict=True)), origin, way / np.linalg.norm(way))
        assert pick(shape, size, position, orientation, origin, way) == wanted
        hits.append(wanted)
    assert len(set(hits)) == 7  # each of the six at least once, and none


AXES = np.array([[1.0, 0, 0, 0]])


def test_a_clump_counts_as_the_ball_around_it():
    body = np.array([CLUMP]), np.array([[0.1, 0.1, 1.0]]), np.zeros((1, 3)), AXES
    for axis in np.eye(3):
        aside = np.roll(axis, 1)
        assert pick(*body, -5 * axis + 0.95 * aside, axis) == 0
        assert pick(*body, -5 * axis + 1.05 * aside, axis) is None


@pytest.mark.parametrize(
    ("shape", "size"), [(BOX, (1, 1, 1)), (SPHERE, (1, 1, 1)), (CAPSULE, (1, 1, 2))]
)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_rays_along_axes(shape, size, axis):
    """Where a direction has zeros; beside the body, towards it, away from it."""
    direction = np.eye(3)[axis]
    body = np.array([shape]), np.array([size], dtype=float), np.zeros((1, 3)), AXES
    assert pick(*body, -5 * direction, direction) == 0
    assert pick(*body, 5 * direction, direction) is None
    aside = np.roll(direction, 1)
    assert pick(*body, -5 * direction + 0.9 * aside, direction) == 0
    assert pick(*body, -5 * direction + 2.1 * aside, direction) is None


def test_what_is_not_there_and_planes_are_not_hit():
    shape = np.array([PLANE, SPHERE, SPHERE])
    size = np.array([[np.inf] * 3, [1.0] * 3, [1.0] * 3])
    position = np.array([[0.0, 0, 2], [np.nan] * 3, [0, 0, -5]])
    orientation = np.array([[1.0, 0, 0, 0], [np.nan] * 4, [1, 0, 0, 0]])
    ray = np.array([0.0, 0, 10]), np.array([0.0, 0, -2])
    assert pick(shape, size, position, orientation, *ray) == 2
    assert pick(shape[:2], size[:2], position[:2], orientation[:2], *ray) is None
