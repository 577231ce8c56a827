"""What counts as touching, and gaps that turning leaves."""

import numpy as np
import pytest

import rollcone as rc


@pytest.mark.parametrize("gap", [5e-8, -5e-8])
def test_what_counts_as_touching_stays(gap):
    """1e-6 of the radius, above or below: neither pulled nor pushed."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    ball = world.add_sphere(radius=0.1, mass=1, position=(0, 0, 0.1 + gap))
    track = rc.simulate(world, until=0.2, step=0.01).body(ball)
    np.testing.assert_allclose(track.position[:, 2] - 0.1, gap, atol=1e-15)


def test_a_gap_that_turning_leaves_is_closed_again():
    """A ball runs over a ball: the way of the mean velocity is a chord, not an arc."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_sphere(radius=0.5, fixed=True)
    ball = world.add_sphere(radius=0.1, mass=1, position=(0, 0, 0.6), velocity=(0.6, 0, 0))
    track = rc.simulate(world, until=0.3, step=0.01).body(ball)
    gap = np.linalg.norm(track.position, axis=1) - 0.6
    assert 1e-7 < gap.max() < 2.5e-5
