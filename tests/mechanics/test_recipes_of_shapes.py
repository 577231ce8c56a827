"""Grids, packings and emitters of cylinders, cones, ellipsoids and convex bodies; room beside what
is made of parts."""

import numpy as np
import pytest

import rollcone as rc
from part_bodies import BLOB, PARTS, torus, world_of_parts
from rollcone.mechanics.free_space import FreeSpace
from rollcone.view.surfaces import groups

RECIPES = {
    "cylinder": {"radius": (0.1, 0.2), "height": 0.3},
    "cone": {"radius": 0.1, "height": (0.1, 0.3)},
    "ellipsoid": {"semi_axes": (0.1, (0.1, 0.2), 0.3)},
    "convex": {"points": BLOB, "scale": (0.2, 0.5)},
}
WHERE = {"low": (-3, -3, 0), "high": (3, 3, 4), "count": 30, "seed": 4}


def alike(body, **mass):
    """The same body, added by itself."""
    r, _, h = body.size
    given = {
        "disk": lambda: {"radius": r, "thickness": body.size[1]},
        "cone": lambda: {"radius": r, "height": h},
        "ellipsoid": lambda: {"semi_axes": body.size},
        "convex": lambda: {"points": body.surface[0], "center": (0, 0, 0)},
    }[body.shape]()
    return getattr(rc.World(), f"add_{body.shape}")(**given, **mass)


@pytest.mark.parametrize("shape", RECIPES)
@pytest.mark.parametrize("mass", [{"mass": 2.0}, {"density": 300.0}])
def test_bodies_are_those_that_the_world_makes(shape, mass):
    world = rc.World()
    bodies = world.add_packing(shape=shape, **RECIPES[shape], **mass, **WHERE)
    assert len({body.size.tobytes() for body in bodies}) == 30
    assert len({body.orientation.tobytes() for body in bodies}) == 30  # turned at random
    for body in bodies[:5]:
        twin = alike(body, **mass)
        assert body.mass == pytest.approx(twin.mass)
        np.testing.assert_allclose(np.sort(body.inertia), np.sort(twin.inertia), rtol=1e-9)
        np.testing.assert_allclose(body.size, twin.size, rtol=1e-9)


@pytest.mark.parametrize("shape", RECIPES)
def test_none_overlaps_another(shape):
    """All corners of what is drawn are apart from the balls around the others."""
    world = rc.World()
    world.add_packing(shape=shape, **RECIPES[shape], mass=1, **WHERE)
    balls = []
    for group in groups(world, detail=2):
        points = group.place(world.state.position, world.state.orientation)
        away = points - world.state.position[group.numbers, None]
        reach = np.linalg.norm(away, axis=2).max(axis=1)
        balls += zip(world.state.position[group.numbers], reach, strict=True)
    for k, (x, r) in enumerate(balls):
        for y, s in balls[:k]:
            assert np.linalg.norm(x - y) >= r + s - 1e-9


def test_grids_do_not_turn_and_emitters_go_on_as_they_began():
    world = rc.World()
    grid = world.add_grid(
        shape="convex", points=BLOB, scale=0.5, density=1, counts=(3, 1, 1), spacing=2
    )
    assert {body.orientation.tolist()[0] for body in grid} == {1.0}
    assert len(groups(world)) == 1
    emitter = world.add_emitter(
        shape="cone", radius=0.1, height=(0.1, 0.2), density=1, low=(0, 0, 5), high=(3, 3, 8),
        rate=10, count=6, seed=3,
    )  # fmt: skip
    twin = world.copy()
    emitter.emit(world, 0.6)
    twin.emitters[0].emit(twin, 0.3)
    twin.emitters[0].emit(twin, 0.6)
    np.testing.assert_array_equal(world.state.size, twin.state.size)
    np.testing.assert_array_equal(world.state.orientation, twin.state.orientation)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"shape": "cone", "radius": 1}, "height: a cone needs it"),
        ({"shape": "convex", "scale": 1}, "points: a convex needs it"),
        ({"shape": "convex", "points": [(0, 0, 0)] * 5}, "all lie in one plane"),
        ({"shape": "convex", "points": BLOB, "scale": 0}, "scale = 0"),
        ({"shape": "ellipsoid", "semi_axes": (1, 2)}, "semi_axes = .*three lengths"),
        ({"shape": "sphere", "radius": 1, "scale": 2}, "scale: a sphere has none"),
    ],
)
def test_what_cannot_be(given, words):
    with pytest.raises(rc.InputError, match=words):
        rc.World().add_packing(**given, mass=1, **WHERE)


def has_room(world, point, radius):
    point = np.asarray(point, dtype=float)
    space = FreeSpace(world, point - 1, point + 1, radius, 1)
    return len(space.place(np.array([radius]), point[None, None])) == 1


def test_fixed_meshes_leave_room_beside_their_triangles():
    world = rc.World()
    vertices, triangles = torus(1.0, 0.2)
    turn = rc.rotation((1, 0, 0), 90)
    world.add_mesh(
        vertices=vertices, triangles=triangles, fixed=True, position=(3, 0, 0), orientation=turn
    )
    assert has_room(world, (3, 0, 0), 0.7)
    assert not has_room(world, (3, 0, 0), 0.81)
    assert not has_room(world, (3, 0, 1.0), 0.25)
    assert has_room(world, (3, 1.0, 0), 0.7)  # its axis is along y now
    moving = rc.World()
    moving.add_mesh(vertices=vertices, triangles=triangles, mass=1)
    assert not has_room(moving, (0, 0, 0), 0.1)  # the box around it


def test_compounds_leave_room_between_their_parts():
    world = rc.World()
    body = world.add_compound(parts=PARTS, density=1)
    ball, box = (np.array(body.parts[k]["position"]) for k in (1, 0))
    above = ball + np.array((0, 0, 0.25))
    assert not has_room(world, above, 0.1)
    assert has_room(world, above, 0.04)
    assert has_room(world, 0.5 * (ball + box) + (0, 0, 0.5), 0.3)
    world.add_cone(radius=0.3, height=0.4, mass=1, position=(9, 0, 0))
    world.add_convex(points=BLOB, mass=1, position=(12, 0, 0))
    assert not has_room(world, (9, 0, 0.2), 0.1)
    assert has_room(world, (9, 0, 0.5), 0.1)
    assert not has_room(world, (12, 0, 0), 0.01)


def test_hoppers_of_triangles_can_be_filled():
    world = world_of_parts()
    found = world.add_packing(
        shape="sphere", radius=0.05, mass=1, low=(-2.2, -0.2, 0.3), high=(-1.8, 0.2, 0.7), count=8
    )
    assert len(found) == 8  # within the ring
