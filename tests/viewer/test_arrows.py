"""Contact forces: they must be what moved the bodies."""

import numpy as np
import pytest
from viewer_cases import momentum_change, table_run

import rollcone as rc
from rollcone.analysis.forces import contact_forces
from rollcone.viewer.arrows import arrows, body_size, length_unit


@pytest.mark.parametrize("body", ["ball", "box"])
@pytest.mark.parametrize("moment", [1, 20, 79])
def test_forces_move_bodies(body, moment):
    """Newton's second law, in world axes, for a ball that rolls and a box that slides."""
    run = table_run()
    contacts = run.contacts(moment)
    on = contacts.bodies == run.world.number_of(body)
    sign = on[:, 1].astype(float) - on[:, 0]
    total = (sign[:, None] * contact_forces(contacts)).sum(axis=0)
    np.testing.assert_allclose(total, momentum_change(run, body, moment), atol=1e-9)
    assert total[2] > 1.0


def test_arrows_begin_at_contacts_and_the_strongest_come_first():
    run = table_run()
    contacts = run.contacts(20)
    force = contact_forces(contacts)
    found = arrows(run, 20, 0.5)
    assert found.acting == len(found.segments) == 5  # the ball, and four corners of the box
    way = found.segments[:, 1] - found.segments[:, 0]
    length = np.linalg.norm(way, axis=1)
    assert (np.diff(length) <= 0).all()
    for tail, head in found.segments:
        k = np.flatnonzero((contacts.point == tail).all(axis=1))[0]
        np.testing.assert_allclose(head - tail, 0.5 * force[k])
    few = arrows(run, 20, 0.5, most=2)
    assert few.acting == 5
    np.testing.assert_array_equal(few.segments, found.segments[:2])


def test_no_contacts_no_arrows():
    run = table_run()
    assert len(run.contacts(0)) == 0
    found = arrows(run, 0, 1.0)
    assert found.segments.shape == (0, 2, 3)
    assert found.acting == 0


def test_length_unit():
    """The ball's weight, 20 N, is the strongest force; its arrow is as long as bodies are wide."""
    run = table_run()
    assert body_size(run) == pytest.approx(0.4)  # in the middle of 0.25, 0.3, 0.5 and 0.6
    assert 0.5 < length_unit(run) * 20.0 / (2 * body_size(run)) < 1.5


def test_length_unit_without_forces():
    world = rc.World()
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0))
    assert length_unit(rc.simulate(world, until=0.02, step=0.01)) == 1.0
