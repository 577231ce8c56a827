"""A ball that rolls from one level box to the next, over the seam between them."""

import numpy as np
import pytest

import rollcone as rc

RADIUS, SPEED, STEP = 0.1, 3.0, 5e-3
SCHEMES = {
    "GapAhead": rc.GapAhead(),
    "MoreauJean": rc.MoreauJean(theta=0.5),
    "MoreauMidpoint": rc.MoreauMidpoint(),
    "DVI": rc.DVI(),
}


@pytest.mark.parametrize("degrees", [0, 20])
@pytest.mark.parametrize("name", SCHEMES)
def test_ball_over_a_seam(name, degrees):
    """It does not rise, wherever the seam lies in its step."""
    way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0])
    for share in np.linspace(0.0, 1.0, 11):
        world = rc.World(gravity=(0, 0, -9.81))
        world.set_contact_law(rc.ContactLaw(sliding=0.5))
        for side in (-1, 1):
            world.add_box(size=(2, 2, 0.2), fixed=True, position=(side, 0, -0.1))
        ball = world.add_sphere(
            radius=RADIUS, density=1000, position=(-0.1 - share * STEP * SPEED, 0, RADIUS),
            velocity=SPEED * way, angular_velocity=SPEED / RADIUS * np.cross([0, 0, 1], way),
        )  # fmt: skip
        run = rc.simulate(world, until=0.1, step=STEP, scheme=SCHEMES[name])
        track = run.body(ball)
        assert track.position[-1, 0] > 0.1
        assert track.position[:, 2].max() - RADIUS < 1e-4 * RADIUS
        assert abs(track.velocity[-1, 0] - SPEED * way[0]) < 1e-3 * SPEED
