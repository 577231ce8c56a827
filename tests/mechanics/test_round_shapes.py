"""Disks with thickness, cylinders, ellipsoids and bowls: mass, moments, what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc

lengths = st.floats(0.05, 2.0)
shares = st.floats(0.0, 1.0)


def outline(r, radius, half, edge):
    """Half the height of a rounded disk at distances r from its axis."""
    beyond = np.clip(r - (radius - edge), 0.0, edge)
    return half - edge + np.sqrt(edge**2 - beyond**2)


@given(lengths, lengths, shares)
def test_a_disk_of_rings(radius, thickness, share):
    """By quadrature over rings: V, and integrals of r^2 and z^2 in it."""
    half = 0.5 * thickness
    edge = 0.999 * share * min(half, radius)
    body = rc.World().add_disk(radius=radius, thickness=thickness, edge_radius=edge, density=2.0)
    nodes, weights = np.polynomial.legendre.leggauss(60)
    angle, weights = 0.25 * np.pi * (nodes + 1), 0.25 * np.pi * weights
    inner = 0.5 * (radius - edge) * (nodes + 1)  # flat; then the edge, by its angle
    r = np.concatenate([inner, radius - edge + edge * np.sin(angle)])
    dr = np.concatenate([
        0.5 * (radius - edge) * np.polynomial.legendre.leggauss(60)[1],
        edge * np.cos(angle) * weights,
    ])  # fmt: skip
    h = outline(r, radius, half, edge)
    mass = 2.0 * (4 * np.pi * r * h * dr).sum()
    axial = 2.0 * (4 * np.pi * r**3 * h * dr).sum()
    across = 0.5 * axial + 2.0 * (4 / 3 * np.pi * r * h**3 * dr).sum()
    assert body.mass == pytest.approx(mass, rel=1e-10)
    np.testing.assert_allclose(body.inertia, [across, across, axial], rtol=1e-10)
    np.testing.assert_allclose(body.size, (radius, thickness, edge), rtol=1e-12, atol=1e-15)


@given(lengths, lengths)
def test_cylinders(radius, height):
    world = rc.World()
    body = world.add_cylinder(radius=radius, height=height, density=3.0)
    assert body.shape == "disk"
    assert body.mass == pytest.approx(3.0 * np.pi * radius**2 * height)
    across = body.mass * (radius**2 / 4 + height**2 / 12)
    np.testing.assert_allclose(body.inertia, (across, across, body.mass * radius**2 / 2))


def test_a_ball_is_a_disk_that_is_all_edge():
    """As the edge radius goes to the radius."""
    disk = rc.World().add_disk(radius=1.0, thickness=2.0, edge_radius=1 - 1e-9, density=1.0)
    ball = rc.World().add_sphere(radius=1.0, density=1.0)
    assert disk.mass == pytest.approx(ball.mass, rel=1e-7)
    np.testing.assert_allclose(disk.inertia, ball.inertia, rtol=1e-7)


@given(lengths, lengths, lengths)
def test_ellipsoids(a, b, c):
    """Those of a ball, stretched: the integral of x^2 is m a^2 / 5."""
    body = rc.World().add_ellipsoid(semi_axes=(a, b, c), density=2.0)
    ball = rc.World().add_sphere(radius=1.0, density=2.0)
    assert body.mass == pytest.approx(a * b * c * ball.mass)
    square = body.mass * 0.5 * ball.inertia[0] / ball.mass * np.square([a, b, c])
    np.testing.assert_allclose(body.inertia, square.sum() - square)
    np.testing.assert_array_equal(body.size, (a, b, c))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"thickness": -1}, r"thickness = -1: must be one number >= 0"),
        ({"edge_radius": 0.1}, r"edge_radius = 0\.1: must be at most half the thickness 0\.0"),
        ({"thickness": 1, "edge_radius": 0.6}, r"edge_radius = 0\.6: must be at most half"),
        ({"thickness": 9, "edge_radius": 1.0}, r"edge_radius = 1\.0: .* less than the radius 1\.0"),
    ],
)
def test_no_disk(given, message):
    with pytest.raises(rc.InputError, match=message):
        rc.World().add_disk(radius=1.0, mass=1, **given)


def test_no_ellipsoid():
    with pytest.raises(rc.InputError, match=r"semi_axes = \[1.0, 0.0, 1.0\]: must be three len"):
        rc.World().add_ellipsoid(semi_axes=(1, 0, 1), mass=1)
    with pytest.raises(rc.InputError, match="needs mass or density"):
        rc.World().add_ellipsoid(semi_axes=(1, 1, 1))


def test_bowls():
    world = rc.World()
    bowl = world.add_bowl(radius=2.0, point=(1, 0, 0), normal=(1, 0, 0), name="cup")
    assert bowl.shape == "bowl"
    assert not bowl.dynamic
    np.testing.assert_array_equal(bowl.size, 2.0)
    with pytest.raises(rc.InputError, match="mass: a bowl takes normal and point"):
        world.add_bowl(radius=1.0, mass=1.0)
    with pytest.raises(rc.InputError, match=r"radius = 0: must be one number > 0"):
        world.add_bowl(radius=0)


def add_clump(world):
    world.add_clump(spheres=[(0, 0, 0, 2.0), (1, 0, 0, 0.1)], mass=1)


@pytest.mark.parametrize(
    "add",
    [
        lambda world: world.add_sphere(radius=2.0, mass=1),
        lambda world: world.add_capsule(radius=0.5, length=3.0, mass=1),
        lambda world: world.add_box(size=(2.5, 2.5, 2.5), mass=1),
        lambda world: world.add_disk(radius=2.0, mass=1),
        lambda world: world.add_cylinder(radius=1.5, height=3.0, mass=1),
        add_clump,
        lambda world: world.add_emitter(
            low=(0, 0, 0), high=(1, 1, 1), rate=1, count=1, shape="sphere", radius=3.0, mass=1
        ),
    ],
)
def test_what_does_not_fit_into_a_bowl(add):
    world = rc.World()
    world.add_bowl(radius=2.0, name="cup")
    world.add_sphere(radius=5.0, fixed=True)
    world.check()
    add(world)
    with pytest.raises(rc.InputError, match=r"radius = 2 of the bowl 'cup': must be more than"):
        world.check()


def test_no_bowl_in_a_periodic_world():
    world = rc.World()
    world.set_periodic(x=(0, 1))
    world.add_bowl(radius=1.0, name="cup")
    with pytest.raises(rc.InputError, match="bowl 'cup': must not be in a periodic world"):
        world.check()


def test_packing_in_a_bowl():
    """Balls have room inside it alone, and none in a cylinder or an ellipsoid."""
    world = rc.World()
    world.add_bowl(radius=1.0)
    world.add_cylinder(radius=0.2, height=0.6, mass=1, position=(0, 0, 1))
    world.add_ellipsoid(semi_axes=(0.1, 0.1, 0.3), mass=1, position=(0.5, 0, 1))
    balls = world.add_packing(
        low=(-1, -1, 0), high=(1, 1, 2), count=150, shape="sphere", radius=0.06, mass=1
    )
    place = np.array([ball.position for ball in balls]) - (0, 0, 1)
    assert np.linalg.norm(place, axis=1).max() <= 1.0 - 0.06
    assert np.linalg.norm(place, axis=1).min() >= np.hypot(0.2, 0.3)
    assert np.linalg.norm(place - (0.5, 0, 0), axis=1).min() >= 0.3


def test_words_for_what_cannot_touch():
    world = rc.World()
    world.add_bowl(radius=3.0, name="cup")
    world.add_ellipsoid(semi_axes=(0.1, 0.2, 0.3), mass=1, position=(0, 0, 2), name="egg")
    told = world.warnings()[0]
    assert "ellipsoid 'egg' is near the bowl 'cup': ellipsoids, cones and meshes cannot" in told


def placed(solid, position, **joint):
    """A ball of radius 0.1 m at that position, and a plane or a bowl at the origin."""
    world = rc.World(gravity=(0, 0, -9.81))
    getattr(world, f"add_{solid}")(**({"radius": 1.0} if solid == "bowl" else {}), name=solid)
    world.add_sphere(radius=0.1, mass=1.0, position=position, name="ball")
    if joint:
        world.add_joint(body="ball", base=solid, **joint)
    return world


@pytest.mark.parametrize(
    ("solid", "position", "words"),
    [
        ("plane", (0, 0, -0.11), r"on the side of its normal \[0. 0. 1.\] of the plane 'plane'"),
        (
            "bowl",
            (0, 0, -0.11),
            r"within the bowl 'bowl', a sphere of radius 1 m about \[0. 0. 1.\]",
        ),
        ("bowl", (0, 0, 2.11), "within the bowl 'bowl'"),
        ("bowl", (5, 0, 1), "within the bowl 'bowl'"),
    ],
)
def test_what_begins_wholly_in_the_solid_is_refused(solid, position, words):
    world = placed(solid, position)
    with pytest.raises(rc.InputError, match=rf"^position = \[.*\] of 'ball': must be {words}"):
        rc.Simulation(world, step=0.01)
    with pytest.raises(rc.SceneError, match=r"position = .* of 'ball'"):  # it is read again
        world.to_scene(until=1, step=0.01)
    rc.Simulation(placed(solid, position, kind="spherical", point=(0, 0, 0)), step=0.01)


@pytest.mark.parametrize("solid", ["plane", "bowl"])
def test_what_overlaps_in_part_is_warned_of(solid):
    world = placed(solid, (0, 0, -0.09))
    rc.Simulation(world, step=0.01)
    assert world.warnings()[0] == f"bodies overlap at the start: '{solid}' and 'ball' by 0.19 m"
