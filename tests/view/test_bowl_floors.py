"""Lines and shadows on bowls: where they are on the sphere."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.view.bowl_floors import cast, net, opening_of
from rollcone.view.surfaces import groups


def test_lines_are_on_the_cap():
    lines = net(0.7)
    away = np.linalg.norm(lines - (0, 0, 1), axis=-1)
    np.testing.assert_allclose(away, 1.0, rtol=1e-14)
    slope = np.arccos(1 - lines[..., 2])
    assert slope.max() == pytest.approx(0.7)
    assert slope.min() == 0.0
    assert np.linalg.norm(lines[:, 0] - lines[:, 1], axis=1).max() < 0.7 * 2 * np.pi / 90


def test_opening():
    world = rc.World()
    world.add_bowl(radius=2.0)
    (bowl,) = groups(world, half_width=1.0)
    assert opening_of(bowl) == pytest.approx(np.pi / 6)


def test_shadows_are_along_the_light_on_the_sphere():
    random = np.random.default_rng(1)
    light = np.array([-0.6, 0.0, 0.8])
    centre, points = np.array([1.0, 2.0, 3.0]), random.uniform(-1, 1, (50, 3))
    found = cast(centre + points, centre, 2.0, light)
    np.testing.assert_allclose(np.linalg.norm(found - centre, axis=1), 2.0)
    way = centre + points - found
    np.testing.assert_allclose(np.cross(way, light), 0.0, atol=1e-14)
    assert (way @ light > 0).all()  # the light comes to the points first
