"""Containers: where their inner faces are, that they are tight, and what is refused."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.mechanics.free_space import FreeSpace
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.scene.read import read_scene

CYLINDER = {"shape": "cylinder", "radius": 0.5, "height": 0.8, "sides": 7}
HOPPER = {"shape": "hopper", "radius": 0.5, "height": 0.6, "outlet": 0.1, "sides": 6, "wall": 0.4}


def free(world: rc.World, points: np.ndarray, radius: float = 0.0) -> np.ndarray:
    """Which points have room for a ball, asked of the bodies themselves."""
    low, high, reach = points.min(axis=0), points.max(axis=0), max(radius, 1e-9)
    alone = [FreeSpace(world, low, high, reach, 1) for _ in points]
    found = [
        len(space.place(np.array([reach]), point.reshape(1, 1, 3)))
        for space, point in zip(alone, points, strict=True)
    ]
    return np.array(found) == 1


def cloud(seed: int, low, high, count: int = 1500) -> np.ndarray:
    return np.random.default_rng(seed).uniform(low, high, (count, 3))


def polygon_radius(points: np.ndarray, sides: int) -> np.ndarray:
    """The apothem of the regular polygon, a side of which is across x, on which a point lies."""
    angles = 2 * np.pi * np.arange(sides) / sides
    return (points[:, :2] @ np.array([np.cos(angles), np.sin(angles)])).max(axis=1)


def test_tray():
    world = rc.World()
    bodies = world.add_container(shape="tray", size=(1, 0.6, 0.3), thickness=0.05, name="bin")
    assert [b.name for b in bodies] == ["bin floor", *(f"bin wall {k}" for k in range(4))]
    assert all(b.shape == "box" and not b.dynamic for b in bodies)
    assert (world.state.orientation == (1, 0, 0, 0)).all()  # level to the last bit
    points = cloud(1, (-0.7, -0.5, -0.2), (0.7, 0.5, 0.5))
    x, y, z = np.abs(points[:, 0]), np.abs(points[:, 1]), points[:, 2]
    inside = (x < 0.5) & (y < 0.3) & (z > 0)
    solid = ~inside & (x < 0.55) & (y < 0.35) & (z > -0.05) & (z < 0.3)
    np.testing.assert_array_equal(free(world, points), ~solid)


def test_cylinder():
    """Walls touch the circle, and leave the polygon around it free; nothing is open but the top."""
    for walls in ("boxes", "planes"):
        world = rc.World()
        bodies = world.add_container(**CYLINDER, walls=walls, position=(0, 0, 1))
        assert len(bodies) == 8
        points = cloud(2, (-0.56, -0.56, 0.97), (0.56, 0.56, 1.8))
        inside = (polygon_radius(points, 7) < 0.5) & (points[:, 2] > 1)
        near = polygon_radius(points, 7) < 0.55
        np.testing.assert_array_equal(free(world, points)[near], inside[near])
        assert free(world, np.array([[0, 0, 1.5]]), 0.4999999).all()
        assert not free(world, np.array([[0, 0, 1.6]]), 0.5000001).any()
    assert free(world, np.array([[0.0, 0.0, 9.0]])).all()
    assert not free(world, np.array([[0.6, 0.0, 9.0]])).any()  # planes have no end


def test_hopper():
    world = rc.World()
    bodies = world.add_container(**HOPPER, thickness=0.05, name="silo")
    assert [b.name for b in bodies[::6]] == ["silo funnel 0", "silo wall 0"]
    points = cloud(3, (-0.6, -0.6, -0.1), (0.6, 0.6, 1.0))
    across, z = polygon_radius(points, 6), points[:, 2]
    room = np.where(z < 0.6, 0.1 + 0.4 * z / 0.6, 0.5)
    inside = (across < room) & (z > 0)
    below = (across < 0.1) & (z <= 0)  # the way out is free
    slope = np.hypot(0.4, 0.6) / 0.6
    shell = (across > room) & (across < room + 0.05 * np.where(z < 0.6, slope, 1.0)) & (z > 0)
    found = free(world, points)
    assert found[inside].all()
    assert found[below].all()
    assert not found[shell].any()
    assert min(inside.sum(), below.sum(), shell.sum()) > 3


def test_a_container_that_is_turned():
    q = rc.rotation((1, 2, 3), 40)
    for walls in ("boxes", "planes"):
        one, other = rc.World(), rc.World()
        one.add_container(shape="tray", size=(1, 0.6, 0.3), walls=walls)
        other.add_container(
            shape="tray", size=(1, 0.6, 0.3), walls=walls, position=(3, 4, 5), orientation=q
        )
        points = cloud(4, (-0.7, -0.5, -0.2), (0.7, 0.5, 0.5), 500)
        turned = points @ rotation_matrix(q).T + (3, 4, 5)
        np.testing.assert_array_equal(free(one, points), free(other, turned))


def test_a_ball_comes_to_rest_in_the_corner():
    world = rc.World(gravity=(1, 1, -9.81))
    world.set_contact_law(rc.ContactLaw(sliding=0.3, rolling=1e-3))
    world.add_container(shape="tray", size=(0.4, 0.4, 0.2))
    ball = world.add_sphere(radius=0.05, density=1000, position=(0, 0, 0.05))
    run = rc.simulate(world, until=1.5, step=5e-3)
    np.testing.assert_allclose(run.body(ball).position[-1], (0.15, 0.15, 0.05), atol=1e-7)
    assert run.contact_count[-1] == 3
    assert np.abs(run.body(ball).velocity[-1]).max() < 1e-12


def test_round_trip():
    world = rc.World()
    for k, given in enumerate((CYLINDER, HOPPER, {"shape": "tray", "size": (1, 2, 3)})):
        world.add_container(**given, name=f"bin {k}", material="steel", position=(2 * k, 0, 0))
    world.add_container(**(CYLINDER | {"walls": "planes"}), position=(0, 0, -9))
    twin = read_scene(world.to_scene(until=1, step=1e-2), "twin").world
    for field in ("position", "orientation", "size", "shape", "kind", "material"):
        assert getattr(twin.state, field).tobytes() == getattr(world.state, field).tobytes()
    assert twin.names == world.names


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"shape": "bowl"}, "shape = 'bowl': must be one of tray, cylinder, hopper"),
        ({"radius": 0}, "radius = 0: must be one number > 0"),
        ({"size": (1, 1, 1)}, "size: a hopper has none, it takes radius, height, outlet, wall"),
        ({"outlet": 0.5}, "outlet = 0.5: must be below radius = 0.5"),
        ({"wall": -1}, "wall = -1: must be one number >= 0"),
        ({"sides": 2}, "sides = 2: must be a whole number >= 3"),
        ({"sides": 1000}, "sides = 1000: must be at most 360"),
        ({"walls": "glass"}, "walls = 'glass': must be one of boxes, planes"),
        ({"walls": "planes"}, "walls = 'planes': a hopper is made of boxes"),
        ({"thickness": 0}, "thickness = 0"),
        ({"position": 3}, "position = 3: must be three numbers"),
        ({"orientation": (1, 1, 0, 0)}, "orientation"),
        ({"material": 3}, "material = 3"),
        ({"name": ""}, "name = ''"),
        ({"name": "old"}, "a body is called 'old wall 2' already"),
    ],
)
def test_no_container(given, message):
    world = rc.World()
    world.add_sphere(radius=1, mass=1, name="old wall 2")
    with pytest.raises(rc.InputError, match=message):
        world.add_container(**(HOPPER | given))
    assert len(world.state) == 1


def test_missing_and_unknown_arguments():
    with pytest.raises(rc.InputError, match="shape: must be given, one of tray"):
        rc.World().add_container(size=(1, 1, 1))
    with pytest.raises(rc.InputError, match="height: a cylinder needs it, in metres"):
        rc.World().add_container(shape="cylinder", radius=1)
    with pytest.raises(rc.InputError, match="thickness: planes have none"):
        rc.World().add_container(**CYLINDER, walls="planes", thickness=1)
    with pytest.raises(TypeError, match="'colour'"):
        rc.World().add_container(**CYLINDER, colour="red")
