"""Cylinders, disks, balls, boxes and ellipsoids that rest and roll, on planes and in bowls."""

import numpy as np
import pytest

import rollcone as rc
from scenes import G, floor_world

STICKS = rc.ContactLaw(sliding=5.0)
ON_ITS_SIDE = rc.rotation((1, 0, 0), 90)


def bowl_world(radius, law=STICKS):
    world = rc.World(gravity=(0, 0, -G))
    world.add_bowl(radius=radius)
    world.set_contact_law(law)
    return world


def check_rest(world, contacts, until=0.3):
    """Nothing moves, and normal forces carry all of the weight: none of it hangs on friction."""
    before = world.copy()
    run = rc.simulate(world, until=until, step=0.01)
    assert np.abs(run.states("position")[-1] - before.state.position).max() < 1e-9
    assert np.abs(run.states("orientation")[-1] - before.state.orientation).max() < 1e-9
    last = run.contacts(-1)
    assert len(last) == contacts
    side = np.where(world.state.mass[last.bodies[:, 1]] > 0, 1.0, -1.0)
    lifted = (side * last.reaction[:, 0] * last.normal[:, 2]).sum()
    assert lifted == pytest.approx(G * world.state.mass.sum(), rel=1e-6)


def test_cylinders_at_rest():
    world = floor_world(STICKS)
    size = {"radius": 0.2, "height": 0.6, "density": 1000.0}
    world.add_cylinder(**size, position=(0, 0, 0.3))
    world.add_cylinder(**size, position=(2, 0, 0.2), orientation=ON_ITS_SIDE)
    check_rest(world, 5)


@pytest.mark.parametrize("edge", [0.0, 0.05])
def test_a_cylinder_rolls(edge):
    """Straight on, for ever, with all of its energy."""
    world = floor_world(STICKS)
    body = world.add_disk(
        radius=0.2, thickness=0.6, edge_radius=edge, density=1000.0, position=(0, 0, 0.2),
        orientation=ON_ITS_SIDE, velocity=(1, 0, 0), angular_velocity=(0, 5, 0),
    )  # fmt: skip
    run = rc.simulate(world, until=1.0, step=0.01)
    np.testing.assert_allclose(run.body(body).position[-1], (1, 0, 0.2), atol=1e-9)
    np.testing.assert_allclose(run.body(body).velocity[-1], (1, 0, 0), atol=1e-9)


@pytest.mark.parametrize("edge", [0.0, 0.05])
def test_a_cylinder_falls_over(edge):
    """Beyond its balance, from its rim onto its side, without a gain of energy."""
    world = floor_world(rc.ContactLaw(sliding=0.5, rolling=0.01))
    tilt = np.arctan(0.2 / 0.3) + 0.05
    height = 0.2 * np.sin(tilt) + 0.3 * np.cos(tilt)
    body = world.add_disk(
        radius=0.2, thickness=0.6, edge_radius=edge, density=1000.0, position=(0, 0, height),
        orientation=rc.rotation((0, 1, 0), np.degrees(tilt)),
    )  # fmt: skip
    run = rc.simulate(world, until=3.0, step=0.005)
    track, energy = run.body(body), run.energy.kinetic + run.energy.potential
    assert track.position[-1, 2] == pytest.approx(0.2, abs=1e-5)
    assert len(run.contacts(-1)) == 2
    assert energy.max() < (1 + 2e-4) * energy[0]
    assert track.position[:, 2].min() > 0.2 - 1e-4


@pytest.mark.parametrize("size", [{}, {"thickness": 0.1}, {"thickness": 0.1, "edge_radius": 0.02}])
def test_a_disk_lies_in_a_bowl(size):
    """On three points of its rim, at the height of its circle in the sphere."""
    R, r, e = 1.0, 0.3, size.get("edge_radius", 0.0)
    height = R - np.sqrt((R - e) ** 2 - (r - e) ** 2) + 0.5 * size.get("thickness", 0.0) - e
    world = bowl_world(R, rc.ContactLaw())
    world.add_disk(radius=r, mass=1.0, position=(0, 0, height), **size)
    check_rest(world, 3)


