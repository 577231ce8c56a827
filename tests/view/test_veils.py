"""What hides what: against straight lines drawn by hand, and in a picture."""

import numpy as np
import pytest
from matplotlib.image import imread

import rollcone as rc
from rollcone.view.render import render
from rollcone.view.veils import veils

EYE = np.array([0.0, -10.0, 0.0])  # looks along y


def found(world, moments=(0,)):
    run = rc.simulate(world, until=0.1, step=0.1)
    return [world.name_of(int(k)) for k in np.flatnonzero(veils(run, EYE, moments))]


def balls(count, y=0.0):
    """In a row along x, one metre apart, from 0."""
    world = rc.World()
    world.add_plane(normal=(0, 1, 0), point=(0, -8, 0), name="plane")  # never one
    for k in range(count):
        world.add_sphere(radius=0.1, mass=1.0, position=(k, y, 0))
    return world


def test_who_stands_before_or_behind():
    world = balls(5)
    world.add_box(size=(9, 0.1, 9), fixed=True, position=(0, -1, 0), name="before")
    world.add_box(size=(9, 0.1, 9), fixed=True, position=(0, 1, 0), name="behind")
    world.add_box(size=(9, 0.1, 9), fixed=True, position=(0, -11, 0), name="behind the eye")
    world.add_box(size=(9, 0.1, 1), fixed=True, position=(0, -1, 3), name="above")
    world.add_box(size=(9, 0.1, 9), mass=1.0, position=(0, -2, 0), name="moves")
    assert found(world) == ["before"]


def test_turned_boxes_capsules_and_spheres():
    """A ball at x = 0; at half way a rod's shadow is twice as wide as the rod."""
    quarter = (np.sqrt(0.5), 0, np.sqrt(0.5), 0)  # z to x
    world = balls(1)
    world.add_box(size=(0.1, 0.1, 4), fixed=True, position=(1.9, -5, 0), name="upright")
    world.add_box(
        size=(0.1, 0.1, 4), fixed=True, position=(1.9, -5, 0), orientation=quarter, name="lying"
    )
    world.add_capsule(
        radius=0.1, length=4, fixed=True, position=(2.05, -4, 0), orientation=quarter, name="rod"
    )
    world.add_capsule(
        radius=0.1, length=4, fixed=True, position=(2.15, -3, 0), orientation=quarter, name="short"
    )
    world.add_sphere(radius=0.2, fixed=True, position=(0.15, -2, 0), name="ball")
    assert found(world) == ["lying", "rod", "ball"]


@pytest.mark.parametrize(("hidden", "names"), [(2, []), (3, ["post"])])
def test_a_tenth_may_stay_hidden(hidden, names):
    """Of twenty balls."""
    world = balls(20, y=1e4)  # all are in sight at one angle nearly: x is 1e-3 of x there
    share = (EYE[1] - -9.0) / (EYE[1] - 1e4)
    width = 2 * share * (hidden - 0.5)
    world.add_box(size=(width, 0.01, 1), fixed=True, position=(0, -9, 0), name="post")
    assert found(world) == names


def test_many_pieces_count_as_one_wall():
    """Twenty staves, each before one of twenty balls: all but two must go."""
    world = balls(20)
    for k in range(20):
        world.add_box(size=(0.5, 0.1, 1), fixed=True, position=(k, -0.1, 0), name=f"stave {k}")
    assert len(found(world)) == 18


def test_at_any_of_the_moments():
    world = balls(0)
    world.add_sphere(radius=0.1, mass=1.0, velocity=(50, 0, 0))
    world.add_box(size=(1, 0.1, 1), fixed=True, position=(5, -0.2, 0), name="wall")
    assert found(world, (0,)) == []
    assert found(world, (0, 1)) == ["wall"]


@pytest.mark.usefixtures("opengl")
def test_a_ball_in_a_box_is_seen(tmp_path):
    """In its middle the picture is orange: the ball's colour, through a wall that is blue."""
    world = rc.World(gravity=(0, 0, -10))
    world.add_plane()
    world.add_sphere(radius=0.5, mass=1.0, position=(0, 0, 0.5))
    for x, y in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        size = (2, 0.1, 1) if x == 0 else (0.1, 2, 1)
        world.add_box(size=size, fixed=True, position=(x, y, 0.5), material="wall")
    run = rc.simulate(world, until=0.01, step=0.01)
    render(run, tmp_path / "a.png", size=(160, 120), view="front", colour="material")
    red, green, blue = 255 * imread(tmp_path / "a.png")[55:65, 75:85, :3].mean(axis=(0, 1))
    assert red > green + 20 > blue + 60
