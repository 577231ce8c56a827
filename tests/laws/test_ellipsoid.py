"""The ellipsoid over all friction rows: where it is an ellipse or a disc, and by its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from law_strategies import QUICK, norm, points, radii

import rollcone as rc


def ellipsoid(mu: float, rho: float, sigma: float) -> rc.FrictionCone:
    return rc.FrictionCone(mu, rho, sigma, coupling="ellipsoid")


def test_one_group_alone_is_its_set() -> None:
    """Rows of one group: the ellipsoid is the disc, or the interval, of that group."""
    rng = np.random.default_rng(1)
    for rows in (slice(1, 3), slice(3, 5), slice(5, 6)):
        x = np.zeros((40, 6))
        x[:, 0] = rng.normal(size=40)
        x[:, rows] = rng.normal(size=(40, rows.stop - rows.start))
        found = ellipsoid(0.7, 0.2, 0.05).project(x)
        assert found == pytest.approx(rc.FrictionCone(0.7, 0.2, 0.05).project(x), abs=1e-15)


def test_two_groups_are_an_ellipse() -> None:
    """One row of sliding and one of rolling, or spinning: the ellipse of ellipse.py."""
    rng = np.random.default_rng(2)
    plane = rng.normal(size=(60, 3))
    right = rc.FrictionCone(rc.Ellipse(0.7, 0.05)).project(plane)
    for row, cone in ((3, ellipsoid(0.7, 0.05, 0.3)), (5, ellipsoid(0.7, 0.3, 0.05))):
        x = np.zeros((60, 6))
        x[:, [0, 1, row]] = plane
        assert cone.project(x)[:, [0, 1, row]] == pytest.approx(right, abs=1e-15)


def test_equal_axes_are_a_ball() -> None:
    """Tangent and moment as one vector of five rows: the projection on a round cone, by hand."""
    mu, x = 0.6, np.random.default_rng(3).normal(size=(50, 6))
    for point, found in zip(x, ellipsoid(mu, mu, mu).project(x), strict=True):
        n, t = point[0], point[1:]
        r = norm(t)
        y = n if r <= mu * n else max((n + mu * r) / (1 + mu * mu), 0.0)
        f = min(1.0, mu * y / r)
        assert found == pytest.approx([y, *(f * t)], abs=2e-15)


def test_axes_of_no_length() -> None:
    x = np.random.default_rng(4).normal(size=(50, 6))
    found = ellipsoid(0.5, 0.0, 0.0).project(x)
    assert found == pytest.approx(rc.FrictionCone(0.5).project(x), abs=1e-15)
    found = ellipsoid(0.0, 0.3, 0.0).project(x)
    assert found == pytest.approx(rc.FrictionCone(0.0, 0.3).project(x), abs=1e-15)
    assert not ellipsoid(0.0, 0.0, 0.0).project(x)[:, 1:].any()


@QUICK
@given(radii, radii, radii, points(6))
def test_support_is_the_norm_of_the_scaled_vector(
    mu: float, rho: float, sigma: float, y: np.ndarray
) -> None:
    y = y / (norm(y) or 1.0)
    scaled = np.array([mu, mu, rho, rho, sigma]) * y[1:]
    right = norm(scaled)
    assert ellipsoid(mu, rho, sigma).shift(y) == pytest.approx(right, rel=3e-15, abs=1e-99)


def test_fewer_rows() -> None:
    x = np.random.default_rng(5).normal(size=(20, 5))
    wide = np.hstack([x, np.zeros((20, 1))])
    cone = ellipsoid(0.5, 0.2, 0.0)
    assert cone.project(wide)[:, :5].tolist() == cone.project(x).tolist()
    assert repr(cone) == "FrictionCone(one law, sliding 0.5, rolling 0.2, ellipsoid)"
