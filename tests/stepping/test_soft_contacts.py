"""Compliant contacts against elastic statics and oscillators in closed form."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import rollcone as rc

sys.path.insert(0, str(Path(__file__).parents[1] / "mechanics"))
from elastic_shares import shares

G = 9.81
STEEL = rc.HertzMindlin(young=210e9, poisson=0.3)


def world_with(law: rc.ContactLaw, gravity=(0, 0, -G)) -> rc.World:
    world = rc.World(gravity=gravity)
    world.set_contact_law(law)
    return world


def last_normals(run: rc.Run) -> np.ndarray:
    return run.contacts(-1).reaction[:, 0]


@pytest.mark.parametrize("scheme", [rc.GapAhead(), rc.DVI()])
@pytest.mark.parametrize("h", [1e-3, 1e-2])
def test_a_ball_sinks_in_as_hertz_says(scheme, h):
    """delta = (9 N^2 / (16 E*^2 R))^(1/3), whatever the step."""
    world = world_with(rc.ContactLaw(compliance=STEEL))
    world.add_plane()
    ball = world.add_sphere(radius=0.01, mass=1.0, position=(0, 0, 0.01))
    run = rc.simulate(world, until=200 * h, step=h, scheme=scheme)
    modulus = 210e9 / (2 * (1 - 0.3**2))
    depth = (9 * G**2 / (16 * modulus**2 * 0.01)) ** (1 / 3)
    assert run.converged
    assert 0.01 - run.body(ball).position[-1, 2] == pytest.approx(depth, rel=1e-9)
    assert last_normals(run)[0] == pytest.approx(G, rel=1e-12)


def test_a_plate_on_many_springs():
    """Eight supports carry a plate whose weight is not in their middle: a plane of reactions."""
    world = world_with(rc.ContactLaw(sliding=0.3, compliance=1e-7))
    x = np.array([-1.0, -0.2, 0.5, 1.0, -1.0, -0.2, 0.5, 1.0])
    y = np.repeat([-0.4, 0.4], 4)
    for place in zip(x, y, strict=True):
        world.add_sphere(radius=0.1, fixed=True, position=(*place, -0.1))
    world.add_box(size=(2.4, 1.2, 0.2), mass=100.0, position=(0.05, 0.1, 0.1))
    run = rc.simulate(world, until=1.0, step=5e-3)
    A = np.stack([np.ones(8), x, y])
    plane = np.linalg.solve(A @ A.T, 100 * G * np.array([1.0, 0.05, 0.1]))
    # The supports themselves move sideways by a ten-thousandth of a millimetre as the plate tilts.
    np.testing.assert_allclose(last_normals(run), plane @ A, rtol=1e-6)
    assert run.converged


def test_hertz_shares_of_an_eccentric_load():
    """Balls of unequal radius below a plate: loads as the nonlinear elastic problem has them."""
    world = world_with(rc.ContactLaw(sliding=0.2, compliance=STEEL))
    places = np.array([(-1.0, -0.5), (-0.2, 0.4), (0.3, -0.4), (0.9, 0.5), (0.1, 0.0)])
    radii = np.array([0.05, 0.08, 0.06, 0.05, 0.07])
    for (x, y), r in zip(places, radii, strict=True):
        world.add_sphere(radius=r, fixed=True, position=(x, y, -r))
    center = (0.1, 0.05)
    world.add_box(size=(3, 2, 0.2), mass=500.0, position=(*center, 0.1))
    run = rc.simulate(world, until=1.0, step=5e-3)
    K = 4 / 3 * STEEL.normal_modulus * np.sqrt(radii)
    positions = np.column_stack([places - center, np.zeros(5)])
    up = np.tile([0.0, 0.0, 1.0], (5, 1))
    _, _, loads = shares(positions, up, K, (0, 0, -500 * G))
    np.testing.assert_allclose(last_normals(run), loads, rtol=1e-6)
    assert last_normals(run).sum() == pytest.approx(500 * G, rel=1e-12)


def test_friction_holds_by_its_spring_and_does_not_creep():
    """A ball that cannot turn, pushed by less than friction holds: it moves by F C_t, and stays."""
    world = world_with(rc.ContactLaw(sliding=0.5, compliance=(1e-6, 2e-6)), (3.0, 0, -G))
    world.add_plane()
    ball = world.add_sphere(radius=0.1, mass=2.0, inertia=(1e18,) * 3, position=(0, 0, 0.1))
    run = rc.simulate(world, until=4.0, step=5e-3)
    place = run.body(ball).position[:, 0]
    assert place[-1] == pytest.approx(2.0 * 3.0 * 2e-6, rel=1e-6)
    assert abs(place[-1] - place[len(place) // 2]) < 1e-15


def test_it_slides_beyond_the_limit():
    """With the acceleration g_x - mu g_z of a rigid contact."""
    world = world_with(rc.ContactLaw(sliding=0.2, compliance=(1e-7, 2e-7)), (3.0, 0, -G))
    world.add_plane()
    ball = world.add_sphere(radius=0.1, mass=2.0, inertia=(1e18,) * 3, position=(0, 0, 0.1))
    run = rc.simulate(world, until=1.0, step=5e-3)
    speed = run.body(ball).velocity[:, 0]
    rate = (speed[-1] - speed[100]) / (run.time[-1] - run.time[100])
    assert rate == pytest.approx(3.0 - 0.2 * G, rel=1e-9)


def test_a_soft_ball_bounces_in_closed_form():
    """Contact time and rebound of a mass on a spring, where the step shows them."""
    compliance, mass, speed = 1e-4, 1.0, 2.0
    world = world_with(rc.ContactLaw(compliance=compliance), (0, 0, 0))
    world.add_plane()
    ball = world.add_sphere(
        radius=0.1, mass=mass, position=(0, 0, 0.1 + 1e-9), velocity=(0, 0, -speed)
    )
    h = 1e-3
    run = rc.simulate(world, until=0.1, step=h)
    track = run.body(ball)
    w = math.sqrt(1 / (compliance * mass))
    assert track.velocity[-1, 2] == pytest.approx(speed, rel=1e-3)
    assert 0.1 - track.position[:, 2].min() == pytest.approx(speed / w, rel=5e-3)
    inside = np.flatnonzero(track.position[:, 2] < 0.1)
    assert (inside[-1] - inside[0]) * h == pytest.approx(math.pi / w, abs=2.1 * h)


@pytest.mark.parametrize("compliance", [1e-12, 1e-9, STEEL])
def test_a_stiff_ball_does_not_gain_energy(compliance):
    """Too stiff for the step to show its rebound: it stays where it fell, and no deeper."""
    world = world_with(rc.ContactLaw(sliding=0.3, compliance=compliance))
    world.add_plane()
    ball = world.add_sphere(radius=0.05, mass=1.0, position=(0, 0, 0.5), velocity=(1, 0, 0))
    run = rc.simulate(world, until=1.5, step=5e-3)
    energy = run.energy.kinetic + run.energy.potential
    assert np.diff(energy).max() < 1e-5 * energy[0]  # what its spring gives back
    height = run.body(ball).position[run.time > 0.6, 2]
    assert np.abs(height - 0.05).max() < 1e-4
    assert np.abs(run.body(ball).velocity[-1, 2]) < 1e-9


def test_rigid_as_compliance_goes_to_zero():
    """A box slides to a stop as a rigid one does."""
    stops = []
    for compliance in (0.0, 1e-10):
        world = world_with(rc.ContactLaw(sliding=0.4, compliance=compliance))
        world.add_plane()
        box = world.add_box(size=(1, 1, 0.1), mass=1.0, position=(0, 0, 0.05), velocity=(2, 0, 0))
        run = rc.simulate(world, until=1.0, step=5e-3)
        stops.append(run.body(box).position[-1, 0])
    assert stops[1] == pytest.approx(stops[0], rel=1e-4)
    assert stops[0] == pytest.approx(4 / (2 * 0.4 * G), rel=1e-3)


@pytest.mark.parametrize("scheme", [rc.MoreauJean(), rc.MoreauMidpoint()])
def test_schemes_that_do_not_know_gaps_refuse(scheme):
    world = world_with(rc.ContactLaw(compliance=1e-7))
    world.add_sphere(radius=0.1, mass=1.0)
    with pytest.raises(rc.InputError, match=f"compliance: {scheme.name}"):
        rc.simulate(world, until=0.1, step=0.01, scheme=scheme)
