"""Packing fractions of crystals, and the volumes behind them, against closed forms."""

import numpy as np
import pytest
from scipy.integrate import quad

import rollcone as rc
from rollcone.analysis.cut_volume import in_box, in_cylinder
from rollcone.analysis.granular import packing_fraction, packing_fraction_cylinder
from rollcone.mechanics.rotations import rotation_matrix

BALL = 4 / 3 * np.pi
ORIGIN, UNIT = np.zeros((1, 3)), np.ones(1)
FACES = [(0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5)]


def crystal(motif, cells=5):
    """Cubic cells of edge 1."""
    cell = np.stack(np.meshgrid(*[np.arange(-1, cells)] * 3, indexing="ij"), -1).reshape(-1, 1, 3)
    return (cell + np.array(motif)).reshape(-1, 3)


@pytest.mark.parametrize(
    ("motif", "radius", "share"),
    [
        ([(0, 0, 0)], 0.5, np.pi / 6),  # 0.5236, simple cubic
        (FACES, np.sqrt(0.125), np.pi / np.sqrt(18)),  # 0.7405, face-centred
        ([(0, 0, 0), (0.5, 0.5, 0.5)], np.sqrt(3) / 4, np.pi * np.sqrt(3) / 8),  # 0.6802
    ],
)
def test_crystals(motif, radius, share):
    """Any box of whole cells holds the same, wherever it begins."""
    position = crystal(motif)
    for low in np.random.default_rng(0).uniform(0, 1, (5, 3)):
        high = low + np.array([2, 1, 3])
        found = packing_fraction(position, np.full(len(position), radius), low, high)
        assert found == pytest.approx(share, abs=1e-12)


def test_parts_add_up():
    """The cells of a rectangular grid share every ball among them."""
    random = np.random.default_rng(1)
    position, radius = random.uniform(-1, 1, (300, 3)), random.uniform(0.1, 2, 300)
    edges = [-9.0, -0.7, 0.1, 0.15, 9.0]
    total = np.zeros(300)
    for i, j, k in np.ndindex(4, 4, 4):
        low = np.array([edges[i], edges[j], edges[k]])
        high = np.array([edges[i + 1], edges[j + 1], edges[k + 1]])
        part = in_box(position, radius, low, high)
        assert (part >= 0).all()
        total += part
    np.testing.assert_allclose(total, BALL * radius**3, rtol=1e-13)


@pytest.mark.parametrize("corner", [(0.2, 0.3, 0.4), (-0.3, 0.5, 0.1), (-0.1, -0.6, -0.2)])
def test_corner_against_quadrature(corner):
    """Sections of the ball at height z, cut by two planes, one after the other."""
    a, b, c = corner

    def width(y, z):
        half = np.sqrt(max(1 - y * y - z * z, 0.0))
        return max(half - max(a, -half), 0.0)

    def area(z):
        half = np.sqrt(1 - z * z)
        kink = np.sqrt(max(1 - z * z - a * a, 0.0))
        points = [p for p in (-kink, kink) if b < p < half]
        return quad(width, max(b, -half), half, (z,), points=points or None)[0] if b < half else 0

    kinks = sorted({s * np.sqrt(max(1 - p, 0)) for p in (b * b, a * a + b * b) for s in (-1, 1)})
    volume = quad(area, c, 1, points=[p for p in kinks if c < p < 1], limit=200)[0]
    found = in_box(ORIGIN, UNIT, np.array(corner), np.full(3, 5.0))[0]
    assert found == pytest.approx(volume, abs=1e-7)


def test_caps_and_halves():
    high = np.full(3, 9.0)
    for h in (-0.9, 0.0, 0.4):
        cap = np.pi * (1 - h) ** 2 * (2 + h) / 3
        low = np.array([-9, -9, h])
        assert in_box(ORIGIN, UNIT, low, high)[0] == pytest.approx(cap, rel=1e-13)
    assert in_box(ORIGIN, UNIT, np.array([0, 0, -9.0]), high)[0] == pytest.approx(BALL / 4)
    assert in_box(ORIGIN, UNIT, np.array([0, 0, 0.0]), high)[0] == pytest.approx(BALL / 8)
    assert in_box(ORIGIN, UNIT, np.array([0.8, 0.8, -9.0]), high)[0] == 0


def test_cylinders():
    """About the centre; Viviani's; and one that holds all."""

    def volume(x, reach, low=-9.0, high=9.0):
        return in_cylinder(ORIGIN, UNIT, np.array([x, 0.0]), reach, low, high)[0]

    for reach in (0.1, 0.6, 0.99):
        assert volume(0, reach) == pytest.approx(BALL * (1 - (1 - reach**2) ** 1.5), abs=1e-11)
    assert volume(0.5, 0.5) == pytest.approx(2 * np.pi / 3 - 8 / 9, abs=1e-11)
    assert volume(0.7, 1.7) == pytest.approx(BALL, abs=1e-11)
    assert volume(3, 1.9) == 0
    assert volume(0.3, 9, 0.4) == pytest.approx(np.pi * 0.36 * 2.4 / 3)
    whole = volume(0.6, 0.8)
    assert volume(0.6, 0.8, -9, 0.3) + volume(0.6, 0.8, 0.3) == pytest.approx(whole, abs=1e-11)
    wide = volume(1000.2, 1000.0)  # nearly the plane x = 0.2
    assert wide == pytest.approx(np.pi * 0.64 * 2.2 / 3, abs=1e-3)


def test_cylinder_in_a_crystal():
    position = crystal([(0, 0, 0)], cells=9)
    share = packing_fraction_cylinder(
        position, np.full(len(position), 0.5), axis=(4, 4), reach=3.5, low=2.2, high=5.2
    )
    assert share == pytest.approx(np.pi / 6, abs=0.02)


def test_wrong_regions():
    spheres = ORIGIN, UNIT
    with pytest.raises(rc.InputError, match="low"):
        packing_fraction(*spheres, (0, 0, 0), (1, 0, 1))
    with pytest.raises(rc.InputError, match="low"):
        packing_fraction_cylinder(*spheres, reach=1, low=1, high=0)
    with pytest.raises(rc.InputError, match="reach"):
        packing_fraction_cylinder(*spheres, reach=0, low=0, high=1)
    with pytest.raises(rc.InputError, match="axis"):
        packing_fraction_cylinder(*spheres, axis=(1, 2, 3), reach=1, low=0, high=1)


@pytest.mark.parametrize("turn", [(1, 0, 0, 0), (0.9, 0.1, -0.3, 0.2)])
def test_images_count(turn):
    """One cell, wherever its balls are told to be, and its images are the crystal; also if it is
    turned, for a box that holds many cells."""
    matrix = rotation_matrix(np.array(turn) / np.linalg.norm(turn))
    strayed = np.array(FACES) + np.array([[5, 0, -3], [0, 0, 0], [-2, 1, 0], [0, 0, 7]])
    radius = np.full(4, np.sqrt(0.125))
    low, high = np.array([0.3, -0.2, 0.1]), np.array([12.3, 10.8, 11.1])
    found = packing_fraction(strayed @ matrix.T, radius, low, high, matrix.T)
    straight = turn[0] == 1
    assert found == pytest.approx(np.pi / np.sqrt(18), abs=1e-12 if straight else 3e-3)
