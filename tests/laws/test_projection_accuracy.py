"""project() against the exact projection: error at most 1e-15 of the norm of the point.

Coefficients from 0 to 1e6, norms from 1e-290 to 1e290, d = 2, 3, 5, 6.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from law_cases import COEFFICIENTS, Law, Shape, worst_error

BOUND = 1e-15
FACETS = (4, 6, 8, 32)


def check(laws: list[Law], d: int, points: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for law in laws:
        error, point = worst_error(law, np.array([law.point(d, rng) for _ in range(points)]))
        assert error <= BOUND, (error, law, point)


def disc(radius: float) -> Shape:
    return Shape("disc", radius)


@pytest.mark.parametrize("d", [2, 3])
def test_coulomb_cone(d: int) -> None:
    check([Law(disc(mu)) for mu in COEFFICIENTS], d, 40, seed=d)


def test_rolling_cone() -> None:
    check([Law(disc(mu), disc(rho)) for mu, rho in product(COEFFICIENTS, repeat=2)], 5, 12, seed=5)


@pytest.mark.parametrize("spinning", COEFFICIENTS)
def test_rolling_and_spinning_cone(spinning: float) -> None:
    laws = [Law(disc(mu), disc(rho), spinning) for mu, rho in product(COEFFICIENTS, repeat=2)]
    check(laws, 6, 6, seed=COEFFICIENTS.index(spinning))


@pytest.mark.parametrize("kind", [pytest.param("ellipse", marks=pytest.mark.slow), "box"])
def test_two_half_axes(kind: str) -> None:
    shapes = [Shape(kind, a, b) for a, b in product(COEFFICIENTS, repeat=2)]
    check([Law(shape) for shape in shapes], 3, 4, seed=3)
    rollings = [disc(1e6), disc(0.3)]
    check([Law(a, b, 0.05) for a, b in product(shapes[::7], rollings)], 6, 4, seed=4)
    check([Law(b, a, 10.0) for a, b in product(shapes[::5], rollings)], 6, 3, seed=5)


@pytest.mark.parametrize("thin", [1e-100, 1e-80, 1e-40])
def test_ellipses_as_thin_as_can_be(thin: float) -> None:
    pairs = [pair for a in (1e100, 1e40, 1.0) for pair in ((a, thin), (thin, a))]
    shapes = [Shape("ellipse", a, b) for a, b in [*pairs, (thin, thin)]]
    check([Law(shape, disc(0.3)) for shape in shapes], 5, 8, seed=6)


@pytest.mark.slow
def test_two_ellipses_in_one_cone() -> None:
    """Both are outside, so that the exact bisections are nested."""
    round_one, thin = Shape("ellipse", 0.3, 0.1), Shape("ellipse", 2e-6, 10.0)
    points = np.array([[0.1, 1.0, 2.0, -1.5, 0.7], [-0.05, 0.7, -0.2, 1e-3, 0.9]])
    for law in (Law(round_one, thin), Law(thin, round_one)):
        error, point = worst_error(law, points)
        assert error <= BOUND, (error, law, point)


@pytest.mark.parametrize("facets", FACETS)
def test_polygon(facets: int) -> None:
    shapes = [Shape("polygon", a, facets) for a in COEFFICIENTS]
    check([Law(shape) for shape in shapes], 3, 10, seed=facets)
    check([Law(shape, disc(1e3)) for shape in shapes[3:]], 5, 6, seed=facets)
    check([Law(shape, Shape("box", 0.1, 10.0), 0.02) for shape in shapes[4:6]], 6, 3, seed=facets)


@pytest.mark.parametrize("d", [2, 3, 5, 6])
def test_apex(d: int) -> None:
    laws = [Law(disc(mu), disc(mu * (d > 3)), mu * (d > 5)) for mu in COEFFICIENTS]
    for law in laws:
        assert law.library().project(np.zeros(d)).tolist() == [0.0] * d
