"""Recorded reactions in world axes are what moved the bodies: Newton's law, step by step."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.analysis.forces import contact_forces

STEP, G = 2e-3, np.array([0, 0, -9.81])


def rolling_over_each_other():
    """Balls and a capsule whose normals turn while they touch."""
    world = rc.World(gravity=G)
    world.add_plane()
    world.add_sphere(radius=0.3, fixed=True, position=(0, 0, 0.3))
    world.add_sphere(radius=0.1, mass=1, position=(0.02, 0.01, 0.7), velocity=(0.1, 0, 0))
    world.add_capsule(
        radius=0.1, length=0.4, mass=2, position=(1, 0, 0.35), orientation=(1, 0, 0, 0),
        angular_velocity=(1.5, 0.3, 2),
    )  # fmt: skip
    world.set_contact_law(rc.ContactLaw(sliding=0.4, rolling=0.003, spinning=0.001))
    return world


@pytest.mark.parametrize("scheme", [rc.GapAhead(), rc.DVI(), rc.MoreauJean(), rc.MoreauMidpoint()])
def test_the_sum_of_forces_is_the_change_of_momentum(scheme):
    world = rolling_over_each_other()
    run = rc.simulate(world, until=0.8, step=STEP, scheme=scheme)
    velocity, mass = run.states("velocity"), world.state.mass
    pushed = 0
    for k in range(1, len(run.time)):
        contacts = run.contacts(k)
        total = np.zeros((len(mass), 3))
        force = contact_forces(contacts)
        np.add.at(total, contacts.bodies[:, 1], force)
        np.add.at(total, contacts.bodies[:, 0], -force)
        for body in (2, 3):
            wanted = mass[body] * ((velocity[k, body] - velocity[k - 1, body]) / STEP - G)
            np.testing.assert_allclose(total[body], wanted, atol=1e-8 * mass[body] * 1e3)
            pushed += total[body].any()
    assert pushed > 300
