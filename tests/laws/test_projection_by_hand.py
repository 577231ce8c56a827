"""project() against answers in whole fractions, worked out by hand.

The five cases of Acary and Bourrier 2021, Proposition 5.2, and points that its strict
inequalities leave out: a coefficient of zero, a point on a ridge.
"""

from __future__ import annotations

import numpy as np
import pytest

import rollcone as rc

# (mu, rho, sigma), point, its projection
CASES = {
    "inside": ((1, 1, 1), [5, 3, 4, 0, 2, -1], [5, 3, 4, 0, 2, -1]),
    "polar": ((1, 1, 1), [-9, 3, 4, 0, 2, -1], [0, 0, 0, 0, 0, 0]),
    "polar, its boundary": ((1, 1, 1), [-8, 3, 4, 0, 2, -1], [0, 0, 0, 0, 0, 0]),
    "slides": ((0.75, 0, 0), [0, 3, 4], [2.4, 1.08, 1.44]),
    "slides, in the plane": ((0.75, 0, 0), [0, -5], [2.4, -1.8]),
    "slides, does not roll": ((0.75, 1, 0), [0, 3, 4, 0, 2], [2.4, 1.08, 1.44, 0, 2]),
    "rolls, does not slide": ((1, 0.75, 0), [0, 0, 2, 3, 4], [2.4, 0, 2, 1.08, 1.44]),
    "slides and rolls": ((1, 1, 0), [-5, 3, 4, 6, 8], [10 / 3, 2, 8 / 3, 2, 8 / 3]),
    "spins only": ((1, 1, 0.5), [2, 0, 1, 1, 0, -5], [3.6, 0, 1, 1, 0, -1.8]),
    "all three": ((1, 1, 1), [-2, 3, 4, 0, 5, -4], [3, 1.8, 2.4, 0, 3, -3]),
    "no friction": ((0, 0, 0), [2, 3, 4, 5, 6, 7], [2, 0, 0, 0, 0, 0]),
    "no sliding friction, no moment": ((0, 1, 0), [2, 3, 4, 0, 0], [2, 0, 0, 0, 0]),
    "no rolling friction, a moment": ((1, 0, 0), [5, 3, 4, 1, 2], [5, 3, 4, 0, 0]),
    "one set leaves as the other pulls": (
        (0.75, 1, 0),
        [0, 3, 4, 0, 2.4],
        [2.4, 1.08, 1.44, 0, 2.4],
    ),
    "on two ridges": ((1, 1, 0), [5, 3, 4, 4, 3], [5, 3, 4, 4, 3]),
    "apex": ((1, 1, 1), [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]),
}


@pytest.mark.parametrize("name", CASES)
def test_discs(name: str) -> None:
    coefficients, point, right = CASES[name]
    found = rc.FrictionCone(*coefficients).project(point)
    assert found == pytest.approx(right, rel=1e-15, abs=1e-15)


def test_points_of_the_cone_come_back_untouched() -> None:
    rng = np.random.default_rng(1)
    points = rng.uniform(-0.2, 0.2, (200, 6))
    points[:, 0] = 1.0
    sets = (0.3, rc.Ellipse(0.5, 0.3), rc.Box(0.3, 0.3), rc.Polygon(0.5, 6))
    for sliding in sets:
        cone = rc.FrictionCone(sliding, 0.3, 0.3)
        assert np.array_equal(cone.project(points), points)


SETS = {
    # the diamond |l1| + |l2| <= 1
    "pyramid, facet": (rc.Polygon(1.0, 4), [0, 2, 2], [4 / 3, 2 / 3, 2 / 3]),
    "pyramid, vertex": (rc.Polygon(1.0, 4), [0, -6, 1], [3, -3, 0]),
    "box, one side": (rc.Box(1.0, 2.0), [0, 4, 1], [2, 2, 1]),
    "box, other side": (rc.Box(1.0, 2.0), [0, 2, -7], [2.8, 2, -5.6]),
    "box, corner": (rc.Box(1.0, 2.0), [0, 4, -7], [3, 3, -6]),
    "ellipse, along an axis": (rc.Ellipse(0.5, 9.0), [1, 4, 0], [2.4, 1.2, 0]),
    # a^2 = 8, b^2 = 2: at (2, 1) the normal is (1/4, 1/2), with support 1; x = p + 2 (-1, normal)
    "ellipse, askew": (rc.Ellipse(8**0.5, 2**0.5), [-1, 2.5, 2], [1, 2, 1]),
    "segment": (rc.Ellipse(0.75, 0.0), [0, 5, 3], [2.4, 1.8, 0]),
}


@pytest.mark.parametrize("name", SETS)
def test_sets(name: str) -> None:
    sliding, point, right = SETS[name]
    assert rc.FrictionCone(sliding).project(point) == pytest.approx(right, rel=1e-15, abs=1e-15)
