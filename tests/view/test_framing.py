"""What pictures make room for."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.view.framing import extent, surroundings


def test_the_extent_of_what_moves():
    world = rc.World()
    world.add_plane()
    world.add_box(size=(100, 100, 1), fixed=True, position=(0, 0, -0.5))
    world.add_sphere(radius=0.5, mass=1.0, position=(0, 0, 2), velocity=(3, 0, 0))
    low, high = extent(rc.simulate(world, until=1.0, step=0.02))
    np.testing.assert_allclose(low, (-0.5, -0.5, 1.5), atol=1e-12)
    np.testing.assert_allclose(high, (3.5, 0.5, 2.5), atol=1e-12)


def row(count, **last):
    """Balls at 0, 1, 2, ... m, and one more."""
    world = rc.World()
    for k in range(count):
        world.add_sphere(radius=0.1, mass=1.0, position=(k, 0, 0))
    world.add_sphere(radius=0.1, mass=1.0, **last)
    return rc.simulate(world, until=1.0, step=0.1)


@pytest.mark.parametrize("speed", [1e6, 15.0])
def test_stragglers_are_not_followed(speed):
    """One of 31 leaves: for good, or by half the length of the row."""
    low, high = extent(row(30, position=(15, 0, 0), velocity=(0, speed, 0)))
    np.testing.assert_allclose(low, (-0.1, -0.1, -0.1), atol=1e-12)
    np.testing.assert_allclose(high, (29.1, 0.1, 0.1), atol=1e-12)


def test_who_stays_near_is_followed():
    """A little beside the row; and, where there are few, anywhere."""
    np.testing.assert_allclose(
        extent(row(30, position=(15, 0, 0), velocity=(0, 5, 0)))[1], (29.1, 5.1, 0.1)
    )
    np.testing.assert_allclose(
        extent(row(3, position=(0, 0, 0), velocity=(0, 99, 0)))[1], (2.1, 99.1, 0.1)
    )


def test_a_fall_of_all_is_seen_from_its_start():
    """However short it is: 2 s of the 100 that the film lasts."""
    world = rc.World(gravity=(0, 0, -10))
    world.add_plane()
    world.add_sphere(radius=0.5, mass=1.0, position=(0, 0, 20))
    low, high = extent(rc.simulate(world, until=100.0, step=0.05))
    assert (low[2], high[2]) == pytest.approx((0.0, 20.5), abs=1e-6)


def test_walls_are_made_room_for_and_grounds_are_not():
    world = rc.World()
    world.add_sphere(radius=0.1, mass=1.0)
    world.add_sphere(radius=0.1, mass=1.0, position=(1, 0, 0))
    wall = world.add_box(size=(0.2, 1, 1), fixed=True, position=(1.2, 0, 0.4))
    world.add_box(size=(100, 100, 1), fixed=True, position=(0, 0, -1))
    world.add_box(size=(1, 1, 1), fixed=True, position=(50, 0, 0))
    run = rc.simulate(world, until=0.1, step=0.1)
    half = np.array([0.1, 0.5, 0.5])
    points = surroundings(run, extent(run))
    np.testing.assert_allclose(points.min(axis=0), wall.position - half, atol=1e-12)
    np.testing.assert_allclose(points.max(axis=0), wall.position + half, atol=1e-12)


def test_the_extent_where_little_is_to_be_seen():
    def box_of(world):
        return np.array(extent(rc.simulate(world, until=0.1, step=0.1)))

    world = rc.World()
    np.testing.assert_array_equal(box_of(world), [[-1] * 3, [1] * 3])
    world.add_plane(point=(5, 0, 0))
    np.testing.assert_array_equal(box_of(world), [[4, -1, -1], [6, 1, 1]])
    world.add_sphere(radius=2.0, fixed=True)
    np.testing.assert_array_equal(box_of(world), [[-2] * 3, [2] * 3])
    world.add_capsule(radius=1.0, length=4.0, fixed=True, velocity=(10, 0, 0))  # driven: it moves
    np.testing.assert_allclose(box_of(world), [[-3] * 3, [4, 3, 3]], atol=1e-12)
