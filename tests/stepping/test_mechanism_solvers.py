"""Every solver moves every mechanism as the default one does, which solves joints by a dense matrix
where nothing touches."""

import importlib.util

import numpy as np
import pytest

import rollcone as rc
from mechanisms import MECHANISMS, world_of
from rollcone.problem.contact_problem import EXTRA_ROWS
from rollcone.solvers import SOLVERS

TOLERANCE = 1e-8
NEEDS = {"reference": "clarabel"}
FIRST_ORDER = (
    "gauss-seidel", "jacobi", "modified-newton", "fixed-point", "extragradient", "apgd", "spectral",
)  # fmt: skip
LOOSE = {"reference": 1e-6} | dict.fromkeys(FIRST_ORDER, 1e-6)
EACH_SOLVER = pytest.mark.parametrize("solver", SOLVERS)


def path(world: rc.World, steps: int, h: float, solver: str, **settings) -> rc.Run:
    package = NEEDS.get(solver)
    if package and importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    tolerance = LOOSE.get(solver, TOLERANCE)
    run = rc.simulate(
        world, until=steps * h, step=h, solver=solver, tolerance=tolerance,
        max_iterations=SOLVERS[solver].max_iterations, **settings,
    )  # fmt: skip
    assert run.converged
    assert run.residual.max() <= tolerance
    return run


def busy_world() -> rc.World:
    """One of each element, at work: a crank with a weak motor and friction drives a rod to a slider
    with a spring, a damper and an end that it reaches; a wheel is geared to the crank; a ball lies
    on the slider's floor in a servo's grip."""
    world = rc.World(gravity=(0, -9.81, 0))
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    world.add_plane(normal=(0, 1, 0), point=(0, -0.5, 0))
    elbow, end = np.array([0.24, 0.32, 0.0]), np.array([1.2, 0.04, 0.0])
    crank, rod = (
        world.add_box(size=(0.1, 0.1, 0.1), mass=1.0, inertia=(0.1, 0.1, 0.1), position=place)
        for place in (elbow / 2, (elbow + end) / 2)
    )
    slider = world.add_sphere(radius=0.05, mass=2.0, position=end)
    wheel = world.add_sphere(radius=0.05, mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 1, 0))
    ball = world.add_sphere(radius=0.1, mass=0.5, position=(-1, -0.4, 0), velocity=(0.5, 0, 0))
    shaft = world.add_joint(
        kind="revolute", body=crank, point=(0, 0, 0), axis=(0, 0, 1),
        angle=[rc.Motor(speed=0.3, limit=12.0), rc.JointFriction(limit=0.2)],
    )  # fmt: skip
    world.add_joint(kind="revolute", body=rod, base=crank, point=elbow, axis=(0, 0, 1))
    world.add_joint(kind="revolute", body=slider, base=rod, point=end, axis=(0, 0, 1))
    world.add_joint(
        kind="prismatic", body=slider, axis=(1, 0, 0),
        slide=[rc.Spring(stiffness=200.0, damping=3.0), rc.Limits(lower=-0.004, restitution=0.3)],
    )  # fmt: skip
    second = world.add_joint(kind="revolute", body=wheel, point=(0, 1, 0), axis=(0, 0, 1))
    world.add_joint(kind="gear", joints=[second, shaft], ratio=-2.5)
    world.add_joint(
        kind="link", body=ball, point=(-1.5, -0.4, 0),
        length=rc.Spring(stiffness=50.0, rest=rc.Sine(amplitude=0.1, frequency=5.0), limit=2.0),
    )  # fmt: skip
    return world


def step_of(name: str) -> float:
    return 0.001 if name == "gyroscope" else 0.01


@pytest.fixture(scope="module", params=MECHANISMS)
def usual(request) -> tuple[str, rc.Run]:
    h = step_of(request.param)
    return request.param, rc.simulate(world_of(request.param), until=4 * h, step=h)


@EACH_SOLVER
def test_mechanisms_move_alike(usual, solver):
    name, run = usual
    found = path(world_of(name), 4, step_of(name), solver)
    for state in ("position", "velocity", "angular_velocity"):
        exact = run.states(state)
        near = 1e2 * TOLERANCE * np.abs(exact).max()
        np.testing.assert_allclose(found.states(state), exact, rtol=0, atol=near)
    for k in range(len(run.world.joints)):
        exact = run.joint(k).force
        near = 1e4 * LOOSE.get(solver, TOLERANCE) * np.abs(exact).max()
        np.testing.assert_allclose(found.joint(k).force, exact, rtol=0, atol=near)


@pytest.fixture(scope="module")
def usual_busy() -> rc.Run:
    run = rc.simulate(busy_world(), until=0.06, step=0.01)
    assert run.converged
    joint = run.world.joint
    assert run.contact_count[1:].min() > 0
    shaft, slide = run.joint(joint(0)), run.joint(joint(3))
    motor, rubbing = shaft.effort["angle.motor"][1:], shaft.effort["angle.friction"][1:]
    assert motor.max() == pytest.approx(12.0)  # at its limit, and not
    assert motor.min() < 11.0
    assert np.abs(rubbing).max() > 0.01
    assert slide.effort["slide.limits"].max() > 1.0
    assert slide.effort["slide.limits"].min() == 0.0
    servo = np.abs(run.joint(joint(6)).effort["length.spring"])
    assert servo.max() == pytest.approx(2.0)
    return run


@EACH_SOLVER
def test_elements_act_alike(usual_busy, solver):
    found = path(busy_world(), 6, 0.01, solver)
    near = 1e3 * LOOSE.get(solver, TOLERANCE)
    for state in ("position", "velocity", "angular_velocity"):
        np.testing.assert_allclose(
            found.states(state), usual_busy.states(state), rtol=0, atol=near, err_msg=state
        )


def test_all_solvers_take_the_rows_of_joints():
    """If one does not, a simulation with joints must refuse it by name."""
    for info in SOLVERS.values():
        assert set(info.extra_rows) == set(EXTRA_ROWS)


def test_the_associated_law_with_joints():
    """Of DVI: no contact slides here, so that both laws move it alike."""
    runs = [
        path(busy_world(), 3, 0.01, "newton", scheme=rc.DVI()),
        path(busy_world(), 3, 0.01, "admm", scheme=rc.DVI(), law="associated"),
    ]
    a, b = (run.states("position") for run in runs)
    np.testing.assert_allclose(a[:, 1:5], b[:, 1:5], rtol=0, atol=1e-7)
