"""Functions of one's own that kernels call by address: they give what the built-in ones give."""

import math

import numpy as np
import pytest

import rollcone as rc
from rollcone._own_functions import OWN, PLACES, set_functions
from rollcone.collision.shapes import ELLIPSOID, SPHERE
from rollcone.laws.friction_set import FrictionSet
from rollcone.laws.kernels.disc import DISC
from rollcone.laws.kernels.sets import project_points
from rollcone.laws.kernels.slope import law_slope

numba = pytest.importorskip("numba")
from numba import carray, cfunc, types  # noqa: E402

RADII = np.array([0.4, 0.4, 0.1, 0.1, 0.05])
REAL, OUT = types.float64, types.CPointer(types.float64)
PROJECT = types.void(*[REAL] * 5, OUT)
SUPPORT = REAL(*[REAL] * 4)
FARTHEST = types.void(*[REAL] * 6, OUT)


@cfunc(PROJECT, error_model="numpy")
def project(a, b, l1, l2, y, out):
    """Write the nearest point of the disc of radius a y."""
    p, r = carray(out, 2), math.sqrt(l1 * l1 + l2 * l2)
    f = a * y / r if r > a * y else 1.0
    p[0], p[1] = f * l1, f * l2


@cfunc(SUPPORT, error_model="numpy")
def support(a, b, v1, v2):
    """Return the support of the disc of radius a."""
    return a * math.sqrt(v1 * v1 + v2 * v2)


@cfunc(PROJECT, error_model="numpy")
def slope(a, b, l1, l2, y, out):
    """Write the derivative of the nearest point of the disc of radius a y."""
    d, r = carray(out, 3), math.sqrt(l1 * l1 + l2 * l2)
    f, e1, e2 = a * y / r, l1 / r, l2 / r
    outside = r > a * y
    d[0] = f * e2 * e2 if outside else 1.0
    d[1] = -f * e1 * e2 if outside else 0.0
    d[2] = f * e1 * e1 if outside else 1.0


@cfunc(FARTHEST, error_model="numpy")
def farthest(p, q, s, x, y, z, out):
    """Write the farthest point of an ellipsoid of half-axes p, q, s."""
    found = carray(out, 3)
    height = math.sqrt(p * x * (p * x) + q * y * (q * y) + s * z * (s * z))
    scale = 1.0 / height if height > 0.0 else 0.0
    found[0], found[1], found[2] = p * p * x, q * q * y, s * s * z
    for k in range(3):
        found[k] = found[k] / height if scale > 0.0 else 0.0


@pytest.fixture
def row():
    """The number of a row that is empty again after the test."""
    yield 7
    set_functions(7, 0, 0, 0)


@pytest.fixture(params=["with a slope", "without"])
def disc(row, request) -> int:
    """The kind of a disc made of functions of one's own."""
    own_slope = slope.address if request.param == "with a slope" else 0
    assert set_functions(row, project.address, support.address, own_slope)
    return OWN + row


def points(seed: int, width: int) -> np.ndarray:
    """Return some points (200, width), of all sizes."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(200, width)) * 10.0 ** rng.integers(-3, 4, (200, 1))


def test_a_set_has_the_bits_of_the_built_in_one(disc):
    x, scale = points(0, 2), np.abs(points(1, 1)[:, 0])
    own, built_in = FrictionSet(disc, 0.4, 0.4), rc.Disc(0.4)
    np.testing.assert_array_equal(own.project(x, scale), built_in.project(x, scale))
    np.testing.assert_array_equal(own.support(x), built_in.support(x))


def projected(kind: int, x: np.ndarray) -> np.ndarray:
    """Return the nearest points (n, 6) of the cone whose sliding and rolling sets are of a kind."""
    n, out = len(x), np.zeros_like(x)
    project_points(np.full((n, 2), kind), np.tile(RADII, (n, 1)), x, out)
    return out


def test_the_projection_on_the_cone(disc):
    """Newton's method finds the same root by tangents that the slope, or differences, give."""
    x = points(2, 6)
    size = np.abs(x).max(axis=1, keepdims=True)
    found, expected = projected(disc, x), projected(DISC, x)
    np.testing.assert_allclose(found / size, expected / size, atol=1e-9)
    inside = (expected != 0.0).any(axis=1) & (expected != x).any(axis=1)
    assert inside.sum() > 50  # neither the apex nor the point itself


@pytest.mark.parametrize("exact", [True, False])
def test_the_derivative_of_the_projection(disc, exact):
    for x in points(3, 6):
        found, expected = (derivative(kind, x / np.abs(x).max(), exact) for kind in (disc, DISC))
        np.testing.assert_allclose(found, expected, atol=1e-5)


def derivative(kind: int, x: np.ndarray, exact: bool) -> np.ndarray:
    """Return the derivative of the projection at a point, (6, 6)."""
    p, found = np.zeros(6), np.zeros((6, 6))
    law_slope(exact, np.full(2, kind), RADII, x, p, found)
    return found


def run(shape: str, sizes: dict, kind: int) -> rc.Run:
    """Return a run of bodies of two parts that fall on a box and on each other, the parts being of
    this kind instead of the shape's."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.set_contact_law(rc.ContactLaw(sliding=0.4))
    world.add_box(size=(2, 2, 0.2), fixed=True, position=(0, 0, -0.1))
    for k in range(3):
        parts = [{"shape": shape, **sizes, "position": (0.1 * i, 0, 0)} for i in (-1, 1)]
        world.add_compound(
            parts=parts, mass=1.0, inertia=(0.01,) * 3, position=(0.02 * k, 0, 0.2 + 0.3 * k),
            angular_velocity=(1, 2, k),
        )  # fmt: skip
    owned = world.state.parts
    owned._parts = [part._replace(kind=kind) for part in owned._parts]
    return rc.simulate(world, until=0.6, step=5e-3)


def test_a_sphere_has_the_bits_of_the_built_in_one(row):
    """Its core is a point, as far as the function tells, and its radius the part's rounding."""
    assert set_functions(row, farthest.address, 0, 0)
    own, built_in = (run("sphere", {"radius": 0.1}, kind) for kind in (OWN + row, SPHERE))
    assert built_in.contact_count.max() > 2
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        np.testing.assert_array_equal(own.states(name)[:], built_in.states(name)[:])


def test_an_ellipsoid_moves_as_the_built_in_one(row):
    """Normals are less exact, since it is not told how the surface bends."""
    assert set_functions(row, farthest.address, 0, 0)
    sizes = {"semi_axes": (0.1, 0.08, 0.06)}
    own, built_in = (run("ellipsoid", sizes, kind) for kind in (OWN + row, ELLIPSOID))
    assert built_in.contact_count.max() > 2
    np.testing.assert_allclose(own.states("position")[:], built_in.states("position")[:], atol=1e-4)


def test_rows_that_are_empty_or_not_there():
    """What they give is no number, and nothing is called."""
    assert not set_functions(-1, 0, 0, 0)
    assert not set_functions(PLACES, 0, 0, 0)
    for kind in (OWN, OWN + PLACES - 1, OWN + PLACES, 2**62):
        own = FrictionSet(kind, 0.4, 0.4)
        assert np.isnan(own.project([1.0, 2.0])).all()
        assert np.isnan(own.support([1.0, 2.0]))


def test_the_table_has_room_for_all_rows():
    from rollcone._build.numba_intrinsics import TABLE_WORDS

    assert TABLE_WORDS == 3 * PLACES
