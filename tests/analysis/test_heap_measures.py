"""Height, base and angle of repose of heaps whose shape is known."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.analysis.granular import angle_of_repose, heap_height, mean_radius

R = 0.02
D = 2 * R
TRAY = [[1, 0, -0.8], [-1, 0, -0.8], [0, 1, -0.8], [0, -1, -0.8]]


def filled(surface, half, seed, share=0.6):
    """Spheres at random places below a surface z(x, y), in a square of that half edge."""
    random = np.random.default_rng(seed)
    top = 1.2
    count = int(share * (2 * half) ** 2 * top / (4 / 3 * np.pi * R**3))
    points = random.uniform((-half, -half, R), (half, half, top), (count, 3))
    kept = points[points[:, 2] + R < surface(points[:, 0], points[:, 1])]
    return kept, np.full(len(kept), R)


def cone(degrees, height, x=0.0, y=0.0):
    slope = np.tan(np.radians(degrees))
    return lambda a, b: height - slope * np.hypot(a - x, b - y)


@pytest.mark.parametrize(("degrees", "height"), [(5, 0.2), (15, 0.3), (25, 0.5), (40, 0.6)])
@pytest.mark.parametrize("seed", [0, 1])
def test_cones_have_their_angle(degrees, height, seed):
    half = height / np.tan(np.radians(degrees))
    spheres = filled(cone(degrees, height, 0.3, -0.2), half + 0.4, seed)
    found = angle_of_repose(*spheres)
    assert found.angle == pytest.approx(degrees, abs=0.04 * degrees + 0.2)
    assert 0 < found.error < 0.04 * degrees + 0.3
    assert found.angle == pytest.approx(np.mean(found.sectors))


def test_the_angle_does_not_depend_on_units_or_place():
    position, radius = filled(cone(25, 0.4), 1.0, 3)
    found = angle_of_repose(position, radius)
    moved = angle_of_repose(1e3 * (position + np.array([5, -7, 0])), 1e3 * radius)
    assert moved.angle == pytest.approx(found.angle, abs=1e-6)
    some = np.random.default_rng(0).permutation(len(radius))
    assert angle_of_repose(position[some], radius[some]).angle == pytest.approx(found.angle)


def test_strays_do_not_matter():
    """On the floor, a few of them very far away."""
    position, radius = filled(cone(30, 0.5), 1.0, 4)
    random = np.random.default_rng(5)
    lost = np.column_stack([random.uniform(0.9, 3, (40, 2)), np.full(40, R)])
    lost[:5, :2] *= 1000
    strays = np.vstack([position, lost]), np.full(len(radius) + 40, R)
    found, clean = angle_of_repose(*strays), angle_of_repose(position, radius)
    assert found.angle == pytest.approx(clean.angle, abs=0.3)


@pytest.mark.parametrize("layers", [4, 8])
def test_flat_layers_are_flat(layers):
    spheres = filled(lambda x, y: layers * D, 0.8, 6)
    for found in (angle_of_repose(*spheres, walls=TRAY), angle_of_repose(*spheres)):
        assert abs(found.angle) < 1.5
        assert abs(found.angle) < 4 * found.error


def test_a_heap_that_fills_its_tray():
    """Grains lean on the walls: what is there does not count."""

    def surface(x, y):
        inside = np.maximum(np.abs(x), np.abs(y)) < 0.5
        return np.where(inside, cone(20, 0.5)(x, y), 0.6)

    spheres = filled(surface, 0.8, 7, share=3.0)
    for options in ({"walls": TRAY, "border": 0.3 + D}, {"within": 0.5 - D}):
        assert angle_of_repose(*spheres, **options).angle == pytest.approx(20, abs=1)
    assert angle_of_repose(*spheres, walls=TRAY, border=0.0).angle < 0


def test_no_heap_has_no_angle():
    random = np.random.default_rng(8)
    scattered = np.column_stack([random.uniform(-1, 1, (500, 2)), np.full(500, R)])
    towers = [[k * D, 0, (2 * j + 1) * R] for k in range(2) for j in range(5)]
    for position in (scattered, scattered[:1], np.array(towers)):
        found = angle_of_repose(position, np.full(len(position), R))
        assert np.isnan(found.angle)
        assert np.isnan(found.error)


def test_height_and_base():
    position = np.array([[0, 0, 1.0], [4, 0, 1], [4, 3, 1], [0, 3, 1], [2, 1.5, 2.5]])
    radius = np.array([1.0, 1, 1, 1, 0.5])
    assert heap_height(position, radius) == 3.0
    assert mean_radius(position, position[:, 2] <= radius) == pytest.approx(2.5)
    assert np.isnan(mean_radius(position, np.zeros(5, dtype=bool)))


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"sectors": 2}, "sectors"),
        ({"axis": (1, 2, 3)}, "axis"),
        ({"within": 0.0}, "within"),
        ({"within": np.nan}, "within"),
        ({"border": -1.0}, "border"),
        ({"walls": [[1, 0]]}, "walls"),
    ],
)
def test_wrong_options(options, word):
    position, radius = filled(cone(30, 0.3), 0.6, 0)
    with pytest.raises(rc.InputError, match=word):
        angle_of_repose(position, radius, **options)


def test_wrong_spheres():
    with pytest.raises(rc.InputError, match="position"):
        heap_height(np.zeros((0, 3)), np.zeros(0))
    with pytest.raises(rc.InputError, match="radius"):
        heap_height(np.zeros((2, 3)), np.array([1.0, -1.0]))
