"""Every solver leads to the same trajectory; warm starts change the work, not the answer."""

import importlib.util

import numpy as np
import pytest

import rollcone as rc
from rollcone.solvers import SOLVERS
from scenes import floor_world

LAW = rc.ContactLaw(sliding=0.3, rolling=0.005, spinning=0.003)
NEEDS = {"reference": "clarabel"}


def scene() -> rc.World:
    """Four balls whose reactions are unique: two on the floor, one on them, one that falls on a
    sloping wall."""
    world = floor_world(LAW)
    world.add_plane(normal=(-1, 0, 1), point=(1, 0, 0))
    for x, z in ((0.0, 0.1), (0.201, 0.1), (0.1, 0.31), (0.9, 0.4)):
        world.add_sphere(
            radius=0.1, density=1000, position=(x, 0, z), velocity=(0.3 - x, 0.1, 0),
            angular_velocity=(1, 2, 3),
        )  # fmt: skip
    return world


def path(**settings) -> rc.Run:
    return rc.simulate(scene(), until=0.15, step=0.005, **settings)


@pytest.fixture(scope="module")
def usual() -> rc.Run:
    run = path()
    assert run.converged
    assert run.contact_count.max() >= 4
    return run


@pytest.mark.parametrize("name", SOLVERS)
def test_the_same_trajectory(name, usual):
    package = NEEDS.get(name)
    if package and importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    tolerance = 1e-6 if name == "reference" else 1e-10
    run = path(solver=name, tolerance=tolerance, max_iterations=SOLVERS[name].max_iterations)
    assert run.converged
    near = 1e-4 if name == "reference" else 1e-7
    np.testing.assert_allclose(run.states("position"), usual.states("position"), atol=near)


def test_a_warm_start_saves_work_and_nothing_else(usual):
    cold = path(warm_start=False)
    assert cold.converged
    np.testing.assert_allclose(cold.states("position"), usual.states("position"), atol=1e-9)
    assert usual.iterations.sum() < cold.iterations.sum()


def test_the_associated_law_by_two_solvers():
    runs = [
        path(scheme=rc.DVI(), law="associated", solver=name, tolerance=1e-10, max_iterations=20_000)
        for name in ("gauss-seidel", "apgd")
    ]
    assert all(run.converged for run in runs)
    np.testing.assert_allclose(runs[0].states("position"), runs[1].states("position"), atol=1e-7)


def test_options_reach_the_solver_and_wrong_ones_are_told():
    few = path(solver="gauss-seidel", max_iterations=1, scheme=rc.DVI())
    assert not few.converged
    assert few.iterations.max() == 1
    undivided = rc.GapAhead(max_impacts=0)
    few = path(solver="gauss-seidel", max_iterations=1, scheme=undivided)  # once for each look
    assert not few.converged
    assert (few.iterations <= few.passes).all()
    assert few.iterations.max() > 1
    with pytest.raises(rc.InputError, match=r"solver = 'gauss': must be one of .*gauss-seidel"):
        path(solver="gauss")
    with pytest.raises(rc.InputError, match=r"option of solver 'apgd' = 'steps'"):
        path(solver="apgd", solver_options={"steps": 3})
    with pytest.raises(rc.InputError, match=r"solver_options \['steps'\]: name the solver"):
        path(solver_options={"steps": 3})
    with pytest.raises(rc.InputError, match=r"max_iterations = 0: must be a whole number >= 1"):
        path(max_iterations=0)


def test_a_loose_speed_tolerance_ends_a_step_early(usual):
    loose = path(speed_tolerance=1e-3)
    assert loose.converged
    assert loose.residual_speed.max() <= 1e-3
    assert 0 < loose.iterations.sum() < usual.iterations.sum()
