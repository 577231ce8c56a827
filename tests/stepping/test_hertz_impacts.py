"""Impacts by Hertz against closed forms of elastic spheres (Johnson, Contact Mechanics, 11.4), at
steps that resolve them and at steps that do not."""

import math

import numpy as np
import pytest

import rollcone as rc

G, R, SPEED = 9.81, 0.01, 1.0
STEEL = rc.HertzMindlin(young=210e9, poisson=0.3)
MASS = 7800 * 4 / 3 * math.pi * R**3
K = 4 / 3 * STEEL.normal_modulus * math.sqrt(R)  # of a ball and a plane
K_BALLS = K / math.sqrt(2)  # of two balls
RESOLVED = [1e-7, 1e-6, 1e-5, 3e-5]  # contact lasts 71 us
COARSE = [4e-5, 6e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2]


# Of a step, in which bodies meet.
PARTS = [0.01, 0.6, *(pytest.param(part, marks=pytest.mark.slow) for part in (0.3, 0.9))]


def deepest(mass: float, factor: float, speed: float) -> float:
    """2/5 K d^2.5 = m v^2 / 2."""
    return (5 * mass * speed**2 / (4 * factor)) ** 0.4


def at_rest(load: float, factor: float) -> float:
    return (load / factor) ** (2 / 3)


def steel_world(gravity: float, sliding: float = 0.0) -> rc.World:
    world = rc.World(gravity=(0, 0, -gravity))
    world.set_contact_law(rc.ContactLaw(sliding=sliding, compliance=STEEL))
    world.add_plane()
    return world


def drop(h: float, steps: int, gravity: float = 0.0, part: float = 0.6, **options):
    """A ball that meets a plane after a part of the first step; the run, heights and speeds."""
    world = steel_world(gravity)
    place = (0, 0, R + part * h * SPEED)
    ball = world.add_sphere(radius=R, mass=MASS, position=place, velocity=(0, 0, -SPEED))
    run = rc.simulate(world, until=steps * h, step=h, **options)
    track = run.body(ball)
    return run, track.position[:, 2] - R, track.velocity[:, 2]


def never_gains(run: rc.Run, share: float = 1e-8) -> bool:
    """Is the energy, without that of contact springs, never above that at the start?"""
    energy = run.energy.kinetic + run.energy.potential
    return bool(energy.max() - energy[0] <= share * run.energy.kinetic[0])


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("h", RESOLVED)
def test_resolved_impacts_are_elastic(h, part):
    """Energy is kept at every step that counts as resolved, not only at fine ones."""
    run, height, speed = drop(h, max(10, int(2e-4 / h)), part=part)
    assert run.converged
    assert speed[-1] == pytest.approx(SPEED, rel=1e-8)
    assert height[-1] > 0
    depth = -height.min()
    assert depth <= deepest(MASS, K, SPEED) * (1 + 1e-9)


def test_depth_and_duration_in_closed_form():
    """t = 2.943 d / v, and both to second order."""
    exact = deepest(MASS, K, SPEED)
    lasts = 2 * math.sqrt(math.pi) * math.gamma(0.4) / (5 * math.gamma(0.9)) * 2 * exact / SPEED
    assert lasts == pytest.approx(2.9433 * exact / SPEED, rel=1e-4)
    errors = []
    for h in (2e-6, 1e-6, 5e-7):
        run, height, speed = drop(h, int(1.2e-4 / h), part=0.5)
        assert -height.min() == pytest.approx(exact, rel=(h / 1e-5) ** 2)
        # when it left: the way back at its speed from where it is
        left = run.time[-1] - height[-1] / speed[-1] - 0.5 * h
        errors.append(abs(left / lasts - 1))
    assert errors[0] < 2e-3
    assert errors[2] < 0.3 * errors[1] < 0.1 * errors[0]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", [rc.GapAhead(), rc.DVI()])
@pytest.mark.parametrize("part", PARTS)
def test_unresolved_impacts_stop(scheme, part):
    """Never deeper than the elastic impact; what is left of the speed falls as the step grows,
    faster than h^-1.5; then the ball rests as Hertz says."""
    left = []
    for h in COARSE:
        run, height, speed = drop(h, 300, gravity=G, part=part, scheme=scheme)
        assert run.converged
        assert never_gains(run)
        assert -height.min() < 0.7 * deepest(MASS, K, SPEED + G * h)
        left.append(speed.max())
        if h >= 3e-4:  # steps that do not resolve the ball at rest, either
            assert -height[-1] == pytest.approx(at_rest(MASS * G, K), rel=1e-6)
            assert abs(speed[-1]) < 1e-9
    assert left[0] < 0.6 * SPEED
    steps = np.array(COARSE) / COARSE[0]
    assert np.all(np.array(left) < 0.6 * SPEED * steps**-1.5)
    assert np.all(np.diff(left) < 0)


