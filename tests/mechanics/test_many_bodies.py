"""Grids and packings: where bodies are, that they do not overlap, and what is refused."""

import itertools

import numpy as np
import pytest
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation

import rollcone as rc

GRAIN = {"shape": "sphere", "radius": 0.1, "density": 1000}
LOW, HIGH = np.array([-1.0, -1.0, 0.0]), np.array([1.0, 1.0, 2.0])


def bounding_radii(world: rc.World) -> np.ndarray:
    """Of spheres, boxes and capsules."""
    radii = []
    for body in world.bodies:
        r, _, length = body.size
        ball = {"sphere": r, "capsule": r + length / 2, "box": np.linalg.norm(body.size) / 2}
        radii.append(ball[body.shape])
    return np.array(radii)


def test_grid_places():
    world = rc.World()
    bodies = world.add_grid(
        **GRAIN, counts=(3, 2, 4), spacing=(1, 2, 3), origin=(10, 20, 30), name="grain"
    )
    places = [
        (10 + i, 20 + 2 * j, 30 + 3 * k) for k in range(4) for j in range(2) for i in range(3)
    ]
    np.testing.assert_array_equal(world.state.position, places)
    assert [body.name for body in bodies] == [f"grain {k}" for k in range(24)]
    assert bodies[7].id == world.body("grain 7").id == 7
    np.testing.assert_array_equal(world.state.orientation, [[1, 0, 0, 0]] * 24)


def test_grid_with_jitter_and_ranges():
    def made(seed: int) -> rc.World:
        world = rc.World()
        world.add_grid(
            shape="box", size=[(0.1, 0.2), 0.3, (0.3, 0.4)], density=1000, counts=(6, 6, 6),
            spacing=1.0, jitter=0.2, seed=seed, velocity=(1, 2, 3), material="oak",
        )  # fmt: skip
        return world

    world = made(3)
    shift = world.state.position - np.round(world.state.position)
    assert 0.19 < shift.max() <= 0.2
    assert -0.2 <= shift.min() < -0.19
    edges = 2 * world.state.size
    assert 0.1 <= edges[:, 0].min() < 0.105
    assert 0.195 < edges[:, 0].max() <= 0.2
    assert abs(edges[:, 2].mean() - 0.35) < 0.01
    assert (edges[:, 1] == 0.3).all()
    np.testing.assert_allclose(world.state.mass, 1000 * edges.prod(axis=1), rtol=1e-14)
    assert (world.state.velocity == (1, 2, 3)).all()
    assert world.body(5).material == "oak"
    assert made(3).state.position.tobytes() == world.state.position.tobytes()
    assert made(4).state.position.tobytes() != world.state.position.tobytes()


@pytest.mark.parametrize(
    "recipe",
    [
        {"shape": "sphere", "radius": (0.05, 0.15), "density": 1000},
        {"shape": "box", "size": (0.1, 0.2, (0.05, 0.3)), "mass": 1.0},
        {"shape": "capsule", "radius": 0.05, "length": (0.0, 0.2), "density": 1000},
    ],
    ids=lambda recipe: recipe["shape"],
)
def test_packing_has_no_overlap(recipe):
    world = rc.World()
    world.add_packing(**recipe, low=LOW, high=HIGH, count=100, seed=2)
    centers, radii = world.state.position, bounding_radii(world)
    assert (centers >= LOW).all()
    assert (centers <= HIGH).all()
    assert np.ptp(centers, axis=0).min() > 1.8
    for i, j in itertools.combinations(range(100), 2):
        assert np.linalg.norm(centers[i] - centers[j]) >= radii[i] + radii[j] - 1e-12
    if recipe["shape"] != "sphere":  # turned every way: the mean axis is near zero
        axes = Rotation.from_quat(np.roll(world.state.orientation, -1, axis=1)).as_matrix()
        assert np.abs(axes.mean(axis=0)).max() < 0.25


def obstacles() -> tuple[rc.World, list[np.ndarray]]:
    """A world with every shape, and points all over the surface and inside of each body."""
    world = rc.World()
    turn = Rotation.from_rotvec((0.3, 0.5, -0.4))
    q = np.roll(turn.as_quat(), 1)
    world.add_plane(normal=(1, 0, 3), point=(0, 0, 0.2))
    world.add_box(size=(0.8, 0.3, 0.5), mass=1, position=(0.2, 0.4, 1.2), orientation=q)
    world.add_capsule(radius=0.2, length=0.6, mass=1, position=(-0.5, -0.4, 1.0), orientation=q)
    world.add_sphere(radius=0.4, mass=1, position=(0.6, -0.6, 1.5))
    world.remove(world.add_sphere(radius=5, mass=1))
    unit = np.array(list(itertools.product(np.linspace(-1, 1, 31), repeat=3)))
    ball = unit / np.maximum(1, np.linalg.norm(unit, axis=1))[:, None]
    ends = np.concatenate([0.2 * ball + (0, 0, z) for z in np.linspace(-0.3, 0.3, 11)])
    points = [
        np.add(turn.apply(unit * (0.4, 0.15, 0.25)), (0.2, 0.4, 1.2)),
        np.add(turn.apply(ends), (-0.5, -0.4, 1.0)),
        np.add(0.4 * ball, (0.6, -0.6, 1.5)),
    ]
    return world, points