def test_a_box_stands_in_a_bowl():
    world = bowl_world(1.0, rc.ContactLaw())
    a, b, c = 0.4, 0.3, 0.2
    height = 1.0 - np.sqrt(1.0 - (a**2 + b**2) / 4) + c / 2
    world.add_box(size=(a, b, c), mass=1.0, position=(0, 0, height))
    check_rest(world, 4)


def crossings(time, x):
    """Times when x changes its sign, by straight lines."""
    k = np.flatnonzero(x[:-1] * x[1:] < 0)
    return time[k] - x[k] * (time[k + 1] - time[k]) / (x[k + 1] - x[k])


def swung(world, body, until, step=0.002):
    """Period of its motion along x, and the spread of its energy."""
    run = rc.simulate(world, until=until, step=step)
    times = crossings(run.time, run.body(body).position[:, 0])
    energy = run.energy.kinetic + run.energy.potential
    return 2 * np.diff(times).mean(), np.ptp(energy) / np.ptp(run.energy.kinetic)


@pytest.mark.parametrize(
    ("sliding", "share"), [(5.0, 7 / 5), (0.0, 1.0)], ids=["rolling", "without friction"]
)
def test_a_ball_swings_in_a_bowl(sliding, share):
    """T = 2 pi sqrt(7/5 (R - r) / g), and (1 + angle^2 / 16) times that."""
    R, r, angle = 1.0, 0.2, 0.1
    world = bowl_world(R, rc.ContactLaw(sliding=sliding))
    place = (0, 0, R) + (R - r) * np.array([np.sin(angle), 0, -np.cos(angle)])
    ball = world.add_sphere(radius=r, mass=1.0, position=place)
    period, spread = swung(world, ball, 3.0)
    expected = 2 * np.pi * np.sqrt(share * (R - r) / G) * (1 + angle**2 / 16)
    assert period == pytest.approx(expected, rel=2e-4)
    assert spread < 2e-3


def test_an_ellipsoid_rocks():
    """T = 2 pi sqrt((J + m c^2) / (m g (a^2 / c - c))) on its flat side."""
    a, b, c, angle = 0.3, 0.2, 0.15, 0.01
    world = floor_world(STICKS)
    height = np.hypot(a * np.sin(angle), c * np.cos(angle))
    egg = world.add_ellipsoid(
        semi_axes=(a, b, c), mass=1.0, position=(0, 0, height),
        orientation=rc.rotation((0, 1, 0), np.degrees(angle)),
    )  # fmt: skip
    run = rc.simulate(world, until=3.0, step=0.002)
    times = crossings(run.time, run.body(egg).orientation[:, 2])
    inertia = (a**2 + c**2) / 5
    expected = 2 * np.pi * np.sqrt((inertia + c**2) / (G * (a**2 / c - c)))
    assert 2 * np.diff(times).mean() == pytest.approx(expected, rel=5e-4)
    energy = run.energy.kinetic + run.energy.potential
    assert np.ptp(energy) < 2e-3 * np.ptp(run.energy.kinetic)


def test_an_ellipsoid_at_rest():
    world = floor_world(STICKS)
    world.add_ellipsoid(semi_axes=(0.3, 0.2, 0.15), mass=1.0, position=(0, 0, 0.15))
    check_rest(world, 1)


def test_a_driven_bowl():
    """What rests in it goes along."""
    world = rc.World(gravity=(0, 0, -G))
    world.add_bowl(radius=1.0, velocity=(0.5, 0, 0))
    world.set_contact_law(STICKS)
    ball = world.add_sphere(radius=0.2, mass=1, position=(0, 0, 0.2), velocity=(0.5, 0, 0))
    run = rc.simulate(world, until=0.5, step=0.01)
    np.testing.assert_allclose(run.body(ball).position[-1], (0.25, 0, 0.2), atol=1e-9)
