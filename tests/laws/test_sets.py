"""Each friction set by itself: nearest point and support function against the exact ones.

Also what makes a set a friction set: it is symmetric, and the support function is convex,
homogeneous and reached inside the set; and sets that coincide give the same answers.
"""

from __future__ import annotations

import exact_projection as exact
import numpy as np
import pytest
from hypothesis import given
from law_cases import Shape, relative_error
from law_strategies import QUICK, norm, points, shapes
from mpmath import mp, mpf

import rollcone as rc

BOUND = 1e-15
SHAPES = [
    Shape("disc", 0.7),
    Shape("disc", 1e6),
    Shape("ellipse", 0.7, 0.2),
    Shape("ellipse", 1e-9, 3.0),
    Shape("ellipse", 0.4, 0.4),
    Shape("polygon", 0.7, 4.0),
    Shape("polygon", 1e-3, 6.0),
    Shape("polygon", 2.0, 32.0),
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_nearest_point(shape: Shape) -> None:
    rng = np.random.default_rng(2)
    ((_, c),) = shape.exact(0)
    scale = 10.0 ** rng.uniform(-3, 1, 40)
    boundary, normals = (np.array(v) for v in zip(*(shape.corner(rng) for _ in scale), strict=True))
    factor = rng.choice([0.5, 1.0, 1.0 - 1e-9, 1.5], (40, 1))
    reach = 10.0 ** rng.uniform(-3, 1, (40, 1)) * rng.choice([0.0, 1.0], (40, 1))
    q = scale[:, None] * boundary * factor + reach * normals
    for found, point, y in zip(shape.library().project(q, scale), q, scale, strict=True):
        assert relative_error(found, exact.nearest(c, point, y), point) <= BOUND, (point, y)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_support(shape: Shape) -> None:
    ((_, c),) = shape.exact(0)
    vectors = np.random.default_rng(3).normal(size=(40, 2)) * [[1.0, 1e-3]]
    for found, v in zip(shape.library().support(vectors), vectors, strict=True):
        with mp.workdps(exact.DIGITS):
            right = c.support((mpf(float(v[0])), mpf(float(v[1]))))
            assert abs(mpf(float(found)) - right) <= BOUND * right


@QUICK
@given(shapes, points(2), points(2))
def test_support_is_convex_and_homogeneous(shape: Shape, v: np.ndarray, w: np.ndarray) -> None:
    s = shape.library().support
    slack = 3e-15 * max(shape.first, shape.second) * (norm(v) + norm(w))
    assert s(v / 2 + w / 2) <= s(v) / 2 + s(w) / 2 + slack
    assert abs(s(3.0 * (v / 4)) - 0.75 * s(v)) <= slack
    assert s(-v) == pytest.approx(float(s(v)), rel=3e-15, abs=0.0)


@QUICK
@given(shapes, points(2), points(2))
def test_support_is_the_largest_product(shape: Shape, v: np.ndarray, q: np.ndarray) -> None:
    v, q = v / (norm(v) or 1.0), q / (norm(q) or 1.0)
    c, most = shape.library().project(q), float(shape.library().support(v))
    slack = 3e-15 * (1.0 + 2.0 * max(shape.first, shape.second))
    assert abs(c @ v) <= most + slack
    assert abs(shape.maximiser(v) @ v - most) <= slack


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (rc.Disc(0.7), rc.Ellipse(0.7, 0.7)),
        (rc.Box(0.7, 0.0), rc.Ellipse(0.7, 0.0)),
        (rc.Box(0.0, 0.7), rc.Ellipse(0.0, 0.7)),
        (rc.Disc(0.0), rc.Polygon(0.0, 6)),
        (rc.Disc(1e-101), rc.Disc(0.0)),
    ],
)
def test_sets_that_coincide(one: rc.Disc, other: rc.Disc) -> None:
    q = np.random.default_rng(4).normal(size=(50, 2))
    assert one.project(q, 0.5) == pytest.approx(other.project(q, 0.5), abs=1e-15)
    assert one.support(q) == pytest.approx(other.support(q), rel=1e-15)


def test_polygon_tends_to_the_disc() -> None:
    q = np.random.default_rng(5).normal(size=(50, 2))
    for facets in (8, 64, 512):
        gap = 2.0 * (1.0 - np.cos(np.pi / facets))
        assert np.abs(rc.Polygon(1.0, facets).support(q) / rc.Disc(1.0).support(q) - 1).max() <= gap
        off = rc.Polygon(1.0, facets).project(q) - rc.Disc(1.0).project(q)
        assert np.abs(off).max() <= np.sqrt(2.0 * gap)  # a facet may be flat against the arc


def test_interval_takes_numbers() -> None:
    side = rc.Interval([0.5, 2.0])
    assert side.project([3.0, -3.0], 2.0).tolist() == [1.0, -3.0]
    assert side.project([-3.0, -5.0], [2.0, 1.0]).tolist() == [-1.0, -2.0]
    assert side.support([[-3.0, 4.0]]).tolist() == [[1.5, 8.0]]
    assert rc.Interval(0.5).project(3.0) == 0.5
    line = rc.FrictionCone(rc.Interval(0.75))  # friction along t1 only
    assert line.project([0, 5, 3]) == pytest.approx([2.4, 1.8, 0.0], rel=1e-15)


@pytest.mark.parametrize("kind", ["disc", "ellipse", "box", "polygon"])
def test_scale_from_nothing_to_everything(kind: str) -> None:
    c = Shape(kind, 1e-100, 4.0 if kind == "polygon" else 1e-100).library()
    for size in (1e-290, 1.0, 1e200):
        q = np.array([0.6, -0.8]) * size
        assert c.project(q, 0.0).tolist() == [0.0, 0.0]
        assert c.project(q, 1e305).tolist() == q.tolist()


def test_one_set_per_point() -> None:
    rng = np.random.default_rng(6)
    a, b, q, y = rng.random(9), rng.random(9), rng.normal(size=(9, 2)), rng.random(9)
    facets = rng.choice([4, 6, 8], 9)
    for kind, second in ((rc.Ellipse, b), (rc.Box, b), (rc.Polygon, facets)):
        together = kind(a, second)
        for i in range(9):
            alone = kind(a[i], second[i])
            assert together.project(q, y)[i].tolist() == alone.project(q[i], y[i]).tolist()
            assert together.support(q)[i] == alone.support(q[i])
    grid = q.reshape(3, 3, 2)
    assert rc.Disc(0.3).project(grid).shape == (3, 3, 2)
    assert rc.Disc(0.3).support(grid).shape == (3, 3)
