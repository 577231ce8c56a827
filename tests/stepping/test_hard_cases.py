"""Scenes without a good answer, or with numbers far from one: told, finite, and soon over."""

import numpy as np
import pytest

import rollcone as rc
from scenes import RADIUS, G, ball_on_floor, floor_world

SCHEMES = [rc.GapAhead(), rc.MoreauJean(recovery=0.2), rc.MoreauMidpoint(), rc.DVI()]


def name(scheme) -> str:
    return type(scheme).__name__


def all_finite(run: rc.Run) -> bool:
    fields = ("position", "orientation", "velocity", "angular_velocity")
    return all(np.isfinite(run.states(field)).all() for field in fields) and bool(
        np.isfinite(run.energy.remainder).all()
    )


@pytest.mark.parametrize("scheme", SCHEMES, ids=name)
def test_a_ball_jammed_between_two_planes(scheme):
    """No place is free of overlap: steps do not converge, and the summary says so."""
    world = floor_world(rc.ContactLaw(sliding=0.3))
    world.add_plane(normal=(0, 0, -1), point=(0, 0, 0.9))
    world.add_sphere(radius=0.5, mass=1, position=(0, 0, 0.45))
    run = rc.simulate(world, until=0.1, step=0.01, scheme=scheme, max_iterations=50)
    assert all_finite(run)
    assert np.abs(run.states("velocity")).max() < 20  # overlap / h is 5 m/s on either side
    assert run.overlap.max() == pytest.approx(0.05, rel=0.2)
    if scheme.recovery:
        assert not run.converged
        assert "steps did not converge" in run.summary()
        with pytest.raises(rc.SimulationError, match=r"at t = 0\.01 s: .*residual"):
            rc.simulate(world, until=0.1, step=0.01, scheme=scheme, max_iterations=50, strict=True)


def test_balls_in_the_very_same_place():
    world = floor_world(rc.ContactLaw(sliding=0.3))
    for _ in range(3):
        world.add_sphere(radius=0.5, mass=1, position=(0, 0, 3))
    run = rc.simulate(world, until=0.2, step=0.01)
    assert all_finite(run)
    assert run.overlap.max() == pytest.approx(1.0)
    apart = rc.simulate(world, until=0.2, step=0.01, scheme=rc.GapAhead(projection=True))
    assert all_finite(apart)
    x = apart.states("position")[-1, 1:]
    distances = [np.linalg.norm(x[i] - x[j]) for i in range(3) for j in range(i)]
    assert min(distances) > 0.99


def test_endless_friction():
    """mu = 1e6: the ball rolls at 5/7 of its speed after one step, and is held on any slope."""
    world, ball = ball_on_floor(rc.ContactLaw(sliding=1e6), velocity=(1, 0, 0))
    run = rc.simulate(world, until=0.5, step=0.01)
    assert run.converged
    np.testing.assert_allclose(run.body(ball).velocity[1:, 0], 5 / 7, rtol=1e-9)


@pytest.mark.parametrize("ratio", [1e3, 1e9])
def test_a_light_ball_on_a_heavy_one(ratio):
    """The easy way up: to rest, with the weight of each in the reactions."""
    world = floor_world(rc.ContactLaw(sliding=0.3))
    world.add_sphere(radius=0.5, mass=ratio, position=(0, 0, 0.5))
    world.add_sphere(radius=0.5, mass=1, position=(0, 0, 1.5))
    run = rc.simulate(world, until=0.1, step=0.01)
    assert run.converged
    np.testing.assert_allclose(run.contacts(-1).reaction[:, 0], [(ratio + 1) * G, G], rtol=1e-5)


def test_a_heavy_ball_on_a_light_one():
    """The hard way up: converged to the truth, or told."""
    world = floor_world(rc.ContactLaw(sliding=0.3))
    world.add_sphere(radius=0.5, mass=1e-3, position=(0, 0, 0.5))
    world.add_sphere(radius=0.5, mass=1e6, position=(0, 0, 1.5))
    run = rc.simulate(world, until=0.05, step=0.01, max_iterations=100)
    assert all_finite(run)
    if run.converged:
        np.testing.assert_allclose(run.states("position")[-1, 1:, 2], [0.5, 1.5], atol=1e-5)
    else:
        assert "did not converge" in run.summary()


@pytest.mark.parametrize("h", [1e-13, 1e-9, 10.0, 1e4])
def test_steps_far_from_one(h):
    """A ball that slides: exact at tiny steps, at rest (and finite) after one huge one."""
    world, ball = ball_on_floor(rc.ContactLaw(sliding=0.2, rolling=0.04), velocity=(2.5, 0, 0))
    run = rc.simulate(world, until=20 * h, step=h)
    assert all_finite(run)
    track = run.body(ball)
    np.testing.assert_allclose(track.position[:, 2], RADIUS, atol=1e-6)
    if h < 1:
        np.testing.assert_allclose(track.velocity[-1, 0], 2.5 - 0.2 * G * 20 * h, rtol=1e-14)
    else:
        assert np.abs(track.velocity[1:]).max() < 1e-9 * h


def test_a_fall_at_a_huge_step_ends_on_the_floor():
    world, ball = ball_on_floor(height=3.0)
    track = rc.simulate(world, until=1e4, step=1e3).body(ball)
    assert abs(track.position[-1, 2] - RADIUS) < 1e-5
    assert track.position[:, 2].min() > RADIUS - 1e-5


@pytest.mark.parametrize("unit", [1e-3, 1e3])
def test_units_do_not_matter(unit):
    """The same scene in millimetres or kilometres, and in other units of mass and time."""
    paths = []
    for length, mass, time in ((1.0, 1.0, 1.0), (unit, unit**-2, unit**0.5)):
        world = rc.World(gravity=(0, 0, -G * length / time**2))
        world.add_plane()
        ball = world.add_sphere(
            radius=0.5 * length,
            mass=2 * mass,
            position=(0, 0, 0.7 * length),
            velocity=(2 * length / time, 0, 0),
            angular_velocity=(1 / time, 2 / time, 3 / time),
        )
        world.set_contact_law(
            rc.ContactLaw(sliding=0.2, rolling=0.01 * length, spinning=0.01 * length)
        )
        run = rc.simulate(world, until=1.0 * time, step=0.01 * time)
        assert run.converged
        paths.append(run.body(ball).position / length)
    np.testing.assert_allclose(paths[0], paths[1], atol=1e-9)


def test_a_ball_far_away_and_a_ball_at_great_speed():
    world, ball = ball_on_floor(rc.ContactLaw(sliding=0.2), position=(1e9, 0, RADIUS + 1))
    run = rc.simulate(world, until=1, step=0.01)
    assert abs(run.body(ball).position[-1, 2] - RADIUS) < 1e-5
    world, ball = ball_on_floor(rc.ContactLaw(sliding=0.2), 1.0, velocity=(0, 0, -1e6))
    run = rc.simulate(world, until=0.05, step=0.01)
    assert run.body(ball).position[:, 2].min() > RADIUS - 1e-6  # not through the floor
    assert np.abs(run.body(ball).velocity[-1]).max() < 1e-6
