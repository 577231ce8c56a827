"""No contact hides behind another: the residual of a step is the worst of all contacts."""

import math

import numpy as np
import pytest

import rollcone as rc

G = 9.81


def column(heavy):
    """Light balls on each other, and perhaps a heavy one far away."""
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    for k in range(12):
        world.add_sphere(radius=0.01, mass=1e-3, position=(0, 0, 0.01 + 0.02 * k))
    if heavy:
        world.add_sphere(radius=0.5, mass=heavy, position=(5, 0, 0.5))
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    return rc.simulate(world, until=0.1, step=0.005, tolerance=1e-4)


@pytest.mark.parametrize("heavy", [0, 1e3, 1e6])
def test_a_heavy_neighbour_does_not_loosen_light_contacts(heavy):
    """The lowest reaction holds twelve balls: it is right to 1e-4 of what it does itself."""
    run, alone = column(heavy), column(0)
    assert run.converged
    assert run.overlap.max() < 2e-4 * 0.01
    np.testing.assert_allclose(run.overlap, alone.overlap, atol=1e-12)


@pytest.mark.parametrize("copies", [1, 30, 31, 40])
def test_balls_far_from_each_other_stop_alike(copies):
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.2, rolling=0.04))
    for k in range(copies):
        world.add_sphere(
            radius=0.5, mass=1, position=(0, 2 * k, 0.5), velocity=(1, 0, 0),
            angular_velocity=(0, 2, 0),
        )  # fmt: skip
    run = rc.simulate(world, until=2.2, step=0.01, record_every=10)
    assert run.converged
    assert np.abs(run.states("velocity")[-1]).max() < 1e-12
    np.testing.assert_allclose(run.states("position")[-1, 1:, 0], 1 / (2 * G * 0.4 / 7), rtol=1e-4)


def test_a_heavy_ball_on_a_light_one_is_held_to_rounding():
    """1e-12 of what the loads do is less than the rounding of such reactions."""
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    world.add_sphere(radius=0.1, mass=1, position=(0, 0, 0.1))
    world.add_sphere(radius=0.1, mass=1e4, position=(0, 0, 0.3))
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    run = rc.simulate(world, until=0.2, step=0.01)
    assert run.converged
    assert run.iterations.mean() < 1000
    assert np.abs(run.states("velocity")).max() < 1e-9


def test_a_step_without_loads_has_a_small_residual():
    """Velocities of rounding size are not compared with themselves."""
    world = rc.World()
    for k in range(5):
        world.add_sphere(radius=0.1, mass=1, position=(0.2 * k, 0, 0))
    world.add_sphere(radius=0.1, mass=1, position=(-1, 0, 0), velocity=(1, 0, 0))
    world.set_contact_law(rc.ContactLaw(restitution=1.0))
    run = rc.simulate(world, until=2, step=0.01)
    assert run.converged
    assert run.residual.max() < 1e-11
    assert run.energy.kinetic[-1] == pytest.approx(0.5, rel=1e-11)


def test_balls_that_are_right_do_not_hide_one_that_is_not():
    """Two balls on each other are wrong after one sweep, single ones are right. (GapAhead would
    solve once more where what a sweep leaves is a gain of energy.)"""
    residuals = []
    for others in (0, 5):
        world = rc.World(gravity=(0, 0, -9.81))
        world.add_plane()
        for x, z in [(0, 0.1), (0, 0.3)] + [(k + 1, 0.1) for k in range(others)]:
            world.add_sphere(radius=0.1, mass=1, position=(x, 0, z))
        run = rc.simulate(
            world, until=0.01, step=0.01, solver="gauss-seidel", max_iterations=1,
            scheme=rc.DVI(),
        )  # fmt: skip
        residuals.append(run.residual[-1])
    assert residuals[0] > 1e-3
    assert residuals[1] == pytest.approx(residuals[0], rel=1e-9)


@pytest.mark.parametrize("tolerance", [None, 1e-4])
@pytest.mark.parametrize("fall", [0.0, 3.0])
def test_the_residual_is_the_error_over_loads_and_approach_or_its_own_reaction(fall, tolerance):
    """The latter unless the tolerance is very fine. A solid ball's lambda is that of sliding,
    1 + 5/2, and of rolling that goes with it."""
    h, g = 0.01, 9.81
    world = rc.World(gravity=(0, 0, -g))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.3, rolling=0.01, spinning=0.01))
    world.add_sphere(
        radius=0.1, mass=1, position=(0, 0, 0.1), velocity=(1, 0, -fall),
        angular_velocity=(3, 5, 2),
    )  # fmt: skip
    simulation = rc.Simulation(
        world, step=h, solver="apgd", max_iterations=1, tolerance=tolerance,
        scheme=rc.GapAhead(max_impacts=0),
    )  # fmt: skip
    simulation.take_step()
    run = simulation.run
    assert run.residual[-1] > 1e-6
    problem = simulation.problem
    own = problem.scaling.lambdas[0] * run.contacts(-1).impulse[0, 0]
    assert problem.scaling.lambdas[0] == pytest.approx(3.5 + math.sqrt(3.5 * 2.5), rel=1e-12)
    assert run.residual_speed[-1] == pytest.approx(
        run.residual[-1] * max(g * h + fall, own if tolerance else 0.0), rel=1e-9
    )