def test_packing_keeps_away_from_what_is_there():
    world, points = obstacles()
    grains = world.add_packing(**GRAIN, low=LOW, high=HIGH, count=60, seed=1)
    centers = np.array([grain.position for grain in grains])
    assert (centers @ (1, 0, 3) / np.sqrt(10) - 0.6 / np.sqrt(10) >= 0.1 - 1e-12).all()
    for cloud in points:
        nearest, _ = cKDTree(cloud).query(centers)
        assert nearest.min() >= 0.1 - 1e-12
        assert nearest.min() < 0.25  # the room beside it is used


def test_packing_that_does_not_fit():
    world = rc.World()
    with pytest.raises(rc.InputError, match=r"count = 500: \d+ found a place without overlap"):
        world.add_packing(**GRAIN, low=(0, 0, 0), high=(0.8, 0.8, 0.8), count=500)
    assert len(world.state) == 0


GRID = {"counts": (1, 1, 1), "spacing": 1.0}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"counts": (1, 0, 1)}, r"counts = \(1, 0, 1\): must be three whole numbers >= 1"),
        ({"counts": (1, True, 1)}, "counts"),
        ({"counts": (1.0, 1, 1)}, "counts"),
        ({"counts": (1000, 1000, 1000)}, "counts.*at most 1000000"),
        ({"spacing": 0}, "spacing = 0: must be one length > 0, or three"),
        ({"spacing": (1, 1)}, "spacing"),
        ({"jitter": -1}, "jitter = -1"),
        ({"seed": 1.5}, "seed = 1.5"),
        ({"origin": 3}, "origin"),
        ({"shape": "plane"}, "shape = 'plane': must be one of sphere, box, capsule"),
        ({"radius": (0.2, 0.1)}, r"radius = \(0.2, 0.1\): must be one number, or low and"),
        ({"radius": (0, 0.1)}, "radius.*must be > 0"),
        ({"radius": "big"}, "radius = 'big'"),
        ({"length": 1.0}, "length: a sphere has none, it takes radius"),
        ({"shape": "capsule"}, "length: a capsule needs it"),
        ({"shape": "box"}, "radius: a box has none"),
        ({"density": -1}, "density = -1"),
        ({"position": (0, 0, 0)}, "position: a generator says where"),
        ({"name": ""}, "name = ''"),
    ],
)
def test_no_grid(given, message):
    with pytest.raises(rc.InputError, match=message):
        rc.World().add_grid(**(GRAIN | GRID | given))


def test_missing_and_unknown_arguments():
    with pytest.raises(rc.InputError, match="shape: must be given"):
        rc.World().add_grid(radius=1, mass=1, **GRID)
    with pytest.raises(TypeError, match="colour"):
        rc.World().add_grid(**GRAIN, **GRID, colour="red")


def test_names_that_are_taken():
    world = rc.World()
    world.add_sphere(radius=1, mass=1, name="grain 2")
    for add in (
        lambda: world.add_grid(**GRAIN, counts=(3, 1, 1), spacing=1, name="grain"),
        lambda: world.add_packing(**GRAIN, low=LOW, high=HIGH, count=3, name="grain"),
        lambda: world.add_emitter(**GRAIN, low=LOW, high=HIGH, count=3, rate=1, name="grain"),
    ):
        with pytest.raises(rc.InputError, match="a body is called 'grain 2' already"):
            add()
    assert len(world.state) == 1
    assert world.emitters == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"low": (0, 0, 3)}, r"high = \[1.0, 1.0, 2.0\]: must not be below low"),
        ({"high": 5}, "high = 5"),
        ({"count": 0}, "count = 0: must be a whole number >= 1"),
        ({"count": 10**9}, "count.*at most 1000000"),
    ],
)
def test_no_packing(given, message):
    with pytest.raises(rc.InputError, match=message):
        rc.World().add_packing(**(GRAIN | {"low": LOW, "high": HIGH, "count": 1} | given))
