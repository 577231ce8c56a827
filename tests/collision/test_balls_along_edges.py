"""A ball that goes along an edge of a box: which normal serves, and that none lets it in."""

from dataclasses import replace

import numpy as np
import pytest
from collision_cases import body, detect, nearest_on_box, random_turn, scene

from rollcone.collision.shapes import BOX

RADIUS, HORIZON = 0.1, 5e-3


def at_edge(before: float, height: float, velocity):
    """A ball `before` the edge x = 0 of a box with its top at z = 0, its lowest point at `height`;
    returns its contact with the box."""
    ball = body(size=RADIUS, at=(-before, 0, RADIUS + height), velocity=velocity)
    box = body(BOX, (1.0, 1.0, 0.1), (1.0, 0, -0.1))
    return detect(scene(ball, box), horizon=HORIZON)


@pytest.mark.parametrize("before", [1e-3, 5e-3, 0.012])
def test_level_with_the_top(before):
    """Rolling on, or falling a little on the way: the top carries it, and is there already."""
    for velocity in ((3, 0, 0), (3, 0, -0.02), (3, 2, -0.02)):
        contacts = at_edge(before, 0.0, velocity)
        np.testing.assert_allclose(contacts.normal, [[0, 0, -1]], atol=1e-15)
        np.testing.assert_allclose(contacts.gap, 0.0, atol=1e-15)


@pytest.mark.parametrize("step", [1e-5, 1e-3, 0.05])
def test_step_up(step):
    """An edge that stands in the way is met where it is, with its own normal."""
    contacts = at_edge(0.01 + np.sqrt(RADIUS**2 - (RADIUS - step) ** 2), -step, (3, 0, 0))
    away = np.array([np.sqrt(RADIUS**2 - (RADIUS - step) ** 2), 0, step - RADIUS]) / RADIUS
    np.testing.assert_allclose(contacts.normal, [away], atol=6e-3 * away[0])


def test_steep_way():
    """What comes down on an edge is met there."""
    slant = np.sqrt(0.5) * RADIUS
    contacts = at_edge(slant + 2e-3, slant + 2e-3 - RADIUS, (3, 0, -3))
    np.testing.assert_allclose(contacts.normal, [[np.sqrt(0.5), 0, -np.sqrt(0.5)]], atol=2e-3)


def test_way_that_ends_beyond_the_box():
    """Over a narrow box and down again: the edge is met, since the end shows nothing of it."""
    ball = body(size=RADIUS, at=(-5e-3, 0, RADIUS - 1e-5), velocity=(3, 0, 0))
    contacts = detect(scene(ball, body(BOX, (1e-3, 1, 0.1), (1e-3, 0, -0.1))), horizon=HORIZON)
    assert contacts.normal[0, 0] > 1e-3


@pytest.mark.parametrize("seed", range(10))
def test_closing_the_gap_lets_nothing_in(seed):
    """With u_n+ = -gap / h along the normal, a ball past an edge never overlaps the box."""
    rng = np.random.default_rng(seed)
    box = body(BOX, rng.uniform(0.02, 0.3, 3), turn=random_turn(rng))
    for _ in range(60):
        way = rng.normal(size=3)
        ball = body(size=RADIUS, at=way / np.linalg.norm(way))
        y = nearest_on_box(ball.position[0], box)
        n = (ball.position[0] - y) / np.linalg.norm(ball.position[0] - y)
        ball = replace(ball, position=np.array([y + n * (RADIUS + 10 ** rng.uniform(-6, -2))]))
        along = np.cross(n, rng.normal(size=3))
        velocity = 5.0 * along / np.linalg.norm(along) - rng.uniform(0, 1) * n
        contacts = detect(scene(replace(ball, velocity=velocity[None]), box), horizon=HORIZON)
        if not len(contacts):
            continue
        out, gap = -contacts.normal[0], contacts.gap[0]
        velocity += out * max(0.0, -gap / HORIZON - out @ velocity)
        for t in np.linspace(0.0, HORIZON, 20):
            x = ball.position[0] + t * velocity
            assert np.linalg.norm(x - nearest_on_box(x, box)) - RADIUS > -3e-7