def stack(balls: int) -> tuple[rc.World, list[rc.Body]]:
    """Balls on each other, at rest."""
    world, bodies, z = steel_world(G), [], 0.0
    for i in range(balls):
        load = (balls - i) * MASS * G
        z += 2 * R - at_rest(load, K_BALLS) if i else R - at_rest(load, K)
        bodies.append(world.add_sphere(radius=R, mass=MASS, position=(0, 0, z)))
    return world, bodies


@pytest.mark.parametrize("balls", [1, 3])
@pytest.mark.parametrize("h", [1e-6, 1e-5, 2e-5, 4e-5, 1e-4, 1e-3, 1e-2])
def test_a_stack_that_is_struck(balls, h):
    """From above by one ball more: contacts whose own bodies are at rest when it begins."""
    world, bodies = stack(balls)
    top = bodies[-1].position[2] + 2 * R
    place = (0, 0, top + 0.6 * h * SPEED)
    bodies.append(world.add_sphere(radius=R, mass=MASS, position=place, velocity=(0, 0, -SPEED)))
    run = rc.simulate(world, until=(400 if h > 1e-5 else 200) * h, step=h)
    height = np.array([run.body(b).position[:, 2] for b in bodies])
    assert run.converged
    loads = MASS * G * np.arange(balls, 0, -1)  # of contacts from below, at the start
    factors = np.array([K] + [K_BALLS] * (balls - 1))
    stored = (0.4 * factors * (loads / factors) ** (5 / 3)).sum()
    assert never_gains(run, 1e-8 + stored / run.energy.kinetic[0])
    overlap = -min((height[0] - R).min(), (np.diff(height, axis=0) - 2 * R).min())
    assert overlap < 1.001 * deepest(MASS, K, SPEED + G * h)
    speeds = np.array([run.body(b).velocity[:, 2] for b in bodies])
    if h >= 4e-5:
        assert speeds.max() < 0.7 * (4e-5 / h) ** 1.2
        assert overlap < 0.6 * deepest(MASS, K, SPEED + G * h)
    if h >= 1e-3:
        assert R - height[0, -1] == pytest.approx(at_rest((balls + 1) * MASS * G, K), rel=1e-6)
        assert np.abs(speeds[:, -1]).max() < 1e-9


def test_a_ball_between_others_is_struck_from_the_side():
    """Three balls that touch without a load, in line, struck at a step that resolves nothing: what
    comes of it has the momentum of the first, and they hardly come apart."""
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(compliance=STEEL))
    h = 1e-3
    row = [world.add_sphere(radius=R, mass=MASS, position=(2 * R * i, 0, 0)) for i in range(3)]
    row[0:0] = [world.add_sphere(radius=R, mass=MASS, position=(-0.03, 0, 0))]
    row[0].velocity = (SPEED, 0, 0)
    run = rc.simulate(world, until=0.1, step=h)
    speed = np.array([run.body(b).velocity[:, 0] for b in row])
    np.testing.assert_allclose(speed.sum(axis=0), SPEED, rtol=1e-12)
    np.testing.assert_allclose(speed[:, -1], SPEED / 4, rtol=0.05)
    place = np.array([run.body(b).position[:, 0] for b in row])
    assert (2 * R - np.diff(place, axis=0)).max() < deepest(MASS, K_BALLS, SPEED)
    assert never_gains(run)
    assert run.converged


def test_a_loaded_contact_that_is_let_go():
    """A ball is pressed on a plane by a force that ends: what it pushed in comes back."""
    world = steel_world(G)
    ball = world.add_sphere(radius=R, mass=MASS, position=(0, 0, R), force=(0, 0, -1000.0))
    simulation = rc.Simulation(world, step=1e-3)
    simulation.advance(0.1)
    assert R - ball.position[2] == pytest.approx(at_rest(1000 + MASS * G, K), rel=1e-6)
    ball.force = (0, 0, 0)
    simulation.advance(0.2)
    assert R - ball.position[2] == pytest.approx(at_rest(MASS * G, K), rel=1e-6)
