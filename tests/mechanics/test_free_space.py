"""Room for balls, against a search through all bodies one by one."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import rollcone as rc
from rollcone.mechanics.free_space import FreeSpace

LOW, HIGH = np.array([-1.0, -1.5, 0.5]), np.array([1.0, 1.5, 2.0])
REACH = 0.2


def crowd(seed: int) -> rc.World:
    """Bodies of all shapes in and around the region, small ones and some larger than its balls."""
    random = np.random.default_rng(seed)
    world = rc.World()
    world.add_plane(normal=(0.2, 0.1, 1), point=(0, 0, 0.6))
    for k in range(60):
        place, q = random.uniform(-2.5, 2.5, 3), random.normal(size=4)
        given = {"mass": 1, "position": place, "orientation": q / np.linalg.norm(q)}
        if k % 3 == 0:
            world.add_sphere(radius=random.choice([0.05, 0.2, 0.5]), **given)
        elif k % 3 == 1:
            world.add_box(size=random.uniform(0.1, 0.6, 3), **given)
        else:
            world.add_capsule(radius=0.05, length=random.uniform(0, 0.8), **given)
    world.remove(world.add_sphere(radius=9, mass=1))
    return world


def clear(world: rc.World, point: np.ndarray, radius: float) -> bool:
    """Is no body nearer to the point? Each by its own definition."""
    for body in world.bodies:
        turn = Rotation.from_quat(np.roll(body.orientation, -1))
        x, size = turn.inv().apply(point - body.position), body.size
        if body.shape == "sphere":
            gap = np.linalg.norm(x) - size[0]
        elif body.shape == "plane":
            gap = x[2]
        elif body.shape == "box":
            gap = np.linalg.norm(x - np.clip(x, -size / 2, size / 2))
        else:
            along = np.clip(x[2], -size[2] / 2, size[2] / 2)
            gap = np.linalg.norm(x - (0, 0, along)) - size[0]
        if gap < radius:
            return False
    return True


@pytest.mark.parametrize("seed", range(3))
def test_places_are_the_first_with_room(seed):
    """Balls of many sizes, a few tries each; the first that finds none ends it."""
    world, random = crowd(seed), np.random.default_rng(seed)
    space = FreeSpace(world, LOW, HIGH, REACH, 40)
    radii, points = random.uniform(0.01, REACH, 40), random.uniform(LOW, HIGH, (40, 30, 3))
    expected, balls = [], []
    for radius, tries in zip(radii, points, strict=True):
        for point in tries:
            apart = all(np.linalg.norm(point - c) >= r + radius for c, r in balls)
            if apart and clear(world, point, radius):
                balls.append((point, radius))
                expected.append(point)
                break
        else:
            break
    found = space.place(radii, points)
    np.testing.assert_array_equal(found, expected)
    assert len(found) > 5
    if len(found) < 40:
        assert space.place(radii[len(found) :], points[len(found) :]).size == 0


def test_far_away_and_very_small():
    """Cells so far out that they count as one."""
    world = rc.World()
    low, high = np.full(3, 1e12), np.full(3, 1e12 + 1e3)
    space = FreeSpace(world, low, high, 1e-9, 500)
    points = np.random.default_rng(0).uniform(low, high, (500, 1, 3))
    assert len(space.place(np.full(500, 1e-9), points)) == 500
    assert len(space.place(np.full(1, 1e-9), points[:1])) == 0


@pytest.mark.parametrize("shape", ["sphere", "capsule"])
def test_bodies_of_an_emitter_one_by_one(shape):
    """What a body is and where it is tried follow from the seed, its number and the tick alone."""
    sizes = {"radius": (0.05, 0.1)} | ({"length": (0, 0.1)} if shape == "capsule" else {})
    given = {"shape": shape, "density": 1000} | sizes
    low, high = np.array([-0.5, -0.5, 2.0]), np.array([0.5, 0.5, 2.6])
    world = rc.World()
    emitter = world.add_emitter(**given, low=low, high=high, rate=100, count=300, seed=3)
    emitter.emit(world, 1.0)
    assert 20 < emitter.placed < 90
    balls = []
    for k in range(emitter.placed + 1):
        drawn = np.random.default_rng([3, k]).random(len(sizes))
        radius = 0.05 + 0.05 * drawn[0]
        radius += 0.05 * drawn[1] if shape == "capsule" else 0.0
        random, found = np.random.default_rng([3, k, emitter.ticks]), None
        for _ in range(20):
            point = low + (high - low) * random.random(3)
            if all(np.linalg.norm(point - c) >= r + radius for c, r in balls):
                found = point
                break
        if k == emitter.placed:
            assert found is None
        else:
            np.testing.assert_array_equal(world.state.position[k], found)
            balls.append((found, radius))


def test_packing_draws_as_one_by_one():
    """One number for each radius, three for each try."""
    world = rc.World()
    made = world.add_packing(
        shape="sphere", radius=(0.05, 0.2), mass=1, low=LOW, high=HIGH, count=80, seed=7
    )
    random, balls = np.random.default_rng(7), []
    for body in made:
        radius = 0.05 + 0.15 * random.random()
        while True:
            point = LOW + (HIGH - LOW) * random.random(3)
            if all(np.linalg.norm(point - c) >= r + radius for c, r in balls):
                break
        balls.append((point, radius))
        np.testing.assert_array_equal(body.position, point)
        assert body.size[0] == pytest.approx(radius, rel=1e-15)


def test_many_at_once_are_bodies_like_any():
    """Rows of a batch against bodies that were added one by one."""
    kinds = (
        {"shape": "sphere", "radius": (0.1, 0.2), "density": 900, "force": (1, 2, 3)},
        {"shape": "box", "size": (0.1, (0.1, 0.3), 0.2), "mass": 2, "material": "oak"},
        {"shape": "capsule", "radius": 0.1, "length": (0, 1), "density": 7, "linear_damping": 0.1},
        {"shape": "box", "size": (1, 1, (1, 2)), "mass": 3, "inertia": (1, 2, 3)},
        {"shape": "sphere", "radius": (1, 2), "fixed": True, "velocity": (1, 0, 0)},
        {"shape": "sphere", "radius": (1, 2), "mass": 1, "torque": lambda _t, _b: (0, 0, 1)},
    )
    for kind in kinds:
        many, one = rc.World(), rc.World()
        many.add_grid(**kind, counts=(3, 2, 2), spacing=3)
        names = [name for name in ("radius", "size", "length") if name in kind]
        rest = {key: value for key, value in kind.items() if key not in (*names, "shape")}
        for body in many.bodies:
            sizes = {"radius": body.size[0], "size": body.size, "length": body.size[2]}
            given = {name: sizes[name] for name in names} | {"position": body.position}
            getattr(one, f"add_{kind['shape']}")(**given, **rest)
        for field in ("kind", "shape", "position", "orientation", "velocity", "force", "principal"):
            np.testing.assert_array_equal(getattr(many.state, field), getattr(one.state, field))
        for field in ("size", "mass", "inertia", "damping"):
            np.testing.assert_allclose(
                getattr(many.state, field), getattr(one.state, field), rtol=1e-14
            )
        assert many.loads.keys() == one.loads.keys()
        assert many.names == one.names
        assert many.body(3).material == one.body(3).material
