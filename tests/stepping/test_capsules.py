"""Capsules in motion and at rest: closed forms of rolling, standing, lying, carrying."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import rollcone as rc
from rollcone.mechanics.inertia import capsule_moments
from scenes import G, floor_world

R, LENGTH, H = 0.1, 0.4, 5e-3
LYING = (np.sqrt(0.5), 0, np.sqrt(0.5), 0)  # z axis to x
LAW = rc.ContactLaw(sliding=0.6)


def weights(run, body, normal=(0, 0, 1)):
    """Reactions along the normal of each contact of the body in the last step."""
    last = run.contacts(-1)
    mine = (last.bodies == body.id).any(axis=1)
    assert np.abs(last.normal[mine] @ normal).min() > 0.999
    return last.reaction[mine, 0]


@pytest.mark.parametrize(
    "scheme", [rc.GapAhead(), rc.MoreauJean(), rc.DVI()], ids=lambda s: type(s).__name__
)
def test_rolling_down_an_incline(scheme):
    """a = g sin / (1 + J / (m r^2)), J about the axis; both ends carry half of the weight."""
    slope, until = 0.3, 0.5
    world = rc.World(gravity=(0, G * np.sin(slope), -G * np.cos(slope)))
    world.add_plane()
    world.set_contact_law(LAW)
    rod = world.add_capsule(radius=R, length=LENGTH, mass=2, orientation=LYING, position=(0, 0, R))
    run = rc.simulate(world, until=until, step=H, scheme=scheme)
    speed_up = G * np.sin(slope) / (1 + capsule_moments(R, LENGTH)[2] / R**2)
    track = run.body(rod)
    assert track.velocity[-1, 1] == pytest.approx(speed_up * until, rel=1e-9)
    np.testing.assert_allclose(
        track.position[:, 1], 0.5 * speed_up * run.time**2, atol=H * speed_up * until
    )
    assert track.angular_velocity[-1, 0] == pytest.approx(-speed_up * until / R, rel=1e-9)
    np.testing.assert_allclose(track.position[:, [0, 2]], [(0, R)] * len(run.time), atol=1e-9)
    np.testing.assert_allclose(weights(run, rod), 0.5 * 2 * G * np.cos(slope), rtol=1e-9)


def test_rest_is_rest():
    """On a floor, on a box and overhanging it, along another capsule: nothing moves."""
    world = floor_world(LAW)
    lying = {"radius": R, "length": LENGTH, "mass": 2, "orientation": LYING}
    fixed = {"fixed": True, "orientation": LYING}
    world.add_box(size=(1, 1, 1), fixed=True, position=(0, 3, 0.5))
    world.add_capsule(radius=0.5, length=1, position=(0, 6, 0.5), **fixed)
    rods = [
        world.add_capsule(**lying, position=place)
        for place in ((0, 0, R), (0, 3, 1 + R), (0.45, 3.3, 1 + R), (0.05, 6, 1 + R))
    ]
    start = world.copy()
    run = rc.simulate(world, until=2.0, step=H)
    for rod in rods:
        track, before = run.body(rod), start.body(rod)
        assert np.abs(track.position - before.position).max() < 1e-12
        assert np.abs(track.orientation - before.orientation).max() < 1e-12
        total = weights(run, rod).sum()
        assert total == pytest.approx(2 * G, rel=1e-9)
    np.testing.assert_allclose(weights(run, rods[0]), G, rtol=1e-9)
    np.testing.assert_allclose(weights(run, rods[1]), G, rtol=1e-9)
    # The part on the box reaches from 0.25 to 0.5 about the centre at 0.45: 0.05 and 0.2 from it.
    np.testing.assert_allclose(np.sort(weights(run, rods[2])), [0.4 * G, 1.6 * G], rtol=1e-9)


@pytest.mark.parametrize("push", [0.0, 0.3])
def test_standing_on_its_end(push):
    """Upright it stays; pushed it falls, and comes to lie."""
    world = floor_world(LAW)
    rod = world.add_capsule(
        radius=R, length=LENGTH, mass=2, position=(0, 0, R + LENGTH / 2),
        angular_velocity=(push, 0, 0),
    )  # fmt: skip
    run = rc.simulate(world, until=1.5, step=H)
    track = run.body(rod)
    if push == 0.0:
        assert np.abs(track.position - (0, 0, R + LENGTH / 2)).max() < 1e-12
    else:
        upright = Rotation.from_quat(np.roll(track.orientation[-1], -1)).apply([0, 0, 1])[2]
        assert abs(upright) < 0.01
        assert track.position[-1, 2] == pytest.approx(R, abs=1e-3)
        assert track.position[:, 2].min() > R - 1e-3


def test_dropped_flat_on_a_box():
    """Two points, half the weight each, at the ends of the core."""
    world = floor_world(LAW)
    world.add_box(size=(1, 1, 0.4), fixed=True, position=(0, 0, 0.2))
    rod = world.add_capsule(
        radius=R, length=LENGTH, mass=2, orientation=LYING, position=(0.1, 0, 0.6 + R)
    )
    run = rc.simulate(world, until=0.6, step=H)
    assert run.body(rod).position[-1] == pytest.approx([0.1, 0, 0.4 + R], abs=1e-6)
    np.testing.assert_allclose(weights(run, rod), [G, G], rtol=1e-8)
    np.testing.assert_allclose(
        np.sort(run.contacts(-1).point[:, 0]), [0.1 - LENGTH / 2, 0.1 + LENGTH / 2], atol=1e-6
    )


def test_a_ball_rolls_off_a_capsule():
    """Over a fixed cylinder, without slip: it keeps its energy until it leaves it."""
    law, start = rc.ContactLaw(sliding=50.0), 0.2
    world = rc.World(gravity=(0, 0, -G))
    world.set_contact_law(law)
    world.add_capsule(radius=0.5, length=3, fixed=True, orientation=LYING)
    n = np.array([0, np.sin(start), np.cos(start)])
    ball = world.add_sphere(radius=0.1, mass=1, position=0.6 * n)
    run = rc.simulate(world, until=0.5, step=2e-3)
    track = run.body(ball)
    distance = np.linalg.norm(track.position[:, 1:], axis=1)
    on = distance < 0.6 + 1e-5
    assert on.sum() > 100
    fallen = 0.6 * np.cos(start) - track.position[:, 2]
    speed = np.sqrt(np.maximum(2 * G * fallen / 1.4, 0.0))
    np.testing.assert_allclose(np.linalg.norm(track.velocity, axis=1)[on], speed[on], atol=2e-3)
    assert distance.min() > 0.6 - 1e-5
    assert np.abs(track.position[:, 0]).max() < 1e-12


def test_two_capsules_collide_end_on():
    """Equal, elastic, in line: they exchange their velocities."""
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(restitution=1.0))
    given = {"radius": R, "length": LENGTH, "mass": 1, "orientation": LYING}
    one = world.add_capsule(**given, velocity=(2, 0, 0))
    other = world.add_capsule(**given, position=(1, 0, 0))
    run = rc.simulate(world, until=0.5, step=H)
    np.testing.assert_allclose(run.body(one).velocity[-1], 0.0, atol=1e-9)
    np.testing.assert_allclose(run.body(other).velocity[-1], (2, 0, 0), atol=1e-9)
    assert np.abs(run.body(other).angular_velocity).max() < 1e-9
