"""Hulls of few points, by every plane through three of them: as Qhull has them, or no answer."""

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from rollcone.collision import hull
from rollcone.collision.few_points import MOST, faces_of

CUBE = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
OCTAHEDRON = np.concatenate([np.eye(3), -np.eye(3)]) / 2
ANGLES = 2 * np.pi * np.arange(8) / 8
RING = np.column_stack([np.cos(ANGLES), np.sin(ANGLES), np.zeros(8)]) / 2
SHAPES = {
    "cube": CUBE,
    "cube with a tip": np.concatenate([CUBE, [[0, 0, 0.7]]]),
    "cube, middles of faces": np.concatenate([CUBE, OCTAHEDRON]),
    "cube, middles of edges": np.concatenate([CUBE, [[0.5, 0.5, 0], [0, -0.5, 0.5]]]),
    "cube, points inside": np.concatenate([CUBE, 0.3 * OCTAHEDRON]),
    "octahedron": OCTAHEDRON,
    "tetrahedron": np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]),
    "brick": CUBE * (1.0, 0.3, 0.07),
    "prism of eight sides": np.concatenate([RING - (0, 0, 0.3), RING - (0, 0, -0.3)]),
    "pyramid of eight sides": np.concatenate([RING, [[0, 0, 0.6]]]),
}


def by_qhull(points, monkeypatch):
    with monkeypatch.context() as change:
        change.setattr(hull, "MOST", 0)
        return hull.hull_of("points", points)


def assert_the_same(points, monkeypatch):
    few, many = hull.hull_of("points", points), by_qhull(points, monkeypatch)
    for name in ("corners", "starts", "loops"):
        np.testing.assert_array_equal(getattr(few, name), getattr(many, name))


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_of_every_orientation(shape, monkeypatch):
    rng = np.random.default_rng(4)
    for turn in (Rotation.identity(), *Rotation.random(20, random_state=3)):
        points = rng.permutation(turn.apply(SHAPES[shape]))
        assert faces_of(points) is not None
        assert_the_same(2.5 * points + (3.0, -1.0, 0.5), monkeypatch)


def test_random_points(monkeypatch):
    rng, answers = np.random.default_rng(5), 0
    for count in (4, 5, 6, 8, 12, 18, MOST):
        for _ in range(12):
            points = rng.normal(size=(count, 3))
            if rng.random() < 0.5:
                points /= np.linalg.norm(points, axis=1)[:, None]
            answers += faces_of(points / np.ptp(points, axis=0).max()) is not None
            assert_the_same(points, monkeypatch)
    assert answers > 60


@pytest.mark.parametrize("off", [1e-11, 1e-9, 1e-7])
def test_no_answer_in_doubt(off):
    """A point so far above a face, beside an edge, or from another point."""
    for extra in ((0.1, 0.2, 0.5 + off), (0.5 + off, 0.5, 0.1), (0.5, 0.5, 0.5 - off)):
        assert faces_of(np.concatenate([CUBE, [extra]])) is None
